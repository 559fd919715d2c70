package form

import (
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

func testEnv(t testing.TB) *ui.Env {
	t.Helper()
	return &ui.Env{Styles: theme.New(theme.Options{Name: theme.Dark, Dark: true}), Keys: keymap.Default(), Jobs: ui.NewJobs(t.Context())}
}

// offset is the cursor as a byte of the whole text.
func (b *buffer) offset() int {
	at := b.col
	for _, l := range b.lines[:b.row] {
		at += len(l) + 1
	}
	return at
}

// FuzzBuffer holds that the text is what was typed, byte for byte, whatever the keys:
// compared with a plain string and an offset in it.
func FuzzBuffer(f *testing.F) {
	f.Add("one\r\ntwo\n", "adQkluUwyi", "é\t\x1b[31m")
	f.Add("", "iiiiddddu", "日本\u0301\u202e")
	f.Add("a\n\n\nb", "uuQQrr<>lrhe", "\xff\xfe\n\n")
	f.Fuzz(func(t *testing.T, start, keys, typed string) {
		if len(start)+len(typed) > 4096 || len(keys) > 64 {
			return
		}
		d := &field{editor: newEditor(testEnv(t), start, false), name: "file_text"}
		d.resize(20, 5)
		want := start
		actions := map[rune]keymap.ID{
			'l': keymap.Left, 'r': keymap.Right, 'u': keymap.Up, 'd': keymap.Down, 'Q': keymap.PageUp, '<': keymap.Top, '>': keymap.Bottom,
			'w': keymap.WordLeft, 'W': keymap.WordRight, 'h': keymap.LineStart, 'e': keymap.LineEnd,
			'b': keymap.DeleteBack, 'x': keymap.DeleteNext, 'k': keymap.DeleteToEnd, 's': keymap.DeleteToStart, 'D': keymap.DeleteWord,
		}
		for _, k := range keys {
			before, at := d.text(), d.offset()
			id, known := actions[k]
			switch {
			case !known:
				if refusal := d.insert(typed, false); refusal != "" {
					t.Fatal(refusal)
				}
				want = before[:at] + typed + before[at:]
			default:
				changed, ok := d.perform(id)
				if !ok {
					t.Fatalf("%s is not an action of a field", id)
				}
				got := d.text()
				if changed != (got != before) {
					t.Fatalf("%s: changed %v, but %q became %q", id, changed, before, got)
				}
				if changed { // one piece went away, where the cursor is now
					from, gone := d.offset(), len(before)-len(got)
					if gone <= 0 || got != before[:from]+before[from+gone:] {
						t.Fatalf("%s made %q of %q with the cursor at %d", id, got, before, from)
					}
					d.undo()
					if d.text() != before || d.offset() != at {
						t.Fatalf("undo of %s leads to %q at %d, want %q at %d", id, d.text(), d.offset(), before, at)
					}
					d.redo()
				}
				want = got
			}
			if got := d.text(); got != want || d.size != len(want) {
				t.Fatalf("after %q the text is %q of %d bytes, want %q", k, got, d.size, want)
			}
			checkScreen(t, d.editor)
		}
	})
}

// checkScreen holds that the cursor is on the screen and every row exactly as wide as it has to be.
func checkScreen(t *testing.T, e *editor) {
	t.Helper()
	at := e.cursor()
	if at.X < 0 || at.Y < 0 || at.X >= e.w || at.Y >= max(1, e.h) {
		t.Fatalf("the cursor is at %v in %dx%d", at, e.w, e.h)
	}
	for _, row := range e.rows("") {
		if w := text.Width(plain(row)); w != e.w {
			t.Fatalf("a row is %d cells wide, want %d: %q", w, e.w, row)
		}
	}
}

// plain takes the escapes of our own paints from a row.
func plain(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if i := strings.Index(s, "\x1b["); i == 0 {
			s = s[strings.IndexByte(s, 'm')+1:]
			continue
		} else if i > 0 {
			b.WriteString(s[:i])
			s = s[i:]
			continue
		}
		b.WriteString(s)
		break
	}
	return b.String()
}

func TestLimitsAreRefusedWithASentenceAndNothingChanges(t *testing.T) {
	for _, c := range []struct {
		name, start, typed, want string
		single                   bool
	}{
		{"bytes", strings.Repeat("x", maxBytes-3), "four", textFieldFull, false},
		{"bytes at the limit", strings.Repeat("x", maxBytes-4), "four", "", false},
		{"lines", strings.Repeat("\n", maxLines-2), "\n\n", textFieldFull, false},
		{"lines at the limit", strings.Repeat("\n", maxLines-2), "\n", "", false},
		{"one line", "/memories/", "a\nb", textOneRow, true},
		{"long line", "/memories/", strings.Repeat("a", maxOneRow), textRowFull, true},
	} {
		b := newBuffer(c.start, c.single)
		refusal := b.insert(c.typed, false)
		switch {
		case refusal != c.want:
			t.Errorf("%s: refusal %q, want %q", c.name, refusal, c.want)
		case c.want == "" && b.text() != c.start+c.typed, c.want != "" && b.text() != c.start:
			t.Errorf("%s: the text is not what it should be", c.name)
		}
	}
}

func TestTypingIsUndoneInOnePiece(t *testing.T) {
	b := newBuffer("", false)
	for _, r := range "word" {
		accepted(t, b.insert(string(r), true))
	}
	accepted(t, b.insert("\n", true))
	for _, r := range "next" {
		accepted(t, b.insert(string(r), true))
	}
	var seen []string
	for range 4 {
		b.undo()
		seen = append(seen, b.text())
	}
	if want := []string{"word\n", "word", "", ""}; !slices.Equal(seen, want) {
		t.Errorf("undo gave %q, want %q", seen, want)
	}
	for range 5 {
		b.redo()
	}
	if b.text() != "word\nnext" {
		t.Errorf("redo gave %q", b.text())
	}
}

func accepted(t *testing.T, refusal string) {
	t.Helper()
	if refusal != "" {
		t.Fatal(refusal)
	}
}
