package scrub

import (
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
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
	// Action is what is done about this one; "": what the treatment says of its class. No rule sets it.
	Action redact.Action `json:",omitempty"`
}

// Report is the outcome of one scan.
type Report struct {
	Findings []Finding // by Start; they do not overlap
	// Truncated is set when there was more than the limit; scan again after redacting.
	Truncated bool
	// Binary is set for binary files, which are not scanned.
	Binary bool
}
