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
			if r := s.Replace(context.Background(), "/memories/n.md", []byte(data)); r.IsError {
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
			if r := s.Replace(context.Background(), "/memories/n.md", []byte(data)); r.IsError || len(seen) != 1 {
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
	seen := WithExpectation(ctx, Expectation{Path: "/memories/d/n.md", Digest: Sum([]byte("what was seen"))})
	guard := Guard{Check: func(context.Context, *Edit) (string, error) { return "", errors.New("pinned") }}
	for _, c := range []struct {
		name string
		ctx  context.Context
		o    Options
		path string
		want error
	}{
		{"a missing file", ctx, Options{}, "/memories/gone.md", backend.ErrNotExist},
		{"a folder", ctx, Options{}, "/memories/d", backend.ErrIsDir},
		{"the root", ctx, Options{}, "/memories", backend.ErrIsDir},
		{"a way out", ctx, Options{}, "/memories/../x", backend.ErrEscapes},
		{"another file than the one seen", seen, Options{}, "/memories/d/n.md", backend.ErrChanged},
		{"reading only", ctx, Options{ReadOnly: true}, "/memories/d/n.md", ErrReadOnly},
		{"a guard", ctx, Options{Guards: []Guard{guard}}, "/memories/d/n.md", ErrRefused},
	} {
		s := open(c.o)
		if r := s.Replace(c.ctx, c.path, []byte("b")); !errors.Is(r.Err, c.want) {
			t.Errorf("%s: %+v, want %v", c.name, r, c.want)
		}
		if got, err := backend.ReadFile(s.Backend(), "d/n.md", backend.Look, editLimit); err != nil || string(got) != "a" {
			t.Errorf("%s: the file holds %q, %v", c.name, got, err)
		}
	}
	good := WithExpectation(ctx, Expectation{Path: "/memories/d/n.md", Digest: Sum([]byte("a"))})
	if r := open(Options{}).Replace(good, "/memories/d/n.md", []byte("b")); r.IsError {
		t.Errorf("what was seen is refused: %s", r.Content)
	}
}
