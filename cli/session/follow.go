package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore/config"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// ruleFile is a file with rules for agents, the configuration or scrub.toml, in the version in force: the one read at the start, then
// each valid version that is saved.
type ruleFile struct {
	mu   sync.Mutex
	name string // "" until it is loaded
	text []byte // nil if the file doesn't exist
	read stamp  // of the version that was read last
	seen stamp  // of the last look
}

// stamp tells versions of a file apart; the zero value is that of a file that isn't there.
type stamp struct{ size, changed int64 }

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime().UnixNano()}
}

// Load reads the file when it is first needed.
func (f *ruleFile) Load(name string) (text []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.name != name {
		at := stampOf(name)
		if text, err = config.Read(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		f.name, f.text, f.read, f.seen = name, text, at, at
	}
	if f.text == nil {
		return nil, fs.ErrNotExist
	}
	return f.text, nil
}

// again reads the file if it was saved since it was read. use says what is wrong with the new version, which is not in force then.
// A file that changed since the last look may still be written, so the next look decides.
func (f *ruleFile) again(use func(text []byte) error) (saved bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	is := stampOf(f.name)
	was := f.seen
	if f.seen = is; f.name == "" || is == f.read || is != was {
		return false, nil
	}
	f.read = is
	text, err := config.Read(f.name)
	if err != nil {
		return true, Failed(err, "%s can't be read: %s", filepath.Base(f.name), Reason(err))
	}
	if err = use(text); err == nil {
		f.text = text
	}
	return true, err
}

// lookEvery is how often to look at the files.
const lookEvery = 500 * time.Millisecond

// Followed is the outcome of a saved version.
type Followed struct {
	Settings Settings // the settings in force
	Kept     string   // why the previous version stays in force; "": the new one is
}

// Follow passes each valid version of the rules that is saved to the guards, until stop is called or ctx ends. It calls tell, on one
// goroutine, for each version that came into force or was ignored.
func (run *Session) Follow(ctx context.Context, s Settings, guards Guards, tell func(Followed)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	file, _ := run.ConfigFile()
	if file == "" || file == os.DevNull { // the null device means no configuration
		return cancel
	}
	now := s
	judge := func(f *ruleFile, use func(text []byte) error) {
		saved, err := f.again(use)
		switch {
		case err != nil:
			tell(Followed{now, MistakesNotice(err)})
		case saved:
			guards.Set(now.OfStore()) // also after a change of scrub.toml, which they read
			tell(Followed{Settings: now})
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			judge(&run.configRules, func(text []byte) error {
				next, err := run.version(s, file, text)
				if err == nil {
					now = next
				}
				return err
			})
			judge(&run.ownRules, validRules)
		}
	}()
	return func() { cancel(); <-done }
}

// version returns the settings with another text of the configuration; flags and variables take precedence over it. If it masks or refuses
// values, the user's own rules must be readable too.
func (run *Session) version(s Settings, file string, text []byte) (Settings, error) {
	c, keys, err := parseConfig(file, text, config.Home(run.Env.Getenv))
	if err != nil {
		return s, err
	}
	s.Config, s.Keys, s.Broken = c, keys, nil
	run.takeConfig(&s, c.General())
	if s, err = run.ForStore(s, s.Dir); err != nil {
		return s, err
	}
	return s, run.ScrubRules().check(s)
}

// validRules returns the first mistake in a text of the user's own rules for secrets.
func validRules(text []byte) error {
	_, problems := scrub.New(scrub.Options{Files: []rule.File{{Name: scrubFile, Text: text}}})
	if len(problems) > 0 {
		return errors.New(ProblemText(problems[0]))
	}
	return nil
}
