package session

import (
	"bytes"
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

// RuleFile is a file with rules for agents, the configuration or scrub.toml, in the version in force: the one read at the start, then
// each valid version that is saved. While the file is empty, missing, half written or unreadable, the last valid version stays in force.
type RuleFile struct {
	mu     sync.Mutex
	Name   string
	Read   bool // it has been loaded
	Exists bool
	Text   []byte
	broken string // why Text, read at the start, is not in force; "": it is
	kept   string // why the version on disk is ignored; "": it is in force
}

// Load reads the file when it is first needed.
func (f *RuleFile) Load(name string) (text []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Read && f.Name == name {
		if !f.Exists {
			return nil, fs.ErrNotExist
		}
		return f.Text, nil
	}
	text, err = config.ReadSettled(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f.Name, f.Read, f.Exists, f.Text = name, true, err == nil, text
	return text, err
}

// Saved reads the file again after it has settled as was; if it has changed since, the next call reads it. use tries a version that
// differs, and returns why it is ignored, or "" once it is in force. changed reports whether to tell the user; why is the problem, "" if
// the file is valid.
func (f *RuleFile) Saved(was config.Stamp, use func(text []byte) (why string)) (why string, changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.Read {
		return "", false
	}
	text, err := config.Read(f.Name)
	if err == nil && !config.StampOf(f.Name).Same(was) {
		return "", false // it is being saved again, so this may be incomplete
	}
	base := filepath.Base(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !f.Exists:
		return f.judged("", false)
	case errors.Is(err, fs.ErrNotExist):
		why = base + " is gone"
	case err != nil:
		why = base + " can't be read: " + Reason(err)
	case config.Blank(text) && !config.Blank(f.Text):
		why = base + " is empty"
	case f.Exists && bytes.Equal(text, f.Text):
		return f.judged(f.broken, false)
	default:
		if why = use(text); why == "" {
			f.Exists, f.Text, f.broken = true, text, ""
			return f.judged("", true)
		}
	}
	return f.judged(why, false)
}

// judged records the verdict, and reports each change of it once.
func (f *RuleFile) judged(why string, taken bool) (string, bool) {
	changed := taken || why != f.kept
	f.kept = why
	return why, changed
}

const (
	// lookEvery is how often to look at the files at first: a command that ends soon still gets what was saved as it began. From followAfter
	// on it is laterEvery.
	lookEvery   = 50 * time.Millisecond
	followAfter = 500 * time.Millisecond
	laterEvery  = time.Second
)

// ruleFollower passes each valid version of the files to the guards.
type ruleFollower struct {
	run    *Session
	start  Settings // flags and variables take precedence over each version
	now    Settings
	guards Taker
	config string
	own    string
	tell   func(Followed)
}

// Followed is the outcome of a saved version.
type Followed struct {
	Settings Settings // the settings in force
	Kept     string   // why the previous version stays in force; "": the new one is
	own      bool     // about the user's rules for secrets, not the configuration
}

// Follow passes each valid version of the rules to the guards, until stop is called or ctx ends. It calls tell, on one goroutine, for
// each version that came into force or was ignored.
func (run *Session) Follow(ctx context.Context, s Settings, guards Taker, tell func(Followed)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	file, _ := run.ConfigFile()
	if file == "" || file == os.DevNull { // the null device means no configuration
		return cancel
	}
	f := &ruleFollower{run: run, start: s, now: s, guards: guards, config: file, own: OwnRulesBeside(file), tell: tell}
	if s.Broken != nil {
		notice := MistakesNotice(s.Broken)
		run.configRules.broken, run.configRules.kept = notice, notice
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.follow(ctx)
	}()
	return func() { cancel(); <-done }
}

// follow checks the files whenever they may have changed.
func (f *ruleFollower) follow(ctx context.Context) {
	var last stamps // none, so the first round reads what was saved since the start
	poll := time.NewTicker(lookEvery)
	defer poll.Stop()
	begin := time.NewTimer(followAfter)
	defer begin.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
		case <-begin.C:
			poll.Reset(laterEvery)
		}
		is := f.look()
		if is.same(last) {
			continue
		}
		if last = f.settle(ctx, is); ctx.Err() != nil {
			return
		}
		f.judge(last)
	}
}

// stamps are the stamps of both files.
type stamps struct{ config, own config.Stamp }

func (s stamps) same(o stamps) bool { return s.config.Same(o.config) && s.own.Same(o.own) }

func (f *ruleFollower) look() stamps { return stamps{config.StampOf(f.config), config.StampOf(f.own)} }

// settle waits until the files stop changing, so that the next read gets a complete version.
func (f *ruleFollower) settle(ctx context.Context, was stamps) stamps {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for since := time.Now(); time.Since(since) < config.SettledFor; {
		select {
		case <-ctx.Done():
			return was
		case <-tick.C:
		}
		if is := f.look(); !is.same(was) {
			was, since = is, time.Now()
		}
	}
	return was
}

// judge puts valid versions in force and reports what changed.
func (f *ruleFollower) judge(settled stamps) {
	why, changed := f.run.configRules.Saved(settled.config, func(text []byte) string {
		s, err := f.version(text)
		if err != nil {
			return MistakesNotice(err)
		}
		f.now = s
		return ""
	})
	if changed && why == "" {
		f.guards.Set(f.now.OfStore())
	}
	if changed {
		f.tell(Followed{Settings: f.now, Kept: why})
	}
	why, changed = f.run.OwnRules.Saved(settled.own, func(text []byte) string {
		_, problems := scrub.New(scrub.Options{Files: []rule.File{{Name: filepath.Base(f.own), Text: text}}})
		if len(problems) > 0 {
			return ProblemText(problems[0])
		}
		return ""
	})
	if changed && why == "" {
		f.guards.Set(f.now.OfStore()) // to rebuild the scrubber
	}
	if changed {
		f.tell(Followed{Settings: f.now, Kept: why, own: true})
	}
}

// version returns the settings with another text of the configuration. If it masks or refuses values, the user's own rules must be
// readable too.
func (f *ruleFollower) version(text []byte) (Settings, error) {
	s := f.start
	c, keys, err := parseConfig(f.config, text, config.Home(f.run.Env.Getenv))
	if err != nil {
		return s, err
	}
	s.Config, s.Keys, s.Broken = c, keys, nil
	f.run.takeConfig(&s, c.General())
	if s, err = f.run.ForStore(s, s.Dir); err != nil {
		return s, err
	}
	return s, f.run.ScrubRules().check(s)
}
