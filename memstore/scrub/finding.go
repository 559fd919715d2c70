package scrub

import (
	"cmp"
	"slices"

	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/view"
)

// Finding is one span of a text that is sensitive. It never holds the value itself, so
// that findings can be cached, logged and sent; [Engine.Plain] reads it from the text.
type Finding struct {
	Start, End int    // bytes in the text that was scanned, Start < End
	Class      string // what it is: "password", "email"; see [Engine.Classes]
	Rule       string // the id of the rule that found it
	Severity   rule.Severity
	// Score is how sure the rule is, 1 to 100.
	Score int
	// Evidence is what speaks for it, and Cue the word that announces it, as the text has it; see [Engine.Why].
	Evidence Evidence `json:",omitempty"`
	Cue      string   `json:",omitempty"`
	// Repeat is set where nothing at this place speaks for it: the value was found at another.
	Repeat bool `json:",omitempty"`
}

// Evidence is what speaks for a value, the weakest first.
type Evidence uint8

// The kinds of evidence.
const (
	nearby   Evidence = iota // a word that announces such values is in the same line
	beside                   // it is next to such a word
	stated                   // a sentence says that it is the value
	assigned                 // it is the value of a key, a flag, a header, or a cell below such a title
	Shaped                   // it has the form that its provider or a standard defines
	checked                  // and its check digits are right
)

// maxCue bounds what a finding says of its cue, in bytes.
const maxCue = 40

// Why says in a few words what speaks for a finding, without its value: it "has the form of GitHub token".
func (e *Engine) Why(f Finding) string {
	why := ""
	switch {
	case f.Evidence == checked:
		why = "has the form and the check digits of " + e.class(f.Class).Title
	case f.Evidence == Shaped:
		why = "has the form of " + e.class(f.Class).Title
	case f.Cue == "":
		why = "is " + e.class(f.Class).Title + " by its context"
	case f.Evidence == assigned:
		why = "is the value of \"" + f.Cue + "\""
	case f.Evidence == stated:
		why = "stands in a sentence with \"" + f.Cue + "\""
	case f.Evidence == beside:
		why = "stands next to \"" + f.Cue + "\""
	default:
		why = "stands near \"" + f.Cue + "\""
	}
	if f.Repeat {
		return "is the same value as elsewhere, which " + why
	}
	return why
}

// Report is the outcome of one scan.
type Report struct {
	Findings []Finding // by Start; they do not overlap
	// Truncated is set when there was more than the limit; scan again after redacting.
	Truncated bool
	// Binary is set for binary files, which are not scanned.
	Binary bool
}

// Edits turns findings of a text into replacements, ordered and free of overlaps. The
// text stays what it was: JSON, XML and YAML that could be parsed still can.
func (e *Engine) Edits(name string, text []byte, findings []Finding) []redact.Edit {
	values := make([]redact.Span, len(findings))
	for i, f := range findings {
		values[i] = redact.Span{Start: f.Start, End: f.End, Class: f.Class}
	}
	return redact.Edits(view.FormatOf(name, text), text, values)
}

// Redact is Edits and Apply.
func (e *Engine) Redact(name string, text []byte, findings []Finding) []byte {
	return redact.Apply(text, e.Edits(name, text, findings))
}

// rounds bounds Clean: what a replacement uncovers is found in the next round.
const rounds = 8

// Scrub finds and redacts until a pass changes nothing, so that a second Scrub of the
// outcome changes nothing. values may be nil; counts are replaced values by class.
func (e *Engine) Scrub(name string, text []byte, values *Values) (out []byte, counts map[string]int) {
	return e.Clean(name, text, func(text []byte) []Finding { return Merge(e.Find(name, text), values.Find(name, text)) })
}

// Clean redacts what find finds until it finds nothing; counts are replaced values by class.
func (e *Engine) Clean(name string, text []byte, find func(text []byte) []Finding) (out []byte, counts map[string]int) {
	counts = map[string]int{}
	for range rounds {
		edits := e.Edits(name, text, find(text))
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
		end, repeat := max(out[n].End, f.End), out[n].Repeat && f.Repeat
		if f.Score > out[n].Score {
			start := out[n].Start
			out[n] = f
			out[n].Start = start
		}
		out[n].End, out[n].Repeat = end, repeat
	}
	return out
}
