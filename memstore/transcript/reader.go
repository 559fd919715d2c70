package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// Options are the settings of a [Reader].
type Options struct {
	// Folders are memory folders on the disk beside those that are known by their names; slash-separated and absolute.
	// What file tools did in them counts.
	Folders []string
}

// Reader reads transcripts of one agent, one after another, and joins what they say of the same call. It is not safe for concurrent use.
type Reader struct {
	summary Summary
	places  *places
	book    book
	streams map[string]*piece // calls whose input is still coming, by session and index
	chat    *chat             // of VS Code, as far as its log was read; nil: none
	chain   chain

	// Of the file under way.
	name string
	at   Source  // of the record
	set  scope   // what the values before say of those that follow
	look *finder // finds the lines that are worth reading
}

// NewReader makes a reader.
func NewReader(o Options) *Reader {
	return &Reader{places: &places{given: o.Folders}, book: newBook(), streams: map[string]*piece{}, summary: Summary{Tools: map[string]int{}}}
}

// Summary is what was seen so far.
func (r *Reader) Summary() Summary { return r.summary }

// Calls are the calls found so far, in the order in which they were made: by time where all have one, else in the order of the files.
func (r *Reader) Calls() []*Call {
	calls := slices.Clone(r.book.list)
	for _, c := range calls {
		if c.When.IsZero() {
			return calls
		}
	}
	slices.SortStableFunc(calls, func(a, b *Call) int { return a.When.Compare(b.When) })
	return calls
}

const (
	headSize  = 256 << 10 // bytes that tell what a file is
	blockSize = 512 << 10 // bytes that are searched at once
	headLines = 20        // lines that are always read: they say whose session it is
)

// Read reads one transcript; name is what [Source] calls it. The error is one of reading, or says what the file is instead of a transcript.
func (r *Reader) Read(name string, from io.Reader) error {
	in, _, done, err := unpacked(from)
	defer done()
	if err != nil {
		return err
	}
	head, err := in.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.name, r.set, r.look, r.chain = name, scope{}, newFinder(r.places.given, head), newChain(head)
	if spread(head) {
		err = r.readWhole(in)
	} else {
		err = r.readLines(in)
	}
	r.endStreams()
	r.endChat()
	r.chain.name(r.book.list, name)
	return err
}

// spread reports whether the JSON values of a file are spread over lines: its first line opens one that it doesn't close.
func spread(head []byte) bool {
	first, _, more := bytes.Cut(bytes.TrimLeft(head, " \t\r\n\x1e"), []byte{'\n'})
	first = bytes.TrimSpace(first)
	return more && len(first) > 0 && (first[0] == '{' || first[0] == '[') && valueEnd(first, 0) == len(first) && !json.Valid(first) &&
		!bytes.HasSuffix(first[1:], []byte{'}'})
}

// readWhole reads a file whose values are spread over lines.
func (r *Reader) readWhole(in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, MaxRecord+1))
	if err != nil {
		return err
	}
	if len(data) > MaxRecord {
		r.summary.Skipped++
		return nil
	}
	rest := split(data, func(v value, offset int) {
		r.at = Source{r.name, 1 + bytes.Count(data[:offset], []byte{'\n'}), int64(offset)}
		r.record(v)
	})
	at := len(data) - len(rest)
	r.at = Source{r.name, 1 + bytes.Count(data[:at], []byte{'\n'}), int64(at)}
	r.block(rest)
	return nil
}

// readLines reads a file with a value a line.
func (r *Reader) readLines(in io.Reader) error {
	buf, have, skip := make([]byte, blockSize), 0, false
	r.at = Source{File: r.name, Line: 1}
	for {
		if have == len(buf) { // a long line
			if len(buf) >= MaxRecord {
				r.summary.Skipped++
				r.at.Offset += int64(have)
				have, skip = 0, true
			} else {
				buf = append(buf, make([]byte, len(buf))...)
			}
		}
		n, err := in.Read(buf[have:])
		fresh := buf[have : have+n]
		have += n
		if skip {
			at := bytes.IndexByte(fresh, '\n') + 1
			if skip = at == 0; skip {
				at = n
			} else {
				r.at.Line++
			}
			r.at.Offset += int64(at)
			have = copy(buf, fresh[at:])
			fresh = buf[:have]
		}
		if end := bytes.LastIndexByte(fresh, '\n'); end >= 0 {
			end += have - len(fresh) + 1
			r.block(buf[:end])
			have = copy(buf, buf[end:have])
		}
		switch {
		case errors.Is(err, io.EOF):
			r.block(buf[:have])
			return nil
		case err != nil:
			return err
		}
	}
}

// block reads the lines in which there may be a call, and counts the others.
func (r *Reader) block(block []byte) {
	r.chain.scan(block, r.at.Line)
	r.look.begin(block)
	from := r.at.Offset
	for pos := 0; pos < len(block); {
		start := pos
		if r.at.Line > headLines && len(r.streams) == 0 && r.chat == nil {
			hit := r.look.next(pos, &r.book)
			start = pos + bytes.LastIndexByte(block[pos:hit], '\n') + 1
			passed := bytes.Count(block[pos:start], []byte{'\n'})
			if hit == len(block) {
				if start < hit { // a last line without an end
					r.summary.CutLast = r.summary.CutLast || !closes(block[start:])
					start, passed = hit, passed+1
				}
			}
			r.at.Line += passed
			r.summary.Records += passed
			if start == len(block) {
				break
			}
		}
		end := bytes.IndexByte(block[start:], '\n')
		ended := end >= 0
		if !ended {
			end = len(block) - start
		}
		r.at.Offset = from + int64(start)
		r.line(block[start:start+end:start+end], ended)
		r.at.Line++
		pos = start + end + 1
	}
	r.at.Offset = from + int64(len(block))
}

