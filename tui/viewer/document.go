package viewer

import (
	"context"
	"errors"
	"io"
	"strings"

	"memcurator/memstore"
	"memcurator/render/bigfile"
	"memcurator/tui/pane"
)

// maxRows is the line limit of the tool: a file with more pieces between
// newlines is refused by view, whatever the range.
const maxRows = 999_999

// digestUpTo is the largest file whose digest is taken when it is opened. The
// digest is what a later edit by the user is checked against; larger files are
// checked by size and modification time only.
const digestUpTo = 16 << 20

// keepUpTo is the largest file whose bytes are kept while it is open, so that a
// conflict can show what the user saw.
const keepUpTo = 1 << 20

// document is what the view tab shows for one agent path: the text that the tool
// would return, without ever holding it. A file's rows are made from the header, the
// row numbers and pages of the file; everything else is a short text.
type document struct {
	path     string
	header   string // first row, or the whole text when the tool refuses the file
	numbered bool   // body lines carry the tool's row numbers
	refused  bool   // the tool answers with an error; the body is for people only
	body     *bigfile.File
	file     memstore.File // nil for texts
	info     memstore.Info
	digest   *memstore.Digest
	seen     []byte // the bytes behind digest, for files up to keepUpTo
}

// fileSource lets bigfile read an open file of a store.
type fileSource struct{ memstore.File }

func (s fileSource) Size() (int64, error) {
	info, err := s.Info()
	return info.Size, err
}

func (d *document) close() {
	if d != nil && d.file != nil {
		_ = d.file.Close() // opened for reading: nothing can be lost here
	}
}

// Discard frees a document that came too late to be shown.
func (d *document) Discard() { d.close() }

// headRows is the number of rows above the body.
func (d *document) headRows() int {
	switch {
	case d.header == "":
		return 0
	case d.refused && d.body != nil:
		return 2 // the tool's sentence, and the line that says what follows
	default:
		return 1
	}
}

// headRow is the text of a row above the body.
func (d *document) headRow(row int) string {
	if row == 0 {
		return d.header
	}
	return pane.TextRawBelow
}

// lines is the number of rows known so far.
func (d *document) lines() int {
	if d.body == nil {
		return d.headRows()
	}
	return d.headRows() + d.body.Facts().Lines
}

// judge notices, while the lines are counted, that the tool would refuse the file.
func (d *document) judge(dialect memstore.Dialect) {
	if d.refused || !d.numbered {
		return
	}
	facts := d.body.Facts()
	switch {
	case facts.Lines > maxRows:
		d.refuse(dialect, memstore.ErrTooLong)
	case facts.FirstInvalid >= 0:
		d.refuse(dialect, memstore.ErrNotText)
	}
}

func (d *document) refuse(dialect memstore.Dialect, err error) {
	d.refused, d.numbered = true, false
	d.header = memstore.ViewError(dialect, d.path, err)
}

// load opens what path is now. It never fails: what cannot be shown becomes the
// sentence that the agent would get. Reads leave no trace in the store.
func load(ctx context.Context, s *memstore.Store, path string) *document {
	name := backendName(path)
	if _, err := memstore.ParsePath(path); err != nil {
		d := loadFile(s, path, name)
		if d == nil {
			d = &document{path: path}
		}
		d.refuse(s.Dialect(), err)
		return d
	}
	info, err := s.Backend().Stat(name)
	if err != nil {
		return &document{path: path, refused: true, header: memstore.ViewError(s.Dialect(), path, err)}
	}
	if info.Kind == memstore.KindDir {
		return loadListing(ctx, s, path, info)
	}
	if d := loadFile(s, path, name); d != nil {
		return d
	}
	_, err = s.Backend().Open(name, memstore.Look)
	if err == nil {
		err = memstore.ErrChanged
	}
	return &document{path: path, info: info, refused: true, header: memstore.ViewError(s.Dialect(), path, err)}
}

// loadListing shows a directory: the listing exactly as the agent gets it.
func loadListing(ctx context.Context, s *memstore.Store, path string, info memstore.Info) *document {
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
	r := s.Do(ctx, memstore.Command{Name: memstore.CmdView, Path: path})
	return &document{path: path, info: info, body: bigfile.New(bigfile.Bytes([]byte(r.Content)))}
}

// loadFile opens a regular file; nil when that cannot be done.
func loadFile(s *memstore.Store, path, name string) *document {
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil
	}
	info, err := f.Info()
	if err != nil {
		_ = f.Close()
		return nil
	}
	d := &document{
		path: path, info: info, file: f, numbered: true,
		header: memstore.ViewHeader(s.Dialect(), path),
		body:   bigfile.New(fileSource{f}),
	}
	d.remember()
	return d
}

// remember takes the digest of what is about to be shown.
func (d *document) remember() {
	if d.info.Size > digestUpTo {
		return
	}
	data := make([]byte, d.info.Size)
	n, err := d.file.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) || int64(n) != d.info.Size {
		return
	}
	sum := memstore.Sum(data)
	d.digest = &sum
	if len(data) <= keepUpTo {
		d.seen = data
	}
}

// backendName is the store's own name for an agent path that came from the tree,
// where names may hold anything that the file system allows.
func backendName(path string) string {
	name := strings.Trim(strings.TrimPrefix(path, memstore.Root), "/")
	if name == "" {
		return "."
	}
	return name
}
