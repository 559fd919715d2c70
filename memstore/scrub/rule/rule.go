package rule

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
)

// Rule says what one kind of value looks like and what has to stand near it. Rules do
// not change once an engine has them, except for the regular expression, which is compiled
// when it is first needed.
type Rule struct {
	ID, Class string
	Severity  Severity
	Score     int

	Patterns []*Pattern // any of them
	Regex    *ascii.Expression
	Group    int      // of the regular expression: the value; 0 is the whole match, or its only group
	Keywords []string // lower case; one of them lets the rule look
	Detector string   // the built-in code that the rule runs

	Check      string  // of checks; "" for none
	MinEntropy float64 // bits a byte
	Context    []string
	InContext  map[uint16]bool // the same, by number in the trie
	// Required makes a context word a condition of a finding; else the word only adds to the score.
	Required bool
	Window   int // bytes before the value in which context words count; after it a third
	Allow    []*ascii.Expression
	Stop     []string // lower case; what contains one is not a value

	Examples, Counterexamples []string
	File                      string
	Line                      int
}

// Problem is something wrong with a rule file. The rule, or the file if it cannot be
// read at all, is dropped; the rest works.
type Problem struct {
	File   string
	Line   int    // from 1; 0 where it is unknown
	Rule   string // its id, "" for none
	Reason string
}

// ContextWords notes which words of the trie are context of the rule.
func (r *Rule) ContextWords(at map[string]int) {
	r.InContext = make(map[uint16]bool, len(r.Context))
	for _, text := range r.Context {
		for _, w := range Spellings(text) {
			r.InContext[uint16(at[ascii.ToLower(w)])] = true
		}
	}
}

// Accepts reports whether a value fulfils the rule's conditions; context is not among them.
func (r *Rule) Accepts(value []byte) bool {
	if r.MinEntropy > 0 && ascii.Entropy(value) < r.MinEntropy {
		return false
	}
	switch r.Check {
	case "", "token":
	case "password":
		if judge.StrengthOf(value) == judge.Word || judge.Ordinary(value) {
			return false
		}
	case "credential":
		if !judge.AcceptsCredential(value) {
			return false
		}
	default:
		if !shape.Checks[r.Check](value) {
			return false
		}
	}
	return !r.Excludes(value) && !shape.IsDummy(value)
}

// Excludes reports whether allow or stop of the rule rule a value out.
func (r *Rule) Excludes(value []byte) bool {
	for _, l := range r.Allow {
		if l.Get().Match(value) {
			return true
		}
	}
	for _, w := range r.Stop {
		if bytes.Contains(bytes.ToLower(value), []byte(w)) {
			return true
		}
	}
	return false
}

// usable returns an error for what a rule lacks.
func (r *Rule) usable(detectors []string) error {
	_, knownCheck := shape.Checks[r.Check]
	switch {
	case r.ID == "":
		return errors.New("a rule needs an id")
	case !redact.ValidClass(r.Class):
		return fmt.Errorf("class %q: use lower-case letters, digits and dashes, at most %d", r.Class, redact.MaxClass)
	case r.Detector != "" && !slices.Contains(detectors, r.Detector):
		return fmt.Errorf("unknown detector %q", r.Detector)
	case r.Check != "" && r.Check != "password" && r.Check != "credential" && !knownCheck:
		return fmt.Errorf("unknown check %q", r.Check)
	case r.Detector == "" && r.Regex == nil && len(r.Patterns) == 0:
		return errors.New("a rule needs patterns or a regex")
	case r.Score < 1 || r.Score > 100:
		return errors.New("score must be from 1 to 100")
	case r.Window < 0 || r.Window > 1000:
		return errors.New("window must be from 0 to 1000 bytes")
	}
	return nil
}
