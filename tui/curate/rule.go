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
	rules         config.Settings // once written
}

const labelRule = "writing the configuration"

// proposeRule works out a rule about the action under the cursor; it is shown before it is written.
func (s *Screen) proposeRule(id keymap.ID) tea.Cmd {
	a, ok := s.list.Selected()
	switch {
	case !ok:
		s.shell.Tell(ui.Info, textNoneChosen)
		return nil
	case s.edits.Blocked():
		return nil
	case s.Config.File == "":
		s.shell.Tell(ui.Info, "there is no configuration file to write a rule to: name one with --config")
		return nil
	}
	r := ruling{id: id, action: a, plan: s.list.Plan(), store: s.Rules.Store, place: s.Config}
	backend := s.Store().Backend()
	return ui.Start(s.env.Jobs, ui.Job[ruleEdit]{
		Owner: ownerRule, Label: labelRule, Done: s.ruleReceived,
		Work: func(context.Context, *ui.Progress) (ruleEdit, error) { return r.propose(backend), nil },
	})
}

// ruling is what a rule is worked out from.
type ruling struct {
	id     keymap.ID
	action policy.Action
	plan   *policy.Plan
	store  string // the section of the store, "" where it has none yet
	place  ConfigPlace
}

const (
	textConfigFailed = "the configuration cannot be written: permission denied, or the disk is full"
	textConfigBroken = "the configuration has mistakes, nothing is written; memcurator config check names them"
)

// propose reads the configuration and works out how it changes. It does I/O.
func (r ruling) propose(b memstore.Backend) ruleEdit {
	e := ruleEdit{file: r.place.File}
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
	e.after, e.said, err = r.edit(data, func() int64 { return countLines(b, r.action.Path) })
	var mistakes config.Mistakes
	var sentence said
	switch {
	case err == nil:
	case errors.As(err, &sentence):
		e.why = string(sentence)
	case errors.As(err, &mistakes):
		e.why = textConfigBroken
	default:
		e.why = "the configuration is written in a way that cannot be extended here: edit it by hand"
	}
	return e
}

// said is a refusal in a sentence.
type said string

func (s said) Error() string { return string(s) }

// edit returns the configuration with the rule, and what it says in words. A store without a
// section gets one: a rule about its notes must not hold for those of other stores.
func (r ruling) edit(data []byte, lines func() int64) (after []byte, words string, err error) {
	if r.store == "" {
		if data, r.store, err = r.withSection(data); err != nil {
			return nil, "", err
		}
	}
	d, err := config.Edit(r.place.File, data, r.place.Home)
	if err != nil {
		return nil, "", err
	}
	splice, words, err := r.splice(d, lines)
	if err != nil {
		return nil, "", err
	}
	after, err = d.Apply(r.place.Home, splice)
	return after, words, err
}

