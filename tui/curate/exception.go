package curate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/tui/kit"
)

// proposeRule works out rules about the selected actions, or the one under the cursor; they are shown before they are written.
func (s *Screen) proposeRule(id keymap.ID) tea.Cmd {
	chosen := s.list.Chosen()
	if len(chosen) == 0 {
		s.shell.Tell(kit.Info, textNoneChosen)
		return nil
	}
	r := ruling{id: id, actions: chosen, store: s.edits.Rules.Store, place: s.config.place}
	act, done := r.words()
	return s.config.change(act, done, r.edit)
}

// pin keeps proposals away from files and folders.
func (s *Screen) pin(paths []string) tea.Cmd {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == memstore.Root })
	snapshot := s.edits.Loaded()
	if len(paths) == 0 || snapshot == nil {
		s.shell.Tell(kit.Info, "Choose a file or folder to pin")
		return nil
	}
	r := ruling{id: keymap.Pin, store: s.edits.Rules.Store, place: s.config.place}
	rules, pins := policy.New(s.edits.Rules), 0
	for _, p := range paths {
		a := policy.Action{Path: p}
		if n := snapshot.Find(p); n != nil {
			a.Info = n.Info
		}
		if a.Info.Kind == memstore.KindFile && rules.Rules(p).Pin.Value {
			pins++
		}
		r.actions = append(r.actions, a)
	}
	if pins == len(paths) {
		s.shell.Tell(kit.Info, pinnedText(rules.Rules(paths[0]).Pin.From))
		return nil
	}
	act, done := r.words()
	return s.config.change(act, done, r.edit)
}

// pinnedText says where a pin is.
func pinnedText(at config.Origin) string {
	if at.Preset != "" {
		return "A preset pins this"
	}
	return fmt.Sprintf("Pinned already, by line %d of %s", at.Line, filepath.Base(at.File))
}

// ruling is what a rule is worked out from.
type ruling struct {
	id      keymap.ID
	actions []policy.Action
	store   string // the section of the store, "" where it has none yet
	place   ConfigPlace
}

// edit returns the configuration with the rules; files that get the same setting share one.
func (r ruling) edit(data []byte) (after []byte, err error) {
	data, r.store, err = withSection(r.place, data, r.store)
	if err != nil {
		return nil, err
	}
	type setting struct {
		key   string
		value config.Literal
	}
	var order []setting
	globs := map[setting][]string{}
	for _, a := range r.actions {
		if a.Path == memstore.Root {
			return nil, said("This is about the whole store. {curate/edit-proposal} opens the line that limits it")
		}
		glob, ok := globOf(a.Path)
		if !ok {
			return nil, said("A rule can't name this path: it has a backslash or invalid UTF-8")
		}
		if a.Info.Kind == memstore.KindDir {
			glob += "/**"
		}
		key, value := r.setting(a)
		one := setting{key, value}
		if globs[one] == nil {
			order = append(order, one)
		}
		if !slices.Contains(globs[one], glob) {
			globs[one] = append(globs[one], glob)
		}
	}
	for _, one := range order {
		data, err = config.AppendRule(r.place.File, data, r.place.Home, r.store, globs[one], config.KeyValue{Key: one.key, Value: one.value})
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// words say what the rules do, as a question without its mark, and as the beginning of a message.
func (r ruling) words() (act, done string) {
	what := inStore(r.actions[0].Path)
	if n := len(r.actions); n > 1 {
		what = kit.Count(n, "file")
	}
	if r.id == keymap.Pin {
		return "Pin " + what, "Pinned " + what
	}
	if !slices.ContainsFunc(r.actions, func(a policy.Action) bool { return a.Group != policy.Suggested }) {
		return "Stop suggesting changes to " + what, "Stopped suggesting changes to " + what + ", exception" // a rule may still propose it
	}
	return "Keep " + what, "Kept " + what + ", exception"
}

// setting is the key that keeps a file from being proposed.
func (r ruling) setting(a policy.Action) (key string, v config.Literal) {
	switch {
	case r.id == keymap.Pin || a.Group == policy.UnderCap:
		return "pin", config.Flag(true)
	case a.Group == policy.Suggested:
		return "suggest", config.Flag(false)
	case a.Found != nil:
		return "lint", config.Flag(false)
	}
	return a.Key, liftedLimit(a.Key)
}

// liftedLimit is the value with which a key says nothing.
func liftedLimit(key string) config.Literal {
	switch key {
	case "expires":
		return config.Flag(false)
	case "max_idle", "max_age", "ttl":
		return config.Period(0)
	}
	return config.Size(0)
}

// globOf is a glob that matches only one path.
func globOf(agentPath string) (string, bool) {
	name := strings.TrimPrefix(agentPath, memstore.Root+"/")
	if !utf8.ValidString(name) || strings.Contains(name, `\`) {
		return "", false
	}
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune("*?[{", r) {
			b.WriteString("[" + string(r) + "]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), true
}
