package memstore

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestViewCap(t *testing.T) {
	ctx := context.Background()
	// The header has 52 characters and its newline, each row 10 with the newline before it.
	const cap3 = 53 + 9 + 10 + 10
	text := "ab\nçd\nef\ngh\nij\n"
	head := fmt.Sprintf(fileHead, "/memories/f")
	if len(head) != 53 {
		t.Fatal("header", len(head))
	}
	rows := "     1\tab\n     2\tçd\n     3\tef"
	for _, w := range []struct {
		limit     int
		viewRange []int
		want      string
	}{
		{0, nil, rows + "\n     4\tgh\n     5\tij\n     6\t"},
		{cap3 + 100, nil, rows + "\n     4\tgh\n     5\tij\n     6\t"},
		{cap3 + 28, nil, rows + "\n     4\tgh\n     5\tij\n     6\t"},
		{cap3 + 27, nil, rows + "\n     4\tgh\n     5\tij\n[Cut at 109 characters: lines 1 to 5 of 6 are shown. To read on, use " +
			"view_range [6, 6].]"},
		{cap3, nil, rows + "\n[Cut at 82 characters: lines 1 to 3 of 6 are shown. To read on, use view_range [4, 6].]"},
		{cap3, []int{1, 3}, rows},
		{cap3, []int{1, 5}, rows + "\n[Cut at 82 characters: lines 1 to 3 of 6 are shown. To read on, use view_range [4, 5].]"},
		{cap3 - 1, []int{1, 3}, "     1\tab\n     2\tçd\n[Cut at 81 characters: lines 1 to 2 of 6 are shown. To read on, use " +
			"view_range [3, 3].]"},
		{53 + 8, []int{2, 4}, "     2\tç\n[Cut at 61 characters, inside line 2. To read on after it, use view_range [3, 4].]"},
		{53 + 8, []int{2, 2}, "     2\tç\n[Cut at 61 characters, inside line 2, the last one asked for.]"},
		{10, []int{2, 2}, "     2\t\n[Cut at 10 characters, inside line 2, the last one asked for.]"},
		{10, []int{9, 9}, ""},
	} {
		s := storeOf(t, Options{MaxViewChars: w.limit}, "f", text)
		if got := s.View(ctx, "/memories/f", w.viewRange).Content; got != head+w.want {
			t.Errorf("limit %d %v\ngot  %q\nwant %q", w.limit, w.viewRange, got, head+w.want)
		}
	}
	// Reading on as told brings the whole text, each row once.
	s := storeOf(t, Options{MaxViewChars: 16_000}, "f", strings.Repeat("a line of text\nété\n\n", 4000))
	next := []int{1, -1}
	var got []string
	for next != nil {
		lines := strings.Split(s.View(ctx, "/memories/f", next).Content, "\n")[1:]
		next = nil
		if last := lines[len(lines)-1]; strings.HasPrefix(last, "[Cut") {
			lines = lines[:len(lines)-1]
			next = []int{0, 0}
			_, at, _ := strings.Cut(last, "view_range ")
			if _, err := fmt.Sscanf(at, "[%d, %d].]", &next[0], &next[1]); err != nil {
				t.Fatal(last, err)
			}
		}
		got = append(got, lines...)
	}
	s.options.MaxViewChars = 0
	if whole := s.View(ctx, "/memories/f", nil).Content; strings.Join(got, "\n") != whole[strings.IndexByte(whole, '\n')+1:] {
		t.Error("the pages do not make up the file")
	}
}
