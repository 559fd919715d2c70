package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Options are the settings of a [Reader].
type Options struct {
	// Format overrides what is found by looking at the file: one of [Formats]; "" or "auto": look.
	Format string
}

// Reader reads transcripts of one agent, one after another, and joins what they say of the same
// call. It is not safe for concurrent use.
type Reader struct {
	options Options
	summary Summary
	calls   []*Call
	book    book
	seen    map[string]bool // lines by their own id, which copies of a session repeat
	streams map[string]*stream
	record  record // of the record under way
}

// NewReader makes a reader.
func NewReader(o Options) (*Reader, error) {
	if o.Format == "auto" {
		o.Format = ""
	}
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, fmt.Errorf("there is no format %q; those that there are: auto, %s", o.Format, strings.Join(Formats(), ", "))
	}
	return &Reader{
		options: o, book: newBook(), seen: map[string]bool{}, streams: map[string]*stream{},
		summary: Summary{Tools: map[string]int{}},
	}, nil
}

// Summary is what was seen so far.
func (r *Reader) Summary() Summary { return r.summary }

// Calls are the calls found so far, in the order in which they were made: by time where all
// tell one, else as they stand in the files.
func (r *Reader) Calls() []*Call {
	calls := slices.Clone(r.calls)
	for _, c := range calls {
		if c.When.IsZero() {
			return calls
		}
	}
	slices.SortStableFunc(calls, func(a, b *Call) int { return a.When.Compare(b.When) })
	return calls
}

// Read reads one transcript; name is what [Source] calls it. The error is one of reading, or
// says what the file is instead of a transcript.
func (r *Reader) Read(name string, from io.Reader) error {
	in, closeUnpacker, err := unpacked(from)
	defer closeUnpacker()
	if err != nil {
		return err
	}
	defer func() { r.streams = map[string]*stream{} }()
	buffered := bufio.NewReaderSize(in, readBlock)
	head, err := buffered.Peek(sniff)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	found, spread := detect(head)
	r.summary.Format = found
	if r.options.Format != "" {
		r.summary.Format = r.options.Format
	}
	if spread {
		err = r.readValue(name, buffered)
	} else {
		err = r.readLines(name, buffered)
	}
	r.cutStreams()
	return err
}

// readValue reads a file whose JSON values are spread over lines.
func (r *Reader) readValue(name string, in io.Reader) error {
	data, err := readAll(in)
	if errors.Is(err, errLong) {
		r.summary.Skipped++
		return nil
	}
	if err != nil {
		return err
	}
	rest := values(data, func(v value, offset int) {
		r.summary.Records++
		r.look(v, Source{name, 1 + bytes.Count(data[:offset], []byte{'\n'})})
	})
	if len(rest) > 0 {
		r.look(r.mended(rest), Source{name, 1})
	}
	return nil
}

// mended is what is left of a record that was cut off.
func (r *Reader) mended(rest []byte) value {
	r.summary.CutLast = true
	return mend(rest)
}

func (r *Reader) readLines(name string, in *bufio.Reader) error {
	all := lines{in: in}
	for {
		line, ended, err := all.next()
		switch {
		case errors.Is(err, errLong):
			r.summary.Skipped++
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		r.line(line, ended, Source{name, all.n})
	}
}

// line looks at one line: a JSON value, or one of a stream of events.
func (r *Reader) line(line []byte, ended bool, at Source) {
	if len(line) > 0 && line[0] != '{' {
		line = trimmed(line)
	}
	event := bytes.HasPrefix(line, []byte("data:"))
	if event {
		line = bytes.TrimSpace(line[len("data:"):])
	}
	if len(line) == 0 {
		return
	}
	if line[0] != '{' && line[0] != '[' {
		r.prose(line)
		return
	}
	r.summary.Records++
	if !event && len(r.streams) == 0 && !relevant(line, r.book.waiting) {
		return
	}
	line = bytes.TrimSpace(line)
	if !json.Valid(line) {
		if !ended {
			r.look(r.mended(line), at)
			return
		}
		r.summary.Bad++
		r.prose(line)
		return
	}
	r.look(line, at)
}

// trimmed takes blanks and a record separator off the front of a line.
func trimmed(line []byte) []byte { return bytes.TrimLeft(line, " \t\r\x1e") }

// prose counts what is not JSON and speaks of memory.
func (r *Reader) prose(line []byte) {
	if bytes.Contains(line, []byte("memory")) || bytes.Contains(line, []byte("/memories")) {
		r.summary.Mentions++
	}
}

// look looks into one record.
func (r *Reader) look(v value, at Source) {
	if v == nil {
		return
	}
	r.record = record{at: at, latest: map[string]*Call{}}
	r.walk(v, scope{turn: at.Line}, 0)
}

// Describe says in one sentence what was seen where no call was found.
func (s Summary) Describe() string {
	var parts []string
	switch {
	case s.Mentions > 0 && s.Records == s.Bad:
		return fmt.Sprintf("this is a printed log: %s, no calls", count(s.Mentions, "mention"))
	case s.Records == 0:
		return "this is no transcript: there is no JSON in it"
	}
	parts = append(parts, count(s.Records, "JSON record"), "0 memory calls")
	if s.Other > 0 {
		parts = append(parts, count(s.Other, "call")+" of another memory tool")
	}
	if s.Bad > 0 {
		parts = append(parts, count(s.Bad, "line")+" that cannot be read")
	}
	if s.Skipped > 0 {
		parts = append(parts, count(s.Skipped, "record")+" too long to be read")
	}
	if s.Mentions > 0 {
		parts = append(parts, count(s.Mentions, "mention")+" outside JSON")
	}
	return strings.Join(parts, ", ")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
