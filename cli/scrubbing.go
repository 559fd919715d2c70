package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
	"memcurator/tui"
)

// scrubFile is the name of the user's own rules, beside the configuration.
const scrubFile = "scrub.toml"

func ownRulesBeside(configFile string) string {
	return filepath.Join(filepath.Dir(configFile), scrubFile)
}

// needOwnRules reads the user's own rules where the configuration guards what an agent writes or reads. If they cannot be read the
// command must end: without them more would pass than the user allowed.
func (a *app) needOwnRules(s settings) error {
	file, _ := a.configFile()
	if file == "" || file == os.DevNull || scrubsNothing(s.ofStore().Scrub) {
		return nil
	}
	own := ownRulesBeside(file)
	text, err := a.ownRules.load(own)
	if err == nil {
		err = scrub.Readable(text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err, "The rules file %s cannot be read: %s.", own, reason(err))
	}
	return nil
}

// scrubbing is a store with what looks for sensitive values in it.
type scrubbing struct {
	*curating
	engine    *scrub.Engine
	memory    *findings.Memory
	treatment redact.Treatment
	state     string // the state folder, "" where there is none
}

// base is the folder of the state of all stores, "" where there is none.
func (s *scrubbing) base() string {
	if s.state == "" {
		return ""
	}
	return filepath.Dir(s.state)
}

// scrubbing opens the store that a command names, with the rules. rules are files that --rules names.
func (a *app) scrubbing(c *cobra.Command, args []string, recording bool, rules []string) (*scrubbing, error) {
	w, err := a.curate(c, args, recording)
	if err != nil {
		return nil, err
	}
	s := &scrubbing{curating: w}
	if !isSealed(w.backend) { // hashes of what an encrypted store holds are kept nowhere
		s.state = a.stateFolder(w.dir)
	}
	if s.memory, err = findings.OpenMemory(s.state); err != nil {
		a.log.Warn("what is kept about findings cannot be read", "error", err)
	}
	s.treatment = treatmentOf(w.per.Scrub, s.memory)
	if s.engine, err = a.scrubEngine(scrub.Options{Check: true}, w.settings, w.per.Scrub, rules, a.say); err != nil {
		w.close()
		return nil, err
	}
	return s, nil
}

// scrubEngine is the engine with the rules of the user. What is wrong with a rule is told, and the rule left out.
func (a *app) scrubEngine(o scrub.Options, s settings, per config.Scrub, rules []string, say func(string)) (*scrub.Engine, error) {
	for name, class := range per.Class {
		if class.Enabled.IsSet() && !class.Enabled.Value {
			o.Off = append(o.Off, name)
		}
	}
	if file, _ := a.configFile(); file != "" {
		own := ownRulesBeside(file)
		if s.dir != "" && config.Inside(own, s.dir) {
			return nil, failed(nil, "The rules %s lie inside the memory directory, where the agent could change them. Move them out.", own)
		}
		text, err := a.ownRules.load(own)
		if err == nil {
			o.Files = append(o.Files, scrub.RuleFile{Name: own, Text: text})
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, failed(err, "The rules file %s cannot be read: %s.", own, reason(err))
		}
	}
	for _, name := range rules {
		text, err := config.Read(name)
		if err != nil {
			return nil, failed(err, "The rules file %s cannot be read: %s.", name, reason(err))
		}
		o.Files = append(o.Files, scrub.RuleFile{Name: name, Text: text})
	}
	e, problems := scrub.New(o)
	for _, p := range problems {
		say("Warning: " + problemText(p) + ".")
	}
	return e, nil
}

// problemText says what is wrong with a rule of the user.
func problemText(p scrub.Problem) string {
	if p.Rule == "" {
		return fmt.Sprintf("%s:%d: %s", p.File, max(p.Line, 1), p.Reason)
	}
	return fmt.Sprintf("%s:%d: the rule %s is left out: %s", p.File, max(p.Line, 1), p.Rule, p.Reason)
}

