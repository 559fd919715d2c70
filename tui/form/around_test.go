package form

import (
	"bytes"
	"strings"
	"testing"
)

func TestAround(t *testing.T) {
	for _, c := range []struct {
		name, data string
		number     int
		line, want string
	}{
		{"unique", "a\nb\nc\n", 2, "b", "b"},
		{"twice", "a\nx\nb\nx\nc\n", 4, "x", "b\nx\nc"},
		{"on the first line", "x\nb\nx\n", 1, "x", "x\nb"},
		{"part of another line", "x\nxy\n", 1, "x", "x\nxy"},
		{"overlaps itself", "aa\naaa\n", 1, "aa", "aa\naaa"},
		{"empty line", "a\n\nb\n", 2, "", "a\n\nb"},
		{"behind the end", "a\nb\n", 3, "", "b\n"},
		{"crlf", "x\r\nb\r\nx\r\n", 3, "x\r", "b\r\nx\r\n"},
		{"never unique", "x\nx\nx\n", 2, "x", "x\nx\nx"},
		{"another line by now", "a\nother\n", 2, "x", "x"},
		{"no such line", "a\n", 9, "x", "x"},
		{"too long with its neighbours", "x\n" + strings.Repeat("y", aroundUpTo) + "\nx\n", 1, "x", "x"},
	} {
		if got, above := Around([]byte(c.data), c.number, c.line); got != c.want || above > 0 && strings.Split(got, "\n")[above] != c.line {
			t.Errorf("%s: %q with %d lines above, want %q", c.name, got, above, c.want)
		}
	}
}

// FuzzAround holds that what comes back is the line, or holds it and occurs once.
func FuzzAround(f *testing.F) {
	f.Add([]byte("x\nb\nx\n"), 3)
	f.Fuzz(func(t *testing.T, data []byte, number int) {
		from, to, ok := lineAt(data, number)
		if !ok || number < 1 {
			return
		}
		line := string(data[from:to])
		got, above := Around(data, number, line)
		if got == line {
			return
		}
		if bytes.Count(data, []byte(got)) != 1 || strings.Split(got, "\n")[above] != line {
			t.Fatalf("line %d of %q is found by %q", number, data, got)
		}
	})
}
