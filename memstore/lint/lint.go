package lint

import (
	"cmp"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/index"
)

// Limits of what is checked and kept.
const (
	// MaxBytes is how much of a content is inspected.
	MaxBytes = 16 << 20
	// maxPlaces is how many places of a finding are kept.
	maxPlaces = 100
	// maxReferences is how many references of one content are followed.
	maxReferences = 2000
	// maxQuote bounds the text that a reason quotes, in characters.
	maxQuote = 60
)

// Rule names what a finding is about.
type Rule string

// Encoding reports a text that is not UTF-8, which the view of the memory tool refuses.
const Encoding Rule = "encoding"

// Severity is how much a finding matters.
type Severity uint8

// The severities.
const (
	info    Severity = iota + 1 // good to know
	Warning                     // likely wrong
	Danger                      // may steer the agent against its user
)

func (s Severity) String() string {
	switch s {
	case Danger:
		return "danger"
	case Warning:
		return "warning"
	}
	return "info"
}

// Place is a span of bytes in a file. Line and Column count from 1, Column in bytes.
type Place struct {
	index.Span
	Line, Column int64
}

func placeAt(start, end int) Place { return Place{Span: index.Span{Start: start, End: end}} }

// Finding is one thing that one check has to say of one file.
type Finding struct {
	Path     string // agent path
	Rule     Rule
	Severity Severity
	// Reason is a clause in words and numbers, for a list: no capital, no full stop. It may quote
	// bytes of the file: who shows it sanitizes it.
	Reason string
	// Place is the first place; all zero where the file as a whole is meant.
	Place
	Count  int      // how many places there are, at least 1
	Places []Place  // the first 100 of them
	Others []string // agent paths of other files that it is about
	// Repairs rewrite the file so that the finding is gone, where it is clear what was meant, in the order of the text.
	Repairs []Repair
	Content memstore.Digest
}

// File is one regular file of a store, as its caller knows it.
type File struct {
	Path   string // agent path
	Size   int64
	Digest memstore.Digest
	// Changed is when its text last changed: what the journal knows, else the modification time.
	Changed time.Time
}

// Report is what was found in a store.
type Report struct {
	Findings []Finding // by path, then by place
	// Digests are the hashes of the files that were inspected, by agent path.
	Digests map[string]memstore.Digest
	Unread  []string // agent paths of files that could not be read
	Cut     []string // agent paths of files of which only the beginning was inspected
	// Unchecked says as a sentence why claims about the project stand unchecked; "" if they were checked.
	Unchecked string
}

// sortFindings brings findings in the order of reports.
func sortFindings(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.Rule, b.Rule))
	})
}
