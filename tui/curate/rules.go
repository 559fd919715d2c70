package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// ConfigPlace is the file that rules are written to from the Curate screen. The zero value: none.
type ConfigPlace struct {
	File string // on disk; it may not exist yet
	Home string // what the tilde means in it
	Dir  string // absolute directory of the store, for a section of its own
}

// configEdit is a change of the configuration: lines at its end, or what undoes them.
type configEdit struct {
	place         ConfigPlace
	before, after []byte
	create        bool   // the file does not exist yet, and before is what it starts with
	did           string // "Pinned a.md", for the messages
	said          string // the message once it is written
	why           string // why it can't be, or could not be
	undoes        bool   // an earlier change
	rules         config.Settings
}

// said is a refusal in a sentence.
type said string

func (s said) Error() string { return string(s) }

// propose works out how an edit changes the configuration. It does I/O.
func propose(place ConfigPlace, did string, edit func(data []byte) ([]byte, error)) configEdit {
	e := configEdit{place: place, did: did}
	data, err := config.Read(place.File)
	if errors.Is(err, fs.ErrNotExist) {
		e.create, data, err = true, config.Starter(), nil
	}
	if err == nil {
		e.before = data
		e.after, err = edit(data)
	}
	var mistakes config.Mistakes
	switch {
	case errors.As(err, &mistakes):
		e.why = "Nothing written: the configuration has mistakes. Run memcurator config check"
	case err != nil:
		e.why = err.Error()
	}
	return e
}

// name is the file of the change, for messages.
func (e configEdit) name() string { return filepath.Base(e.place.File) }

// added are the lines that the change adds at the end of the file, and the number of the first one.
func (e configEdit) added() (lines []string, first int) {
	tail := bytes.TrimPrefix(e.after, e.before)
	from := len(e.after) - len(bytes.TrimLeft(tail, "\r\n"))
	return strings.Split(strings.TrimSpace(string(tail)), "\n"), bytes.Count(e.after[:from], []byte{'\n'}) + 1
}

// intro says where the added lines are, above them.
func (e configEdit) intro() string {
	_, first := e.added()
	if e.create {
		return fmt.Sprintf("Creates %s with the default settings, and this at line %d:", e.name(), first)
	}
	return fmt.Sprintf("Adds to %s, line %d:", e.name(), first)
}

// save writes the change, if the file still is what it was worked out from. It does I/O.
func (e configEdit) save() configEdit {
	var err error
	if e.create {
		err = config.Create(e.place.File, e.after, e.place.Dir)
	} else {
		err = config.Save(e.place.File, e.before, e.after, e.place.Dir)
	}
	if err == nil {
		var c *config.Config
		if c, err = config.Parse(e.place.File, e.after, e.place.Home); err == nil {
			e.rules = c.For(e.place.Dir)
		}
	}
	if err != nil {
		e.why = "Nothing written: " + err.Error()
		if e.undoes {
			e.why = fmt.Sprintf("Can't undo: %s. Change %s yourself: %s", e.did, e.place.File, err)
		}
	}
	return e
}

// noConfig reports whether there is no configuration to write to, and says so.
func (s *Screen) noConfig(place ConfigPlace) bool {
	if place.File == "" {
		s.shell.Tell(kit.Info, "No configuration file to write to. Restart with --config FILE")
	}
	return place.File == ""
}

