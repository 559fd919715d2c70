package scrub

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
)

// proposals gathers the candidates of a passage.
type proposals struct {
	in   *passage
	list []candidate

	// Of the cue or cell under way:
	barrier int      // no value begins behind this
	cellEnd int      // and none ends behind this
	column  []uint16 // context words in the head of the column
	cue     []byte   // the word
}

// candidate is a span of the view that a rule proposes.
type candidate struct {
	start, end int
	rule       *rule.Rule
	score      int
	evidence   Evidence
	cue        string
}

// finding is what a candidate is reported as, with its place in the source.
func (c *candidate) finding(start, end int) Finding {
	return Finding{Start: start, End: end, Class: c.rule.Class, Rule: c.rule.ID, Severity: c.rule.Severity, Score: c.score,
		Evidence: c.evidence, Cue: c.cue}
}

// shaped proposes a span for a rule that knows the value by its form.
func (f *proposals) shaped(r *rule.Rule, start, end, score int) {
	by := Shaped
	if checksums.Has([]byte(r.Check)) {
		by = checked
	}
	f.propose(r, by, start, end, score)
}

// checksums are the checks that few values pass by chance.
var checksums = ascii.NewWords("luhn card iban cn-resident-id fr-nir es-dni de-steuer-id jp-mynumber")

// propose adds a span for a rule, if the value may stand.
func (f *proposals) propose(r *rule.Rule, by Evidence, start, end, score int) {
	if r == nil || start >= end || score < 1 {
		return
	}
	if len(f.list) == cap(f.list) && len(f.list) >= 1024 {
		f.compact()
	}
	c := candidate{start: start, end: end, rule: r, score: min(score, 100), evidence: by}
	if by < Shaped && len(f.cue) > 0 {
		c.cue = string(f.cue[:min(len(f.cue), maxCue)])
	}
	f.list = append(f.list, c)
}

// compact drops what was proposed twice: places that many words announce are proposed by each.
func (f *proposals) compact() {
	slices.SortFunc(f.list, compareCandidates)
	f.list = slices.Compact(f.list)
	if len(f.list) > cap(f.list)/2 { // or the next one comes too soon
		f.list = slices.Grow(f.list, len(f.list))
	}
}

// detect is propose for a rule with a built-in detector, with the evidence that is usual for it.
func (f *proposals) detect(name string, start, end int) {
	by, ok := usualEvidence[name]
	if !ok {
		by = assigned
	}
	f.announced(name, by, start, end)
}

// announced is propose for a rule with a built-in detector.
func (f *proposals) announced(name string, by Evidence, start, end int) {
	if end-start >= 40 && ascii.HasLiteral(f.in.text, start, "Ag") &&
		bytes.Contains(f.in.text[max(0, start-2048):start], []byte("encryptedData:")) {
		return // sealed: only the cluster opens it
	}
	if name == "secret" && (bytes.HasPrefix(f.in.text[end:], []byte("...")) || bytes.HasPrefix(f.in.text[end:], []byte("…"))) {
		return // cut off: the writer left out the rest
	}
	if r := f.in.e.detector[name]; r != nil && start < f.barrier && end <= f.cellEnd {
		f.propose(r, by, start, end, r.Score)
	}
}

// accept applies the conditions of a rule to a value.
func (f *proposals) accept(r *rule.Rule, start, end int) bool {
	return r.Accepts(f.in.text[start:end]) && (!r.Required || f.near(r, start, end))
}

// near reports whether the window has a context word of r.
func (f *proposals) near(r *rule.Rule, start, end int) bool {
	for _, w := range f.column {
		if r.InContext[w] {
			return true
		}
	}
	from, to := int32(start-r.Window), int32(end+r.Window/3)
	i, _ := slices.BinarySearchFunc(f.in.hits, from, func(h wordHit, at int32) int { return cmp.Compare(h.End, at) })
	for ; i < len(f.in.hits) && f.in.hits[i].End <= to; i++ {
		if (!f.in.hits[i].Part || f.in.e.words[f.in.hits[i].Word].patterns != nil) && r.InContext[f.in.hits[i].Word] {
			return true
		}
	}
	return false
}

// merge sorts the candidates, joins those that overlap and drops what touches a
// placeholder. Of several at one place the surest names the class; the span is all of
// them, so that no part of a value remains.
func (f *proposals) merge() []candidate {
	slices.SortFunc(f.list, compareCandidates)
	var out []candidate
	for _, c := range f.list {
		if f.placed(c) || f.judgedHarmless(c) {
			continue
		}
		if n := len(out) - 1; n >= 0 && c.start < out[n].end {
			out[n] = join(out[n], c)
			continue
		}
		out = append(out, c)
	}
	return out
}

// compareCandidates orders by place, the longest and then the surest first.
func compareCandidates(a, b candidate) int {
	switch { // step by step: on a text full of values this is most of the work
	case a.start != b.start:
		return a.start - b.start
	case a.end != b.end:
		return b.end - a.end
	case a.score != b.score:
		return b.score - a.score
	case a.rule == b.rule:
		return 0
	}
	return cmp.Compare(a.rule.ID, b.rule.ID)
}

// join makes one span of two that overlap.
func join(a, b candidate) candidate {
	end := max(a.end, b.end)
	if b.score > a.score || b.score == a.score && b.end-b.start > a.end-a.start {
		a.rule, a.score, a.evidence, a.cue = b.rule, b.score, b.evidence, b.cue
	}
	if b.rule == a.rule && b.score == a.score && b.evidence > a.evidence {
		a.evidence, a.cue = b.evidence, b.cue
	}
	a.end = end
	return a
}

// placed reports whether a placeholder overlaps the candidate.
func (f *proposals) placed(c candidate) bool {
	i, _ := slices.BinarySearchFunc(f.in.marks, c.start, func(m candidate, at int) int { return cmp.Compare(m.end, at+1) })
	return i < len(f.in.marks) && f.in.marks[i].start < c.end
}

func (f *proposals) judgedHarmless(c candidate) bool {
	if c.rule.Excludes(f.in.text[c.start:c.end]) {
		return true
	}
	return len(f.in.e.never) > 0 && f.in.e.never[strings.ToLower(plain(f.in.text[c.start:c.end]))]
}
