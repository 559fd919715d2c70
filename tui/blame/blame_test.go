package blame

import (
	"context"
	"strings"
	"testing"
	"time"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/ui/panetest"
)

// told is a source that answers what a test says.
type told struct {
	lines []past.Blamed
	revs  map[int64]past.Revision
	err   error
	asked int
}

func (s *told) Blame(context.Context, string, int64) (*past.Blame, error) {
	s.asked++
	return &past.Blame{Lines: s.lines, Revisions: s.revs}, s.err
}

// stage is a tab whose jobs run immediately.
type stage struct {
	*panetest.Stage
	p      *Pane
	source *told
}

func newStage(t testing.TB, w, h int, lines ...past.Blamed) *stage {
	t.Helper()
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	if r := store.Create(t.Context(), "/memories/d/a.md", "x"); r.IsError {
		t.Fatal(r.Content)
	}
	source := &told{lines: lines, revs: map[int64]past.Revision{}}
	for i, l := range lines {
		if l.Rev > 0 {
			source.revs[l.Rev] = past.Revision{Rev: l.Rev, Actor: memstore.Agent, Command: "insert", Time: panetest.Noon.Add(-time.Duration(i+1) * time.Hour)}
		}
	}
	env := panetest.NewEnv(t, theme.Options{Name: theme.Dark, Dark: true})
	p := New(env, store, source)
	return &stage{Stage: panetest.New(t, p, env, w, h), p: p, source: source}
}

func (s *stage) screen() string {
	s.T.Helper()
	rows := s.Rows()
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ")
	}
	return strings.Join(rows, "\n")
}

func line(rev int64, s string) past.Blamed {
	return past.Blamed{Text: []byte(s + "\n"), Rev: rev}
}

func TestHostileLinesAtEverySize(t *testing.T) {
	hostile := []string{"a\tb", "日本語の行", "e\u0301\u202eevil\u200b", "\x1b]52;c;x\x07", "\xff\xfe", "👨‍👩‍👧‍👦 x", "", "\r\r", strings.Repeat("long ", 400)}
	var lines []past.Blamed
	for i, h := range hostile {
		lines = append(lines, line(int64(i)*1000, h))
	}
	s := newStage(t, 80, 10, lines...)
	for i, r := range s.source.revs {
		r.Command, r.Note = "a\x1b[31m\u202e", past.NoteUnseen
		s.source.revs[i] = r
	}
	s.Run(s.p.Show("/memories/d/a.md"))
	s.Run(s.p.Search().SetQuery("l"))
	for _, wrap := range []bool{false, true} {
		s.p.wrap = wrap
		for w := range 90 {
			for _, h := range []int{0, 1, 2, 7, 20} {
				s.Resize(w, h)
				s.screen()
				s.Does(keymap.Down, keymap.Right, keymap.SearchNext)
				s.screen()
			}
		}
	}
}
