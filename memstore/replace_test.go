package memstore

import (
	"context"
	"errors"
	"testing"

	"memcurator/memstore/backend"
)

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
		if got, err := backend.ReadFile(s.Backend(), "d/n.md", backend.Look, MaxFile); err != nil || string(got) != "a" {
			t.Errorf("%s: the file holds %q, %v", c.name, got, err)
		}
	}
	good := Sum([]byte("a"))
	const raw = "\xff\x00\r\nb"
	s := open(Options{})
	if r := s.Replace(ctx, "/memories/d/n.md", []byte(raw), &good); r.IsError || textOf(t, s, "d/n.md") != raw {
		t.Errorf("what was seen becomes %q: %s", textOf(t, s, "d/n.md"), r.Content)
	}
}