// closes reports whether a line ends as a JSON value does.
func closes(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r\n")
	return len(line) == 0 || line[len(line)-1] == '}' || line[len(line)-1] == ']'
}

// line reads a line: a JSON value, or an event of a stream.
func (r *Reader) line(line []byte, ended bool) {
	line = bytes.Trim(line, " \t\r\x1e")
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		line = bytes.TrimSpace(data)
	}
	if len(line) == 0 {
		return
	}
	if line[0] != '{' && line[0] != '[' {
		r.prose(line)
		return
	}
	rest := split(line, func(v value, _ int) { r.record(v) })
	if len(rest) == 0 {
		return
	}
	r.summary.Records++
	if !ended {
		r.summary.CutLast = true
		return
	}
	if r.summary.Bad++; r.summary.BadLine == 0 {
		r.summary.BadFile, r.summary.BadLine = r.name, r.at.Line
	}
	if v := r.behind(rest); v != nil {
		r.record(v)
		return
	}
	r.prose(rest)
}

// behind is the whole record that stands behind one that was cut off, on its line, as an append that was interrupted leaves it; nil: there is
// none. A call by itself may be quoted, so it does not count.
func (r *Reader) behind(line []byte) value {
	for at, work := 1, 0; work < len(line)*4+1<<20; {
		next := bytes.Index(line[at:], []byte(`{"`))
		if next < 0 {
			return nil
		}
		at += next
		end := valueEnd(line, at)
		if end == len(line) && json.Valid(line[at:]) {
			if _, _, call := callIn(value(line[at:]).object()); !call {
				return line[at:]
			}
			return nil
		}
		work += end - at
		at++
	}
	return nil
}

// prose counts what is not JSON and speaks of memory.
func (r *Reader) prose(line []byte) {
	if bytes.Contains(line, []byte("memory")) || bytes.Contains(line, []byte("/memories")) {
		r.summary.Mentions++
	}
}

// record reads one value at the top of a file.
func (r *Reader) record(v value) {
	r.summary.Records++
	if r.operation(v) {
		return
	}
	r.book.begin()
	s := r.set
	s.turn = r.at.Line
	r.walk(v, s, 0)
}

// found takes a call of any tool.
func (r *Reader) found(m made, s scope) {
	input, whole := m.input, m.input.isObject()
	if m.input.isString() {
		if text := validated(m.input.text()); text.isObject() {
			input, whole = text, true
		}
	}
	if isMemoryName(m.name) && string(m.input) == `""` {
		return // a stream announces the start of a call
	}
	c := &Call{
		ID: m.id, Session: s.session, Turn: s.turn, Time: s.time, When: s.when, Model: s.model, Side: s.side,
		Tool: m.name, places: r.places, dir: workingDir(input.object(), s.dir), Input: json.RawMessage(input), Source: r.at,
	}
	switch {
	case c.recognize(whole):
		r.book.add(c, s)
	case isMemoryName(m.name):
		r.book.other(c, &r.summary)
	default:
		r.book.latest[m.id] = nil
		r.summary.Tools[m.name]++
	}
}

// answered takes the result of a call of any tool.
func (r *Reader) answered(id string, p *parts, o object, s scope) {
	content := o.at(p.Text)
	if p.Plain && content == nil {
		return
	}
	r.answer(id, content, s, func(res *Result) {
		failed, told := p.failed(o)
		text, unwrappedFailed, unwrappedTold := unwrapped(res.Text, p.Wrapped)
		res.Text, res.plain = text, p.Plain
		switch {
		case told, unwrappedTold:
			res.IsError = failed || unwrappedFailed
		default:
			res.IsError = soundsFailed(text)
		}
	})
}

// answer gives a call its result; judge finishes it. Logs tell results again and again, so one that the call has already isn't taken apart.
func (r *Reader) answer(id string, content value, s scope, judge func(*Result)) {
	c := r.book.find(id, s)
	if c == nil || c.Result != nil && (len(content) > longestPlaceholder || !isCleared(c.Result.Text)) {
		return
	}
	if content.isNull() {
		content = value(`""`)
	}
	res := &Result{Raw: json.RawMessage(content), Text: content.texts(0)}
	if judge(res); c.Result != nil && isCleared(res.Text) {
		return
	}
	res.Raw = bytes.Clone(res.Raw)
	c.Result, c.extra = res, bytes.Clone(s.extra)
	r.book.served(id)
}

// longestPlaceholder is how long the substitute for a cleared result may be as JSON, in bytes.
const longestPlaceholder = 8 << 10

// validated is a text as a JSON value; nil: it is none.
func validated(text string) value {
	v := value(bytes.TrimSpace([]byte(text)))
	if len(v) > 0 && (v[0] == '{' || v[0] == '[') && json.Valid(v) {
		return v
	}
	return nil
}

// set takes what a value says of those after it in its file.
func (s scope) with(p *parts, o object) scope {
	get := func(path string) string {
		if path == "" {
			return ""
		}
		return o.at(path).text()
	}
	s.session, s.model, s.dir = cmp.Or(get(p.Session), s.session), cmp.Or(get(p.Model), s.model), cmp.Or(get(p.Dir), s.dir)
	return s
}
