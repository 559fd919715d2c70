package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend/quietfile"
)

// Bundle is an open bundle.
type Bundle struct {
	Manifest
	files map[string]entry
	close func() error
}

// entry is a file of a bundle.
type entry struct {
	size int64
	open func() (io.ReadCloser, error)
}

// Open opens a bundle, a ZIP file or a folder, and checks its manifest against the names and sizes of what it holds. [ErrFormat] if it is
// not a bundle.
func Open(file string) (*Bundle, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(file)
	}
	if !info.Mode().IsRegular() {
		return nil, bad("it is a pipe, a socket or a device")
	}
	f, err := quietfile.Open(file, 0) // most of those that are opened are only looked at
	if err != nil {
		return nil, err
	}
	b, err := Read(f, info.Size())
	if err != nil {
		_ = f.Close() // it was only read
		return nil, err
	}
	b.close = f.Close
	return b, nil
}

// Read opens the ZIP file of a bundle.
func Read(r io.ReaderAt, size int64) (*Bundle, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, bad("it is cut off or not a ZIP file")
	}
	if len(z.File) > maxNotes+2 {
		return nil, bad("it has %d files, more than %d", len(z.File), maxNotes)
	}
	b := &Bundle{files: map[string]entry{}, close: func() error { return nil }}
	if err := apart(z.File, size); err != nil {
		return nil, err
	}
	for _, f := range z.File {
		switch {
		case strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0:
			continue // a folder, as other programs pack them
		case !f.Mode().IsRegular():
			return nil, bad("%s is not a plain file", quoted(f.Name))
		case f.Flags&1 != 0:
			return nil, bad("it is encrypted. Unpack it first")
		case f.UncompressedSize64 > maxNote:
			return nil, bad("%s is too large", quoted(f.Name))
		}
		if err := b.add(f.Name, entry{int64(f.UncompressedSize64), f.Open}); err != nil {
			return nil, err
		}
	}
	return b, b.begin()
}

// apart refuses files that share bytes of the ZIP file: it unpacks to far more than it is.
func apart(files []*zip.File, size int64) error {
	type span struct{ start, end int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		start, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > uint64(size) {
			return bad("%s is damaged", quoted(f.Name))
		}
		spans = append(spans, span{start, start + int64(f.CompressedSize64)})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	for i := 1; i < len(spans); i++ {
		if spans[i].start < spans[i-1].end {
			return bad("files in it overlap")
		}
	}
	return nil
}

func (b *Bundle) add(name string, e entry) error {
	if _, twice := b.files[name]; twice {
		return bad("it has %s twice", quoted(name))
	}
	b.files[name] = e
	return nil
}

// openFolder opens a bundle that was unpacked. Links in it aren't followed.
func openFolder(dir string) (*Bundle, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	b := &Bundle{files: map[string]entry{}, close: root.Close}
	err = fs.WalkDir(root.FS(), ".", func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case len(b.files) > maxNotes+2:
			return bad("it has more than %d files", maxNotes)
		case e.IsDir():
			return nil
		case !e.Type().IsRegular():
			return bad("%s is not a plain file", quoted(at))
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		return b.add(filepath.ToSlash(at), entry{info.Size(), func() (io.ReadCloser, error) { return root.Open(filepath.FromSlash(at)) }})
	})
	if err == nil {
		err = b.begin()
	}
	if err != nil {
		_ = root.Close() // it was only read
		return nil, err
	}
	return b, nil
}

// begin reads the manifest and compares it with the names and sizes of the files.
func (b *Bundle) begin() error {
	m, ok := b.files[manifestName]
	if !ok {
		return bad("it has no %s", manifestName)
	}
	text, err := b.read(m, maxManifest)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&b.Manifest); err != nil {
		return bad("its manifest can't be read")
	}
	if err := b.check(); err != nil {
		return err
	}
	named := 1
	expect := func(name string, size int64) error {
		e, ok := b.files[name]
		switch {
		case !ok:
			return bad("%s is missing", quoted(name))
		case e.size != size:
			return bad("%s has %d bytes, not %d", quoted(name), e.size, size)
		}
		named++
		return nil
	}
	for i := range b.Notes {
		if n := &b.Notes[i]; n.Link == "" {
			if err := expect(notesDir+n.file(), n.Bytes); err != nil {
				return err
			}
		}
	}
	if named != len(b.files) {
		return bad("it holds files that its manifest doesn't name")
	}
	return nil
}

// read reads a file, whose content may be longer or shorter than the directory says.
func (b *Bundle) read(e entry, most int64) ([]byte, error) {
	if e.size > most {
		return nil, bad("a file in it has %d bytes, more than %d", e.size, most)
	}
	r, err := e.open()
	if err != nil {
		return nil, bad("a file in it can't be read")
	}
	defer func() { _ = r.Close() }() // it was only read
	var data bytes.Buffer            // grows with what is there, not with what the directory says
	if _, err := data.ReadFrom(io.LimitReader(r, e.size+1)); err != nil || int64(data.Len()) != e.size {
		return nil, bad("a file in it is damaged")
	}
	return data.Bytes(), nil
}

// WriteInto writes the notes to a backend without notes of the same paths, each verified by its digest.
func (b *Bundle) WriteInto(ctx context.Context, to memstore.Backend) error {
	store, err := b.Store(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // it was only read
	into := memstore.New(to, memstore.Options{Origin: memstore.Origin{Actor: memstore.Curator}})
	return b.Steps(store, func(step memstore.Step) error { return into.Apply(ctx, step) })
}

// Steps calls do with what writes each note, whose text it reads from the store of the bundle.
func (b *Bundle) Steps(store *memstore.Store, do func(memstore.Step) error) (err error) {
	for i := range b.Notes {
		n := &b.Notes[i]
		mode, _ := n.mode() // it was checked
		step := memstore.Step{Kind: memstore.KindFile, Path: memstore.AgentPath(n.Path),
			Stamps: memstore.Stamps{Mode: mode, ModTime: n.Modified}.Carried()}
		if n.Link != "" {
			step.Kind, step.Data = memstore.KindLink, []byte(n.Link)
		} else if step.Data, err = memstore.ReadFile(store.Backend(), n.Path, memstore.Look, maxNote); err != nil {
			return err
		}
		if err := do(step); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the bundle.
func (b *Bundle) Close() error { return b.close() }
