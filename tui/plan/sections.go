package plan

import (
	"fmt"
	"strings"

	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// section is a part of the list.
type section uint8

// The sections, in the order of the list.
const (
	byRules   section = iota // what rules propose
	suggested                // what no rule proposes
	secrets                  // the values that the search for secrets found
	soon                     // what rules are going to propose
	sections
)

// shownAtFirst is how many suggestions are listed before the rest is folded, and ofKind how many of one kind.
const (
	shownAtFirst = 8
	ofKind       = 3
)

var sectionTitles = [...]string{"Your rules", "Suggestions, no rule of yours", "Secrets", "Due within 3 days"}

func (s section) String() string { return sectionTitles[s] }

// sectionOf is where an action is listed.
func sectionOf(a *policy.Action) section {
	switch {
	case a.Group == policy.Expiring:
		return soon
	case a.Group == policy.Suggested, a.Found != nil:
		return suggested
	}
	return byRules
}

// kindWords name the kinds of suggestions in a row that stands for several.
var kindWords = map[policy.Kind]string{
	policy.Planted: "planted text", policy.Empty: "empty", policy.Duplicate: "duplicate", policy.BrokenLink: "broken link",
	policy.PastLoad: "past the load limit", policy.TooLarge: "too large", policy.Unused: "unused for 90 days",
}

// kindWord names what a suggestion is about; of what the lint alone has found it is the rule of the lint.
func kindWord(a *policy.Action) string {
	if word := kindWords[a.Kind]; word != "" {
		return word
	}
	if a.Found != nil {
		return strings.ReplaceAll(string(a.Found.Rule), "-", " ")
	}
	return string(a.Group)
}

// folding lists the first suggestions of each kind and leaves the rest to one row.
func (p *Pane) folding(all []int) (listed, rest []int) {
	if p.open[suggested] || p.filter.text != "" || p.order != byGroup || len(all) <= shownAtFirst+1 {
		return all, nil
	}
	count := map[string]int{}
	for _, i := range all {
		word := kindWord(&p.plan.Actions[i])
		if count[word]++; count[word] <= ofKind && len(listed) < shownAtFirst {
			listed = append(listed, i)
		} else {
			rest = append(rest, i)
		}
	}
	return listed, rest
}

// restText is the row that stands for suggestions: how many, and of which kinds.
func (p *Pane) restText() string {
	var words []string
	count := map[string]int{}
	for _, i := range p.rest {
		word := kindWord(&p.plan.Actions[i])
		if count[word]++; count[word] == 1 {
			words = append(words, word)
		}
	}
	for i, word := range words {
		words[i] = fmt.Sprintf("%s (%s)", word, ui.Number(count[word]))
	}
	return ui.Number(len(p.rest)) + " more: " + strings.Join(words, ", ")
}
