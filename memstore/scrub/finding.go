package scrub

import (
	"fmt"

	"memcurator/memstore/scrub/redact"
)

// Finding is one span of a text that is sensitive. It never holds the value itself, so
// that findings can be cached, logged and sent; [Engine.Plain] reads it from the text.
type Finding struct {
	Start, End int    // bytes in the text that was scanned, Start < End
	Class      string // what it is: "password", "email"; see [Engine.Classes]
	Rule       string // the id of the rule that found it
	Severity   Severity
	// Score is how sure the rule is, 1 to 100.
	Score int
	// Action is what is done about this one; "": what the treatment says of its class. No rule sets it.
	Action redact.Action `json:",omitempty"`
}

// Severity is how bad it is to have a value in a note.
type Severity uint8

// The severities, from the least to the worst.
const (
	Low Severity = iota + 1
	Medium
	High
	Critical
)

var severityNames = [...]string{"", "low", "medium", "high", "critical"}

func (s Severity) String() string {
	if int(s) < len(severityNames) && s > 0 {
		return severityNames[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// parseSeverity reads low, medium, high or critical.
func parseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name && i > 0 {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("severity %q is none of low, medium, high, critical", name)
}

// Class is a kind of sensitive data. Actions and modes are set per class.
type Class struct {
	Name     string // lower case, digits and dashes: it stands in placeholders
	Title    string // for people: "GitHub token"
	Severity Severity
	Personal bool // personal data, else a secret: something that opens a door
	// Rotate says how to make a leaked value worthless; "" for personal data.
	Rotate string
	// Quiet classes are found, but are better left out of the guard on writes unless
	// the user asks for them (IP addresses).
	Quiet bool
}

// Report is the outcome of one scan.
type Report struct {
	Findings []Finding // by Start; they do not overlap
	// Truncated is set when there was more than the limit; scan again after redacting.
	Truncated bool
	// Binary is set for binary files, which are not scanned.
	Binary bool
}
