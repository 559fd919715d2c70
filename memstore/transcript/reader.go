package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
	"memcurator/memstore/transcript/textfile"
	"memcurator/render/text"
)

// Options are the settings of a [Reader].
type Options struct {
	// Format overrides what is found by looking at the file: one of [Formats]; "" or "auto": look.
	Format string
	// Folders are memory folders on the disk beside those that are known by their names; slash-separated and absolute.
	// What file tools did in them counts.
	Folders []string
}

// freely is how many bytes any packed file may grow to; tests set it lower.
var freely int64 = textfile.Freely

// Reader reads transcripts of one agent, one after another, and joins what they say of the same
// call. It is not safe for concurrent use.
type Reader struct {
	options Options
	summary Summary
	places  *places
	book    book
	seen    map[string]bool // lines by their own id, which copies of a session repeat
	streams streams
	chat    *operations
	half    []byte   // of an event that continues in the next line
	words   []string // that are looked for in lines, as the beginning of the file makes it worth
	// eachLine: every line is looked at, in files of few JSON values: logs and streams of events.
	eachLine bool

	boundaries boundaries
	settings   map[string]format.Setting // by name of the file: of the values to come
}

// NewReader makes a reader.
func NewReader(o Options) (*Reader, error) {
	if o.Format == "auto" {
		o.Format = ""
	}
	if o.Format != "" && !slices.Contains(format.Names(), o.Format) {
		return nil, fmt.Errorf("unknown format %q; choose auto, %s", o.Format, strings.Join(format.Names(), ", "))
	}
	return &Reader{
		options: o, places: &places{given: o.Folders}, book: newBook(), seen: map[string]bool{},
		settings:   map[string]format.Setting{},
		streams:    streams{of: map[string]*stream{}, models: map[string]string{}},
		boundaries: boundaries{clearing: map[string]*clearing{}},
		summary:    Summary{Tools: map[string]int{}},
	}, nil
}

// Summary is what was seen so far.
func (r *Reader) Summary() Summary {
	s := r.summary
	s.Reused, s.Other = r.book.reused, len(r.book.others)
	return s
}

// Calls are the calls found so far, in the order in which they were made: by time where all
// have one, else in the order of the files.
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

