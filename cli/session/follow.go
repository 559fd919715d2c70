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
	"memcurator/memstore/watch"
)

// RuleFile is a file with rules for agents, the configuration or scrub.toml, in the version that is in force: the one read at
// the start, then each valid one that was saved. While the file is empty, missing, half written or unreadable, the last valid
// version stays in force.
type RuleFile struct {
	mu     sync.Mutex
	Name   string
	Read   bool // it was needed
	Exists bool
	Text   []byte
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

// Saved reads the file again, which has settled as was; if it has changed since, the next call reads it. use
// tries a version that differs, and returns why it is ignored or "" once it is in force.
// changed reports whether the user should hear of it; why is what is wrong, "" where the file is valid.
func (f *RuleFile) Saved(was config.Stamp, use func(text []byte) (why string)) (why string, changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.Read {
		return "", false
	}
	text, err := config.Read(f.Name)
	if err == nil && !config.StampOf(f.Name).Same(was) {
		return "", false // it is being saved again: this may be a part of it
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
		return f.judged("", false)
	default:
		if why = use(text); why == "" {
			f.Exists, f.Text = true, text
			return f.judged("", true)
		}
	}
	return f.judged(why, false)
}

// judged remembers the verdict, and reports it as changed only once.
func (f *RuleFile) judged(why string, taken bool) (string, bool) {
	changed := taken || why != f.kept
	f.kept = why
	return why, changed
}

const (
	// followAfter is when the watch on the files begins. A short command never starts one, because ending it takes about
	// 10 ms; until then the files are polled every lookEvery.
	followAfter = 500 * time.Millisecond
	lookEvery   = 50 * time.Millisecond
	// unwatchedEvery is how often the files are polled where the system cannot watch them.
	unwatchedEvery = time.Second
)

// ruleFollower gives the guards each good version of the files that is saved.
type ruleFollower struct {
	run    *Session
	start  Settings // flags and variables win over each version
	now    Settings
	guards Taker
	config string
	own    string
	tell   func(Followed)
}

// Followed is what became of a saved version.
type Followed struct {
	Settings Settings // what holds now
	Kept     string   // why the version before stays in force; "": the new one is
	own      bool     // the user's rules of sensitive values, not the configuration
}

// Follow passes each valid version of the rules that is saved to the guards, until stop is called or ctx ends. It calls tell, from
// one goroutine, for each version that came into force or was ignored.
func (run *Session) Follow(ctx context.Context, s Settings, guards Taker, tell func(Followed)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	file, _ := run.ConfigFile()
	if file == "" || file == os.DevNull { // which stands for no configuration at all
		return cancel
	}
	f := &ruleFollower{run: run, start: s, now: s, guards: guards, config: file, own: OwnRulesBeside(file), tell: tell}
	if s.Broken != nil {
		run.configRules.kept = MistakesNotice(s.Broken)
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
	var last stamps // none: what was saved since the start is read in the first round
	poll := time.NewTicker(lookEvery)
	defer poll.Stop()
	begin := time.NewTimer(followAfter)
	defer begin.Stop()
	var changes <-chan struct{}
	for {
		watched := false
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
		case <-begin.C:
			var err error
			if changes, err = watch.File(ctx, f.config, f.own); err != nil {
				f.run.Log.Warn("can't watch the configuration, so polling it", "file", f.config, "error", err)
				poll.Reset(unwatchedEvery)
				break
			}
			poll.Stop()
		case _, watched = <-changes:
			if !watched {
				return // ctx has ended
			}
		}
		is := f.look()
		if is.same(last) && !watched {
			continue
		}
		if last = f.settle(ctx, is); ctx.Err() != nil {
			return
		}
		f.judge(last)
	}
}

// stamps are those of both files.
type stamps struct{ config, own config.Stamp }

func (s stamps) same(o stamps) bool { return s.config.Same(o.config) && s.own.Same(o.own) }

func (f *ruleFollower) look() stamps { return stamps{config.StampOf(f.config), config.StampOf(f.own)} }

// settle waits until the files stop changing: what is read then is a whole version.
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

// judge puts the valid versions in force and reports what changed.
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
		f.guards.Set(f.now.OfStore()) // the scrubber is made again
	}
	if changed {
		f.tell(Followed{Settings: f.now, Kept: why, own: true})
	}
}

// version is the settings with another text of the configuration. Where it masks or refuses values, the user's own rules must be
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
	return s, f.run.needOwnRules(s)
}
