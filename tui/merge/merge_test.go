package merge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore/undo"
	"memcurator/render/theme"
	"memcurator/tui/kit/panetest"
	"memcurator/tui/merge"
)

const (
	base   = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"
	ours   = "a\nB now\nc\nd\ne\nf\ng\nh\ni\nj\nK now\nl\n"
	theirs = "a\nB then\nc\nd\ne\nf\ng\nh\ni\nj\nl\n"
)

func box(t *testing.T, ours, theirs string) *merge.Pane {
	t.Helper()
	says := merge.Texts{Title: "undo: /memories/a.md", Other: "restored", Leave: "cancel"}
	parts := undo.Parts(context.Background(), []byte(base), []byte(ours), []byte(theirs))
	return merge.New(panetest.NewEnv(t, theme.Options{Dark: true}), says, parts)
}

// TestWhatIsChosenMakesTheText: every choice, and marks where nothing is decided yet.
func TestWhatIsChosenMakesTheText(t *testing.T) {
	for _, c := range []struct {
		keys []keymap.ID
		want string
		ok   bool
	}{
		{[]keymap.ID{keymap.Mark, keymap.HunkNext, keymap.Right, keymap.Mark}, strings.Replace(ours, "K now\n", "", 1), true},
		{[]keymap.ID{keymap.KeepRestored}, theirs, true},
		{[]keymap.ID{keymap.KeepCurrent}, ours, true},
		{[]keymap.ID{keymap.Mark, keymap.Right, keymap.Mark, keymap.HunkNext, keymap.Mark, keymap.Right, keymap.Mark},
			strings.Replace(ours, "B now\n", "B now\nB then\n", 1), true},
		{[]keymap.ID{keymap.Right, keymap.Mark, keymap.Left, keymap.Mark, keymap.HunkNext, keymap.Mark},
			strings.Replace(ours, "B now\n", "B then\nB now\n", 1), true},
		{[]keymap.ID{keymap.KeepCurrent, keymap.Right, keymap.Mark, keymap.Left, keymap.Mark}, strings.Replace(ours, "B now", "B then", 1), true},
		{[]keymap.ID{keymap.HunkNext, keymap.Mark}, "a\n<<<<<<< current\nB now\n=======\nB then\n>>>>>>> restored\n" + ours[strings.Index(ours, "c\n"):], false},
		{[]keymap.ID{keymap.HunkPrev, keymap.Mark, keymap.HunkNext, keymap.Right, keymap.Mark}, strings.Replace(ours, "B now", "B then", 1), true},
	} {
		p := box(t, ours, theirs)
		for _, id := range c.keys {
			p.Handle(id)
		}
		got, ok := p.Text()
		if c.ok != ok {
			t.Errorf("%v: decided %v", c.keys, ok)
		}
		if string(got) != c.want {
			t.Errorf("%v: %q, want %q", c.keys, got, c.want)
		}
		if p.Handle(keymap.Yes) == ok {
			t.Errorf("%v: yes is let through: %v", c.keys, !ok)
		}
	}
}

// TestALastLineWithoutItsEndStaysALine: both sides of it are two lines.
func TestALastLineWithoutItsEndStaysALine(t *testing.T) {
	p := merge.New(panetest.NewEnv(t, theme.Options{}), merge.Texts{}, undo.Parts(context.Background(), []byte("x"), []byte("now"), []byte("then")))
	for _, id := range []keymap.ID{keymap.Mark, keymap.Right, keymap.Mark} {
		p.Handle(id)
	}
	if got, ok := p.Text(); !ok || string(got) != "now\nthen" {
		t.Errorf("%q, %v", got, ok)
	}
}

// TestRowsFillTheBox at every size that a screen has room for, with hostile text too.
func TestRowsFillTheBox(t *testing.T) {
	p := box(t, strings.Replace(ours, "B now", "\x1b[31m東京\u202e\tx\xff", 1), theirs)
	for n := 10; n < 70; n++ {
		w := n
		if n >= 60 {
			w = n + 32 // around the width from which the sides are side by side
		}
		for _, h := range []int{1, 2, 5, 30} {
			rows := p.Rows(w, h)
			if len(rows) != h {
				t.Fatalf("%d rows of %d", len(rows), h)
			}
			for _, r := range rows {
				if got := ansi.StringWidth(r); got != w || strings.ContainsAny(ansi.Strip(r), "\x1b\t\u202e") {
					t.Fatalf("at %dx%d: a row of %d cells: %q", w, h, got, r)
				}
			}
		}
	}
	if all := strings.Join(p.Rows(60, 30), "\n"); !strings.Contains(all, "conflict 1 of 2, unresolved: < current, > restored") || !strings.Contains(all, "... 2 lines ...") {
		t.Errorf("%s", all)
	}
}
