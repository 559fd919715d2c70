package strip

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

func changes(n int) []*watch.Change {
	out := make([]*watch.Change, n)
	for i := range out {
		out[i] = &watch.Change{Seq: i + 1, Time: time.Date(2026, 11, 21, 12, 0, i, 0, time.UTC), Actor: memstore.Agent,
			Command: "insert", Kind: memstore.KindFile, Path: "/memories/日本/a\x1b[31m.md", Added: i}
	}
	return out
}

func newStrip(n int) (*Pane, *ui.Env) {
	env := &ui.Env{Styles: theme.New(theme.Options{Dark: true}), Keys: keymap.Default()}
	p := New(env, func(c *watch.Change) bool { return c.Seq%2 == 0 })
	p.Resize(80, 4)
	p.SetChanges(changes(n))
	return p, env
}

func TestStripFollowsTheNewestUntilTheUserMoves(t *testing.T) {
	p, env := newStrip(10)
	if p.Selected().Seq != 10 {
		t.Fatalf("the cursor is on %d", p.Selected().Seq)
	}
	p.Handle(keymap.Up)
	if got := env.Drain(); len(got) != 1 || got[0] != (ui.ShowChange{Seq: 9}) {
		t.Errorf("moving emitted %v", got)
	}
	p.SetChanges(changes(20))
	if p.Selected().Seq != 9 {
		t.Errorf("a new change moved the cursor to %d", p.Selected().Seq)
	}
	p.Handle(keymap.Bottom)
	p.SetChanges(changes(25))
	if p.Selected().Seq != 25 {
		t.Errorf("the strip does not follow again: cursor on %d", p.Selected().Seq)
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
	for _, id := range []keymap.ID{keymap.Up, keymap.Down, keymap.Top, keymap.Bottom, keymap.OpenChange, keymap.OpenFile} {
		p.Handle(id)
	}
	if got := env.Drain(); len(got) != 0 || p.Selected() != nil {
		t.Errorf("an empty strip emitted %v", got)
	}
	if !strings.Contains(strings.Join(p.Rows(true), ""), "no change") {
		t.Error("an empty strip does not say what it is for")
	}
}
