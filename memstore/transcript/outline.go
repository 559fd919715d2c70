package transcript

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/textfile"
)

// Outline says which lines of a file a [Reader] looks at, and what it counts in the others, so that a file that hasn't changed needn't be
// read again. It holds no text of the file.
type Outline struct {
	Format string `json:"format,omitempty"`
	// Whole: the file isn't read line by line, and has calls. It is read again.
	Whole bool `json:"whole,omitempty"`
	// Of the lines that are passed over.
	Records int  `json:"records,omitempty"`
	Skipped int  `json:"skipped,omitempty"`
	CutLast bool `json:"cut,omitempty"`
	// Mark is the length of the byte order mark.
	Mark int64 `json:"mark,omitempty"`
	// Lines are the places of the lines: of each the number of lines before it, the bytes before it, both counted from the end of the
	// line before, and its length, twice that and one more for a last line without an end.
	Lines []byte `json:"lines,omitempty"`
	last  span
}

// span is the place of a line: its number, counted from 1, the offset behind the byte order mark, and the length.
type span struct {
	line           int
	offset, length int64
	open           bool // it has no end
}

// note adds a line that is looked at.
func (o *Outline) note(at Source, length int, ended bool) {
	now := span{at.Line, at.Offset, int64(length), !ended}
	o.Lines = binary.AppendUvarint(o.Lines, uint64(now.line-o.last.line-1))
	o.Lines = binary.AppendUvarint(o.Lines, uint64(now.offset-o.last.offset-o.last.length))
	size := 2 * uint64(now.length)
	if now.open {
		size++
	}
	o.Lines = binary.AppendUvarint(o.Lines, size)
	o.last = now
}

// errOutline is the error of an outline that no file has.
var errOutline = errors.New("its outline is damaged")

// spans are the places of the lines.
func (o Outline) spans() iter.Seq2[span, error] {
	return func(yield func(span, error) bool) {
		now, rest := span{}, o.Lines
		for len(rest) > 0 {
			var v [3]uint64
			for i := range v {
				n := 0
				if v[i], n = binary.Uvarint(rest); n <= 0 || v[i] > 1<<56 {
					yield(span{}, errOutline)
					return
				}
				rest = rest[n:]
			}
			now = span{now.line + 1 + int(v[0]), now.offset + now.length + int64(v[1]), int64(v[2] / 2), v[2]%2 == 1}
			if now.length > textfile.MaxRecord || now.offset < 0 || now.line < 1 {
				yield(span{}, errOutline)
				return
			}
			if !yield(now, nil) {
				return
			}
		}
	}
}

// mostAwaited is how many ids an outline looks for in a whole file.
const mostAwaited = 16

// Awaits describes what the reader expects of the next file because of those before it: results of calls without one, in sorted order.
// ok is false if it has to look at every line.
func (r *Reader) Awaits() (ids []string, ok bool) {
	if len(r.streams.of) > 0 || r.unnamed.wait() {
		return nil, false
	}
	if len(r.book.waiting) > mostAwaited {
		return nil, false
	}
	for id := range r.book.waiting {
		if id == "" {
			return nil, false
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, true
}

// Outline reads a file by itself, for [Reader.ReadOutline]: it takes none of its calls. The outline fits as long as [Reader.Awaits]
// returns the same.
func (r *Reader) Outline(name string, from io.Reader) (Outline, error) {
	ids, _ := r.Awaits()
	options := r.options
	options.Found = nil
	alone, err := NewReader(options)
	if err != nil {
		return Outline{}, err
	}
	alone.awaited, alone.outline = ids, &Outline{}
	if err := alone.Read(name, from); err != nil {
		return Outline{}, err
	}
	s := alone.Summary()
	if alone.byLine {
		alone.outline.Format = s.Format
		return *alone.outline, nil
	}
	nothing := len(alone.book.list) == 0 && s.Other == 0 && s.Bad == 0 && s.Mentions == 0 && len(s.Tools) == 0
	return Outline{Format: s.Format, Records: s.Records, Skipped: s.Skipped, CutLast: s.CutLast, Whole: !nothing || len(ids) > 0}, nil
}

// ReadOutline is [Reader.Read] for a file of a size whose outline is known and not Whole. It reads the lines of the outline only; from may
// be nil if there are none.
func (r *Reader) ReadOutline(name string, from io.ReaderAt, size int64, o Outline) error {
	r.summary.Format = o.Format
	if r.options.Format != "" {
		r.summary.Format = r.options.Format
	}
	r.summary.Records += o.Records
	r.summary.Skipped += o.Skipped
	r.summary.CutLast = r.summary.CutLast || o.CutLast
	delete(r.settings, name)
	delete(r.resume, name)
	r.words, r.eachLine = format.Words(o.Format), false
	var shared []byte
	for l, err := range o.spans() {
		if err == nil && l.length > size-l.offset {
			err = errOutline
		}
		if err != nil {
			return err
		}
		line := shared
		r.book.own = 0
		if l.length > ownLine { // its parts are kept without a copy
			line = make([]byte, l.length)
			r.book.own = len(line)
		} else if int64(cap(line)) < l.length {
			shared = make([]byte, max(l.length, 64<<10))
			line = shared
		}
		line = line[:l.length:l.length]
		if _, err := from.ReadAt(line, o.Mark+l.offset); err != nil {
			return err
		}
		r.line(line, !l.open, Source{name, l.line, l.offset})
	}
	r.cutStreams()
	return nil
}

// ownLine is the length of a line, in bytes, from which it isn't read into the buffer of the others.
const ownLine = 1 << 20
