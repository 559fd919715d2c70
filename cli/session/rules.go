package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// ScrubFile is the name of the user's own rules, next to the configuration.
const ScrubFile = "scrub.toml"

func OwnRulesBeside(configFile string) string {
	return filepath.Join(filepath.Dir(configFile), ScrubFile)
}

// ScrubRules makes the engines that search for secrets, by the built-in rules, the configuration and the user's own rules.
type ScrubRules struct {
	configFile string    // the user's own rules are beside it; "": there are none
	own        *RuleFile // the user's own rules
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
		} else if class.Enabled.IsSet() {
			o.On = append(o.On, class.Name)
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

// Masks hides the secrets in lines of the notes of one store.
type Masks struct {
	run      *Session
	settings func() Settings // those for the store
	state    func() string   // its state folder; "": what is dismissed is unknown

	engine *scrub.Engine // nil until a line is masked
	memory *findings.Memory
}

// Masks makes masks of a store; what is a secret there is read at the first line.
func (run *Session) Masks(settings func() Settings, state func() string) *Masks {
	return &Masks{run: run, settings: settings, state: state}
}

// MaskedNote bounds the notes that are scanned as a whole for what is in a line of theirs, in bytes: of larger ones the line is.
const MaskedNote = 1 << 20

// Line hides the secrets in a line of a note. note is its text if the line is there, at from; else the line is scanned alone.
func (m *Masks) Line(path string, line, note []byte, from int) string {
	if m.engine == nil {
		s := m.settings()
		m.engine = m.run.ScrubRules().SomeEngine(s, s.OfStore().Scrub, func(string) {})
		m.memory, _ = findings.OpenMemory(m.state()) // without it, nothing is dismissed
	}
	if from < 0 || from+len(line) > len(note) || string(note[from:from+len(line)]) != string(line) {
		note, from = line, 0
	}
	return findings.MaskLine(m.engine, m.memory, path, note, from, from+len(line))
}

// NoteToMask reads a note of which a line is masked; nil: it is too large, or can't be read.
func NoteToMask(b memstore.Backend, path string) []byte {
	data, err := memstore.ReadFile(b, memstore.BackendName(path), memstore.Look, MaskedNote)
	if err != nil {
		return nil
	}
	return data
}
