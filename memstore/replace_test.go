package memstore

import (
	"context"
	"errors"
	"testing"

	"memcurator/memstore/backend"
)

func TestReplaceWritesWholeFiles(t *testing.T) {
	for _, d := range Dialects() {
		for _, data := range []string{"", "x", "a\r\nb", "\xff\x00\n", "日記\n"} {
			b := NewMemory()
			if err := b.Create("n.md", []byte("before\r\n")); err != nil {
				t.Fatal(err)
			}
			var seen []Change
			rec := recorderFunc(func(e *Edit) { seen = append(seen, e.Changes...) })
			s := New(b, Options{Dialect: d, Recorders: []Recorder{rec}, Origin: Origin{Actor: Curator}})
			if r := s.Replace(context.Background(), "/memories/n.md", []byte(data), nil); r.IsError {
				t.Fatalf("%v: %s", d, r.Content)
			}
			got, err := backend.ReadFile(b, "n.md", backend.Look, editLimit)
			if err != nil || string(got) != data {
				t.Errorf("%v: the file holds %q, %v, want %q", d, got, err, data)
			}
			if len(seen) != 1 {
				t.Fatalf("%v: %d changes recorded", d, len(seen))
			}
			old, _ := seen[0].Before.Bytes()
			now, _ := seen[0].After.Bytes()
			if string(old) != "before\r\n" || string(now) != data {
				t.Errorf("%v: recorded %q -> %q", d, old, now)
			}
			if r := s.Replace(context.Background(), "/memories/n.md", []byte(data), nil); r.IsError || len(seen) != 1 {
				t.Errorf("the same bytes again: %+v, %d changes", r, len(seen))
			}
		}
	}
}

// recorderFunc is called for every edit.
type recorderFunc func(*Edit)

func (f recorderFunc) Begin(_ context.Context, e *Edit) (func(error), error) {
	f(e)
	return func(error) {}, nil
}

func TestReplaceRefuses(t *testing.T) {
	ctx := context.Background()
	open := func(o Options) *Store {
		b := NewMemory()
		if err := b.Create("d/n.md", []byte("a")); err != nil {
			t.Fatal(err)
		}
		return New(b, o)
	}
	seen := Sum([]byte("what was seen"))
	guard := Guard{Check: func(context.Context, *Edit) (string, error) { return "", errors.New("pinned") }}
	for _, c := range []struct {
		name   string
		o      Options
		path   string
		expect *Digest
		want   error
	}{
		{"a missing file", Options{}, "/memories/gone.md", nil, backend.ErrNotExist},
		{"a folder", Options{}, "/memories/d", nil, backend.ErrIsDir},
		{"the root", Options{}, "/memories", nil, backend.ErrIsDir},
		{"a way out", Options{}, "/memories/../x", nil, backend.ErrEscapes},
		{"another file than the one seen", Options{}, "/memories/d/n.md", &seen, backend.ErrChanged},
		{"reading only", Options{ReadOnly: true}, "/memories/d/n.md", nil, ErrReadOnly},
		{"a guard", Options{Guards: []Guard{guard}}, "/memories/d/n.md", nil, ErrRefused},
	} {
		s := open(c.o)
		if r := s.Replace(ctx, c.path, []byte("b"), c.expect); !errors.Is(r.Err, c.want) {
			t.Errorf("%s: %+v, want %v", c.name, r, c.want)
		}
		if got, err := backend.ReadFile(s.Backend(), "d/n.md", backend.Look, editLimit); err != nil || string(got) != "a" {
			t.Errorf("%s: the file holds %q, %v", c.name, got, err)
		}
	}
	good := Sum([]byte("a"))
	if r := open(Options{}).Replace(ctx, "/memories/d/n.md", []byte("b"), &good); r.IsError {
		t.Errorf("what was seen is refused: %s", r.Content)
	}
}
