package curate

import (
	"bytes"
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
	"memcurator/tui/plan"
	"memcurator/tui/ui"
)

// proposeRule works out rules about the selected actions, or the one under the cursor; they are shown before they are written.
func (s *Screen) proposeRule(id keymap.ID) tea.Cmd {
	chosen := s.list.Chosen()
	if len(chosen) == 0 {
		s.shell.Tell(ui.Info, textNoneChosen)
		return nil
	}
	r := ruling{id: id, actions: chosen, plan: s.list.Plan(), store: s.Rules.Store, place: s.config.place}
	backend := s.Store().Backend()
	act, done := r.words()
	return s.config.change(act, done, func(data []byte) ([]byte, error) {
		return r.edit(data, func(path string) int64 { return countLines(backend, path) })
	})
}

// pin keeps proposals away from files and folders, or where all of them are pinned lets them come again.
func (s *Screen) pin(paths []string) tea.Cmd {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == memstore.Root })
	snapshot := s.Snapshot()
	if len(paths) == 0 || snapshot == nil {
		s.shell.Tell(ui.Info, "Choose a file or folder to pin")
		return nil
	}
	r := ruling{id: keymap.Pin, store: s.Rules.Store, place: s.config.place}
	rules, pins := policy.New(s.Rules), 0
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
		return s.unpin(paths)
	}
	act, done := r.words()
	return s.config.change(act, done, func(data []byte) ([]byte, error) { return r.edit(data, nil) })
}

// unpin proposes the configuration without the pins of files.
func (s *Screen) unpin(paths []string) tea.Cmd {
	place, what := s.config.place, inStore(paths[0])
	if n := len(paths); n > 1 {
		what = ui.Count(n, "file")
	}
	return s.config.change("Unpin "+what, "Unpinned "+what, func(data []byte) ([]byte, error) {
		for _, p := range paths {
			c, err := config.Parse(place.File, data, place.Home)
			if err != nil {
				return nil, err
			}
			rules := c.For(place.Dir)
			k := policy.Kept{Action: policy.Action{Path: p}, By: policy.New(rules).Rules(p).Pin.From, With: "pin"}
			rule, ok := ruleAt(rules.Rules, k)
			if !ok || rule.Index < 0 {
				return nil, said("A preset pins " + inStore(p))
			}
			if data, err = withoutException(place, data, rule, k); err != nil {
				return nil, err
			}
		}
		return data, nil
	})
}

// decline keeps the selected actions or the one under the cursor; a kept one it proposes again. A secret is dismissed on its own screen.
func (s *Screen) decline() tea.Cmd {
	if id, ok := s.soleSecret(); ok {
		s.env.Emit(plan.OpenValue{ID: id, Then: keymap.FindingAllow})
		return nil
	}
	k, ok := s.list.Kept()
	if n, _ := s.list.Selection(); !ok || n > 0 {
		return s.proposeRule(keymap.Never)
	}
	rule, ok := ruleAt(s.Rules.Rules, k)
	if !ok {
		s.shell.Tell(ui.Info, "Can't find the exception; it changed meanwhile")
		return nil
	}
	name, place := inStore(k.Path), s.config.place
	return s.config.change("Propose "+name+" again", "Removed the exception for "+name, func(data []byte) ([]byte, error) {
		return withoutException(place, data, rule, k)
	})
}

// ruleAt finds the rule that holds a proposal back.
func ruleAt(rules []config.Rule, k policy.Kept) (config.Rule, bool) {
	for _, r := range rules {
		for _, set := range r.Keys.Explain() {
			if set.Key == k.With && set.From == k.By {
				return r, true
			}
		}
	}
	return config.Rule{}, false
}

// withoutException is the configuration without the exception for one file. An exception that is about more files stays.
func withoutException(place ConfigPlace, data []byte, rule config.Rule, k policy.Kept) ([]byte, error) {
	d, err := config.Edit(place.File, data, place.Home)
	if err != nil {
		return nil, err
	}
	glob, _ := globOf(k.Path)
	left := slices.DeleteFunc(slices.Clone(rule.Match), func(g string) bool { return g == glob })
	at := config.Place{Store: rule.Store, Section: "rule", Rule: rule.Index}
	alone := len(rule.Keys.Explain()) == 1
	switch {
	case len(left) == len(rule.Match):
		return nil, said(fmt.Sprintf("Line %d keeps %s, not this file alone. {global/tab-next} lists the rules", rule.At.Line,
			strings.Join(rule.Match, ", ")))
	case len(left) == 0 && alone:
		splice, err := d.RemoveRule(at)
		if err != nil {
			return nil, err
		}
		return d.Apply(place.Home, splice)
	case len(left) > 0 && !alone:
		return nil, said(fmt.Sprintf("Line %d says more about this file. Edit %s by hand", rule.At.Line, filepath.Base(place.File)))
	}
	drop := []string{k.With}
	if len(left) > 0 {
		drop = nil
	} else {
		left = rule.Match
	}
	splices, err := d.ReplaceRule(at, left, drop)
	if err != nil {
		return nil, err
	}
	return d.Apply(place.Home, splices...)
}

// ruling is what a rule is worked out from.
type ruling struct {
	id      keymap.ID
	actions []policy.Action
	plan    *policy.Plan
	store   string // the section of the store, "" where it has none yet
	place   ConfigPlace
}

