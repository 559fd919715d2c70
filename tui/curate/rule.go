package curate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
)

// clause is what a typed rule goes by.
type clause struct {
	word, key string   // as it is typed, and in the configuration
	act       string   // the key of what the rule does
	thens     []string // what it may do, the mildest last
}

var clauses = []clause{
	{"unused", "max_idle", "expire", expires},
	{"unchanged", "ttl", "expire", expires},
	{"older", "max_age", "expire", expires},
	{"larger", "max_file_bytes", "mode", refuses},
	{"longer", "max_file_lines", "mode", refuses},
}

var (
	expires = []string{string(config.ExpireDelete), string(config.ExpireArchive), string(config.ExpireWarn)}
	refuses = []string{string(config.ModeRefuse), string(config.ModeWarn)}
)

// limitWords are the words of all clauses, for a sentence.
const limitWords = "unused, unchanged, older, larger or longer"

// isLimit reports whether a word begins a clause.
func isLimit(word string) bool {
	return slices.ContainsFunc(clauses, func(c clause) bool { return c.word == word })
}

// limitOf is the clause that a word begins.
func limitOf(word string) clause {
	return clauses[slices.IndexFunc(clauses, func(c clause) bool { return c.word == word })]
}

// ruleTakes says what a typed rule consists of.
const (
	ruleTakes   = "files, limit, action: " + ruleExample
	ruleExample = "log/** unchanged 30d archive"
)

// typedRule reads a rule: the patterns of files, then the three words of one clause. Quotes keep blanks.
func typedRule(typed string) (globs []string, keys []config.KeyValue, err error) {
	words, err := prompt.Words(typed)
	if err != nil {
		return nil, nil, err
	}
	if len(words) > 0 && words[0] == string(keymap.NewRule) { // the user typed the name of the prompt once more
		words = words[1:]
	}
	n := slices.IndexFunc(words, isLimit)
	if n >= 0 && len(words) > n+1 && words[n+1] == "than" { // older than 60d
		words = slices.Delete(words, n+1, n+2)
	}
	switch {
	case n < 0 && len(words) > 3:
		return nil, nil, wrongWord(words[len(words)-3], limitWords)
	case n < 0:
		return nil, nil, said("Add a limit: " + limitWords + " (lines)")
	case n == 0:
		return nil, nil, said("Begin with the files, as log/**")
	case len(words) == n+1:
		return nil, nil, said(fmt.Sprintf("%s takes a limit, as in: %s", words[n], ruleExample))
	case len(words) == n+2:
		return nil, nil, said("Add an action: " + text.Or(limitOf(words[n]).thens))
	case len(words) > n+3:
		return nil, nil, said(fmt.Sprintf("One limit a rule: remove %q and what follows", words[n+3]))
	}
	for i, word := range words[:n] {
		word = strings.TrimSuffix(word, ",")
		words[i] = word
		if strings.HasSuffix(word, "/") { // a folder means all that it holds
			words[i] += "**"
		}
	}
	c, limit, then := limitOf(words[n]), config.Text(words[n+1]), words[n+2]
	_, timed := config.ParseDuration(words[n+1])
	_, sized := config.ParseSize(words[n+1])
	lines, _ := strconv.ParseInt(words[n+1], 10, 64)
	switch {
	case c.act == "expire" && !timed:
		return nil, nil, wrongWord(words[n+1], "a time, as 30m, 24h, 60d or 8w")
	case c.key == "max_file_bytes" && !sized:
		return nil, nil, wrongWord(words[n+1], "a size, as 100KB or 2MB")
	case c.key == "max_file_lines" && lines < 1:
		return nil, nil, wrongWord(words[n+1], "a number of lines, as 200")
	case !slices.Contains(c.thens, then):
		return nil, nil, said(fmt.Sprintf("%q is wrong: after %s use %s", text.Clean(then), c.word, text.Or(c.thens)))
	case c.key == "max_file_lines":
		limit = config.Count(lines)
	}
	keys = []config.KeyValue{{Key: c.key, Value: limit}, {Key: c.act, Value: config.Text(then)}}
	return words[:n], keys, nil
}

// wrongWord says which word of a rule is wrong, and what its place takes.
func wrongWord(word, takes string) error {
	return said(`"` + text.Clean(word) + `" is wrong: use ` + takes)
}

// ruleChange is what a rule would be: the change of the configuration, and its effect.
type ruleChange struct {
	edit   func(data []byte) ([]byte, error)
	effect func(ctx context.Context, after []byte) (policy.Effect, error) // it does I/O
}

