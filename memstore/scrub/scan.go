package scrub

import (
	"bytes"
	"context"
	"slices"

	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/view"
)

// scan is the work on one text, as a view shows it.
type scan struct {
	ctx    context.Context
	e      *Engine
	text   []byte
	format view.Format
	judge  *judge.Judge
	hits   []wordHit   // words that the trie found: whole ones only, where the word asks for it
	marks  []candidate // placeholders already in the text

	candidates []candidate
	full       bool                  // there are too many: the rest of the text was not searched
	isDecoded  bool                  // the text was in base64 itself: what is encoded twice is not opened
	waiting    map[*rule.Rule][2]int // stretches that expressions are still to be tried on

	// Of the cue or cell under way:
	barrier int      // no value begins behind this
	cellEnd int      // and none ends behind this
	column  []uint16 // context words in the head of the column
	cueWord []byte

	// Up to these offsets the text was read, with an earlier word:
	nearEnd    int // by nearby
	phraseEnd  int // by phrase: words that may be the first of a seed phrase
	codesEnd   int // a list of recovery codes
	phoneEnd   int // a telephone number; each walk over words and each cell begins at 0 again
	encodedEnd int // a run in base64
	tableEnd   int // rows of tables, of Markdown and of separated values
	rulerEnd   int // the line under the head of a table of Markdown
	pemFoot    int // where the last line of a private key begins, from the last head on
}

// newScan prepares the work on a text.
func newScan(ctx context.Context, e *Engine, text []byte, format view.Format) *scan {
	s := &scan{ctx: ctx, e: e, text: text, format: format, judge: &judge.Judge{Stop: &e.stopped}, marks: placeholders(text),
		barrier: len(text), cellEnd: len(text)}
	s.hits = s.wholeWords(e.trie.Walk(text, nil))
	return s
}

// IsBinary reports whether an [Engine] takes a text for binary, by a well-known beginning or many control bytes, and does
// not scan it. So is UTF-16, which no agent is shown; who scans says that it was not read.
func IsBinary(text []byte) bool {
	if slices.ContainsFunc(binaryStarts, func(s string) bool { return bytes.HasPrefix(text, []byte(s)) }) {
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
var binaryStarts = []string{"\x89PNG", "\xff\xd8\xff", "GIF8", "PK\x03\x04", "\x1f\x8b", "\x7fELF", "SQLite format 3\x00",
	"\x28\xb5\x2f\xfd", "BZh9", "\xfd7zXZ", "\xff\xfe", "\xfe\xff"}

// scan runs everything on one text.
func (e *Engine) scan(ctx context.Context, text []byte, format view.Format) (Report, error) {
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
	report.Truncated = report.Truncated || s.full
	return report, err
}

// all returns the merged candidates in a view. They are incomplete where the context was cancelled.
func (s *scan) all() []candidate {
	for _, stage := range []func(){s.keywords, s.expressionsAnywhere, s.walk, s.separated} {
		if s.ctx.Err() != nil {
			return nil
		}
		stage()
	}
	return s.merge()
}

// keywords looks at the hits of the trie one by one.
func (s *scan) keywords() {
	for n, h := range s.hits {
		if n%256 == 255 && (s.full || s.ctx.Err() != nil) {
			return
		}
		w := &s.e.words[h.Word]
		end := int(h.End)
		start := end - len(w.text)
		for _, p := range w.patterns {
			s.prefixed(p, start)
		}
		for _, r := range w.regexes {
			s.expression(r, start, end)
		}
		if w.read != nil {
			w.read(s, start, end)
		}
		if h.Part {
			continue
		}
		for _, kind := range w.cues {
			s.cue(kind, start, end)
			s.barrier, s.cueWord = len(s.text), nil
		}
	}
	s.lastExpressions()
}

// readers are what reads the text round a word that is no cue.
var readers = []struct {
	words []string
	read  func(s *scan, start, end int)
}{
	{[]string{"-----begin"}, func(s *scan, start, _ int) { s.pem(start) }},
	{[]string{"://"}, (*scan).userinfo},
	{[]string{"|--", "| --", "|:-", "| :-"}, func(s *scan, start, _ int) { s.table(start) }},
}

// detectors are the names of code that finds values where a pattern cannot; rules call it so in their field detector.
var detectors = []string{"password", "secret", "totp", "recovery", "phrase", "private-key", "url-credentials", "email", "iban", "ip-address",
	"phone"}