// edit returns the configuration with the rules.
func (r ruling) edit(data []byte, lines func(path string) int64) (after []byte, err error) {
	data, r.store, err = withSection(r.place, data, r.store)
	if err != nil {
		return nil, err
	}
	rules, err := r.rules(lines)
	if err != nil {
		return nil, err
	}
	for _, one := range rules {
		d, err := config.Edit(r.place.File, data, r.place.Home)
		if err != nil {
			return nil, err
		}
		splice, err := one(d)
		if err != nil {
			return nil, err
		}
		if data, err = d.Apply(r.place.Home, splice); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// words say what the rules do, as a question without its mark, and as the beginning of a message.
func (r ruling) words() (act, done string) {
	what := inStore(r.actions[0].Path)
	if n := len(r.actions); n > 1 {
		what = ui.Count(n, "file")
	}
	switch {
	case r.id == keymap.Pin:
		return "Pin " + what, "Pinned " + what
	case r.id == keymap.RaiseCap:
		return "Raise the limit of " + what, "Raised the limit of " + what
	}
	if !slices.ContainsFunc(r.actions, func(a policy.Action) bool { return a.Group != policy.Suggested }) {
		return "Stop suggesting changes to " + what, "Stopped suggesting changes to " + what + ", exception" // a rule may still propose it
	}
	return "Keep " + what, "Kept " + what + ", exception"
}

// rules are the edits that the key makes, in their order; exceptions that say the same share a rule.
func (r ruling) rules(lines func(path string) int64) (out []func(*config.Document) (config.Splice, error), err error) {
	type setting struct {
		key   string
		value config.Literal
	}
	var order []setting
	globs := map[setting][]string{}
	for _, a := range r.actions {
		if a.Path == memstore.Root {
			key, value, err := r.storeLimit(a)
			if err != nil {
				return nil, err
			}
			out = append(out, func(d *config.Document) (config.Splice, error) {
				return d.Set(config.Place{Store: r.store, Section: "limits"}, key, value)
			})
			continue
		}
		glob, ok := globOf(a.Path)
		if !ok {
			return nil, said("A rule can't name this path: it has a backslash or invalid UTF-8")
		}
		if a.Info.Kind == memstore.KindDir {
			glob += "/**"
		}
		if r.pins(a) {
			out = append(out, func(d *config.Document) (config.Splice, error) { return d.AddPin(r.store, glob) })
			continue
		}
		key, value, err := r.setting(a, lines)
		if err != nil {
			return nil, err
		}
		one := setting{key, value}
		if globs[one] == nil {
			order = append(order, one)
		}
		if !slices.Contains(globs[one], glob) {
			globs[one] = append(globs[one], glob)
		}
	}
	for _, one := range order {
		out = append(out, func(d *config.Document) (config.Splice, error) {
			return d.AppendRule(r.store, globs[one], config.KeyValue{Key: one.key, Value: one.value})
		})
	}
	return out, nil
}

// pins reports whether the rule about an action is a pin.
func (r ruling) pins(a policy.Action) bool {
	return r.id == keymap.Pin || r.id == keymap.Never && a.Group == policy.UnderCap
}

// setting is the key that keeps a file from being proposed, or a limit with room above it.
func (r ruling) setting(a policy.Action, lines func(path string) int64) (key string, v config.Literal, err error) {
	switch {
	case r.id == keymap.Never && a.Group == policy.Suggested:
		return "suggest", config.Flag(false), nil
	case r.id == keymap.Never && a.Found != nil:
		return "lint", config.Flag(false), nil
	case r.id == keymap.Never:
		return a.Key, liftedLimit(a.Key), nil
	case a.Group != policy.OverCap:
		return "", "", said("No limit to raise here")
	}
	name := inStore(a.Path)
	switch a.Key {
	case "max_file_bytes":
		return a.Key, config.Size(roomy(a.Bytes, 1024)), nil
	case "max_file_lines":
		return a.Key, config.Count(roomy(lines(a.Path), 10)), nil
	case "max_path_bytes":
		return a.Key, config.Count(int64(len(name) + 1)), nil
	case "max_depth":
		return a.Key, config.Count(int64(strings.Count(name, "/"))), nil
	}
	return "", "", said("The client sets this limit. Shorten the file, or {curate/never} keeps it")
}

// storeLimit raises a limit of the whole store; it allows no other exception.
func (r ruling) storeLimit(a policy.Action) (key string, v config.Literal, err error) {
	if r.id != keymap.RaiseCap {
		return "", "", said("This is about the whole store. {curate/edit-proposal} changes its limit")
	}
	switch a.Key {
	case "max_bytes":
		return a.Key, config.Size(roomy(r.plan.Bytes, 1024)), nil
	case "max_tokens":
		return a.Key, config.Count(roomy(r.plan.Tokens, 100)), nil
	}
	return a.Key, config.Count(roomy(int64(r.plan.Files), 10)), nil
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

// roomy is a quarter more than n, rounded up to a unit that suits it.
func roomy(n, unit int64) int64 {
	n += n / 4
	for n/unit >= 100 {
		unit *= 2
	}
	return (n/unit + 1) * unit
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

// countLines counts the lines of a file, as far as it can be read. It does I/O.
func countLines(b memstore.Backend, agentPath string) int64 {
	f, err := b.Open(memstore.BackendName(agentPath), memstore.Look)
	if err != nil {
		return 0
	}
	defer f.Close() // opened for reading: nothing can be lost here
	n, at := int64(1), int64(0)
	for buf := make([]byte, 64<<10); ; {
		got, err := f.ReadAt(buf, at)
		n += int64(bytes.Count(buf[:got], []byte{'\n'}))
		at += int64(got)
		if err != nil || got == 0 {
			return n
		}
	}
}
