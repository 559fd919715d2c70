package browse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

const (
	// fileUpTo is how much of a file is shown, in bytes.
	fileUpTo = 64 << 20
	// linesMost is the line limit of the tool: view refuses a file with more lines, whatever the range. A newline at the end begins no
	// line; the dialects that count one more refuse by themselves.
	linesMost = 999_999
)

// document is what the view tab shows for one agent path: the text that the tool would return. It is not changed once it was read.
type document struct {
	path     string
	dialect  memstore.Dialect
	header   string // the first row, or the whole text where the tool refuses the file; "": a listing, which has none
	refused  bool   // the tool answers with an error; the body is for people only
	numbered bool   // the lines of the body carry the tool's numbers
	isFile   bool
	body     []byte // nil: there is only the header
	starts   []int  // bytes of the body where its lines begin
	end      string // a row of the program's own below the body; "": none
	partial  bool   // only the beginning was read so far

	tree *memstore.Snapshot // what was known of the store when the reading began
}

// readDocument reads what path is now. It never fails: what can't be shown becomes the sentence that the agent would get. Reads leave no
// trace in the store.
func readDocument(ctx context.Context, s *memstore.Store, path string) *document {
	name := memstore.BackendName(path)
	d := &document{path: path, dialect: s.Dialect()}
	// The SDKs take names that the docs dialect refuses, and say themselves what they do not.
	if _, bad := memstore.ParsePath(path); bad != nil && d.dialect == memstore.Docs {
		if err := d.readFile(ctx, s, name); err != nil {
			d.body = nil
		}
		d.refuse(bad)
		d.index()
		return d
	}
	info, err := s.Backend().Stat(name)
	if err == nil && info.Kind == memstore.KindDir {
		d.list(ctx, s)
		d.index()
		return d
	}
	if err == nil {
		err = d.readFile(ctx, s, name)
	}
	if err != nil {
		d.fail(err)
		return d
	}
	d.translate(s)
	d.index()
	d.judge()
	return d
}

// beginFrom is the size in bytes from which the beginning of a file is shown first, beginWith how much of it.
const (
	beginFrom = 4 << 20
	beginWith = 64 << 10
)

// readBeginning reads the first whole lines of a large file; nil: it is none.
func readBeginning(ctx context.Context, s *memstore.Store, path string) *document {
	name := memstore.BackendName(path)
	info, err := s.Backend().Stat(name)
	if err != nil || info.Kind != memstore.KindFile || info.Size < beginFrom || s.Dialect() != memstore.Docs {
		return nil
	}
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil
	}
	defer f.Close() // opened for reading: nothing can be lost here
	head, err := readPart(ctx, f, beginWith)
	end := bytes.LastIndexByte(head, '\n')
	if err != nil || end < 0 || !utf8.Valid(head[:end]) {
		return nil
	}
	d := &document{path: path, dialect: s.Dialect(), isFile: true, numbered: true, partial: true, header: memstore.ViewHeader(s.Dialect(), path),
		body: head[:end]}
	d.index()
	return d
}

// readFile reads a regular file.
func (d *document) readFile(ctx context.Context, s *memstore.Store, name string) error {
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		return err
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil {
		return err
	}
	d.isFile, d.numbered, d.header = true, true, memstore.ViewHeader(d.dialect, d.path)
	if d.body, err = readPart(ctx, f, min(info.Size, fileUpTo)); err != nil {
		d.end = kit.TextRestUnreadable
		return nil
	}
	if info.Size > fileUpTo {
		d.end = "Only the first 64 MiB are shown. memcurator cat shows all of it"
	}
	return nil
}

// readPart reads the beginning of a file. It returns what could be read, with the error that ended it; a file that got shorter ends
// without one.
func readPart(ctx context.Context, f io.ReaderAt, size int64) ([]byte, error) {
	const step = 1 << 20
	data := make([]byte, size)
	for at := 0; at < len(data); at += step {
		if ctx.Err() != nil {
			return data[:at], ctx.Err()
		}
		part := data[at:min(at+step, len(data))]
		if n, err := f.ReadAt(part, int64(at)); n < len(part) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return data[:at+n], err
		}
	}
	return data, nil
}

// translate replaces the file's own bytes by the text that the dialect sees in it: the SDKs' dialects fold line ends and fix bytes that
// are not UTF-8.
func (d *document) translate(s *memstore.Store) {
	if d.dialect == memstore.Docs {
		return
	}
	text, err := s.ViewedText(d.path)
	if err != nil {
		d.refuse(err)
		return
	}
	d.body = text
}

