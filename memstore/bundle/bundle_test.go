package bundle_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	if err := c.Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Names that no file on Windows can have are others in the bundle, and come back. No two notes share one.
func TestPortableNames(t *testing.T) {
	t.Parallel()
	names := []string{"a:b.md", "a%3Ab.md", "a%253Ab.md", "50%.md", "x:/y:z.md", "plain.md"}
	mem := memstore.NewMemory()
	for _, name := range names {
		if err := mem.Create(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := bundle.Collect(t.Context(), memstore.New(mem, memstore.Options{ReadOnly: true}))
	if err != nil || len(c.Left) > 0 {
		t.Fatalf("%v, %v", c.Left, err)
	}
	var out bytes.Buffer
	if err := c.Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "plain")
	if err := c.WriteTo(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	zipped, err := bundle.Read(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files, err := bundle.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for _, b := range []*bundle.Bundle{zipped, files} {
		to := memstore.NewMemory()
		if err := b.WriteInto(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if data, err := memstore.ReadFile(to, name, memstore.Look, 100); err != nil || string(data) != name {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
		for _, n := range b.Notes {
			if strings.Contains(n.File, ":") || n.File == "" && strings.Contains(n.Path, ":") || n.Path == "plain.md" && n.File != "" {
				t.Errorf("%s is %s in the bundle", n.Path, n.File)
			}
		}
		if b.Version != 2 {
			t.Errorf("version %d", b.Version)
		}
	}
}

// Reading returns the notes that were written, and the same notes make the same bytes.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, map[string]string{"a.md": "a\n", "sub/日本.md": "x", "empty": "", "bin": "\xff\x00"})
	_ = os.Symlink("a.md", filepath.Join(dir, "l.md"))
	at := time.Date(2026, 1, 31, 12, 0, 0, 123, time.UTC)
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
	b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	to, err := memstore.OpenDir(out, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if err := b.WriteInto(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if got := pack(t, out); runtime.GOOS != "windows" && !bytes.Equal(got, data) {
		t.Errorf("the notes are\n%swere\n%s", memtest.DescribeDisk(t, out), memtest.DescribeDisk(t, dir))
	}
	c, err := bundle.Collect(t.Context(), storeIn(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := c.WriteTo(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	folder, err := bundle.Open(plain)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if _, err := folder.Store(t.Context()); err != nil || len(folder.Notes) != len(b.Notes) {
		t.Errorf("%v: %+v", err, folder.Notes)
	}
	if err := c.WriteTo(t.Context(), plain); !errors.Is(err, os.ErrExist) {
		t.Errorf("a folder with files is overwritten: %v", err)
	}
}

// file is a file of a ZIP made by hand.
type file struct{ name, data string }

func zipped(t testing.TB, method uint16, files ...file) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: method})
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

// manifest names notes with the text x each, and more of JSON.
func manifest(more string, paths ...string) file {
	var notes []string
	for _, p := range paths {
		name, _ := json.Marshal(p)
		notes = append(notes, fmt.Sprintf(`{"path":%s,"bytes":1,"sha256":%q,"mode":"0600","modified":"2026-01-31T12:00:00Z"}`, name,
			memstore.Sum([]byte("x")).String()))
	}
	return file{"manifest.json", `{"format":"memcurator-bundle","version":1,"notes":[` + strings.Join(notes, ",") + `]` + more + `}`}
}

func TestHostileBundles(t *testing.T) {
	t.Parallel()
	link := func(p, to string) string {
		return fmt.Sprintf(`{"format":"memcurator-bundle","version":1,"notes":[{"path":%q,"bytes":%d,"sha256":%q,"link":%q}]}`, p, len(to),
			memstore.Sum([]byte(to)).String(), to)
	}
	long := strings.Repeat("n", 5000)
	for _, c := range []struct {
		name  string
		files []file
		want  string
	}{
		{"no manifest", []file{{"notes/a.md", "x"}}, "it has no manifest.json"},
		{"another format", []file{{"manifest.json", `{"format":"x"}`}}, "another format"},
		{"no JSON", []file{{"manifest.json", "{"}}, "manifest can't be read"},
		{"a parent", []file{manifest("", "../a.md"), {"notes/../a.md", "x"}}, "is not the path of a note"},
		{"an encoded parent", []file{manifest("", "%2e%2e/a.md"), {"notes/%2e%2e/a.md", "x"}}, "is not the path of a note"},
		{"an absolute path", []file{manifest("", "/etc/passwd"), {"notes//etc/passwd", "x"}}, "is not the path of a note"},
		{"a drive", []file{manifest("", "C:x"), {"notes/C:x", "x"}}, "is not the path of a note"},
		{"another file", []file{{"manifest.json", `{"format":"memcurator-bundle","version":2,"notes":[{"path":"a","file":"b","bytes":1,"sha256":"` +
			strings.Repeat("0", 64) + `","mode":"0600"}]}`}, {"notes/b", "x"}}, "is not the name of"},
		{"backslashes", []file{manifest("", `..\a`), {`notes/..\a`, "x"}}, "is not the path of a note"},
		{"a control character", []file{manifest("", "a\x1b[2J"), {"notes/a\x1b[2J", "x"}}, "is not the path of a note"},
		{"a dot", []file{manifest("", "./a"), {"notes/./a", "x"}}, "is not the path of a note"},
		{"no name", []file{manifest("", "")}, "is not the path of a note"},
		{"a long name", []file{manifest("", long), {"notes/" + long, "x"}}, "is not the path of a note"},
		{"git", []file{manifest("", ".git/hooks/post-commit"), {"notes/.git/hooks/post-commit", "x"}}, "reserved name"},
		{"git in capitals", []file{manifest("", ".GIT/config"), {"notes/.GIT/config", "x"}}, "reserved name"},
		{"git by its short name", []file{manifest("", "d/git~1/config"), {"notes/d/git~1/config", "x"}}, "reserved name"},
		{"a year that no file has", []file{{"manifest.json", strings.ReplaceAll(manifest("", "a").data, "2026", "9999")}, {"notes/a", "x"}},
			"impossible time"},
		{"the header of an encrypted store", []file{manifest("", "memcurator.agestore"), {"notes/memcurator.agestore", "x"}}, "reserved name"},
		{"a file twice", []file{manifest("", "a"), {"notes/a", "x"}, {"notes/a", "x"}}, "twice"},
		{"a note twice", []file{manifest("", "a", "a"), {"notes/a", "x"}}, "the same name"},
		{"case", []file{manifest("", "a", "A"), {"notes/a", "x"}, {"notes/A", "x"}}, "the same name"},
		{"a note in a note", []file{manifest("", "a", "A/b"), {"notes/a", "x"}, {"notes/A/b", "x"}}, "is a note and a folder"},
		{"another size", []file{manifest("", "a"), {"notes/a", "xy"}}, "has 2 bytes, not 1"},
		{"another digest", []file{manifest("", "a"), {"notes/a", "y"}}, "another digest"},
		{"a missing note", []file{manifest("", "a")}, "is missing"},
		{"more than it says", []file{manifest(""), {"run.sh", "x"}}, "manifest doesn't name"},
		{"an absolute link", []file{{"manifest.json", link("a", "/etc/passwd")}}, "leaves the store"},
		{"a link up", []file{{"manifest.json", link("d/a", "../../x")}}, "leaves the store"},
		{"a huge note", []file{{"manifest.json", `{"format":"memcurator-bundle","version":1,"notes":[{"path":"a","bytes":1099511627776,"sha256":"` +
			memstore.Sum(nil).String() + `","mode":"0600"}]}`}}, "has 1099511627776 bytes"},
		{"many large notes", []file{{"manifest.json", strings.ReplaceAll(manifest("", "a", "b", "c", "d", "e").data, `"bytes":1,`,
			`"bytes":268435456,`)}}, "have more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []uint16{zip.Store, zip.Deflate} {
				data := zipped(t, method, c.files...)
				b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
				if err == nil {
					_, err = b.Store(t.Context())
				}
				if !errors.Is(err, bundle.ErrFormat) || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\x1b") {
					t.Errorf("%v, want %q", err, c.want)
				}
			}
		})
	}
	newer := zipped(t, zip.Store, file{"manifest.json", `{"format":"memcurator-bundle","version":3}`})
	if _, err := bundle.Read(bytes.NewReader(newer), int64(len(newer))); !errors.Is(err, bundle.ErrNewer) {
		t.Error(err)
	}
}

// A file whose directory says less than it unpacks to is refused without unpacking the rest.
func TestBomb(t *testing.T) {
	t.Parallel()
	data := zipped(t, zip.Deflate, manifest("", "a"), file{"notes/a", strings.Repeat("x", 1<<20)})
	// The sizes are in the directory at the end; the local header has none.
	at := bytes.LastIndex(data, []byte("notes/a"))
	copy(data[at-46+24:], []byte{1, 0, 0, 0})
	b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		_, err = b.Store(t.Context())
	}
	if !errors.Is(err, bundle.ErrFormat) {
		t.Error(err)
	}
}

// Two names for the same bytes, of which a bomb is made, are refused before anything is unpacked.
func TestOverlap(t *testing.T) {
	t.Parallel()
	data := zipped(t, zip.Store, file{"notes/a", "x"}, manifest("", "a", "b"), file{"notes/b", "x"})
	directory := bytes.LastIndex(data, []byte("notes/b")) - 46
	copy(data[directory+42:], data[bytes.LastIndex(data, []byte("notes/a"))-46+42:][:4]) // the offset of the other one
	if _, err := bundle.Read(bytes.NewReader(data), int64(len(data))); !errors.Is(err, bundle.ErrFormat) ||
		!strings.Contains(err.Error(), "overlap") {
		t.Error(err)
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, map[string]string{"a.md": strings.Repeat("a\n", 100), "b.md": "b\n"})
	data := pack(t, dir)
	for at := 0; at < len(data); at += 7 {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x20
		b, err := bundle.Read(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue
		}
		s, err := b.Store(t.Context())
		if err != nil {
			continue
		}
		for _, n := range b.Notes { // the manifest describes the bytes read
			text, err := memstore.ReadFile(s.Backend(), n.Path, memstore.Look, 1<<20)
			if err != nil || memstore.Sum(text).String() != n.SHA256 {
				t.Errorf("damage at %d: %s, %v", at, n.Path, err)
			}
		}
	}
}

// Whatever the bytes are, reading ends, and what is unpacked has only valid paths.
func FuzzRead(f *testing.F) {
	f.Add(zipped(f, zip.Store, manifest("", "a.md"), file{"notes/a.md", "x"}))
	f.Add(zipped(f, zip.Deflate, manifest("", "d/a.md", "b"), file{"notes/d/a.md", "x"}, file{"notes/b", "x"}))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if !errors.Is(err, bundle.ErrFormat) && !errors.Is(err, bundle.ErrNewer) {
				t.Errorf("unexpected error %v", err)
			}
			return
		}
		if _, err := b.Store(t.Context()); err != nil && !errors.Is(err, bundle.ErrFormat) {
			t.Errorf("unexpected error %v", err)
		}
		for _, n := range b.Notes {
			if name, err := memstore.ParsePath("/memories/" + n.Path); err != nil || name != n.Path {
				t.Errorf("%q is accepted", n.Path)
			}
		}
	})
}
