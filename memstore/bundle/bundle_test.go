package bundle_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/bundle"
	"memcurator/memstore/memtest"
)

func storeIn(t testing.TB, dir string) *memstore.Store {
	t.Helper()
	s, err := memstore.Open(dir, memstore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func pack(t testing.TB, dir string) []byte {
	t.Helper()
	c, err := bundle.Collect(t.Context(), storeIn(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack reads a bundle into a new directory.
func unpack(t *testing.T, data []byte) string {
	t.Helper()
	from, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = filesOf(from, func(name string, info memstore.Info, text []byte) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		return errors.Join(os.WriteFile(file, text, 0o600), os.Chtimes(file, info.ModTime, info.ModTime))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// filesOf calls do with each file of a store.
func filesOf(s *memstore.Store, do func(name string, info memstore.Info, text []byte) error) error {
	snapshot, err := s.Scan(context.Background(), memstore.ScanOptions{})
	if err != nil {
		return err
	}
	snapshot.Walk(func(at string, n *memstore.Node) bool {
		if err != nil || n.Kind == memstore.KindDir {
			return err == nil
		}
		name, text := memstore.BackendName(at), []byte(nil)
		if text, err = memstore.ReadFile(s.Backend(), name, memstore.Look, 1<<20); err == nil {
			err = do(name, n.Info, text)
		}
		return true
	})
	return err
}

// Reading returns the notes that were written, and the same notes make the same bytes.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, map[string]string{"a.md": "a\n", "sub/日本.md": "x", "empty": "", "bin": "\xff\x00"})
	at := time.Date(2026, 1, 31, 12, 0, 7, 0, time.UTC)
	for _, name := range []string{"a.md", "sub/日本.md"} {
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	data := pack(t, dir)
	if again := pack(t, dir); !bytes.Equal(data, again) {
		t.Error("the same notes make other bytes")
	}
	if !bytes.Contains(data, []byte("a\n")) {
		t.Error("a purge could not find the text of a note")
	}
	out := unpack(t, data)
	if got := pack(t, out); runtime.GOOS != "windows" && !bytes.Equal(got, data) {
		t.Errorf("the notes are\n%swere\n%s", memtest.DescribeDisk(t, out), memtest.DescribeDisk(t, dir))
	}
}

// file is a file of a ZIP made by hand.
type file struct {
	name, data string
	mode       fs.FileMode
}

func zipped(t testing.TB, method uint16, files ...file) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: method}
		header.SetMode(f.mode | 0o600)
		w, err := z.CreateHeader(header)
		if err == nil {
			_, err = w.Write([]byte(f.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestHostileBundles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []file
		want  string
	}{
		{"a parent", []file{{"../a.md", "x", 0}}, "is not the path of a note"},
		{"an encoded parent", []file{{"%2e%2e/a.md", "x", 0}}, "is not the path of a note"},
		{"an absolute path", []file{{"/etc/passwd", "x", 0}}, "is not the path of a note"},
		{"backslashes", []file{{`..\a`, "x", 0}}, "is not the path of a note"},
		{"a control character", []file{{"a\x1b[2J", "x", 0}}, "is not the path of a note"},
		{"a dot", []file{{"./a", "x", 0}}, "is not the path of a note"},
		{"no name", []file{{"", "x", 0}}, "is not the path of a note"},
		{"a long name", []file{{strings.Repeat("n", 5000), "x", 0}}, "is not the path of a note"},
		{"git", []file{{".git/hooks/post-commit", "x", 0}}, "reserved name"},
		{"git in capitals", []file{{".GIT/config", "x", 0}}, "reserved name"},
		{"git by its short name", []file{{"d/git~1/config", "x", 0}}, "reserved name"},
		{"the header of an encrypted store", []file{{"memcurator.agestore", "x", 0}}, "reserved name"},
		{"a file twice", []file{{"a", "x", 0}, {"a", "x", 0}}, "twice"},
		{"a note in a note", []file{{"a", "x", 0}, {"a/b", "x", 0}}, "is a note and a folder"},
		{"a link", []file{{"a", "/etc/passwd", fs.ModeSymlink}}, "is not a plain file"},
		{"a pipe", []file{{"a", "x", fs.ModeNamedPipe}}, "is not a plain file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []uint16{zip.Store, zip.Deflate} {
				data := zipped(t, method, c.files...)
				_, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
				if !errors.Is(err, bundle.ErrFormat) || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\x1b") {
					t.Errorf("%v, want %q", err, c.want)
				}
			}
		})
	}
}

// sized changes the size that the directory of a ZIP file has of its only file.
func sized(data []byte, name string, size []byte) []byte {
	at := bytes.LastIndex(data, []byte(name))
	copy(data[at-46+24:], size)
	return data
}

// A file whose directory says less than it unpacks to is refused without unpacking the rest, and one that says too much at once.
func TestBomb(t *testing.T) {
	t.Parallel()
	for _, size := range [][]byte{{1, 0, 0, 0}, {0, 0, 0, 0x7f}} {
		data := sized(zipped(t, zip.Deflate, file{"note", strings.Repeat("x", 1<<20), 0}), "note", size)
		if _, err := bundle.Read(bytes.NewReader(data), int64(len(data))); !errors.Is(err, bundle.ErrFormat) {
			t.Error(err)
		}
	}
}

// A bundle that was damaged has the texts that were packed, or is refused.
func TestDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, map[string]string{"a.md": strings.Repeat("a\n", 100), "b.md": "b\n"})
	data := pack(t, dir)
	for at := 0; at < len(data); at += 7 {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x20
		s, err := bundle.Read(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue
		}
		if err := filesOf(s, func(name string, _ memstore.Info, text []byte) error {
			if got := string(text); got != strings.Repeat("a\n", 100) && got != "b\n" {
				t.Errorf("damage at %d: %s has %q", at, name, got)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
}

// Whatever the bytes are, reading ends, and what is unpacked has only valid paths.
func FuzzRead(f *testing.F) {
	f.Add(zipped(f, zip.Store, file{"a.md", "x", 0}))
	f.Add(zipped(f, zip.Deflate, file{"d/a.md", "x", 0}, file{"b", "d/a.md", fs.ModeSymlink}))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if !errors.Is(err, bundle.ErrFormat) {
				t.Errorf("unexpected error %v", err)
			}
			return
		}
		if err := filesOf(s, func(name string, _ memstore.Info, _ []byte) error {
			if parsed, err := memstore.ParsePath("/memories/" + name); err != nil || parsed != name {
				t.Errorf("%q is accepted", name)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}
