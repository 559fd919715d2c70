package scrub

import (
	"cmp"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
)

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
func (s *scan) shaped(r *rule.Rule, start, end, score int) {
	by := Shaped
	if checksums.Has([]byte(r.Check)) {
		by = checked
	}
	s.propose(r, by, start, end, score)
}

// checksums are the checks that few values pass by chance.
var checksums = ascii.NewWords("luhn card iban cn-resident-id fr-nir es-dni de-steuer-id jp-mynumber")

// propose adds a span for a rule, if the value may stand.
func (s *scan) propose(r *rule.Rule, by Evidence, start, end, score int) {
	if r == nil || start >= end || score < 1 {
		return
	}
	if len(s.candidates) == cap(s.candidates) && len(s.candidates) >= 1024 {
		s.compact()
	}
	if s.full = s.full || len(s.candidates) >= mostCandidates; s.full {
		return
	}
	c := candidate{start: start, end: end, rule: r, score: min(score, 100), evidence: by}
	if by < Shaped && len(s.cueWord) > 0 {
		c.cue = string(s.cueWord[:min(len(s.cueWord), maxCue)])
	}
	s.candidates = append(s.candidates, c)
}

// mostCandidates bounds what is proposed for one text, and with it the time and the memory that a text full of values takes. Several
// words propose one place.
const mostCandidates = 20 * MostFindings

// compact drops what was proposed twice: places that many words announce are proposed by each.
func (s *scan) compact() {
	slices.SortFunc(s.candidates, compareCandidates)
	s.candidates = slices.Compact(s.candidates)
	if len(s.candidates) > cap(s.candidates)/2 { // or the next one comes too soon
		s.candidates = slices.Grow(s.candidates, len(s.candidates))
	}
}

// detect is propose for a rule with a built-in detector.
func (s *scan) detect(name string, by Evidence, start, end int) {
	if r := s.e.detector[name]; r != nil && start < s.barrier && end <= s.cellEnd {
		s.propose(r, by, start, end, r.Score)
	}
}

// accept applies the conditions of a rule to a value.
func (s *scan) accept(r *rule.Rule, start, end int) bool {
	return r.Accepts(s.text[start:end]) && (!r.Required || s.near(r, start, end))
}

// near reports whether the window has a context word of r.
func (s *scan) near(r *rule.Rule, start, end int) bool {
	for _, w := range s.column {
		if r.InContext[w] {
			return true
		}
	}
	from, to := int32(start-r.Window), int32(end+r.Window/3)
	i, _ := slices.BinarySearchFunc(s.hits, from, func(h wordHit, at int32) int { return cmp.Compare(h.End, at) })
	for ; i < len(s.hits) && s.hits[i].End <= to; i++ {
		if (!s.hits[i].Part || s.e.words[s.hits[i].Word].patterns != nil) && r.InContext[s.hits[i].Word] {
			return true
		}
	}
	return false
}

// merge sorts the candidates, joins those that overlap and drops what touches a
// placeholder. Of several at one place the surest names the class; the span is all of
// them, so that no part of a value remains.
func (s *scan) merge() []candidate {
	slices.SortFunc(s.candidates, compareCandidates)
	var out []candidate
	for _, c := range s.candidates {
		if s.placed(c) || s.judgedHarmless(c) {
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
func (s *scan) placed(c candidate) bool {
	i, _ := slices.BinarySearchFunc(s.marks, c.start, func(m candidate, at int) int { return cmp.Compare(m.end, at+1) })
	return i < len(s.marks) && s.marks[i].start < c.end
}

func (s *scan) judgedHarmless(c candidate) bool {
	if c.rule.Excludes(s.text[c.start:c.end]) {
		return true
	}
	return len(s.e.never) > 0 && s.e.never[strings.ToLower(plain(s.text[c.start:c.end]))]
}
