package transcript

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// Reader reads transcripts of one agent, one after another, and joins what they say of the same call. It is not safe for concurrent use.
type Reader struct {
	summary Summary
	places  *places
	book    book
	streams map[string]*piece // calls whose input is still coming, by session and index
	chat    *chat             // of VS Code, as far as its log was read; nil: none
	chain   chain

	// Memory that all files use: of a thousand small ones it would be most of the work.
	in   *bufio.Reader
	bufs chan []byte

	// Of the file under way.
	name string
	at   Source // of the record
	near int    // the last line that is read whatever it names
	set  scope  // what the values before say of those that follow
	find finder // finds the lines that name a memory
	look lines  // goes to the lines that are worth reading
}

// NewReader makes a reader. What file tools did in folders counts, beside that in memory folders which are known by their names. They are
// slash-separated and absolute.
func NewReader(folders []string) *Reader {
	r := &Reader{places: &places{given: folders}, book: book{calls: map[string]*Call{}, ids: map[string]*Call{}},
		streams: map[string]*piece{}, in: bufio.NewReaderSize(nil, headSize), bufs: make(chan []byte, mostBlocks)}
	for range mostBlocks {
		r.bufs <- make([]byte, blockSize)
	}
	return r
}

// Summary is what was seen so far.
func (r *Reader) Summary() Summary { return r.summary }

// Calls are the calls found so far, in the order in which they were made: by time where all have one, else in the order of the files.
func (r *Reader) Calls() []*Call {
	calls := slices.Clone(r.book.list)
	if !slices.ContainsFunc(calls, func(c *Call) bool { return c.When.IsZero() }) {
		slices.SortStableFunc(calls, func(a, b *Call) int { return a.When.Compare(b.When) })
	}
	return calls
}

const (
	headSize   = 256 << 10 // bytes that tell what a file is
	blockSize  = 512 << 10 // bytes that are searched at once
	mostBlocks = 4         // blocks at a time: one that is filled, two that are searched, one whose lines are read
	nearLines  = 20        // lines that are always read: at the beginning, for the session, and after many calls at once, for their results
)

// Read reads one transcript; name is what [Source] calls it. The error is one of reading, or says what the file is instead of a transcript.
func (r *Reader) Read(name string, from io.Reader) error {
	r.in.Reset(from)
	in, done, err := unpacked(r.in)
	defer done()
	if err != nil {
		return err
	}
	head, err := in.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.name, r.near, r.set, r.find, r.chain = name, nearLines, scope{}, newFinder(r.places.given, head), newChain(head)
	r.look = lines{}
	if r.chain.follows { // each line tells its session
		r.near = 0
	}
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
	return more && len(first) > 0 && (first[0] == '{' || first[0] == '[') && !bytes.HasSuffix(first[1:], []byte{'}'}) &&
		valueEnd(first, 0) == len(first) && !json.Valid(first)
}

// readWhole reads a file whose values are spread over lines.
func (r *Reader) readWhole(in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, MaxRecord+1))
	if err != nil {
		return err
	}
	if len(data) > MaxRecord {
		return errLong
	}
	rest := split(data, func(v value, offset int) {
		r.at = Source{r.name, 1 + bytes.Count(data[:offset], []byte{'\n'}), int64(offset)}
		r.record(v)
	})
	at := len(data) - len(rest)
	r.at = Source{r.name, 1 + bytes.Count(data[:at], []byte{'\n'}), int64(at)}
	r.block(rest, r.find.find(rest))
	return nil
}

// block is a part of a file: whole lines, but for the end of the file.
type block struct {
	buf    []byte // from Reader.bufs
	text   []byte
	places chan []int // where lines name a memory
}

// readLines reads a file with a value a line. Blocks are searched beside the reading of the lines: of a large file it is most of the work.
func (r *Reader) readLines(in io.Reader) error {
	r.at = Source{File: r.name, Line: 1}
	blocks := make(chan block, 1)
	var failed error
	go func() {
		defer close(blocks)
		failed = r.readBlocks(in, blocks)
	}()
	for b := range blocks {
		r.block(b.text, <-b.places)
		r.bufs <- b.buf
	}
	return failed
}

// readBlocks sends the blocks of a file while they are searched.
func (r *Reader) readBlocks(in io.Reader, blocks chan<- block) error {
	send := func(buf []byte, end int) {
		b := block{buf, buf[:end], make(chan []int, 1)}
		go func() { b.places <- r.find.find(b.text) }()
		blocks <- b
	}
	buf, have := <-r.bufs, 0
	for {
		if have == len(buf) { // a long line
			if len(buf) >= MaxRecord {
				r.bufs <- buf
				return errLong
			}
			buf = append(buf, make([]byte, len(buf))...)
		}
		n, err := in.Read(buf[have:])
		fresh := buf[have : have+n]
		have += n
		if end := bytes.LastIndexByte(fresh, '\n'); end >= 0 {
			end += have - len(fresh) + 1
			rest := buf[end:have]
			next := <-r.bufs
			next = append(next, make([]byte, max(0, len(rest)-len(next)))...)
			have = copy(next, rest)
			send(buf, end)
			buf = next
		}
		switch {
		case errors.Is(err, io.EOF):
			send(buf, have)
			return nil
		case err != nil:
			r.bufs <- buf
			return err
		}
	}
}

