package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"memcurator/memstore/past"
)

// holds reports whether the image of a journal has a text in it.
func (d *desk) imageHolds(text string) (found bool) {
	d.t.Helper()
	d.must(d.j.Image(context.Background(), func(r io.ReaderAt, size int64) error {
		data := make([]byte, size)
		if n, err := r.ReadAt(data, 0); err != nil || int64(n) != size {
			d.t.Errorf("%d of %d bytes: %v", n, size, err)
		}
		// The same bytes in pieces that begin and end within pages.
		piece := make([]byte, 5000)
		for at := int64(1); at < size; at += 4999 {
			n, err := r.ReadAt(piece, at)
			if err != nil && !errors.Is(err, io.EOF) || !bytes.Equal(piece[:n], data[at:min(at+5000, size)]) {
				d.t.Fatalf("a piece at %d differs: %v", at, err)
			}
		}
		found = bytes.Contains(data, []byte(text))
		return nil
	}))
	return found
}

// The image has what no query finds: the free pages.
func TestTheImageHasFreePages(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "a note\n"))
	d.j.Flush()
	word := "word-of-a-row"
	d.must(d.j.tx("test", false, func(w *tableWriter) error {
		return errors.Join(w.Run("PRAGMA secure_delete=OFF"), w.set(word, bytes.Repeat([]byte{'x'}, 20_000)), w.Do("DELETE FROM meta WHERE key = ?", word),
			w.Do("CREATE TABLE other (text)"), w.Do("INSERT INTO other VALUES (?)", word), w.Do("DROP TABLE other"))
	}))
	if !d.imageHolds(word) {
		t.Error("what is in a free page is not in the image")
	}
	d.must(d.j.Compact())
	if d.imageHolds(word) {
		t.Error("it is still there after the rewrite of the database")
	}
}

func TestAnImageIsNotMadeOfWhatIsOnlyLookedAt(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "a note\n"))
	d.must(d.j.Close())
	j, err := Open(d.state, Options{Look: true})
	d.must(err)
	defer j.Close()
	if err := j.Image(context.Background(), func(io.ReaderAt, int64) error { return nil }); !errors.Is(err, past.ErrReadOnly) {
		t.Errorf("the log cannot be emptied, and the image says: %v", err)
	}
}