// changeFor is the change that makes a rule.
func (s *Screen) changeFor(globs []string, keys []config.KeyValue) ruleChange {
	place, rules := s.config, s.edits.Rules
	in, backend, journal := policy.Input{Snapshot: s.edits.Loaded(), Now: s.env.Now()}, s.edits.Handlers.Backend(), s.edits.Journal
	return ruleChange{
		edit: func(data []byte) ([]byte, error) { return appendRule(place, rules.Store, data, globs, keys) },
		effect: func(ctx context.Context, after []byte) (e policy.Effect, err error) {
			c, err := config.Parse(place.File, after, place.Home)
			if err != nil || in.Snapshot == nil {
				return e, err
			}
			if in.Facts, err = policy.FactsOf(ctx, journal); err != nil {
				return e, err
			}
			all := c.For(place.Dir).Rules // those of the store come last
			return policy.NewReader(backend).Effect(ctx, rules, all[len(all)-1], in)
		},
	}
}

// makeRule asks whether to write a typed rule, with what it would do now and the lines that it adds.
func (s *Screen) makeRule(typed string) (tea.Cmd, error) {
	globs, keys, err := typedRule(typed)
	if err != nil {
		return nil, err
	}
	name, change := text.Clean(strings.Join(globs, ", ")), s.changeFor(globs, keys)
	return s.change(s.config, "Make a rule for "+name, "Made a rule for "+name, change.edit,
		func(ctx context.Context, after []byte) (body, now string, err error) {
			e, err := change.effect(ctx, after)
			if now = ", nothing is due yet"; len(e.Due) > 0 {
				now = ", " + kit.CountGrouped(len(e.Due), "file") + " due"
			}
			return effectText(e, keys[0].Key), now, err
		}, s.ruleWritten), nil
}

// typeRule works out what the rule that is typed so far would do.
func (s *Screen) typeRule(typed string) tea.Cmd {
	s.env.Jobs.Cancel(ownerTyped)
	globs, keys, err := typedRule(typed)
	if err != nil {
		s.typed = err.Error()
		return nil
	}
	place, change, wait := s.config, s.changeFor(globs, keys), s.env.Debounce
	return kit.Start(s.env.Jobs, kit.Job[string]{
		Owner: ownerTyped, Label: "working out the rule",
		Work: func(ctx context.Context, _ *kit.Progress) (string, error) {
			if err := kit.Debounce(ctx, wait); err != nil {
				return "", err
			}
			proposed := propose(place, "", change.edit)
			if proposed.why != "" {
				return proposed.why, nil
			}
			e, err := change.effect(ctx, proposed.after)
			return effectSaid(e, keys[0].Key), err
		},
		Done: func(says string) tea.Cmd {
			s.typed = says
			return nil
		},
	})
}

// effectSaid says in a line what a rule would do; key is its limit.
func effectSaid(e policy.Effect, key string) string {
	said := fmt.Sprintf("%s of %s match", kit.Number(e.Matches), kit.Count(e.Files, "file"))
	switch {
	case e.Matches == 0:
		return fmt.Sprintf("No file of %s matches", kit.Number(e.Files))
	case len(e.Due) > 0:
		said += ", due now: " + kit.CountGrouped(len(e.Due), "file")
	case key == "max_age":
		said += ", nothing is due now: the age counts from when a file was first seen"
	default:
		said += ", nothing is due now"
	}
	for _, do := range []policy.Do{policy.Delete, policy.Archive, policy.Warn} {
		if n := policy.FilesOf(e.Dropped, do); n > 0 {
			said += fmt.Sprintf(", no longer to %s: %s", do, kit.CountGrouped(n, "file"))
		}
	}
	return said
}

// effectText is effectSaid with what is due longest.
func effectText(e policy.Effect, key string) string {
	out := effectSaid(e, key) + "\n"
	for _, a := range e.Due[:min(3, len(e.Due))] {
		out += "  " + string(a.Do) + " " + text.Clean(inStore(a.Path)+"  "+a.Reason) + "\n"
	}
	if more := len(e.Due) - 3; more > 0 {
		out += "  and " + kit.Number(more) + " more\n"
	}
	return out + "\n"
}

// completeRule completes the last word of a typed rule.
func completeRule(typed string) (list []string) {
	head := typed[:strings.LastIndexByte(typed, ' ')+1]
	words := strings.Fields(head)
	var offered []string
	for _, c := range clauses {
		offered = append(offered, c.word)
		if n := len(words); n > 1 && words[n-2] == c.word {
			offered = c.thens
			break
		}
	}
	for _, word := range offered {
		if len(words) > 0 && strings.HasPrefix(head+word, typed) {
			list = append(list, head+word)
		}
	}
	return list
}
