package scrub

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// candidate is a span of the view that a rule proposes.
type candidate struct {
	start, end int
	rule       *rule
	score      int
}

// finding is what is told of a candidate, with its place in the source.
func (c *candidate) finding(start, end int) Finding {
	return Finding{Start: start, End: end, Class: c.rule.class, Rule: c.rule.id, Severity: c.rule.severity, Score: c.score}
}

// scan is the work on one text.
type scan struct {
	e      *Engine
	ctx    context.Context
	text   []byte // of the view
	format view.Format
	hits   []hit // whole words only, where the word asks for it
	found  []candidate
	marks  []candidate // placeholders that stand there already
	depth  int         // how often the text was decoded

	// How far text was read for what many words announce, as offsets: what begins before such an end was read
	// with an earlier word, and is not read again.
	tableEnd   int // rows of tables, of Markdown and of separated values
	rulerEnd   int // the line under the head of a table of Markdown
	framedEnd  int // a line of names of columns
	pageEnd    int // the table of a page in HTML
	itemsEnd   int // the items below a title
	longEnd    int // a run in base64, hex or with percent signs
	phoneEnd   int // a telephone number; each walk over words and each cell begins at 0 again
	codesEnd   int // recovery codes
	nearEnd    int // the line of a cue, for what shows its kind by itself
	phraseEnd  int // a seed phrase
	cookiesEnd int // a Cookie header
	queryEnd   int // the value of a key in a query
	footEnd    int // up to the last line of a private key
	insertEnd  int // a statement that inserts rows
	jwkEnd     int // a JSON Web Key
	tells      int // the end of a line that asks for nothing: reply.go

	tableHead, tableRows int // where the last table begins, and its first row; windows carry the head on

	// Of the cue or cell under way. The first three are put back behind it; cueWord and cueFrom stay as the last cue
	// left them, also for cells and calls that have no cue of their own.
	barrier int      // no value begins behind this
	cellEnd int      // and none ends behind this
	column  []uint16 // context words in the head of the column
	cueWord []byte   // the cue, as it is written
	cueFrom int      // and where the name begins that it is a part of

	waiting  map[*rule][2]int // stretches that expressions are still to be tried on
	lastCode []byte           // the first recovery code of a list, which the others are like
}

// maxDepth is how often an encoded text inside an encoded text is opened.
const maxDepth = 2

// IsBinary reports whether an [Engine] takes a text for binary, and does not scan it.
func IsBinary(text []byte) bool { return isBinary(text) }

