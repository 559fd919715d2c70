package browse

import (
	"context"
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/kit"
	"memcurator/tui/kit/panetest"
)

// stage is a tab over a store in memory whose jobs run immediately.
type stage struct {
	*panetest.Stage
	p     *renderedPane
	store *memstore.Store
}

func newStage(t testing.TB, w, h int) *stage {
	t.Helper()
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	env := panetest.NewEnv(t, theme.Options{Name: theme.Dark, Dark: true})
	p := newRenderedPane(env, store)
	return &stage{Stage: panetest.New(t, p, env, w, h), p: p, store: store}
}

func (s *stage) write(path, content string) {
	s.T.Helper()
	_ = s.store.Do(context.Background(), memstore.Command{Name: memstore.CmdDelete, Path: path})
	r := s.store.Do(context.Background(), memstore.Command{Name: memstore.CmdCreate, Path: path, FileText: content})
	if r.IsError {
		s.T.Fatal(r.Content)
	}
}

// screen is the text of the rows without the cursor's column.
func (s *stage) screen() []string {
	s.T.Helper()
	rows := s.Rows()
	for i, r := range rows {
		rows[i] = strings.TrimRight(string([]rune(r)[1:]), " ▐")
	}
	return rows
}

func TestLinks(t *testing.T) {
	s := newStage(t, 60, 20)
	s.write("/memories/d/a.md", "[rel](b.md)\n\n[[wiki]]\n\n[abs](/memories/top.md#x)\n\n[out](https://x.y)\n\n[up](../../../etc/passwd)\n\nplain")
	for _, path := range []string{"/memories/d/b.md", "/memories/wiki.md", "/memories/top.md", "/memories/etc/passwd"} {
		s.write(path, "x")
	}
	s.Run(s.p.Show("/memories/d/a.md"))
	for range 6 {
		s.Does(keymap.OpenLink, keymap.Down, keymap.Down)
	}
	var went []string
	for _, to := range panetest.Sent[kit.Select](s.Stage) {
		went = append(went, to.Path)
	}
	if want := []string{"/memories/d/b.md", "/memories/wiki.md", "/memories/top.md"}; !slices.Equal(went, want) {
		t.Errorf("went to %q", went)
	}
	if len(s.Said()) != 3 || s.Said()[2] != textNoLink {
		t.Errorf("said %q", s.Said())
	}
}

func FuzzPane(f *testing.F) {
	f.Add("a.md", []byte("---\na: \x1b[31m\n---\n# \u202eh\n|日|本|\n|-|-|\n|\t|e\u0301|\n"), uint8(30), uint8(8), []byte("jjGgdu"))
	f.Add("a.json", []byte(`{"a":"\u001b"}`), uint8(3), uint8(1), []byte("Gn"))
	f.Fuzz(func(t *testing.T, name string, content []byte, w, h uint8, keys []byte) {
		if len(content) > 4<<10 || len(keys) > 20 || w < 3 || h == 0 {
			return
		}
		s := newStage(t, int(w), int(h))
		d := &rendered{path: name}
		d.fill(content)
		s.p.Set(name, &kit.Doc{Note: d.note, Of: d})
		s.p.Search().SetQuery("a")
		ids := []keymap.ID{keymap.Down, keymap.Up, keymap.Bottom, keymap.Top, keymap.HalfDown, keymap.PageUp, keymap.SearchNext, keymap.SearchPrev}
		for _, k := range keys {
			s.Does(ids[int(k)%len(ids)])
			s.screen()
		}
		s.Resize(max(3, int(h)), int(w))
		s.screen()
	})
}
