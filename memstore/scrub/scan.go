package scrub

import (
	"bytes"
	"context"
	"slices"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/view"
)

// reader is what reads values out of a text: the text, the judge of its values, and where candidates go.
type reader struct {
	text   []byte
	format view.Format
	in     *passage
	found  *proposals
	judge  *judge.Judge
}

// scan is the work on one text.
type scan struct {
	reader
	numbers     *numbers
	tables      *tables
	encodings   *encodings
	cues        *cues
	expressions *expressions
	begun       []reading // of the registered detectors, those whose words were met
}

// newScan prepares the work on a text.
func newScan(ctx context.Context, e *Engine, text []byte, format view.Format) *scan {
	in := &passage{ctx: ctx, e: e, text: text, marks: placeholders(text)}
	in.hits = in.wholeWords(e.trie.Walk(text, nil))
	found := &proposals{in: in, barrier: len(text), cellEnd: len(text)}
	r := reader{text, format, in, found, &judge.Judge{Stop: &e.stopped}}
	s := &scan{reader: r, numbers: &numbers{reader: r}, encodings: &encodings{reader: r}, expressions: &expressions{reader: r}}
	s.cues = &cues{reader: r, codes: &codes{reader: r}}
	s.tables = &tables{reader: r, numbers: s.numbers}
	return s
}

// IsBinary reports whether an [Engine] takes a text for binary, by a well-known beginning or many control bytes, and does
// not scan it. So is UTF-16, which no agent is shown; who scans says that it was not read.
func IsBinary(text []byte) bool {
	if binaryStarts.Begin(text) != "" {
		return true
	}
	head := text[:min(len(text), 4096)]
	if bytes.Count(head, []byte{0}) > 1+len(head)/512 {
		return true // random bytes have twice as many, a text none
	}
	control := 0
	for _, b := range head {
		if b < 32 && b != '\n' && b != '\r' && b != '\t' && b != 0x1b && b != '\f' {
			control++
		}
	}
	return control*10 > len(head)
}

// binaryStarts begin files of programs, images, archives and texts in UTF-16.
var binaryStarts = ascii.NewLiterals("\x89PNG", "\xff\xd8\xff", "GIF8", "PK\x03\x04", "\x1f\x8b", "\x7fELF", "SQLite format 3\x00",
	"\x28\xb5\x2f\xfd", "BZh9", "\xfd7zXZ", "\xff\xfe", "\xfe\xff")

// scan runs everything on one text.
func (e *Engine) scan(ctx context.Context, text []byte, format view.Format) (Report, error) {
	if len(text) > e.window+windowAfter {
		return e.scanLong(ctx, text, format)
	}
	v := view.New(text, format)
	s := newScan(ctx, e, v.Text, format)
	var report Report
	for _, c := range s.all() {
		if start, end := v.Span(c.start, c.end); start < end {
			report.Findings = append(report.Findings, c.finding(start, end))
		}
	}
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	err := e.repeats(ctx, text, format, &report)
	return report, err
}

// all returns the merged candidates in a view. They are incomplete where the context was cancelled.
func (s *scan) all() []candidate {
	w := &walk{reader: s.reader, numbers: s.numbers, encodings: s.encodings}
	for _, stage := range []func(){s.keywords, s.expressions.anywhere, w.words, s.tables.file} {
		if s.in.ctx.Err() != nil {
			return nil
		}
		stage()
	}
	return s.found.merge()
}

// keywords looks at the hits of the trie one by one.
func (s *scan) keywords() {
	words := s.in.e.words
	for n, h := range s.in.hits {
		if n%256 == 255 && s.in.ctx.Err() != nil {
			return
		}
		w := &words[h.Word]
		end := int(h.End)
		start := end - len(w.text)
		for _, p := range w.patterns {
			s.expressions.prefixed(p, start)
		}
		for _, r := range w.regexes {
			s.expressions.expression(r, start, end)
		}
		if w.detector > 0 {
			s.detector(w.detector-1)(start, end)
		}
		if h.Part {
			continue
		}
		for _, kind := range w.cues {
			s.cues.cue(kind, start, end)
			s.found.barrier, s.found.cue = len(s.text), nil
		}
	}
	s.expressions.rest()
}

// detector is code that finds values where a pattern cannot.
type detector struct {
	// name is what rules call it in their field detector; "" for one that finds values for the rules of others.
	name string
	// rule is its rule, as a file of rules has it; "" where rules/*.toml have it.
	rule string
	// words lead to it, in lower case.
	words func() []string
	// begin prepares the detector for a text.
	begin func(*scan) reading
}

// reading examines the text around one of a detector's words, which spans start to end.
type reading func(start, end int)

// registered are all detectors. A new one is a file of its own and an entry here; no word leads to two of them.
var registered = []detector{
	privateKeys, urlCredentials, markdownTables,
}

// readers are the names of what finds values without a detector here: what cues announce, and what shows its kind by itself.
var readers = []string{"password", "secret", "totp", "recovery", "phrase", "codes", "email", "iban", "ip-address", "phone",
	"encoded"}

// hasDetector reports whether code finds values for rules with a name in their field detector.
func hasDetector(name string) bool {
	return slices.Contains(readers, name) || slices.ContainsFunc(registered, func(d detector) bool { return d.name == name })
}

// detector is the reading of a registered detector, which is prepared when the first of its words is met.
func (s *scan) detector(i int) reading {
	if s.begun == nil {
		s.begun = make([]reading, len(registered))
	}
	if s.begun[i] == nil {
		s.begun[i] = registered[i].begin(s)
	}
	return s.begun[i]
}
