package transcript

import (
	"bytes"
	"errors"
	"io"

	"memcurator/memstore/transcript/rawjson"
	"memcurator/memstore/transcript/textfile"
)

// heldWhole is how much of a file that is one JSON value is held as a whole, in bytes. Of what is longer, the elements
// of its array are read one after another. Tests set it lower.
var heldWhole = 16 << 20

// readValue reads a file whose JSON values are spread over lines; size is how long it is at most, 0 where that is unknown.
func (r *Reader) readValue(name string, in io.Reader, size int64) error {
	var begin bytes.Buffer
	begin.Grow(int(min(size, int64(heldWhole))) + bytes.MinRead) // no copies are made while it is read
	_, err := begin.ReadFrom(io.LimitReader(in, int64(heldWhole)))
	data := begin.Bytes()
	if err != nil {
		return err
	}
	if len(data) == heldWhole {
		if at, around := longArray(data); at >= 0 {
			return r.readArray(name, in, data, at, around)
		}
		data, err = textfile.ReadAll(io.MultiReader(bytes.NewReader(data), in))
	}
	if errors.Is(err, textfile.ErrTooLong) {
		r.summary.Skipped++
		return nil
	}
	if err != nil {
		return err
	}
	r.book.own = cap(data)
	rest := rawjson.Split(data, func(v rawjson.Value, offset int) {
		r.summary.Records++
		r.look(v, Source{name, 1 + bytes.Count(data[:offset], []byte{'\n'}), int64(offset)})
	})
	if len(rest) > 0 {
		r.look(r.fixed(rest), Source{name, 1, int64(len(data) - len(rest))})
	}
	return nil
}

// longArray finds the array that most of a file is, by its beginning: the file itself, or the messages of a body.
// around is what comes before it there; at is its offset, -1 for none.
func longArray(data []byte) (at int, around rawjson.Object) {
	start := rawjson.SkipSpace(data, 0)
	v := rawjson.Value(data[start:])
	if v.IsArray() {
		return start, nil
	}
	o := v.Object()
	if len(o) == 0 {
		return -1, nil
	}
	last := o[len(o)-1]
	if last.Key != "messages" || !last.Val.IsArray() || !conversation(last.Val) || rawjson.ValueEnd(data, start) < len(data) {
		return -1, nil
	}
	return len(data) - len(last.Val), o[:len(o)-1]
}

// readArray reads the elements of the array at an offset of data, and of what follows in the stream. It skips what
// follows the array.
func (r *Reader) readArray(name string, in io.Reader, data []byte, at int, around rawjson.Object) error {
	r.book.own = 0 // its buffer is overwritten
	r.summary.Records++
	e := elements{in: in, buf: data, at: at + 1}
	e.lines = bytes.Count(data[:at], []byte{'\n'})
	source := func() Source { return Source{name, 1 + e.lines, e.offset + int64(e.at)} }
	r.book.record = record{at: source(), latest: map[string]*Call{}}
	s := scope{turn: 1}.within(around)
	each := func(visit func(rawjson.Value)) {
		for e.next() {
			r.book.record.at = source()
			switch v := e.value; {
			case rawjson.Valid(v):
				visit(v)
			case !e.ended:
				r.summary.Bad++
			default:
				if v = r.fixed(v); v != nil {
					visit(v)
				}
			}
		}
	}
	if conversation(data[at:]) {
		r.messagesOf(each, s, 1)
	} else {
		each(func(v rawjson.Value) { r.walk(v, s, 1) })
	}
	if errors.Is(e.err, textfile.ErrTooLong) {
		r.summary.Skipped++
		return nil
	}
	return e.err
}

// elements are those of an array that is read as a stream.
type elements struct {
	in     io.Reader
	buf    []byte
	at     int           // offset in buf of the element under way
	end    int           // of it
	offset int64         // of buf in the stream
	lines  int           // ends of lines before at
	ended  bool          // nothing left to read
	value  rawjson.Value // the element under way
	err    error
}

// next turns to the next element; false: none, or err says why not.
func (e *elements) next() bool {
	e.pass(max(e.at, e.end))
	for e.err == nil {
		at := e.at
		for at = rawjson.SkipSpace(e.buf, at); at < len(e.buf) && e.buf[at] == ','; {
			at = rawjson.SkipSpace(e.buf, at+1)
		}
		e.pass(at)
		if at < len(e.buf) {
			if e.buf[at] == ']' {
				return false
			}
			end := rawjson.ValueEnd(e.buf, at)
			if end < len(e.buf) || e.ended {
				e.value, e.end = e.buf[at:end:end], end
				return true
			}
		} else if e.ended {
			return false
		}
		e.fill()
	}
	return false
}

// pass leaves behind what is before an offset.
func (e *elements) pass(at int) {
	e.lines += bytes.Count(e.buf[e.at:at], []byte{'\n'})
	e.at, e.end = at, at
}

// leastFill is how much is read at least, in bytes.
const leastFill = 1 << 20

// fill reads on, more the longer the element under way is, which is looked through again each time.
func (e *elements) fill() {
	e.offset += int64(e.at)
	e.buf = e.buf[:copy(e.buf, e.buf[e.at:])]
	e.at, e.end = 0, 0
	want := len(e.buf) + max(leastFill, len(e.buf))
	if want > textfile.MaxRecord {
		e.err = textfile.ErrTooLong
		return
	}
	if want > cap(e.buf) {
		e.buf = append(make([]byte, 0, want), e.buf...)
	}
	n, err := io.ReadFull(e.in, e.buf[len(e.buf):want])
	e.buf = e.buf[:len(e.buf)+n]
	if errors.Is(err, io.EOF) || n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
		e.ended = true
	} else if err != nil {
		e.err = err
	}
}