func (r ruling) withSection(data []byte) (after []byte, name string, err error) {
	d, err := config.Edit(r.place.File, data, r.place.Home)
	if err != nil {
		return nil, "", err
	}
	c, err := config.Parse(r.place.File, data, r.place.Home)
	if err != nil {
		return nil, "", err
	}
	name = storeName(r.place.Dir, c.Stores())
	splice, err := d.AddStore(name, r.place.Dir)
	if err != nil {
		return nil, "", err
	}
	after, err = d.Apply(r.place.Home, splice)
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

const textLoadCap = "the client loads no more than this, whatever is said here: {curate/edit-proposal} edits a split, " +
	"{curate/never} tells it no more"

// splice is the rule that the key stands for.
func (r ruling) splice(d *config.Document, lines func() int64) (config.Splice, string, error) {
	a := r.action
	if a.Path == memstore.Root {
		return r.storeCap(d)
	}
	glob, ok := globOf(a.Path)
	if !ok {
		return config.Splice{}, "", said("a rule cannot name this path: it holds a backslash or bytes that are no text")
	}
	one := func(key string, v config.Literal, words string) (config.Splice, string, error) {
		s, err := d.AppendRule(r.store, []string{glob}, config.KeyValue{Key: key, Value: v})
		return s, words, err
	}
	switch {
	case r.id == keymap.Pin, r.id == keymap.Never && a.Group == policy.UnderCap:
		s, err := d.AddPin(r.store, glob)
		return s, "pinned", err
	case r.id == keymap.Never && a.Found != nil:
		return one("lint", config.Flag(false), "the lint is off")
	case r.id == keymap.Never:
		return one(a.Key, liftedLimit(a.Key), a.Key+" is off")
	case a.Group != policy.OverCap:
		return config.Splice{}, "", said("this is over no cap that could be raised")
	}
	name := strings.TrimPrefix(a.Path, memstore.Root+"/")
	switch a.Key {
	case "max_file_bytes":
		v := config.Size(roomy(a.Bytes, 1024))
		return one(a.Key, v, raisedText(a.Key, string(v)))
	case "max_file_lines":
		v := config.Count(roomy(lines(), 10))
		return one(a.Key, v, raisedText(a.Key, string(v)))
	case "max_path_bytes":
		v := config.Count(int64(len(name) + 1))
		return one(a.Key, v, raisedText(a.Key, string(v)))
	case "max_depth":
		v := config.Count(int64(strings.Count(name, "/")))
		return one(a.Key, v, raisedText(a.Key, string(v)))
	}
	return config.Splice{}, "", said(textLoadCap)
}

// raisedText describes a cap as it is now.
func raisedText(key, value string) string { return key + " is " + value }

// storeCap raises a cap of the whole store; nothing else can be said about it.
func (r ruling) storeCap(d *config.Document) (config.Splice, string, error) {
	if r.id != keymap.RaiseCap {
		return config.Splice{}, "", said("this is about the whole store: {curate/raise} raises its cap")
	}
	v := config.Count(roomy(int64(r.plan.Files), 10))
	if r.action.Key == "max_bytes" {
		v = config.Size(roomy(r.plan.Bytes, 1024))
	}
	s, err := d.Set(config.Place{Store: r.store, Section: "limits"}, r.action.Key, v)
	return s, raisedText(r.action.Key, string(v)), err
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
	textRuleTitle  = "Write this to the configuration?"
	textRuleFooter = "the file as it is against what {confirm/yes} writes; {confirm/no} leaves it"
)

// ruleReceived shows a proposed change of the configuration, or reports what became of a written one.
func (s *Screen) ruleReceived(e ruleEdit) tea.Cmd {
	switch {
	case e.why != "":
		s.shell.Tell(ui.Warn, s.env.Keyed(e.why))
		return nil
	case e.written:
		s.Rules, s.wrote = e.rules, true
		s.shell.Tell(ui.Info, e.said)
		return s.Replan()
	}
	a, _ := s.list.Selected()
	e.said = fmt.Sprintf("%s: %s, written to %s", a.Path, e.said, filepath.Base(e.file))
	place := s.Config
	write := func() tea.Cmd {
		return ui.Start(s.env.Jobs, ui.Job[ruleEdit]{
			Owner: ownerRule, Label: labelRule, Write: true, Done: s.ruleReceived,
			Work: func(context.Context, *ui.Progress) (ruleEdit, error) { return e.write(place), nil },
		})
	}
	box := diffpane.NewBox(s.env, textRuleTitle, s.env.Keyed(textRuleFooter))
	s.shell.Open(ui.Box{Overlay: box, Answers: ui.Answers(write, nil)})
	return box.Compare(filepath.Base(e.file), e.file, diffpane.InMemory(e.before), diffpane.InMemory(e.after))
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
		e.why = "the configuration lies inside the memory directory, where the agent could change it: nothing is written"
	case errors.Is(err, config.ErrChanged), errors.Is(err, fs.ErrExist):
		e.why = "the configuration was changed by another program meanwhile: nothing is written"
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
