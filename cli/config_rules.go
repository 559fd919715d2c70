package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
)

// checkRules reports mistakes in the user's own rules for secrets, next to the configuration, and in the classes that the configuration
// names; c may be nil.
func checkRules(run *session.Session, file string, c *config.Config) error {
	own := session.OwnRulesBeside(file)
	o := scrub.Options{Check: true}
	switch text, err := run.OwnRules.Load(own); {
	case err == nil:
		o.Files = []rule.File{{Name: own, Text: text}}
	case !errors.Is(err, fs.ErrNotExist):
		return session.Failed(err, "Can't read the rules file %s: %s", own, session.Reason(err))
	}
	e, problems := scrub.New(o)
	var lines []string
	for _, p := range problems {
		lines = append(lines, session.ProblemText(p))
	}
	lines = append(lines, unknownClasses(file, c, e)...)
	if len(lines) == 0 {
		return nil
	}
	return &session.ExitError{Code: session.ExitFailed, Text: lines[0], More: lines[1:], Verbatim: true}
}

// unknownClasses lists the sections for classes that no rule finds, each once.
func unknownClasses(file string, c *config.Config, e *scrub.Engine) (lines []string) {
	if c == nil {
		return nil
	}
	var known []string
	for _, class := range e.Classes() {
		known = append(known, class.Name)
	}
	sections := []config.Settings{c.General()}
	for _, s := range c.Stores() {
		sections = append(sections, c.For(s.Dir.Value))
	}
	told := map[string]bool{}
	for _, s := range sections {
		for _, class := range s.Scrub.Class {
			name := class.Name
			if told[name] || slices.Contains(known, name) {
				continue
			}
			told[name] = true
			line := fmt.Sprintf("%s: [scrub.class.%s]: unknown class", file, name)
			if near := text.Nearest(name, known); near != "" {
				line += "; did you mean " + near + "?"
			}
			lines = append(lines, line)
		}
	}
	return lines
}
