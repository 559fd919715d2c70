package watch

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"memcurator/memstore"
)

// lying is a backend with files whose size is 0 by their stamps, whatever they give: the files
// of /proc and of some FUSE file systems.
type lying struct {
	*memstore.Dir
	content map[string]func(p []byte, off int64) (int, error)
}

type lyingFile struct {
	memstore.File
	readAt func(p []byte, off int64) (int, error)
}

func (f lyingFile) ReadAt(p []byte, off int64) (int, error) { return f.readAt(p, off) }

func (l *lying) Open(name string, a memstore.Access) (memstore.File, error) {
	f, err := l.Dir.Open(name, a)
	if readAt := l.content[name]; err == nil && readAt != nil {
		return lyingFile{f, readAt}, nil
	}
	return f, err
}

func holds(text string) func(p []byte, off int64) (int, error) {
	return func(p []byte, off int64) (int, error) {
		if off >= int64(len(text)) {
			return 0, io.EOF
		}
		n := copy(p, text[off:])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
}

func endless(p []byte, _ int64) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// lyingStore is a store with one empty file for each entry of content.
func lyingStore(t *testing.T, content map[string]func(p []byte, off int64) (int, error)) (*follower, *memstore.Store) {
	f := &follower{t: t, dir: filepath.Join(t.TempDir(), "memories")}
	mkdir(t, f.dir)
	for name := range content {
		f.write(name, "")
	}
	d, err := memstore.OpenDir(f.dir, memstore.DirOptions{})
	must(t, err)
	return f, memstore.New(&lying{Dir: d, content: content}, memstore.Options{ReadOnly: true})
}

// TestFilesWithoutSize: what a file gives beyond its size is read, up to the limit.
func TestFilesWithoutSize(t *testing.T) {
	t.Parallel()
	f, store := lyingStore(t, map[string]func(p []byte, off int64) (int, error){
		"status": holds("Name:\tmemcurator\n"), "full": holds(endlessText(1000)), "over": holds(endlessText(1001)),
		"endless": endless, "stuck": func([]byte, int64) (int, error) { return 0, nil },
	})
	f.startOn(store, Options{MaxFile: 1000})
	r := &reader{backend: store.Backend(), spill: f.w.spill, maxFile: 1000}
	for _, c := range []struct {
		name string
		size int64
		why  string
	}{
		{"status", 17, ""}, {"full", 1000, ""}, {"over", 0, whyTooBig}, {"endless", 0, whyTooBig}, {"stuck", 0, whyUnreadable},
	} {
		one := &reading{name: c.name, kind: memstore.KindFile}
		r.read(t.Context(), one)
		if one.version == nil {
			t.Errorf("%s: not there", c.name)
			continue
		}
		if _, why := one.version.Kept(); one.version.Size() != c.size || why != c.why {
			t.Errorf("%s: %d bytes, %q, want %d, %q", c.name, one.version.Size(), why, c.size, c.why)
		}
	}
}

func endlessText(n int) string {
	p := make([]byte, n)
	_, _ = endless(p, 0)
	return string(p)
}

// TestReadingEndsWithTheContext: between two chunks.
func TestReadingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	_, store := lyingStore(t, map[string]func(p []byte, off int64) (int, error){
		"endless": func(p []byte, off int64) (int, error) {
			reads++
			cancel()
			return endless(p, off)
		},
	})
	defer store.Close()
	r := &reader{backend: store.Backend(), maxFile: 1 << 40}
	if _, _, err := r.load(ctx, "endless"); !errors.Is(err, context.Canceled) || reads != 1 {
		t.Errorf("%v after %d reads", err, reads)
	}
}

// TestCloseDoesNotWaitForAStuckRead: the file system's other side has gone.
func TestCloseDoesNotWaitForAStuckRead(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	_, store := lyingStore(t, map[string]func(p []byte, off int64) (int, error){
		"stuck": func([]byte, int64) (int, error) {
			close(begun)
			<-release
			return 0, io.EOF
		},
	})
	defer store.Close()
	w, err := Start(context.Background(), store, Options{})
	must(t, err)
	<-begun
	must(t, w.Close()) // a test that hangs here has failed
	<-w.Done()
	close(release)
}
