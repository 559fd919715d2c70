package hexdump

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/ui"
	"memcurator/tui/ui/panetest"
)

// fake is a file in memory that the store would not let in.
type fake struct {
	data []byte
	size int64 // more than data: the rest are zeros
}

func (f fake) ReadAt(b []byte, at int64) (int, error) {
	for i := range b {
		b[i] = 0
	}
	n := int(min(int64(len(b)), f.size-at))
	if at < int64(len(f.data)) {
		copy(b[:n], f.data[at:])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f fake) Info() (memstore.Info, error) { return memstore.Info{Size: f.size}, nil }
func (f fake) Close() error                 { return nil }

// stage is a tab whose jobs run immediately.
type stage struct {
	*panetest.Stage
	p *Pane
}

func newStage(t testing.TB, w, h int, f fake) *stage {
	t.Helper()
	env := panetest.NewEnv(t, theme.Options{Name: theme.Mono})
	p := New(env, memstore.New(memstore.NewMemory(), memstore.Options{}))
	s := &stage{Stage: panetest.New(t, p, env, w, h), p: p}
	s.open(f)
	return s
}

// open shows a file as if it was read from the store.
func (s *stage) open(f fake) {
	s.T.Helper()
	s.p.opening.Target = "/memories/a"
	d := &document{path: s.p.opening.Target, file: f, size: f.size}
	if f.size == 0 {
		d.note = ui.TextFileEmpty
	}
	s.Run(s.p.adopt(opened{doc: d}))
}

func (s *stage) screen() []string {
	s.T.Helper()
	rows := s.Rows()
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ▐")
	}
	return rows
}

func of(data string) fake { return fake{[]byte(data), int64(len(data))} }

func TestRows(t *testing.T) {
	data := "0123456789abcdef\x00\x1b[31m\xff\xc3\xa9\n"
	for _, c := range []struct {
		w    int
		want []string
	}{
		{90, []string{"▌00000000  30 31 32 33  34 35 36 37  38 39 61 62  63 64 65 66  0123456789abcdef", " 00000010  00 1b 5b 33  31 6d ff c3  a9 0a                     ··[31m····"}},
		{50, []string{"▌0000  30 31 32 33  34 35 36 37  01234567", " 0008  38 39 61 62  63 64 65 66  89abcdef", " 0010  00 1b 5b 33  31 6d ff c3  ··[31m··", " 0018  a9 0a                     ··"}},
		{30, []string{"▌0000  30 31 32 33  0123"}},
		{8, []string{"▌0000"}},
	} {
		s := newStage(t, c.w, 7, of(data))
		got := s.screen()
		for i, want := range c.want {
			if got[i] != want {
				t.Errorf("%d cells, row %d:\n got %q\nwant %q", c.w, i, got[i], want)
			}
		}
	}
}

func TestMotionsInALargeFile(t *testing.T) {
	const size = 3 << 30
	s := newStage(t, 100, 20, fake{[]byte("start"), size})
	s.Does(keymap.Bottom)
	if got, want := s.screen()[19], "▌bffffff0  00"; !strings.HasPrefix(got, want) {
		t.Errorf("the last row is %q", got)
	}
	s.Does(keymap.Top)
	if got := s.screen()[0]; !strings.HasSuffix(got, "start···········") {
		t.Errorf("the first row is %q", got)
	}
	s.Run(s.p.GoTo(0x1f40))
	if got := s.p.Place(); got != "0x1f40/0xc0000000" {
		t.Errorf("the place is %q", got)
	}
	before := s.p.cursor
	s.Does(keymap.HalfDown, keymap.HalfDown, keymap.HalfUp, keymap.HalfUp, keymap.PageDown, keymap.PageUp, keymap.Down, keymap.Up, keymap.Right, keymap.Left)
	if s.p.cursor != before {
		t.Errorf("to and fro led from %x to %x", before, s.p.cursor)
	}
	s.Run(s.p.GoTo(1 << 40))
	if s.p.cursor != size-1 {
		t.Errorf("behind the end is %x", s.p.cursor)
	}
}

