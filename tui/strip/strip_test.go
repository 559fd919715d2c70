package strip

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

func changes(n int) []past.Revision {
	out := make([]past.Revision, n)
	for i := range out {
		out[i] = past.Revision{Rev: int64(i + 1), Time: time.Date(2026, 11, 21, 12, 0, i, 0, time.UTC), Actor: memstore.Agent,
			Command: "insert", Kind: memstore.KindFile, Path: "/memories/日本/a\x1b[31m.md", Added: i}
	}
	return out
}

// at is the number of the revision under the cursor, 0 for none.
func at(p *Pane) int64 {
	r, _ := p.Selected()
	return r.Rev
}

func newStrip(n int) (*Pane, *ui.Env) {
	env := &ui.Env{Styles: theme.New(theme.Options{Dark: true}), Keys: keymap.Default(), Now: time.Now}
	p := New(env, func(rev int64) bool { return rev%2 == 0 })
	p.Resize(80, 4)
	p.SetChanges(changes(n))
	return p, env
}

func TestStripFollowsTheNewestUntilTheUserMoves(t *testing.T) {
	p, env := newStrip(10)
	if at(p) != 10 {
		t.Fatalf("the cursor is on %d", at(p))
	}
	p.Actions().Perform(keymap.Up)
	if got := env.Drain(); len(got) != 1 || got[0] != (ui.ShowChange{Rev: 9}) {
		t.Errorf("moving emitted %v", got)
	}
	p.SetChanges(changes(20))
	if at(p) != 9 {
		t.Errorf("a new change moved the cursor to %d", at(p))
	}
	p.Actions().Perform(keymap.Bottom)
	p.SetChanges(changes(25))
	if at(p) != 25 {
		t.Errorf("the strip does not follow again: cursor on %d", at(p))
	}
}

// The oldest revisions leave while the user looks at one of the others.
func TestTheCursorStaysOnItsRevisionWhenOthersLeave(t *testing.T) {
	p, env := newStrip(10)
	p.Actions().Perform(keymap.Up)
	p.Actions().Perform(keymap.Up)
	env.Drain()
	row, _ := p.Cursor()
	p.SetChanges(changes(14)[4:])
	if now, _ := p.Cursor(); at(p) != 8 || now != row {
		t.Errorf("the cursor is on %d, in row %v instead of %v", at(p), now, row)
	}
	p.SetChanges(changes(30)[20:])
	if at(p) != 21 {
		t.Errorf("the cursor is on %d, want the nearest remaining row", at(p))
	}
}

func TestStripRowsAreExactAndHarmless(t *testing.T) {
	p, _ := newStrip(30)
	for w := 1; w <= 130; w++ {
		for _, focused := range []bool{false, true} {
			p.Resize(w, 4)
			for i, row := range p.Rows(focused) {
				plain := ansi.Strip(row)
				if ansi.StringWidth(row) != w || strings.ContainsAny(plain, "\x1b\r\n\t") {
					t.Fatalf("width %d row %d: %q", w, i, row)
				}
			}
		}
	}
}

func TestStripOfNothing(t *testing.T) {
	p, env := newStrip(0)
	for _, id := range []keymap.ID{keymap.Up, keymap.Down, keymap.Top, keymap.Bottom, keymap.Open, keymap.OpenFile} {
		p.Actions().Perform(id)
	}
	if got := env.Drain(); len(got) != 0 || at(p) != 0 {
		t.Errorf("an empty strip emitted %v", got)
	}
	if !strings.Contains(strings.Join(p.Rows(true), ""), "No edits since") {
		t.Error("an empty strip does not say what it is for")
	}
	p.Resize(34, 6) // beside the file, on a wide screen
	if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(p.Rows(true), " "))), " "); !strings.Contains(got, textNoChanges) {
		t.Errorf("a narrow strip cuts %q", got)
	}
}
