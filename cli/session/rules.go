package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"memcurator/memstore/config"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// scrubFile is the name of the user's own rules, next to the configuration.
const scrubFile = "scrub.toml"

// ownRules is the path of the user's own rules, beside the configuration; "" if they have no place.
func (run *Session) ownRules() string {
	if file, _ := run.ConfigFile(); file != "" {
		return filepath.Join(filepath.Dir(file), scrubFile)
	}
	return ""
}

// OwnRules reads the user's own rules, which are one file or none.
func (run *Session) OwnRules() ([]rule.File, error) {
	name := run.ownRules()
	if name == "" {
		return nil, nil
	}
	text, err := run.rules.read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, Failed(err, "Can't read the rules file %s: %s", name, Reason(err))
	}
	return []rule.File{{Name: name, Text: text}}, nil
}

// checkOwnRules fails if the user's own rules can't be read.
func (run *Session) checkOwnRules() error {
	files, err := run.OwnRules()
	for _, f := range files {
		if err := rule.Readable(f.Text); err != nil {
			return Failed(err, "Can't read the rules file %s: %s", f.Name, Reason(err))
		}
	}
	return err
}

// Engine makes the engine that searches a store for secrets, by the built-in rules, the configuration and the user's own rules. It reports
// and skips invalid rules.
func (run *Session) Engine(s Settings, say func(string)) (*scrub.Engine, error) {
	var o scrub.Options
	for _, class := range s.OfStore().Scrub.Class {
		if class.Enabled.IsSet() && !class.Enabled.Value {
			o.Off = append(o.Off, class.Name)
		}
	}
	if own := run.ownRules(); s.Dir != "" && own != "" && config.Inside(own, s.Dir) {
		return nil, Failed(nil, "The rules file %s is inside the store, where the agent could change it. Move it out", own)
	}
	var err error
	if o.Files, err = run.OwnRules(); err != nil {
		return nil, err
	}
	e, problems := scrub.New(o)
	for _, p := range problems {
		say("Warning: " + ProblemText(p))
	}
	return e, nil
}

// ProblemText describes a mistake in one of the user's rules.
func ProblemText(p rule.Problem) string {
	if p.Rule == "" {
		return fmt.Sprintf("%s:%d: %s", p.File, max(p.Line, 1), p.Reason)
	}
	return fmt.Sprintf("%s:%d: ignored the rule %s: %s", p.File, max(p.Line, 1), p.Rule, p.Reason)
}

// SomeEngine is Engine for single commands, which continue without the user's rules if they can't be read.
func (run *Session) SomeEngine(s Settings, say func(string)) *scrub.Engine {
	e, err := run.Engine(s, say)
	if err != nil {
		say("Warning: " + err.Error())
		e, _ = scrub.New(scrub.Options{}) // only user rules can have problems
	}
	return e
}
