package blame

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/ui"
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

func TestOnlyTheFirstLineOfARunNamesItsRevision(t *testing.T) {
	s := newStage(t, 80, 8, line(0, "first"), line(3, "a"), line(3, "b"), line(12, "c"), past.Blamed{Text: []byte("d"), Rev: 12, Unsure: true})
	s.Run(s.p.Show("/memories/d/a.md"))
	want := strings.Join([]string{
		"▌-          older       │ first",
		" #3   agent insert   3h │ a",
		"                        │ b",
		" #12  agent insert   5h │ c",
		" #12? agent insert   5h │ d",
	}, "\n")
	if got := strings.TrimRight(s.screen(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s.Does(keymap.Open, keymap.Bottom, keymap.Open)
	opened := panetest.Sent[OpenRevision](s.Stage)
	if len(opened) != 1 || opened[0].Revision.Rev != 12 || len(s.Said()) != 1 {
		t.Errorf("opened %v, said %q", opened, s.Said())
	}
}

func TestNarrowWidthsDropColumns(t *testing.T) {
	s := newStage(t, 80, 3, line(3, "text"))
	s.Run(s.p.Show("/memories/d/a.md"))
	for w, want := range map[int]string{
		64: "▌#3  agent insert   1h │ text", 63: "▌#3  agent   1h │ text", 40: "▌#3  agent   1h │ text", 39: "▌#3    1h │ text",
	} {
		s.Resize(w, 3)
		if got := strings.TrimRight(s.screen(), "\n"); got != want {
			t.Errorf("%d cells: %q, want %q", w, got, want)
		}
	}
}

// The first row of the screen names its revision too: a user who scrolled there must not have to guess.
func TestTheTopRowNamesItsRevision(t *testing.T) {
	var lines []past.Blamed
	for i := range 50 {
		lines = append(lines, line(7, fmt.Sprint("line ", i)))
	}
	s := newStage(t, 50, 5, lines...)
	s.Run(s.p.Show("/memories/d/a.md"))
	s.Does(keymap.PageDown, keymap.PageDown)
	if rows := strings.Split(s.screen(), "\n"); !strings.Contains(rows[0], "#7") || strings.Contains(rows[1], "#7") {
		t.Errorf("%q", rows)
	}
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

// A line keeps the cursor while others come and go around it.
func TestCursorStaysOnItsLine(t *testing.T) {
	var lines []past.Blamed
	for i := range 40 {
		lines = append(lines, line(int64(i+1), fmt.Sprint("line ", i)))
	}
	s := newStage(t, 60, 6, lines...)
	s.Run(s.p.Show("/memories/d/a.md"))
	for range 20 {
		s.Does(keymap.Down)
	}
	above := s.p.cursor() - s.p.view.Top.Line
	s.source.lines = append([]past.Blamed{line(0, "new"), line(0, "new")}, lines...)
	s.Run(s.p.Reload())
	if got := string(s.p.doc.text(s.p.cursor())); got != "line 20" || s.p.cursor()-s.p.view.Top.Line != above {
		t.Errorf("cursor on %q, %d rows below the top, before %d", got, s.p.cursor()-s.p.view.Top.Line, above)
	}
	s.source.lines = lines[:3]
	s.Run(s.p.Reload())
	if s.p.cursor() != 2 {
		t.Errorf("cursor on line %d of 3", s.p.cursor())
	}
}

func TestSearch(t *testing.T) {
	s := newStage(t, 60, 4, line(1, "one"), line(1, "Two two"), line(2, "three"), line(2, strings.Repeat("x", 90)+"two"))
	s.Run(s.p.Show("/memories/d/a.md"))
	s.Run(s.p.Search().SetQuery("two"))
	s.Run(s.p.Search().Jump())
	if s.p.cursor() != 1 || !strings.Contains(s.p.Search().SearchState(), "match 1 of 3") {
		t.Errorf("cursor %d, %q", s.p.cursor(), s.p.Search().SearchState())
	}
	s.Does(keymap.SearchNext, keymap.SearchNext)
	if s.p.cursor() != 3 || !strings.Contains(s.screen(), "xtwo") {
		t.Errorf("cursor %d:\n%s", s.p.cursor(), s.screen())
	}
	s.Does(keymap.SearchNext)
	if s.p.cursor() != 1 || len(s.Said()) != 1 {
		t.Errorf("cursor %d, said %q", s.p.cursor(), s.Said())
	}
	s.Does(keymap.SearchPrev)
	if s.p.cursor() != 3 {
		t.Errorf("cursor %d", s.p.cursor())
	}
}

func TestWhatHasNoLinesSaysSo(t *testing.T) {
	for path, c := range map[string]struct {
		source told
		want   string
	}{
		"/memories":         {want: "A folder has no lines"},
		"/memories/d":       {want: "A folder has no lines"},
		"/memories/none.md": {want: ui.TextFileGone},
		"/memories/d/a.md":  {source: told{err: past.ErrNotThere}, want: "No recorded change"},
	} {
		s := newStage(t, 100, 5)
		s.source.err = c.source.err
		s.Run(s.p.Show(path))
		if !strings.Contains(s.screen(), c.want) {
			t.Errorf("%s:\n%s\nwant %q", path, s.screen(), c.want)
		}
		s.Does(keymap.Down, keymap.PageUp, keymap.Open)
	}
	s := newStage(t, 100, 5, past.Blamed{Text: []byte(strings.Repeat("a\x00b", 20)), Rev: 1})
	s.Run(s.p.Show("/memories/d/a.md"))
	if !strings.Contains(s.screen(), "no lines to blame") {
		t.Error(s.screen())
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 59 * time.Second: "59s", time.Minute: "1m", 25 * time.Hour: "1d", 99 * 24 * time.Hour: "99d", 100 * 24 * time.Hour: "14w", 3 * 365 * 24 * time.Hour: "3y",
	} {
		if got := ageText(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
