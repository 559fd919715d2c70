package curate

import (
	"strings"

	"memcurator/memstore/adapt"
	"memcurator/memstore/policy"
)

// section is a part of the list.
type section uint8

// The sections, in the order of the list.
const (
	byRules   section = iota // what rules propose
	suggested                // what no rule proposes
	soon                     // what rules are going to propose
	sections
)

var sectionTitles = [...]string{"Your rules", "Suggestions, no rule of yours", "Due within 3 days"}

func (s section) String() string { return sectionTitles[s] }

// short is the title without its explanation.
func (s section) short() string {
	title, _, _ := strings.Cut(s.String(), ",")
	return title
}

// sectionOf is where an action is listed.
func sectionOf(a *policy.Action) section {
	switch {
	case a.Group == policy.Expiring:
		return soon
	case a.Group == policy.Suggested, a.Found != nil, a.Rule.BuiltIn():
		return suggested
	}
	return byRules
}

// kindWords name the kinds of suggestions in a row that sums up several.
var kindWords = map[policy.Kind]string{
	policy.Planted: "planted text", policy.Empty: "empty", policy.Duplicate: "duplicate", policy.BrokenLink: "broken link",
	policy.OutOfStep: "index out of step", policy.StaleClaim: "stale path",
	policy.PastLoad: "past the load limit", policy.TooLarge: "too large", policy.Unused: "unused for 90 days",
	policy.Kind(adapt.Permanent): "becomes permanent", policy.Kind(adapt.Expires): "expires soon",
	policy.Kind(adapt.Decay): "decay",
	policy.Kind(adapt.Boost): "boost",
}

// kindWord names what a suggestion is about; of what the lint alone has found it is the rule of the lint.
func kindWord(a *policy.Action) string {
	if word := kindWords[a.Kind]; word != "" {
		return word
	}
	if a.Found != nil {
		return strings.ReplaceAll(string(a.Found.Rule), "-", " ")
	}
	if strings.HasPrefix(a.Key, "load_") {
		return kindWords[policy.PastLoad]
	}
	return string(a.Group)
}