// change has a change of the configuration worked out, and asks before it is written. asks is the question without its mark, did what it is
// once it is written; effect says in the job what it brings about, in the question and after did, nil where the lines say so. After each
// write and undo it calls written.
func (s *Screen) change(place ConfigPlace, asks, did string, edit func([]byte) ([]byte, error),
	effect func(ctx context.Context, after []byte) (body, now string, err error), written func(configEdit) tea.Cmd,
) tea.Cmd {
	if s.noConfig(place) {
		return nil
	}
	body, now := "", ""
	return kit.Start(s.env.Jobs, kit.Job[configEdit]{
		Owner: ownerRule, Label: labelRule,
		Work: func(ctx context.Context, _ *kit.Progress) (e configEdit, err error) {
			if e = propose(place, did, edit); e.why == "" && effect != nil {
				body, now, err = effect(ctx, e.after)
			}
			return e, err
		},
		Done: func(e configEdit) tea.Cmd {
			if e.why != "" {
				s.shell.Tell(kit.Warn, e.why)
				return nil
			}
			lines, first := e.added()
			body += e.intro() + "\n"
			for _, line := range lines {
				body += "  + " + text.Clean(line) + "\n"
			}
			e.said = fmt.Sprintf("%s at %s:%d%s", did, e.name(), first, now) + s.env.Keyed(". {global/undo} undoes")
			question := overlay.NewQuestion(s.env, asks+"?", body+s.env.Keyed("{global/undo} undoes."))
			question.Diff = true
			s.shell.Open(kit.Box{Overlay: question, Answers: kit.Answers(func() tea.Cmd { return s.writeChange(e, written) }, nil)})
			return nil
		},
	})
}

const labelRule = "Writing the configuration"

// writeChange writes a change of the configuration, which one undo withdraws. A file that it created stays, as created.
func (s *Screen) writeChange(e configEdit, written func(configEdit) tea.Cmd) tea.Cmd {
	back := e
	back.create, back.undoes = false, true
	back.before, back.after = e.after, e.before
	back.said = "Undone in " + e.name() + ": " + e.did + s.env.Keyed(". {global/redo} redoes")
	again := e
	again.create = false
	return s.writeConfig(e, func(done configEdit) tea.Cmd {
		undo := func() tea.Cmd { return s.writeConfig(back, written) }
		redo := func() tea.Cmd { return s.writeConfig(again, written) }
		return tea.Batch(s.edits.AddUnrecorded(ownerRule, undo, redo), written(done))
	})
}

// writeConfig writes the configuration, and calls written once it is.
func (s *Screen) writeConfig(e configEdit, written func(configEdit) tea.Cmd) tea.Cmd {
	return kit.Start(s.env.Jobs, kit.Job[configEdit]{
		Owner: ownerRule, Label: labelRule, Write: true,
		Work: func(context.Context, *kit.Progress) (configEdit, error) { return e.save(), nil },
		Done: func(e configEdit) tea.Cmd {
			if e.why != "" {
				s.shell.Tell(kit.Warn, e.why)
				return nil
			}
			s.shell.Tell(kit.Info, e.said)
			return written(e)
		},
	})
}

// configWritten takes in the rules that were written.
func (s *Screen) configWritten(e configEdit) tea.Cmd {
	s.edits.Rules = e.rules
	return s.Replan()
}

// readConfig takes in the rules of a configuration that the user has edited. With mistakes in it, those from before stay; without a file
// there are none.
func (s *Screen) readConfig() tea.Cmd {
	return kit.Start(s.env.Jobs, kit.Job[config.Settings]{
		Owner: ownerRule, Label: "reading the configuration",
		Work: func(context.Context, *kit.Progress) (rules config.Settings, err error) {
			data, err := config.Read(s.config.File)
			if errors.Is(err, fs.ErrNotExist) { // the editor was left without saving a new one
				return rules, nil
			}
			if err != nil {
				return rules, err
			}
			c, mistakes := config.Check(s.config.File, data, s.config.Home)
			if len(mistakes) > 0 {
				return rules, fmt.Errorf("The rules before it stay: %w", mistakes[0])
			}
			return c.For(s.config.Dir), nil
		},
		Done: func(rules config.Settings) tea.Cmd {
			s.edits.Rules = rules
			return s.Replan()
		},
	})
}

// ruleWritten is configWritten of a new rule: the next plan puts the cursor on what it proposes.
func (s *Screen) ruleWritten(e configEdit) tea.Cmd {
	if !e.undoes {
		_, s.newRule = e.added()
	}
	return s.configWritten(e)
}

// appendRule returns the configuration with one more rule about the store, in a section of its own: a rule about its notes must not apply
// to other stores.
func appendRule(place ConfigPlace, store string, data []byte, globs []string, keys []config.KeyValue) ([]byte, error) {
	if store == "" {
		c, err := config.Parse(place.File, data, place.Home)
		if err != nil {
			return nil, err
		}
		store = storeName(place.Dir, c.Stores())
		if data, err = config.AppendStore(place.File, data, place.Home, store, place.Dir); err != nil {
			return nil, err
		}
	}
	return config.AppendRule(place.File, data, place.Home, store, globs, keys...)
}

