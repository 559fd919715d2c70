package curate

import (
	"fmt"
	"path/filepath"

	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// factsOf describes what is known of an action, a line each, the reason first.
func factsOf(env *kit.Env, a policy.Action) []string {
	if a.Path == "" {
		return nil
	}
	facts := []string{string(a.Do) + ": " + a.Reason}
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if a.To != "" {
		add("moves to %s", inStore(a.To))
	}
	if a.Rule.Line > 0 {
		rule := a.Rule
		rule.File = filepath.Base(rule.File)
		add("rule: %s in %s", a.Key, text.Clean(rule.String()))
	}
	if !a.Due.IsZero() {
		due := "due"
		if !a.Due.After(env.Now()) {
			due = "due since"
		}
		add("%s %s, by %s", due, a.Due.In(env.Now().Location()).Format("2 Jan 2006 15:04"), a.Clock.Source())
	}
	f := a.Found
	if f == nil {
		return facts
	}
	add("found by the check %s (%s)", a.Kind, f.Severity)
	about := f.Others
	for _, r := range f.Repairs {
		if r.To != "" {
			about = append(about[:len(about):len(about)], r.To)
		}
	}
	for i, one := range about {
		if i == othersListed {
			add("and %d more", len(about)-i)
			break
		}
		add("%s %s", env.Styles.Glyphs.Arrow, text.Clean(inStore(one)))
	}
	return facts
}

// othersListed is how many files a finding names that it is about.
const othersListed = 8
