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

// ScrubRules makes the engines that search for secrets, by the built-in rules, the configuration and the user's own rules.
type ScrubRules struct {
	name string      // of the user's own rules, beside the configuration; "": there are none
	own  *configText // the user's own rules
}

// ScrubRules are the rules for secrets that are in force in this run.
func (run *Session) ScrubRules() ScrubRules {
	r := ScrubRules{own: &run.ownRules}
	if file, _ := run.ConfigFile(); file != "" {
		r.name = filepath.Join(filepath.Dir(file), scrubFile)
	}
	return r
}

// Own reads the user's own rules, which are one file or none.
func (r ScrubRules) Own() ([]rule.File, error) {
	if r.name == "" {
		return nil, nil
	}
	text, err := r.own.read(r.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, Failed(err, "Can't read the rules file %s: %s", r.name, Reason(err))
	}
	return []rule.File{{Name: r.name, Text: text}}, nil
}

// check reads the user's own rules if the configuration guards what an agent writes or reads. If they can't be read, the command must
// end: without them, more would pass than the user allowed.
func (r ScrubRules) check(s Settings) error {
	if scrubsNothing(s.OfStore().Scrub) {
		return nil
	}
	files, err := r.Own()
	for _, f := range files {
		if err := rule.Readable(f.Text); err != nil {
			return Failed(err, "Can't read the rules file %s: %s", f.Name, Reason(err))
		}
	}
	return err
}

// Engine returns the engine with the user's rules. It reports and skips invalid rules.
func (r ScrubRules) Engine(s Settings, per config.Scrub, say func(string)) (*scrub.Engine, error) {
	var o scrub.Options
	for _, class := range per.Class {
		if class.Enabled.IsSet() && !class.Enabled.Value {
			o.Off = append(o.Off, class.Name)
		}
	}
	if s.Dir != "" && r.name != "" && config.Inside(r.name, s.Dir) {
		return nil, Failed(nil, "The rules file %s is inside the store, where the agent could change it. Move it out", r.name)
	}
	var err error
	if o.Files, err = r.Own(); err != nil {
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
func (r ScrubRules) SomeEngine(s Settings, per config.Scrub, say func(string)) *scrub.Engine {
	e, err := r.Engine(s, per, say)
	if err != nil {
		say("Warning: " + err.Error())
		e, _ = scrub.New(scrub.Options{}) // only user rules can have problems
	}
	return e
}
