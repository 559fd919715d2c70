package overlay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

func environment() *kit.Env {
	env := &kit.Env{Styles: theme.New(theme.Options{Dark: true}), Jobs: kit.NewJobs(context.Background())}
	Declare(env)
	keys, err := keymap.New(env.Declared)
	if err != nil {
		panic(err)
	}
	env.Keys = keys
	return env
}

// draw holds what the root relies on: the wanted size is kept to, rows have exact sizes
// and nothing raw is in them.
func draw(t *testing.T, o kit.Overlay, maxW, maxH int) []string {
	t.Helper()
	w, h := o.Size(maxW, maxH)
	if w < 1 || h < 1 || w > max(1, maxW) || h > max(1, maxH) {
		t.Fatalf("wants %dx%d of %dx%d", w, h, maxW, maxH)
	}
	rows := o.Rows(w, h)
	if len(rows) != h {
		t.Fatalf("%d rows in a box of %d", len(rows), h)
	}
	for i, row := range rows {
		if got := ansi.StringWidth(row); got != w {
			t.Fatalf("row %d is %d cells wide in a box of %d: %q", i, got, w, row)
		}
		rows[i] = ansi.Strip(row)
		if strings.ContainsFunc(rows[i], func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
			t.Fatalf("row %d is raw: %q", i, row)
		}
	}
	return rows
}

func trimmed(rows []string) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = strings.TrimRight(strings.TrimPrefix(row, " "), " ")
	}
	return out
}

const hostile = "plain\n\x1b[31mred\x1b[0m\t\x1b]52;c;YQ==\a\r\n日本語とEnglishの混ざった行です\n\u202eabc\u202c\xff\xfe\n\ttab\tstops\n\n" +
	"a long line of words that has to be wrapped at spaces because no box is as wide as it is, or only a very wide one\n"

func TestTextFitsEveryBox(t *testing.T) {
	for _, body := range []string{"", "\n", "one", hostile, strings.Repeat("全", 300), strings.Repeat("x\n", 500)} {
		for w := 1; w <= 130; w += 1 + w/3 {
			for h := 1; h <= 40; h += 1 + h/2 {
				o := NewText(environment(), "title "+strings.Repeat("t", 40), body, w%2 == 0)
				draw(t, o, w, h)
				for _, id := range []keymap.ID{keymap.Down, keymap.PageDown, keymap.Bottom, keymap.HalfUp, keymap.Up, keymap.PageUp, keymap.HalfDown, keymap.Top, keymap.Right} {
					if !o.Handle(id) {
						t.Fatalf("%s is not handled", id)
					}
					draw(t, o, w, h)
				}
			}
		}
	}
}

func TestHugeTextIsCutAndCopiedWhole(t *testing.T) {
	body := strings.Repeat("全", 1<<20)
	o := NewText(environment(), "t", body, false)
	draw(t, o, 100, 30)
	o.Handle(keymap.Bottom)
	rows := trimmed(draw(t, o, 100, 30))
	if want := fmt.Sprintf("... %d bytes more; y copies all of it", len(body)-wrapUpTo); rows[len(rows)-1] != want {
		t.Errorf("the last row is %q, want %q", rows[len(rows)-1], want)
	}
	if strings.Contains(strings.Join(rows, ""), `\x`) {
		t.Error("the cut goes through a character")
	}
	if o.Content() != body {
		t.Error("not all of it would be copied")
	}
	if small := NewText(environment(), "t", "abc\xff", false); small.Content() != "abc\xff" {
		t.Errorf("%q would be copied", small.Content())
	}
}

func TestQuestionWaitsForTheWord(t *testing.T) {
	q := NewTypedQuestion(environment(), "Purge 2 values everywhere?", "This cannot be undone.", "purge", "Purge 2 values")
	w, h := q.Size(80, 20)
	for i, key := range []string{"p", "x", "backspace", "u", "r", "g", "e"} {
		if !q.Handle(keymap.Accept) {
			t.Fatalf("enter is an answer after %d keys", i)
		}
		msg := tea.KeyPressMsg{Code: tea.KeyBackspace}
		if key != "backspace" {
			msg = tea.KeyPressMsg{Code: rune(key[0]), Text: key}
		}
		q.Type(msg)
	}
	rows := trimmed(draw(t, q, w, h))
	want := []string{"This cannot be undone.", "", "Type purge to confirm: purge", "[enter] Purge 2 values", "[esc] Cancel"}
	if !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
	if at, ok := q.Cursor(); !ok || at != (kit.Point{X: 1 + len(want[2]), Y: 2}) {
		t.Errorf("the cursor is at %v", at)
	}
	if q.Handle(keymap.Accept) {
		t.Error("enter does not answer after the word")
	}
}