// block reads the lines in which there may be a call, and counts the others.
func (r *Reader) block(block []byte, places []int) {
	r.chain.scan(block, r.at.Line)
	r.look.begin(block, places)
	from := r.at.Offset
	for pos := 0; pos < len(block); {
		start := pos
		if r.at.Line > r.near && len(r.streams) == 0 && r.chat == nil {
			hit := r.look.find(pos, &r.book)
			start = pos + bytes.LastIndexByte(block[pos:hit], '\n') + 1
			passed := bytes.Count(block[pos:start], []byte{'\n'})
			r.at.Line += passed
			r.summary.Records += passed
			if start == len(block) { // else what is left may be a last line that is cut off
				break
			}
		}
		end := lineEnd(block, start)
		r.at.Offset = from + int64(start)
		r.line(block[start:end:end], end < len(block))
		r.at.Line++
		pos = end + 1
	}
	r.at.Offset = from + int64(len(block))
}

// line reads a line: a JSON value, or an event of a stream.
func (r *Reader) line(line []byte, ended bool) {
	line = bytes.Trim(line, " \t\r\x1e")
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		line = bytes.TrimSpace(data)
	}
	if text := bytes.TrimLeft(line, "\x00"); len(text) < len(line) { // as a file system leaves them that lost power during an append
		r.damaged()
		line = text
	}
	if len(line) == 0 || line[0] != '{' && line[0] != '[' {
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
	r.damaged()
	if v := behind(rest); v != nil {
		r.record(v)
	}
}

// damaged counts the line under way among the damaged ones.
func (r *Reader) damaged() {
	if r.summary.Bad++; r.summary.BadLine == 0 {
		r.summary.BadLine = r.at.Line
	}
}

// behind is the whole record that stands behind one that was cut off, on its line, as an append that was interrupted leaves it; nil: there
// is none. A call by itself may be quoted, so it does not count.
func behind(line []byte) value {
	for at, work := 1, 0; work < len(line)*4+1<<20; at++ {
		next := bytes.Index(line[at:], []byte(`{"`))
		if next < 0 {
			return nil
		}
		at += next
		end := valueEnd(line, at)
		if end == len(line) && json.Valid(line[at:]) {
			if _, _, call := callIn(value(line[at:]).object()); call {
				return nil
			}
			return line[at:]
		}
		work += end - at
	}
	return nil
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
	input := m.input
	if text := validated(m.input.text()); text.isObject() {
		input = text
	}
	c := &Call{
		ID: m.id, Session: s.session, Turn: s.turn, Time: s.time, When: s.when, Model: s.model, Agent: s.agent,
		Tool: m.name, places: r.places, dir: workingDir(input.object(), s.dir), Input: json.RawMessage(input), Source: r.at,
	}
	if !c.recognize() {
		r.book.latest[m.id] = nil
		return
	}
	r.book.add(c, s)
	if c.ID == "" || len(r.book.waiting) == mostWaiting { // the result can't be looked for by an id
		r.near = max(r.near, r.at.Line+nearLines)
	}
}

// answered takes the result of a call of any tool. Logs tell results again and again, so one that the call has already isn't taken apart.
func (r *Reader) answered(id string, p *parts, o object, s scope) {
	content, c := o.at(p.Text), r.book.find(id, s)
	if p.Plain && content == nil || c == nil || c.Result != nil && (len(content) > longestPlaceholder || !isCleared(c.Result.Text)) {
		return
	}
	if content.isNull() {
		content = value(`""`)
	}
	text, failed, told := unwrapped(content.texts(0), p.Wrapped)
	if c.Result != nil && isCleared(text) {
		return
	}
	if flag, flagTold := p.failed(o); flagTold || told {
		failed = failed || flag
	} else {
		failed = soundsFailed(text)
	}
	c.Result = &Result{Raw: bytes.Clone(content), Text: text, IsError: failed, plain: p.Plain}
	c.extra = bytes.Clone(s.extra)
	r.book.served(id)
}

// textResult takes a result that Cline sends as a text: it names the tool and the file instead of the call.
func (r *Reader) textResult(o object, s scope) {
	m := clineHeader().FindStringSubmatch(o.text("text"))
	if m == nil {
		return
	}
	for _, c := range r.book.list {
		if c.Result == nil && c.Tool == m[1] && filePath(value(c.Input).object()) == m[2] {
			r.answered(c.ID, &parts{Text: "text"}, o, s)
			return
		}
	}
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

// with takes what a value says of those after it in its file.
func (s scope) with(p *parts, o object) scope {
	s.session = cmp.Or(o.at(p.Session).text(), s.session)
	s.model = cmp.Or(o.at(p.Model).text(), s.model)
	s.dir = cmp.Or(o.at(p.Dir).text(), s.dir)
	return s
}
