package plan

import (
	"fmt"
	"strings"

	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// filter is what the list is narrowed to: words that a row or its heading holds, and terms.
type filter struct {
	text     string
	words    []string
	do       string // the beginning of what is done
	group    string
	rule     string // a part of the key of the configuration, or of the check of the lint
	selected bool
	problem  string
}

// terms are the words with a colon that a filter knows.
const terms = "do:delete group:suggestion rule:max_idle is:selected"

// completeFilter lists the lines that could follow a filter being typed.
func completeFilter(line string) []string {
	return ui.CompleteWord(line, []string{"do:", "group:", "rule:", "is:selected"})
}

func parseFilter(line string) filter {
	f := filter{text: strings.TrimSpace(line)}
	for _, word := range strings.Fields(strings.ToLower(line)) {
		key, value, isTerm := strings.Cut(word, ":")
		switch {
		case isTerm && key == "do":
			f.do = value
		case isTerm && key == "group":
			f.group = value
		case isTerm && key == "rule":
			f.rule = value
		case word == "is:selected", word == "is:ticked": // its name before
			f.selected = true
		case isTerm:
			f.problem = fmt.Sprintf("Unknown term %s; try %s", word, terms)
		default:
			f.words = append(f.words, word)
		}
	}
	return f
}

// fits reports whether the filter leaves an action.
func (f *filter) fits(a *policy.Action, s *selection) bool {
	if f.text == "" {
		return true
	}
	if f.selected && !s.has(a) || !strings.HasPrefix(string(a.Do), f.do) || !strings.Contains(a.Key, f.rule) ||
		!strings.HasPrefix(strings.ReplaceAll(string(a.Group), " ", "-"), f.group) {
		return false
	}
	return ui.HoldsAll(wordsOf(a)+"\n"+sectionOf(a).short(), f.words)
}

// wordsOf is what a proposal is found by: act, path, kind, the file that it is about or goes to, and reason.
func wordsOf(a *policy.Action) string {
	return strings.Join([]string{string(a.Do), a.Path, nameOf(a), kindWord(a), a.To, a.Reason}, "\n")
}