// isBinary recognises well-known beginnings, or many control bytes.
func isBinary(text []byte) bool {
	for _, magic := range []string{"\x89PNG", "\xff\xd8\xff", "GIF8", "PK\x03\x04", "\x1f\x8b", "\x7fELF", "SQLite format 3\x00",
		"\x28\xb5\x2f\xfd", "BZh9", "\xfd7zXZ"} {
		if bytes.HasPrefix(text, []byte(magic)) {
			return true
		}
	}
	if _, ok := view.UTF16Order(text); ok {
		return false
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

// scan runs everything on one text.
func (e *Engine) scan(ctx context.Context, text []byte, format view.Format) (Report, error) {
	if len(text) > e.window+windowAfter {
		return e.scanLong(ctx, text, format)
	}
	v := view.New(text, format)
	s := &scan{e: e, ctx: ctx, text: v.Text, format: format}
	var report Report
	most := func(found []candidate) []candidate {
		if len(found) > e.limit {
			report.Truncated = true
			return found[:e.limit]
		}
		return found
	}
	found := most(s.repeats(most(s.all())))
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	for _, c := range found {
		start, end := v.Span(c.start, c.end)
		if start < end {
			report.Findings = append(report.Findings, c.finding(start, end))
		}
	}
	return report, nil
}

// all returns the merged candidates in a view. They are incomplete where the context was cancelled.
func (s *scan) all() []candidate {
	s.text = slices.Clip(s.text) // endsLine looks behind a value as far as the text goes
	s.marks, s.barrier, s.cellEnd = placeholders(s.text), len(s.text), len(s.text)
	s.hits = s.wholeWords(s.e.trie.walk(s.text, nil))
	for _, stage := range []func(*scan){(*scan).keywords, (*scan).anywhere, (*scan).words, (*scan).tables} {
		if s.ctx.Err() != nil {
			return nil
		}
		stage(s)
	}
	return s.merge()
}

// wholeWords drops the hits of words that stand inside a longer word or in a placeholder.
func (s *scan) wholeWords(hits []hit) []hit {
	kept := hits[:0]
	marks := s.marks
	for _, h := range hits {
		w := &s.e.words[h.word]
		end := int(h.end)
		for len(marks) > 0 && marks[0].end < end {
			marks = marks[1:]
		}
		if len(marks) > 0 && marks[0].start <= end-len(w.text) {
			continue // the name of a class
		}
		if w.bounded && !isWord(s.text, end-len(w.text), end) && !endsCompound(s.text, w.text, end) {
			if w.patterns == nil && w.regexes == nil && w.read == nil {
				continue
			}
			h.part = true
		}
		kept = append(kept, h)
	}
	return kept
}

// compounds are cues that end longer words: KEYSTOREPASSWORD=, Masterpasswort.
var compounds = ascii.NewWords("password passwort kennwort passwd passphrase pwd")

// endsCompound reports whether a cue that ends at end is the last part of a longer word
// that is a key or, in German, a noun.
func endsCompound(b []byte, word string, end int) bool {
	if !compounds.Has([]byte(word)) || end < len(b) && ascii.Letters[b[end]] {
		return false
	}
	if word == "passwort" || word == "kennwort" {
		return true
	}
	at := end
	if at < len(b) && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	at = ascii.Run(b, at, ascii.Blanks)
	return at < len(b) && (b[at] == '=' || b[at] == ':')
}

// isWord reports whether the span is a word of its own, or a part of an identifier that
// reads as one: "DB_PASSWORD", "clientSecret", "passwords". Scripts without spaces have no word ends.
func isWord(b []byte, start, end int) bool {
	if !ascii.Letters[b[start]] {
		return true
	}
	if start > 0 && ascii.Letters[b[start-1]] && !(ascii.Uppers[b[start]] && ascii.Lowers[b[start-1]]) {
		return false
	}
	if end < len(b) && b[end] == 's' {
		end++
	}
	if end >= len(b) || !ascii.Letters[b[end]] {
		return true
	}
	return ascii.Uppers[b[end]] && ascii.Lowers[b[end-1]]
}

// propose adds a span for a rule, if the value may stand.
func (s *scan) propose(r *rule, start, end, score int) {
	if r == nil || start >= end || score < 1 {
		return
	}
	if len(s.found) == cap(s.found) && len(s.found) >= 1024 {
		s.compact()
	}
	s.found = append(s.found, candidate{start, end, r, min(score, 100)})
}

// compact drops what was proposed twice: places that many words announce are proposed by each.
func (s *scan) compact() {
	slices.SortFunc(s.found, compareCandidates)
	s.found = slices.Compact(s.found)
	if len(s.found) > cap(s.found)/2 { // or the next one comes too soon
		s.found = slices.Grow(s.found, len(s.found))
	}
}

// detect is propose for a rule with a built-in detector.
func (s *scan) detect(name string, start, end int) {
	if r := s.e.detector[name]; r != nil && start < s.barrier && end <= s.cellEnd && (!ofCues.Has([]byte(name)) || !s.isKey(start, end)) {
		s.propose(r, start, end, r.score)
	}
}

// isKey reports a name whose own value follows: in quotes with a colon or an equals sign
// behind, or bare in YAML and TOML. What is announced in front of an object is none of its keys.
func (s *scan) isKey(start, end int) bool {
	b := s.text
	at := end
	if start > 0 && end < len(b) && (b[end] == '"' || b[end] == '\'') && b[start-1] == b[end] {
		before := bytes.TrimRight(b[max(0, start-40):start-1], " \t")
		if len(before) > 0 && bytes.IndexByte([]byte("{,[\n(\r"), before[len(before)-1]) < 0 {
			return false // "if password == ...:"
		}
		at++
	} else if n := innerQuoteAt(b, end); n > 0 {
		at += n
	}
	bare := at == end
	next := ascii.Run(b, at, ascii.Blanks)
	if next >= len(b) {
		return false
	}
	switch b[next] {
	case ':':
		return !bare || s.format == view.YAML && next == at && (next+1 == len(b) || b[next+1] == ' ' || b[next+1] == '\n')
	case '=':
		return !bare && s.format == view.TOML || bare && s.format == view.TOML && next > at
	}
	return false
}

// ofCues are the detectors whose values only their cue makes values.
var ofCues = ascii.NewWords("password secret totp header recovery")

// nextMark is where the next placeholder from at on begins, or the end: what a cue
// announced stood there, and nothing behind it is taken for that.
func (s *scan) nextMark(at int) int {
	if len(s.marks) == 0 {
		return len(s.text)
	}
	i, _ := slices.BinarySearchFunc(s.marks, at, func(m candidate, at int) int { return cmp.Compare(m.start, at) })
	if i == len(s.marks) {
		return len(s.text)
	}
	return s.marks[i].start
}

// accept applies the conditions of a rule to a value.
func (s *scan) accept(r *rule, start, end int) bool {
	value := s.text[start:end]
	if r.minEntropy > 0 && ascii.Entropy(value) < r.minEntropy {
		return false
	}
	if r.check != "" && r.check != "token" && !shape.Checks[r.check](value) {
		return false
	}
	if r.required && !s.near(r, start, end) {
		return false
	}
	return !r.excludes(value) && !shape.IsDummy(value)
}

// excludes reports whether allow or stop of the rule rule a value out.
func (r *rule) excludes(value []byte) bool {
	for _, l := range r.allow {
		if l.get().Match(value) {
			return true
		}
	}
	for _, w := range r.stop {
		if bytes.Contains(bytes.ToLower(value), []byte(w)) {
			return true
		}
	}
	return false
}

// near reports whether the window has a context word of r.
func (s *scan) near(r *rule, start, end int) bool {
	for _, w := range s.column {
		if r.inContext[w] {
			return true
		}
	}
	from, to := int32(start-r.window), int32(end+r.window/3)
	i, _ := slices.BinarySearchFunc(s.hits, from, func(h hit, at int32) int { return cmp.Compare(h.end, at) })
	for ; i < len(s.hits) && s.hits[i].end <= to; i++ {
		if (!s.hits[i].part || s.e.words[s.hits[i].word].patterns != nil) && r.inContext[s.hits[i].word] &&
			!paragraphBetween(s.text, int(s.hits[i].end), start, end) {
			return true
		}
	}
	return false
}

// paragraphBetween reports whether an empty line separates a word from a value after it,
// or any line end from a value before it.
func paragraphBetween(b []byte, word, start, end int) bool {
	if word > end {
		return bytes.IndexByte(b[end:word], '\n') >= 0
	}
	return word < start && bytes.Contains(b[word:start], []byte("\n\n"))
}

// keywords looks at the hits of the trie one by one.
func (s *scan) keywords() {
	for n, h := range s.hits {
		if n%256 == 255 && s.ctx.Err() != nil {
			return
		}
		w := &s.e.words[h.word]
		end := int(h.end)
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
		if h.part {
			continue
		}
		for _, kind := range w.cues {
			s.cue(kind, start, end)
			s.barrier = len(s.text)
		}
	}
	for r, stretch := range s.waiting {
		s.tryOn(r, stretch[0], stretch[1])
	}
}

// reach is how far before and after its keyword a regular expression is tried, in bytes.
const (
	reachBefore = 120
	reachAfter  = 400
)

// maxStretch bounds what an expression is tried on at once, in bytes.
const maxStretch = 64 << 10

// expression notes that a regular expression is to be tried round a keyword. Stretches that
// overlap are joined, so that no text is looked at again for each keyword in it.
func (s *scan) expression(r *rule, start, end int) {
	from, to := max(0, start-reachBefore), min(len(s.text), end+reachAfter)
	if old, ok := s.waiting[r]; ok {
		if from <= old[1] && to-old[0] < maxStretch {
			s.waiting[r] = [2]int{old[0], to}
			return
		}
		s.tryOn(r, old[0], old[1])
	}
	if s.waiting == nil {
		s.waiting = map[*rule][2]int{}
	}
	s.waiting[r] = [2]int{from, to}
}

// anywhere tries the expressions that no keyword leads to. Stretches overlap, so that a value of a usual length is whole in one.
func (s *scan) anywhere() {
	for _, r := range s.e.anywhere {
		for from := 0; from < len(s.text) && s.ctx.Err() == nil; from += maxStretch - reachBefore - reachAfter {
			s.tryOn(r, from, min(from+maxStretch, len(s.text)))
		}
	}
}

// tryOn runs a regular expression on a stretch of the text.
func (s *scan) tryOn(r *rule, from, to int) {
	for at := from; at < to && s.ctx.Err() == nil; {
		m := r.regex.get().FindSubmatchIndex(s.text[at:to])
		if m == nil {
			return
		}
		g := r.group
		if g == 0 && len(m) == 4 {
			g = 1
		}
		if 2*g+1 < len(m) && m[2*g] >= 0 {
			if a, b := at+m[2*g], at+m[2*g+1]; a < b && s.accept(r, a, b) {
				s.propose(r, a, b, r.score)
			}
		}
		at += max(m[1], 1)
	}
}
