package journal

import (
	"bytes"
	"context"
	"memcurator/memstore/past"
	"testing"

	"memcurator/memstore"
)

// What a purge has rewritten is kept no more, what it has left alone is.
func TestKeepsReportsWhatAPurgeLeft(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "secret one\n"))
	d.do(create("/memories/b.md", "clean\n"))
	secret, clean, never := memstore.Sum([]byte("secret one\n")), memstore.Sum([]byte("clean\n")), memstore.Sum([]byte("never"))
	keeps := func() map[memstore.Digest]bool {
		kept, err := d.j.Keeps(context.Background(), []memstore.Digest{secret, clean, never})
		d.must(err)
		return kept
	}
	if k := keeps(); !k[secret] || !k[clean] || k[never] {
		t.Errorf("%v", k)
	}
	d.outside("a.md", "[gone] one\n")
	if _, err := d.j.Purge(context.Background(), past.Purge{Redact: func(_ string, text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("secret"), []byte("[gone]"))
	}}); err != nil {
		t.Fatal(detail(err))
	}
	if k := keeps(); k[secret] || !k[clean] || k[never] {
		t.Errorf("%v", k)
	}
}
