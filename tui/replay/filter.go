package replay

import (
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore/transcript"
	"memcurator/tui/ui"
)

// filter is what a user narrows the calls to. Make it with [parseFilter].
type filter struct {
	text     string
	words    []string
	commands []string
	sessions []string
	verdicts []string
	main     bool
	diverges bool
	writes   bool
}

// terms are the words with a colon that a filter knows.
var terms = []string{"command:", "session:", "verdict:", "is:main", "is:differing", "is:write"}

// parseFilter reads a line such as `command:create verdict:differs notes`: terms narrow, several
// of one kind leave any of them, other words must all be part of the path, without regard to case.
// The error is a sentence.
func parseFilter(line string) (filter, error) {
	f := filter{text: strings.TrimSpace(line)}
	for _, word := range strings.Fields(line) {
		key, value, isTerm := strings.Cut(word, ":")
		switch {
		case !isTerm:
			f.words = append(f.words, strings.ToLower(word))
		case key == "command":
			f.commands = append(f.commands, value)
		case key == "session":
			f.sessions = append(f.sessions, value)
		case key == "verdict":
			f.verdicts = append(f.verdicts, strings.ToLower(value))
		case word == "is:main":
			f.main = true
		case word == "is:differing", word == "is:diverging":
			f.diverges = true
		case word == "is:write":
			f.writes = true
		default:
			return filter{text: f.text}, fmt.Errorf("Unknown filter term %q; use %s", word, strings.Join(terms, " "))
		}
	}
	return f, nil
}

// completeFilter lists the lines that could follow the one being typed.
func completeFilter(line string) []string {
	return ui.CompleteWord(line, append(slices.Clone(terms), verdictTerms()...))
}

func verdictTerms() []string {
	out := []string{"verdict:differs"}
	for _, v := range []transcript.Verdict{
		transcript.Identical, transcript.OtherDialect, transcript.Cleared,
		transcript.NoResult, transcript.NotReplayable, transcript.Unknown,
	} {
		out = append(out, "verdict:"+joinedWords(v))
	}
	return out
}

// joinedWords is a verdict as a term has it: without the blank in it.
func joinedWords(v transcript.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }

// fits reports whether a call matches.
func (f filter) fits(r row, v transcript.Verdict) bool {
	switch {
	case f.main && r.side,
		f.diverges && !v.Diverges(),
		f.writes && !r.writes(),
		len(f.commands) > 0 && !slices.Contains(f.commands, r.op),
		len(f.sessions) > 0 && !slices.ContainsFunc(f.sessions, func(s string) bool { return strings.HasPrefix(r.session, s) }),
		len(f.verdicts) > 0 && !slices.ContainsFunc(f.verdicts, func(s string) bool {
			return s != "" && (strings.HasPrefix(joinedWords(v), s) || strings.HasPrefix(v.Word(), s) ||
				strings.HasPrefix(joinedWords(transcript.Verdict(short[v])), s))
		}):
		return false
	}
	return ui.HoldsAll(r.path+" "+r.to, f.words)
}

// joined adds a term to a line, without removes it.
func joined(line, term string) string { return strings.TrimSpace(line + " " + term) }

func without(line, term string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(line), func(w string) bool { return w == term }), " ")
}