// index finds the lines of the body.
func (d *document) index() {
	if d.body == nil {
		return
	}
	d.starts = append(make([]int, 0, bytes.Count(d.body, []byte("\n"))+1), 0)
	for at := 0; ; {
		n := bytes.IndexByte(d.body[at:], '\n')
		if n < 0 {
			return
		}
		at += n + 1
		d.starts = append(d.starts, at)
	}
}

// judge finds out whether the tool would refuse the file.
func (d *document) judge() {
	lines := len(d.starts)
	if lines > 0 && d.starts[lines-1] == len(d.body) {
		lines-- // a newline at the end begins no line
	}
	switch {
	case d.refused:
	case lines > linesMost:
		d.refuse(memstore.ErrTooLong)
	case d.end == "" && !utf8.Valid(d.body):
		d.refuse(memstore.ErrNotText)
	}
	if d.numbered {
		d.starts = d.starts[:min(len(d.starts), linesMost)] // the empty row after the last of them is not shown
	}
}

func (d *document) refuse(err error) {
	d.refused, d.numbered = true, false
	d.header = memstore.ViewError(d.dialect, d.path, err)
}

// fail shows nothing but what the agent would be told.
func (d *document) fail(err error) {
	d.refuse(err)
	if errors.Is(err, past.ErrNotKept) { // of the past: the directory has nothing to do with it
		d.header = "The journal did not keep the content of this version"
		if kept := (*past.Error)(nil); errors.As(err, &kept) && kept.Cause != nil {
			d.header += ": " + kept.Cause.Error()
		}
	}
}

// list reads the listing of a folder exactly as the agent gets it.
func (d *document) list(ctx context.Context, s *memstore.Store) {
	r := s.Do(ctx, memstore.Command{Name: memstore.CmdView, Path: d.path})
	if d.body = []byte(r.Content); r.IsError {
		d.refused, d.header, d.body = true, r.Content, nil
	}
}

// rowKind is the kind of a row of a document.
type rowKind uint8

const (
	headRow  rowKind = iota
	asideRow         // a row of the program's own
	bodyRow          // a line of the body
)

// place is what a row of a document is of.
type place struct {
	of   *document
	kind rowKind
	line int // of the body, from 0
}

// headRows is the number of rows above the body.
func (d *document) headRows() int {
	switch {
	case d.header == "":
		return 0
	case d.refused && d.body != nil:
		return 2 // the tool's sentence, and what the body is
	}
	return 1
}

// rowOf is the row of a line of the body.
func (d *document) rowOf(line int) int { return d.headRows() + line }

// at is what a row is of.
func (d *document) at(row int) place {
	line := row - d.headRows()
	switch {
	case row == 0 && line < 0:
		return place{d, headRow, 0}
	case line < 0:
		return place{d, asideRow, 0}
	case line >= len(d.starts):
		return place{d, asideRow, len(d.starts)}
	}
	return place{d, bodyRow, line}
}

// line is a line of the body, without its newline.
func (d *document) line(n int) []byte {
	end := len(d.body)
	if n+1 < len(d.starts) {
		end = d.starts[n+1]
	}
	return bytes.TrimSuffix(d.body[d.starts[n]:end], []byte("\n"))
}

// doc is the document as a text of rows.
func (d *document) doc() *kit.Doc {
	rows := d.headRows() + len(d.starts)
	if d.end != "" {
		rows++
	}
	return &kit.Doc{Len: rows, Line: d.row, Of: d}
}

func dim(st *theme.Styles) theme.Paint { return st.Dim }

// row is a row of the document.
func (d *document) row(i int) kit.Line {
	at := d.at(i)
	l := kit.Line{Own: true, Look: dim, Of: at}
	switch {
	case at.kind == bodyRow:
		l = kit.Line{Text: d.line(at.line), Of: at}
		if d.numbered { // the tool's own text has the number in front
			l.Tabs = viewNumberCells
		}
	case at.kind == headRow:
		l.Text, l.Look = []byte(d.header), nil
		if d.refused {
			l.Look = func(st *theme.Styles) theme.Paint { return st.Error }
		}
	case i == 1 && d.refused:
		l.Text = []byte("The agent gets only the line above. Below is the file as it is")
	default:
		l.Text = []byte(d.end)
	}
	return l
}
