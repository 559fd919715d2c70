package scrub

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"memcurator/memstore/scrub/redact"
)

// merge sorts the candidates, joins those that overlap and drops what touches a
// placeholder. Of several at one place the surest names the class; the span is all of
// them, so that nothing of a value is left over.
func (s *scan) merge() []candidate {
	slices.SortFunc(s.found, compareCandidates)
	var out []candidate
	for _, c := range s.found {
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
	return cmp.Compare(a.rule.id, b.rule.id)
}

// join makes one span of two that overlap.
func join(a, b candidate) candidate {
	end := max(a.end, b.end)
	if b.score > a.score || b.score == a.score && b.end-b.start > a.end-a.start {
		a.rule, a.score = b.rule, b.score
	}
	a.end = end
	return a
}

// placed reports whether a placeholder stands in or at the candidate.
func (s *scan) placed(c candidate) bool {
	i, _ := slices.BinarySearchFunc(s.marks, c.start, func(m candidate, at int) int { return cmp.Compare(m.end, at+1) })
	return i < len(s.marks) && s.marks[i].start < c.end
}

func (s *scan) judgedHarmless(c candidate) bool {
	if c.rule.detector != "" && c.rule.excludes(s.text[c.start:c.end]) { // patterns were asked before
		return true
	}
	if len(s.e.never) > 0 && s.e.never[strings.ToLower(plain(s.text[c.start:c.end]))] {
		return true
	}
	return s.e.allowed != nil && s.e.allowed(c.rule.class, s.text[c.start:c.end])
}

// Merge joins findings of one text from two passes. Both are ordered and free of
// overlaps, and so is the result.
func Merge(a, b []Finding) []Finding {
	all := append(slices.Clone(a), b...)
	slices.SortStableFunc(all, func(x, y Finding) int { return cmp.Compare(x.Start, y.Start) })
	var out []Finding
	for _, f := range all {
		n := len(out) - 1
		if n < 0 || f.Start >= out[n].End {
			out = append(out, f)
			continue
		}
		end := max(out[n].End, f.End)
		if f.Score > out[n].Score {
			start := out[n].Start
			out[n] = f
			out[n].Start = start
		}
		out[n].End = end
	}
	return out
}

// placeholders are the spans of those that stand in text already.
func placeholders(text []byte) []candidate {
	var out []candidate
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(redact.Opening))
		if i < 0 {
			return out
		}
		at += i
		if end := redact.PlaceholderEnd(text, at); end > 0 {
			out = append(out, candidate{start: at, end: end})
			at = end
			continue
		}
		at += len(redact.Opening)
	}
}
