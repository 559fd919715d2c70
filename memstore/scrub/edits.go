package scrub

import (
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/view"
)

// Edits turns findings of a text into replacements, ordered and free of overlaps. The
// text stays what it was: JSON, XML and YAML that could be parsed still can.
func (e *Engine) Edits(name string, text []byte, findings []Finding, t redact.Treatment) []redact.Edit {
	values := make([]redact.Span, len(findings))
	for i, f := range findings {
		values[i] = redact.Span{Start: f.Start, End: f.End, Class: f.Class, Rule: f.Rule, Personal: e.class(f.Class).Personal,
			Value: e.Plain(name, text, f), Action: f.Action}
	}
	return redact.Edits(view.FormatOf(name, text), text, values, t)
}

// Redact is Edits and Apply.
func (e *Engine) Redact(name string, text []byte, findings []Finding, t redact.Treatment) []byte {
	return redact.Apply(text, e.Edits(name, text, findings, t))
}

// rounds bounds Scrub: what a replacement uncovers is found in the next round.
const rounds = 8

// Scrub finds and redacts until nothing is left to do, so that a second Scrub of the
// outcome changes nothing. values may be nil; counts are replaced values by class.
func (e *Engine) Scrub(name string, text []byte, t redact.Treatment, values *Values) (out []byte, counts map[string]int) {
	counts = map[string]int{}
	for range rounds {
		findings := Merge(e.Find(name, text), values.Find(name, text))
		edits := e.Edits(name, text, findings, t)
		if len(edits) == 0 {
			break
		}
		for _, ed := range edits {
			if ed.Class != "" {
				counts[ed.Class]++
			}
		}
		text = redact.Apply(text, edits)
	}
	return text, counts
}
