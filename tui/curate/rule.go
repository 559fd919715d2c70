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

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// ConfigPlace is the file that rules are written to from the Curate screen. The zero value: there is none.
type ConfigPlace struct {
	File string // on disk; it may not exist yet
	Home string // what the tilde means in it
	Dir  string // absolute directory of the store, for a section of its own
}

// ruleEdit is a change of the configuration: proposed, then shown, then written.
type ruleEdit struct {
	file          string
	before, after []byte
	create        bool // the file does not exist yet
	said          string
	why           string // why there is no change to propose, or why it was not written
	written       bool
	undoes        bool            // it undoes an earlier change
	rules         config.Settings // once written
}

const labelRule = "Writing the configuration"

// proposeRule works out rules about the selected actions, or the one under the cursor; they are shown before they are written.
func (s *Screen) proposeRule(id keymap.ID) tea.Cmd {
	chosen := s.list.Chosen()
	if len(chosen) == 0 {
		s.shell.Tell(ui.Info, textNoneChosen)
		return nil
	}
	r := ruling{id: id, actions: chosen, plan: s.list.Plan(), store: s.Rules.Store, place: s.Config}
	backend := s.Store().Backend()
	return s.change(func() ruleEdit { return r.propose(backend) })
}

// change has a change of the configuration worked out and shown.
func (s *Screen) change(propose func() ruleEdit) tea.Cmd {
	switch {
	case s.edits.Blocked():
		return nil
	case s.Config.File == "":
		s.shell.Tell(ui.Info, "No configuration file to write to. Restart with --config FILE")
		return nil
	}
	return ui.Start(s.env.Jobs, ui.Job[ruleEdit]{
		Owner: ownerRule, Label: labelRule, Done: s.ruleReceived,
		Work: func(context.Context, *ui.Progress) (ruleEdit, error) { return propose(), nil },
	})
}

// ruling is what a rule is worked out from.
type ruling struct {
	id      keymap.ID
	actions []policy.Action
	plan    *policy.Plan
	store   string // the section of the store, "" where it has none yet
	place   ConfigPlace
}

const (
	textConfigFailed = "Can't write the configuration: permission denied, or the disk is full"
	textConfigBroken = "Nothing written: the configuration has mistakes. Run memcurator config check"
)

// propose works out how rules about the actions change the configuration. It does I/O.
func (r ruling) propose(b memstore.Backend) ruleEdit {
	return proposeEdit(r.place, func(data []byte) ([]byte, string, error) {
		return r.edit(data, func(path string) int64 { return countLines(b, path) })
	})
}

// proposeEdit reads the configuration and works out how an edit changes it. It does I/O.
func proposeEdit(place ConfigPlace, edit func(data []byte) (after []byte, words string, err error)) ruleEdit {
	e := ruleEdit{file: place.File}
	data, err := config.Read(e.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.create, data = true, config.Starter()
	case err != nil:
		e.why = textConfigFailed
		return e
	default:
		e.before = data
	}
	e.after, e.said, err = edit(data)
	var mistakes config.Mistakes
	var sentence said
	switch {
	case err == nil:
	case errors.As(err, &sentence):
		e.why = string(sentence)
	case errors.As(err, &mistakes):
		e.why = textConfigBroken
	default:
		e.why = "Can't extend the configuration as it is laid out. Edit " + filepath.Base(place.File) + " by hand"
	}
	return e
}

// said is a refusal in a sentence.
type said string

func (s said) Error() string { return string(s) }

// edit returns the configuration with the rules, and what they say in words.
func (r ruling) edit(data []byte, lines func(path string) int64) (after []byte, words string, err error) {
	data, r.store, err = withSection(r.place, data, r.store)
	if err != nil {
		return nil, "", err
	}
	rules, err := r.rules(lines)
	if err != nil {
		return nil, "", err
	}
	for _, one := range rules {
		d, err := config.Edit(r.place.File, data, r.place.Home)
		if err != nil {
			return nil, "", err
		}
		splice, err := one(d)
		if err != nil {
			return nil, "", err
		}
		if data, err = d.Apply(r.place.Home, splice); err != nil {
			return nil, "", err
		}
	}
	return data, r.words(), nil
}

// withSection gives the store a section, unless it has one: a rule about its notes must not hold for those of other stores.
func withSection(place ConfigPlace, data []byte, store string) (after []byte, name string, err error) {
	if store != "" {
		return data, store, nil
	}
	d, err := config.Edit(place.File, data, place.Home)
	if err != nil {
		return nil, "", err
	}
	c, err := config.Parse(place.File, data, place.Home)
	if err != nil {
		return nil, "", err
	}
	name = storeName(place.Dir, c.Stores())
	splice, err := d.AddStore(name, place.Dir)
	if err != nil {
		return nil, "", err
	}
	after, err = d.Apply(place.Home, splice)
	return after, name, err
}