// someEngine is scrubEngine for those who go on without the user's rules where they cannot be read, and who start
// for one command: the examples of our own rules, which cost as much as making the engine, are not run.
func (a *app) someEngine(s settings, per config.Scrub, say func(string)) *scrub.Engine {
	e, err := a.scrubEngine(scrub.Options{}, s, per, nil, say)
	if err != nil {
		say("Warning: " + err.Error())
		e, _ = scrub.New(scrub.Options{}) // problems are of rules of the user
	}
	return e
}

// noted is for what would tear the screen of the user interface: it goes to the log.
func (a *app) noted(sentence string) { a.log.Warn(sentence) }

// uiScrubbing is what the user interface looks for sensitive values with; nil where the store has no place of its own.
func (a *app) uiScrubbing(s settings, b memstore.Backend, state string) *tui.Scrubbing {
	if s.dir == "" {
		return nil
	}
	if isSealed(b) {
		state = "" // hashes of what an encrypted store holds are kept nowhere
	}
	memory, err := findings.OpenMemory(state)
	if err != nil {
		a.log.Warn("what is kept about findings cannot be read", "error", err)
	}
	per := s.ofStore().Scrub
	return &tui.Scrubbing{
		Engine: func() *scrub.Engine { return a.someEngine(s, per, a.noted) },
		Memory: memory, Treatment: treatmentOf(per, memory), StateDir: state, Dir: s.dir,
	}
}

// treatmentOf is what the configuration says about values of each class.
func treatmentOf(per config.Scrub, m *findings.Memory) redact.Treatment {
	t := redact.Treatment{Default: redact.Action(per.Action.Or(config.ScrubTag)), Classes: map[string]redact.Action{}, Key: m.PseudonymKey()}
	for name, class := range per.Class {
		if class.Action.IsSet() {
			t.Classes[name] = redact.Action(class.Action.Value)
		}
	}
	return t
}

// survey scans the store.
func (a *app) survey(ctx context.Context, s *scrubbing, filesOnly bool) (*findings.Survey, error) {
	o := findings.Options{
		Engine: s.engine, Memory: s.memory, Backend: s.backend, Journal: s.journal, Workers: runtime.NumCPU(), Report: a.progress(),
		NoJournal: s.unread,
	}
	if filesOnly {
		o.Journal, o.NoJournal = nil, nil
	}
	survey, err := findings.Scan(ctx, o)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, failed(err, "Ended by a signal.")
	case err != nil:
		return nil, pastError(scanError(s.dir, err))
	}
	return survey, nil
}

func scanError(dir string, err error) error {
	if errors.Is(err, memstore.ErrUnavailable) || errors.Is(err, memstore.ErrPermission) {
		return failed(err, "The store %s cannot be read: %s.", dir, storeReason(err))
	}
	return err
}

// scrubber takes out what a survey has found.
func (a *app) scrubber(s *scrubbing) *findings.Scrubber {
	var recorders []memstore.Recorder
	if s.journal != nil {
		recorders = []memstore.Recorder{s.journal}
	}
	store := memstore.New(s.backend, memstore.Options{
		Dialect: s.dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: recorders, Warn: a.warnOnce(),
	})
	report := a.progress()
	return &findings.Scrubber{
		Engine: s.engine, Memory: s.memory, Treatment: s.treatment, Store: store, Journal: s.journal, StateDir: s.state, Dir: s.dir, Base: s.base(),
		Report: func(_ findings.Step, done, all int) {
			if report != nil {
				report(done, all)
			}
		},
	}
}

// readTranscript reads a recorded conversation to be scanned, up to a bound in bytes.
func readTranscript(name string) ([]byte, error) {
	const most = 256 << 20
	info, err := os.Stat(name)
	if err != nil {
		return nil, failed(err, "The transcript %s cannot be read: %s.", name, reason(err))
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, failed(nil, "The transcript %s is no file, or larger than 256 MiB.", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, failed(err, "The transcript %s cannot be read: %s.", name, reason(err))
	}
	return data, nil
}