// storeName is a name for the section of a store, of its folder or, where that says nothing, the one above.
func storeName(dir string, taken []config.Store) string {
	base := filepath.Base(dir)
	if up := filepath.Base(filepath.Dir(dir)); (base == "memories" || base == "memory") && up != "." && !strings.ContainsAny(up, `/\`) {
		base = up
	}
	name := base
	for n := 2; name == "" || slices.ContainsFunc(taken, func(s config.Store) bool { return s.Name == name }); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name
}

// except proposes one rule that keeps the chosen proposals away from their files.
func (s *Screen) except() tea.Cmd {
	list := s.list.Chosen()
	if len(list) == 0 {
		s.shell.Tell(kit.Info, textNoneChosen)
		return nil
	}
	what := inStore(list[0].Path)
	if len(list) > 1 {
		what = kit.Count(len(list), "file")
	}
	place, store := s.config, s.edits.Rules.Store
	whole := said(s.env.Keyed("This is about the whole store. {curate/edit-proposal} opens the line that limits it"))
	return s.change(place, "Keep "+what, "Made a rule that keeps "+what, func(data []byte) ([]byte, error) {
		var globs []string
		var keys []config.KeyValue
		for _, a := range list {
			glob, ok := globOf(a.Path)
			switch {
			case a.Path == memstore.Root:
				return nil, whole
			case !ok:
				return nil, said("A rule can't name this path: it has a backslash or invalid UTF-8")
			case a.Info.Kind == memstore.KindDir:
				glob += "/**"
			}
			if !slices.Contains(globs, glob) {
				globs = append(globs, glob)
			}
			if set := exception(a); !slices.Contains(keys, set) {
				keys = append(keys, set)
			}
		}
		return appendRule(place, store, data, globs, keys)
	}, func(context.Context, []byte) (body, now string, err error) {
		if slices.ContainsFunc(list, func(a policy.Action) bool { return a.Group == policy.Suggested }) {
			body = "No check suggests anything for it any more, nor names text that was planted in it.\n\n"
		}
		return body, "", nil
	}, s.configWritten)
}

// exception is what keeps a file from being proposed.
func exception(a policy.Action) config.KeyValue {
	switch {
	case a.Group == policy.Suggested:
		return config.KeyValue{Key: "suggest", Value: config.Flag(false)}
	case a.Key == "max_idle" || a.Key == "max_age" || a.Key == "ttl":
		return config.KeyValue{Key: a.Key, Value: config.Period(0)}
	}
	return config.KeyValue{Key: a.Key, Value: config.Size(0)}
}

// globOf is a glob that matches only one path.
func globOf(agentPath string) (string, bool) {
	name := inStore(agentPath)
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune("*?[{", r) {
			b.WriteString("[" + string(r) + "]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), utf8.ValidString(name) && !strings.Contains(name, `\`)
}

// AddFolder proposes the configuration with a section for one more store, in place.Dir, and writes it after a yes. written is how the
// configuration names the folder; listed is called with it whenever the file has changed.
func (s *Screen) AddFolder(place ConfigPlace, written string, listed func(dir string) tea.Cmd) tea.Cmd {
	dir := place.Dir
	name := text.Clean(written)
	return s.change(place, "Add "+name+" to the stores", "Added "+name, func(data []byte) ([]byte, error) {
		c, err := config.Parse(place.File, data, place.Home)
		if err != nil {
			return nil, err
		}
		if slices.Contains(c.Paths(), dir) || slices.ContainsFunc(c.Stores(), func(one config.Store) bool { return one.Dir.Value == dir }) {
			return nil, said("The configuration lists " + name + " already")
		}
		return config.AppendStore(place.File, data, place.Home, storeName(dir, c.Stores()), written)
	}, nil, func(configEdit) tea.Cmd { return listed(dir) })
}
