package curate

import (
	"fmt"
	"path/filepath"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/lint"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Facts implements [kit.Explained].
func (s *Screen) Facts() string {
	if s.texts {
		return strings.Join(s.why, "\n\n")
	}
	return strings.Join(s.preview.Facts(), "\n\n")
}

// factsOf describes what is known of an action, a line each, the reason first.
func factsOf(env *kit.Env, v ShowAction) []string {
	a := v.Action
	if a.Path == "" {
		if help := sectionHelp[v.Heading]; help != "" {
			return []string{v.Heading, env.Keyed(help)}
		}
		return nil
	}
	facts := []string{string(a.Do) + ": " + a.Reason}
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if a.To != "" {
		add("moves to %s", strings.TrimPrefix(a.To, memstore.Root+"/"))
	}
	if a.Rule.Line > 0 || a.Rule.Preset != "" {
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
	if f := a.Found; f != nil {
		if !a.Foretold() {
			line := "check: " + string(f.Rule) + ", " + f.Severity.String()
			if f.Line > 0 {
				line += fmt.Sprintf(", line %d", f.Line)
			}
			if f.Count > 1 {
				line += fmt.Sprintf(", %d places", f.Count)
			}
			add("%s", line)
		}
		about := targets(f)
		for i, one := range about {
			if i == othersListed {
				add("and %d more", len(about)-i)
				break
			}
			add("%s %s", env.Styles.Glyphs.Arrow, text.Clean(one))
		}
	}
	return facts
}

// targets are the files that a finding is about: with their lines where each repair is of one place and leads to a file. Repairs of an
// index have no place of their own, and those that remove an entry lead nowhere.
func targets(f *lint.Finding) (out []string) {
	for i, r := range f.Repairs {
		switch {
		case r.To == "":
		case len(f.Places) == len(f.Repairs):
			out = append(out, fmt.Sprintf("line %d: %s", f.Places[i].Line, inStore(r.To)))
		default:
			out = append(out, inStore(r.To))
		}
	}
	if out == nil {
		for _, o := range f.Others {
			out = append(out, inStore(o))
		}
	}
	return out
}

// othersListed is how many files a finding names that it is about.
const othersListed = 8

// sectionHelp describes the sections of the list, and what to do about them.
var sectionHelp = map[string]string{
	"Your rules": "Files that your rules call expired, too large or too many. {list/mark} selects, {curate/apply} applies, " +
		"{global/undo} undoes. {curate/never} keeps a file: it writes an exception, and shows it first. {curate/pin} pins a file.",
	"Suggestions, no rule of yours": "Files that look stale, duplicate, broken or planted. Nothing changes until you apply. " +
		"{curate/never} keeps a file, {curate/new-rule} makes a rule.",
	"Due within 3 days": "These expire within three days. {curate/pin} pins a file.",
}

var _ kit.Explained = (*Screen)(nil)
