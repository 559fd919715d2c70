package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"memcurator/memstore/config"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// scrubFile is the name of the user's own rules, next to the configuration.
const scrubFile = "scrub.toml"

func OwnRulesBeside(configFile string) string {
	return filepath.Join(filepath.Dir(configFile), scrubFile)
}

// ScrubRules makes the engines that search for secrets, by the built-in rules, the configuration and the user's own rules.
type ScrubRules struct {
	configFile string    // the user's own rules are beside it; "": there are none
	own        *ruleFile // the user's own rules
}

// ScrubRules are the rules for secrets that are in force in this run.
func (run *Session) ScrubRules() ScrubRules {
	r := ScrubRules{own: &run.OwnRules}
	r.configFile, _ = run.ConfigFile()
	return r
}

// check reads the user's own rules if the configuration guards what an agent writes or reads. If they can't be read, the command must
// end: without them, more would pass than the user allowed.
func (r ScrubRules) check(s Settings) error {
	if r.configFile == "" || r.configFile == os.DevNull || scrubsNothing(s.OfStore().Scrub) {
		return nil
	}
	own := OwnRulesBeside(r.configFile)
	text, err := r.own.Load(own)
	if err == nil {
		err = rule.Readable(text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Failed(err, "Can't read the rules file %s: %s", own, Reason(err))
	}
	return nil
}

// Engine returns the engine with the user's rules. It reports and skips invalid rules.
func (r ScrubRules) Engine(s Settings, per config.Scrub, say func(string)) (*scrub.Engine, error) {
	var o scrub.Options
	for _, class := range per.Class {
		if class.Enabled.IsSet() && !class.Enabled.Value {
			o.Off = append(o.Off, class.Name)
		}
	}
	if r.configFile != "" {
		own := OwnRulesBeside(r.configFile)
		if s.Dir != "" && config.Inside(own, s.Dir) {
			return nil, Failed(nil, "The rules file %s is inside the store, where the agent could change it. Move it out", own)
		}
		text, err := r.own.Load(own)
		if err == nil {
			o.Files = append(o.Files, rule.File{Name: own, Text: text})
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, Failed(err, "Can't read the rules file %s: %s", own, Reason(err))
		}
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
