package rule

import (
	"fmt"
)

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
	return 0, fmt.Errorf("unknown severity %q: use low, medium, high or critical", name)
}

// Class is a kind of sensitive data. Actions and modes are set per class.
type Class struct {
	Name     string // lower case, digits and dashes: it appears in placeholders
	Title    string // for people: "GitHub token"
	Severity Severity
	Personal bool // personal data, else a secret: something that opens a door
	// Rotate says how to make a leaked value worthless; "" for personal data.
	Rotate string
	// Quiet classes are found, but are better left out of the guard on writes unless
	// the user asks for them (IP addresses).
	Quiet bool
}