// Read reads one transcript; name is what [Source] calls it. The error is one of reading, or
// says what the file is instead of a transcript.
func (r *Reader) Read(name string, from io.Reader) error {
	in, err := textfile.Open(from, freely)
	defer in.Free()
	if err != nil {
		return err
	}
	head, err := in.Peek(textfile.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	found, spread := format.Detect(head)
	first := bytes.TrimLeft(head, " \t\r\n\x1e")
	r.words = nil
	if bytes.Contains(head, []byte(streamBegins)) { // the event that names the model
		r.words = []string{streamBegins}
	}
	r.words = append(r.words, format.Words(found)...)
	delete(r.settings, name)
	r.eachLine = found == format.VSCode || len(first) > 0 && first[0] != '{' && first[0] != '[' || bytes.Contains(head, []byte(`"tools/call"`))
	r.summary.Format = found
	if r.options.Format != "" {
		r.summary.Format = r.options.Format
	}
	switch {
	case spread:
		err = r.readValue(name, in, lengthOf(from, in))
	default:
		err = r.readLines(name, in, lengthOf(from, in))
	}
	r.rebuilt()
	r.cutStreams()
	return err
}

// lengthOf bounds the length of a text by the size of its file; 0: unknown.
func lengthOf(from io.Reader, in textfile.File) int64 {
	f, ok := from.(interface{ Stat() (fs.FileInfo, error) })
	if !ok || in.Packed {
		return 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// fixed is the whole part of a record that was cut off.
func (r *Reader) fixed(rest []byte) rawjson.Value {
	r.summary.CutLast = true
	return rawjson.Repair(rest)
}

// readLines parses the lines that may contain a call, and counts the others.
func (r *Reader) readLines(name string, in io.Reader, size int64) error {
	all := textfile.NewLineReader(in, size)
	defer all.Close()
	look := newNeedles(slices.Concat(r.options.Folders, r.words), len(r.options.Folders) == 0)
	at := Source{name, 1, 0}
	for {
		found, err := all.Next()
		switch {
		case errors.Is(err, textfile.ErrTooLong):
			r.summary.Skipped++
			at.Line++
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		r.lines(found, look, &at)
	}
}

// lines parses some lines; at is the position of the first, and afterwards of the one after the last.
func (r *Reader) lines(found textfile.Lines, look *needles, at *Source) {
	lines := found.Text
	look.begin(lines)
	r.book.own = 0
	if found.Long {
		r.book.own = cap(lines)
	}
	for pos := 0; pos < len(lines); {
		start := pos
		if !r.eachLine && len(r.streams.of) == 0 {
			look.await(&r.book)
			hit := look.next(pos)
			start = pos + bytes.LastIndexByte(lines[pos:hit], '\n') + 1
			passed := bytes.Count(lines[pos:start], []byte{'\n'})
			cut := false
			if hit == len(lines) && start < hit { // a last line without an end
				cut = !closes(lines[start:])
				start = hit
				passed++
			}
			at.Line += passed
			r.summary.Records += passed
			r.summary.CutLast = r.summary.CutLast || cut
			if start == len(lines) {
				return
			}
		}
		end, ended := bytes.IndexByte(lines[start:], '\n'), true
		if end < 0 {
			end, ended = len(lines)-start, false
		}
		at.Offset = found.Offset + int64(start)
		r.line(lines[start:start+end:start+end], ended, *at)
		at.Line++
		pos = start + end + 1
	}
}

// line looks at one line: a JSON value, or one of a stream of events.
func (r *Reader) line(line []byte, ended bool, at Source) {
	if len(line) > 0 && line[0] != '{' {
		line = rawjson.TrimStart(line)
	}
	if bytes.HasPrefix(line, []byte("data:")) {
		if line = r.dataOf(line); line == nil {
			return
		}
	}
	if len(line) == 0 {
		return
	}
	if line[0] != '{' && line[0] != '[' {
		r.prose(line)
		return
	}
	r.summary.Records++
	line = bytes.TrimSpace(line)
	if rawjson.Valid(line) {
		r.look(line, at)
		return
	}
	n := 0
	rest := rawjson.Split(line, func(v rawjson.Value, _ int) { // several on one line
		n++
		r.look(v, at)
	})
	r.summary.Records += max(0, n-1)
	switch {
	case len(rest) == 0:
	case !ended:
		r.look(r.fixed(rest), at)
	default:
		r.summary.Bad++
		r.prose(rest)
	}
}

// dataOf is the data in a line of an event; an event may have several lines, which are one value together. Nil: there is
// more to come.
func (r *Reader) dataOf(line []byte) []byte {
	line = bytes.TrimSpace(line[len("data:"):])
	if len(r.half) > 0 {
		line = append(append(r.half, '\n'), line...)
		r.half = nil
	}
	if opens := len(line) > 0 && (line[0] == '{' || line[0] == '['); opens && len(line) < longestEvent && !rawjson.Valid(line) &&
		rawjson.ValueEnd(line, 0) == len(line) && !closes(line) {
		r.half = bytes.Clone(line)
		return nil
	}
	return line
}

// longestEvent bounds an event over several lines, in bytes.
const longestEvent = 16 << 20

// closes reports whether a line ends as a JSON value does.
func closes(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r\n")
	return len(line) == 0 || line[len(line)-1] == '}' || line[len(line)-1] == ']'
}

// prose counts what is not JSON and speaks of memory.
func (r *Reader) prose(line []byte) {
	if bytes.Contains(line, []byte("memory")) || bytes.Contains(line, []byte("/memories")) {
		r.summary.Mentions++
	}
}

// look parses one record.
func (r *Reader) look(v rawjson.Value, at Source) {
	if v == nil {
		return
	}
	if r.summary.Format == format.VSCode && v.IsObject() && r.operation(v.Object(), at) {
		return
	}
	r.book.record = record{at: at, latest: map[string]*Call{}}
	r.walk(v, r.scopeOf(v, at), 0)
}

// scopeOf is the scope of a value at the top of a file: what the values before it set, and it.
func (r *Reader) scopeOf(v rawjson.Value, at Source) scope {
	now := r.settings[at.File]
	if set := format.ReadSetting(r.summary.Format, v); set != (format.Setting{}) {
		now = format.Setting{Session: cmp.Or(set.Session, now.Session), Model: cmp.Or(set.Model, now.Model), Dir: cmp.Or(set.Dir, now.Dir)}
		r.settings[at.File] = now
	}
	return scope{turn: at.Line, session: now.Session, model: now.Model, dir: now.Dir}
}

// Notes say what was seen beside the calls, each in a few words.
func (s Summary) Notes() (list []string) {
	for _, n := range []struct {
		n    int
		what string
	}{
		{s.Other, "call"}, {s.Bad, "unreadable line"}, {s.Skipped, "record"},
	} {
		if n.n == 0 {
			continue
		}
		text := text.Count(n.n, n.what)
		switch n.what {
		case "call":
			text += " of another tool named memory"
		case "record":
			text += " too long to read"
		}
		list = append(list, text)
	}
	if s.CutLast {
		list = append(list, "the last line is incomplete")
	}
	return list
}

// Add adds what was seen in other transcripts.
func (s *Summary) Add(o Summary) {
	s.Format, s.CutLast = o.Format, s.CutLast || o.CutLast
	s.Records, s.Other, s.Reused, s.Bad = s.Records+o.Records, s.Other+o.Other, s.Reused+o.Reused, s.Bad+o.Bad
	s.Skipped, s.Mentions = s.Skipped+o.Skipped, s.Mentions+o.Mentions
	if s.Tools == nil {
		s.Tools = map[string]int{}
	}
	for tool, n := range o.Tools {
		s.Tools[tool] += n
	}
}

// Describe says what was seen in a transcript without a call, in a sentence without a full stop. name is that of the file, or what
// several of them are called.
func (s Summary) Describe(name string) string {
	switch {
	case s.Mentions > 0 && s.printed():
		return fmt.Sprintf("No calls in %s: it is a printed log, %s of memory", name, text.Count(s.Mentions, "mention"))
	case s.Records == 0 && s.Skipped > 0:
		return fmt.Sprintf("Can't read %s: %s of more than %d MB", name, text.Count(s.Skipped, "record"), textfile.MaxRecord>>20)
	case s.Records == 0:
		return fmt.Sprintf("No transcript in %s: no JSON found", name)
	}
	parts := []string{"No memory calls in " + name, text.Count(s.Records, "message")}
	if s.Other > 0 {
		parts = append(parts, text.Count(s.Other, "call")+" of another memory tool")
	}
	if s.Bad > 0 {
		parts = append(parts, text.Count(s.Bad, "unreadable line"))
	}
	if s.Skipped > 0 {
		parts = append(parts, text.Count(s.Skipped, "record")+" too long to read")
	}
	if s.Mentions > 0 {
		parts = append(parts, text.Count(s.Mentions, "mention")+" of memory outside JSON")
	}
	if tools := s.tools(); tools != "" {
		parts = append(parts, "tools: "+tools)
	}
	return strings.Join(parts, ", ")
}

// tools names the other tools that were called, the most used first.
func (s Summary) tools() string {
	const most = 4
	names := slices.SortedFunc(maps.Keys(s.Tools), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Tools[b], s.Tools[a]), strings.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(most, len(names))] {
		parts = append(parts, fmt.Sprintf("%s %d", text.Clean(name), s.Tools[name]))
	}
	return strings.Join(parts, " ")
}

// printed distinguishes a log for people from one for programs: what JSON there is in it is of no
// known format, and as rare as the lines that speak of memory.
func (s Summary) printed() bool {
	return s.Records == s.Bad || s.Format == format.Other && s.Other == 0 && len(s.Tools) == 0 && s.Mentions > s.Bad &&
		s.Records-s.Bad <= 2*s.Mentions
}