func TestSearch(t *testing.T) {
	data := strings.Repeat("x", 5000) + "Needle\n\xde\xad" + strings.Repeat("y", 3<<20) + "\xde\xad needle \r\n\r\n"
	s := newStage(t, 100, 20, of(data))
	for _, c := range []struct {
		typed string
		at    []int
	}{
		{"needle", []int{5000, strings.LastIndex(data, "needle"), 5000}},
		{"Needle", []int{5000, 5000}},
		{"x:de ad", []int{5007, strings.LastIndex(data, "\xde\xad"), 5007}},
		{"x:0Ade,AD", []int{5006}},
		{"x:0d0a0d0a", []int{len(data) - 4}},
	} {
		s.Run(s.p.GoTo(0))
		s.Run(s.p.SetQuery(c.typed))
		s.Run(s.p.Jump())
		for i, want := range c.at {
			if i > 0 {
				s.Does(keymap.SearchNext)
			}
			if s.p.cursor != int64(want) {
				t.Errorf("%s: match %d is at %d, not %d", c.typed, i, s.p.cursor, want)
			}
		}
		if len(c.at) > 2 {
			s.Does(keymap.SearchPrev)
			if s.p.cursor != int64(c.at[1]) {
				t.Errorf("%s: backward from the first match is %d", c.typed, s.p.cursor)
			}
		}
	}
	s.Run(s.p.SetQuery("x:0"))
	s.Run(s.p.Jump())
	s.Run(s.p.SetQuery("nowhere"))
	s.Run(s.p.Jump())
	if n := len(s.Said()); n < 2 || s.Said()[n-2] != textBytes || s.Said()[n-1] != ui.NotFoundText("nowhere") {
		t.Errorf("said %q", s.Said())
	}
}

func TestPlaceIsKept(t *testing.T) {
	s := newStage(t, 100, 10, fake{size: 100_000})
	s.Run(s.p.GoTo(50_000))
	s.Does(keymap.PageDown)
	at := s.p.cursor
	s.Resize(40, 12)
	s.Run(s.p.Settle())
	s.open(fake{size: 200_000})
	if s.p.cursor != at {
		t.Errorf("the cursor went from %d to %d", at, s.p.cursor)
	}
	s.open(fake{size: 10})
	if s.p.cursor != 9 || s.p.top != 0 {
		t.Errorf("in a file that got shorter: %d, %d", s.p.cursor, s.p.top)
	}
	s.open(fake{})
	if got := s.screen()[0]; got != " "+ui.TextFileEmpty {
		t.Errorf("an empty file shows %q", got)
	}
}

func TestRowIsCopied(t *testing.T) {
	s := newStage(t, 100, 10, of("0123456789abcdefgh\x00"))
	s.Does(keymap.Bottom)
	if got, err := s.p.LineReader(1000)(); err != nil || got != fmt.Sprintf("00000010  67 68 00 %41s  gh·", "") {
		t.Errorf("copied %q, %v", got, err)
	}
}

func FuzzPane(f *testing.F) {
	f.Add([]byte("a\x1b\xff\n"), uint8(30), uint8(5), []byte("jkGgdu"), "x:0a")
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8, keys []byte, query string) {
		if w == 0 || h == 0 || len(keys) > 30 {
			return
		}
		s := newStage(t, int(w), int(h), of(string(data)))
		s.Run(s.p.SetQuery(query))
		s.Run(s.p.Jump())
		ids := []keymap.ID{keymap.Down, keymap.Up, keymap.Left, keymap.Right, keymap.Bottom, keymap.Top, keymap.HalfDown, keymap.PageUp, keymap.SearchNext, keymap.SearchPrev}
		for _, k := range keys {
			s.Does(ids[int(k)%len(ids)])
			s.screen()
			if len(data) > 0 && (s.p.cursor < 0 || s.p.cursor >= int64(len(data)) || s.p.top > s.p.cursor) {
				t.Fatalf("cursor %d, top %d of %d", s.p.cursor, s.p.top, len(data))
			}
		}
		s.Resize(int(h), int(w))
		s.screen()
	})
}

func BenchmarkPageDown1GB(b *testing.B) {
	s := newStage(b, 120, 50, fake{size: 1 << 30})
	for b.Loop() {
		s.Does(keymap.PageDown)
		s.p.Rows(true)
	}
}
