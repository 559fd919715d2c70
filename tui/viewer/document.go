package viewer

import (
	"context"
	"errors"
	"io"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/memstore/past"
	"memcurator/render/bigfile"
)

// maxRows is the line limit of the tool: a file with more lines is refused by view, whatever
// the range. A newline at the end begins no line; the dialects that count one more refuse by themselves.
const maxRows = 999_999

// digestUpTo is the largest file whose digest is taken, in bytes. The digest is what a
// later edit by the user is checked against; larger files are not checked.
const digestUpTo = 16 << 20

// keepUpTo is the largest file whose bytes are kept while it is open, so that a
// conflict can show what the user saw. The digest of such a file is there as soon as
// the file is, that of a larger one when its lines are counted.
const keepUpTo = 1 << 20

// indexAtOnce is the size up to which the lines are counted before a file is shown, in
// bytes: a few milliseconds of work. Larger files show their first page meanwhile.
const indexAtOnce = 4 << 20

// document is what the view tab shows for one agent path: the text that the tool
// would return, without ever holding it. A file's rows are made from the header, the
// row numbers and pages of the file; everything else is a short text.
type document struct {
	dialect  memstore.Dialect
	path     string
	header   string // first row, or the whole text when the tool refuses the file
	numbered bool   // body lines carry the tool's row numbers
	refused  bool   // the tool answers with an error; the body is for people only
	broken   bool   // the rest of the file cannot be read: more lines will not come
	body     *bigfile.File
	source   bigfile.Source // what body reads
	file     memstore.File  // nil for texts
	info     memstore.Info
	digest   *memstore.Digest
	seen     []byte        // the bytes behind digest, for files up to keepUpTo
	large    bool          // a listing that is expensive to read
	epoch    int           // which state of the store it was read from
	took     time.Duration // of a listing: to read it
	gap      load.Gap      // the lines that the agent is not given when a session starts
}

// fileSource lets bigfile read an open file of a store.
type fileSource struct{ memstore.File }

func (s fileSource) Size() (int64, error) {
	info, err := s.Info()
	return info.Size, err
}

// over makes a text the body.
func (d *document) over(src bigfile.Source) { d.source, d.body = src, bigfile.New(src) }

func (d *document) close() {
	if d != nil && d.file != nil {
		_ = d.file.Close() // opened for reading: nothing can be lost here
	}
}

// headRows is the number of rows above the body.
func (d *document) headRows() int {
	switch {
	case d.header == "":
		return 0
	case d.refused && d.body != nil:
		return 2 // the tool's sentence, and the line that describes what follows
	default:
		return 1
	}
}

// headRow is the text of a row above the body.
func (d *document) headRow(row int) string {
	if row == 0 {
		return d.header
	}
	return "The agent gets only the line above. Below is the file as it is"
}

// lines is the number of rows known so far.
func (d *document) lines() int {
	if d.body == nil {
		return d.headRows()
	}
	lines := d.body.Facts().Lines
	if d.numbered {
		lines = min(lines, maxRows) // the empty row after the last of them is not shown
	}
	return d.headRows() + lines
}

// counted reports whether lines is the whole number.
func (d *document) counted() bool {
	return d.body == nil || d.broken || d.body.Facts().Complete
}

// judge notices, while the lines are counted, that the tool would refuse the file.
func (d *document) judge() {
	if d.refused || !d.numbered {
		return
	}
	facts := d.body.Facts()
	switch {
	case facts.Lines > maxRows+1, facts.Lines > maxRows && facts.Complete && !facts.FinalNewline:
		d.refuse(memstore.ErrTooLong)
	case facts.FirstInvalid >= 0:
		d.refuse(memstore.ErrNotText)
	}
}

func (d *document) refuse(err error) {
	d.refused, d.numbered = true, false
	d.header = memstore.ViewError(d.dialect, d.path, err)
}

// load opens what path is now. It never fails: what cannot be shown becomes the
// sentence that the agent would get. Reads leave no trace in the store.
func read(ctx context.Context, s *memstore.Store, path string) *document {
	name := memstore.BackendName(path)
	// The SDKs take names that the docs dialect refuses, and say themselves what they do not.
	if _, bad := memstore.ParsePath(path); bad != nil && s.Dialect() == memstore.Docs {
		d, err := loadFile(s, path, name)
		if err != nil {
			d = &document{path: path, dialect: s.Dialect()}
		}
		d.refuse(bad)
		return d
	}
	info, err := s.Backend().Stat(name)
	if err != nil {
		return refusal(s, path, err)
	}
	if info.Kind == memstore.KindDir {
		return loadListing(ctx, s, path)
	}
	d, err := loadFile(s, path, name)
	if err != nil {
		return refusal(s, path, err)
	}
	if s.Dialect() != memstore.Docs {
		d.translate(ctx, s)
	}
	return d
}

// translate replaces the file's own bytes by the text that the dialect sees in it,
// where the two differ: the SDKs' dialects fold line ends and mend bytes that are not UTF-8. The
// whole file is read for that before its first page is shown.
func (d *document) translate(ctx context.Context, s *memstore.Store) {
	text, err := s.ViewedText(ctx, d.path)
	switch {
	case err != nil:
		d.refuse(err)
	case text != nil:
		d.over(bigfile.Bytes(text))
	}
}

// refusal shows nothing but what the agent would be told.
func refusal(s *memstore.Store, path string, err error) *document {
	if errors.Is(err, past.ErrNotKept) { // of the past: the directory has nothing to do with it
		var kept *past.Error
		why := error(nil)
		if errors.As(err, &kept) {
			why = kept.Cause
		}
		return &document{path: path, refused: true, header: notKeptText(why)}
	}
	return &document{path: path, refused: true, header: memstore.ViewError(s.Dialect(), path, err)}
}

// notKeptText replaces a past text that the journal did not keep; why is the reason, nil where none is known.
func notKeptText(why error) string {
	if why == nil {
		return "The journal did not keep the content of this version"
	}
	return "The journal did not keep the content of this version: " + why.Error()
}

// loadFile opens a regular file.
func loadFile(s *memstore.Store, path, name string) (*document, error) {
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, err
	}
	info, err := f.Info()
	if err != nil {
		_ = f.Close() // nothing was read from it
		return nil, err
	}
	d := &document{
		path: path, dialect: s.Dialect(), info: info, file: f, numbered: true,
		header: memstore.ViewHeader(s.Dialect(), path),
	}
	d.over(fileSource{f})
	if info.Size <= keepUpTo {
		d.digest, d.seen = d.remember()
	}
	return d, nil
}

// remember takes the digest of the file, and its bytes if they are few; nil when it
// cannot be read or is too large. It does I/O.
func (d *document) remember() (*memstore.Digest, []byte) {
	if d.file == nil || d.info.Size > digestUpTo {
		return nil, nil
	}
	data := make([]byte, d.info.Size)
	n, err := d.file.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) || int64(n) != d.info.Size {
		return nil, nil
	}
	sum := memstore.Sum(data)
	if len(data) > keepUpTo {
		data = nil
	}
	return &sum, data
}