// storeName is a name for the section of a store, of its folder or, where that says nothing, the one above.
func storeName(dir string, taken []config.Store) string {
	base := filepath.Base(dir)
	if up := filepath.Base(filepath.Dir(dir)); (base == "memories" || base == "memory") && up != "." && !strings.ContainsAny(up, `/\`) {
		base = up
	}
	base = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, base)
	name := base
	for n := 2; name == "" || slices.ContainsFunc(taken, func(s config.Store) bool { return s.Name == name }); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name
}

// words say what the rules do, as the beginning of a message.
func (r ruling) words() string {
	what := inStore(r.actions[0].Path)
	if n := len(r.actions); n > 1 {
		what = ui.Count(n, "file")
	}
	switch {
	case r.id == keymap.Pin:
		return "Pinned " + what
	case r.id == keymap.RaiseCap:
		return "Raised the limit of " + what
	}
	return "Kept " + what + ", exception"
}

// rules are the edits that the key stands for, in their order; exceptions that say the same share a rule.
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
		return "", "", said("Not over a limit that can be raised")
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
	return "", "", said("The client sets this limit. {curate/apply} splits the note, {curate/never} keeps it")
}

// storeLimit raises a limit of the whole store; nothing else can be said about it.
func (r ruling) storeLimit(a policy.Action) (key string, v config.Literal, err error) {
	if r.id != keymap.RaiseCap {
		return "", "", said("This is about the whole store. {curate/edit-proposal} changes its limit")
	}
	if a.Key == "max_bytes" {
		return a.Key, config.Size(roomy(r.plan.Bytes, 1024)), nil
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

// globOf is a glob that matches one path and nothing else.
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

const (
	textRuleTitle  = "Write this to %s?"
	textRuleFooter = "{confirm/yes} writes it, {confirm/no} cancels"
)

// ruleReceived shows a proposed change of the configuration, or reports what became of a written one.
func (s *Screen) ruleReceived(e ruleEdit) tea.Cmd {
	switch {
	case e.why != "":
		s.shell.Tell(ui.Warn, s.env.Keyed(e.why))
		return nil
	case e.written:
		s.Rules, s.wrote = e.rules, true
		s.shell.Tell(ui.Info, s.env.Keyed(e.said))
		if e.undoes {
			return s.Replan()
		}
		return tea.Batch(s.edits.Beside(ownerRule, func() tea.Cmd { return s.undoRule(e) }), s.Replan())
	}
	name := filepath.Base(e.file)
	e.said += fmt.Sprintf(" at %s:%d. {global/undo} undoes", name, changedLine(e.before, e.after))
	box := diffpane.NewBox(s.env, fmt.Sprintf(textRuleTitle, name), s.env.Keyed(textRuleFooter))
	s.shell.Open(ui.Box{Overlay: box, Answers: ui.Answers(func() tea.Cmd { return s.writeRule(e) }, nil)})
	return box.Compare(name, e.file, diffpane.InMemory(e.before), diffpane.InMemory(e.after))
}

// writeRule writes a change of the configuration.
func (s *Screen) writeRule(e ruleEdit) tea.Cmd {
	place := s.Config
	return ui.Start(s.env.Jobs, ui.Job[ruleEdit]{
		Owner: ownerRule, Label: labelRule, Write: true, Done: s.ruleReceived,
		Work: func(context.Context, *ui.Progress) (ruleEdit, error) { return e.write(place), nil },
	})
}

// undoRule undoes a change of the configuration.
func (s *Screen) undoRule(done ruleEdit) tea.Cmd {
	e := ruleEdit{
		file: done.file, before: done.after, after: done.before, undoes: true,
		said: "Undid the change to " + filepath.Base(done.file),
	}
	if done.create {
		e.after = config.Starter() // as it would have been begun
	}
	return s.writeRule(e)
}

// changedLine is the number of the first line in which two texts differ.
func changedLine(before, after []byte) int {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	line := 1 + bytes.Count(after[:n], []byte{'\n'})
	for _, text := range bytes.SplitAfter(after[n:], []byte{'\n'}) { // the empty line before a rule is not the rule
		if len(bytes.TrimSpace(text)) > 0 {
			break
		}
		line++
	}
	return line
}

// write writes the change, if the file still is what it was worked out from. It does I/O.
func (e ruleEdit) write(place ConfigPlace) ruleEdit {
	var err error
	if e.create {
		err = config.Create(e.file, e.after, place.Dir)
	} else {
		err = config.Save(e.file, e.before, e.after, place.Dir)
	}
	switch {
	case errors.Is(err, config.ErrInsideStore):
		e.why = "Nothing written: the configuration is inside the store, where the agent could change it"
	case errors.Is(err, config.ErrChanged), errors.Is(err, fs.ErrExist):
		e.why = "Nothing written: another program changed the configuration meanwhile"
	case err != nil:
		e.why = textConfigFailed
	default:
		c, err := config.Parse(e.file, e.after, place.Home)
		if err != nil {
			e.why = textConfigBroken
			return e
		}
		e.rules, e.written = c.For(place.Dir), true
	}
	return e
}
