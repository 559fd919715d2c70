package curate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/config"
	"memcurator/render/text"
)

// ConfigPlace is the file that rules are written to from the Curate screen. The zero value: none.
type ConfigPlace struct {
	File string // on disk; it may not exist yet
	Home string // what the tilde means in it
	Dir  string // absolute directory of the store, for a section of its own
}

// configEdit is a change of the configuration: proposed, then shown, then written.
type configEdit struct {
	file          string
	before, after []byte
	create        bool   // the file does not exist yet: the change is one of the starting file
	asks          string // the question before it is written
	said          string // the message once it is
	did           string // what it is, for the messages of its undo
	why           string // why no change is proposed, or why it was not written
	written       bool
	undoes        bool            // it undoes or redoes an earlier change
	rules         config.Settings // once written
	made          *config.Rule    // the rule that it wrote, once written
}

const (
	textConfigFailed = "Can't write the configuration: permission denied, or the disk is full"
	textConfigBroken = "Nothing written: the configuration has mistakes. Run memcurator config check"
)

// proposeEdit reads the configuration and works out how an edit changes it. It does I/O.
func proposeEdit(place ConfigPlace, edit func(data []byte) (after []byte, err error)) configEdit {
	e := configEdit{file: place.File}
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
	e.after, err = edit(data)
	var mistakes config.Mistakes
	var sentence said
	switch {
	case err == nil:
	case errors.As(err, &sentence):
		e.why = string(sentence)
	case errors.As(err, &mistakes):
		e.why = textConfigBroken
	default:
		e.why = "Can't change " + filepath.Base(place.File) + ": " + err.Error()
	}
	return e
}

// said is a refusal in a sentence.
type said string

func (s said) Error() string { return string(s) }

// write writes the change, if the file still is what it was worked out from. It does I/O.
func (e configEdit) write(place ConfigPlace) configEdit {
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

// withSection adds a section for the store, unless it has one: a rule about its notes must not apply to other stores.
func withSection(place ConfigPlace, data []byte, store string) (after []byte, name string, err error) {
	if store != "" {
		return data, store, nil
	}
	c, err := config.Parse(place.File, data, place.Home)
	if err != nil {
		return nil, "", err
	}
	name = storeName(place.Dir, c.Stores())
	after, err = config.AppendStore(place.File, data, place.Home, name, place.Dir)
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

// base is what an edit began with.
func (e configEdit) base() []byte {
	if e.create {
		return config.Starter()
	}
	return e.before
}

// reverse undoes a change that was written, and the reverse of that redoes it.
func (e configEdit) reverse(said string) configEdit {
	return configEdit{file: e.file, before: e.after, after: e.base(), undoes: true, said: said, did: e.did}
}

// line is where the change begins: its first rule, else its first line.
func (e configEdit) line() int {
	_, added, line := changedLines(e.base(), e.after)
	for i, text := range added {
		if strings.HasPrefix(strings.TrimSpace(text), "[[") {
			return line + i
		}
	}
	return line
}

// place is the file of the change and the line where it begins.
func (e configEdit) place() string { return fmt.Sprintf("%s:%d", filepath.Base(e.file), e.line()) }

// nameIn is the file of the change as a person writes it.
func (e configEdit) nameIn(home string) string {
	if short := text.Tilde(e.file, home); short != e.file {
		return short
	}
	return filepath.Base(e.file)
}

// intro says where the change is, above its lines.
func (e configEdit) intro(home string) string {
	removed, _, line := changedLines(e.base(), e.after)
	verb := "Adds to"
	switch {
	case e.create:
		verb = "Creates"
	case len(removed) > 0:
		verb = "Changes"
	}
	return fmt.Sprintf("%s %s, line %d:", verb, e.nameIn(home), line)
}

// lines are the lines of the change, each with its sign.
func (e configEdit) lines() (list []string) {
	removed, added, _ := changedLines(e.base(), e.after)
	for _, l := range removed {
		list = append(list, "- "+l)
	}
	for _, l := range added {
		list = append(list, "+ "+l)
	}
	return list
}

// changedLines are the lines in which two texts differ, without empty ones at the ends, and the number of the first.
func changedLines(before, after []byte) (removed, added []string, line int) {
	a, b := bytes.Split(before, []byte{'\n'}), bytes.Split(after, []byte{'\n'})
	from := 0
	for from < len(a) && from < len(b) && bytes.Equal(a[from], b[from]) {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && bytes.Equal(a[endA-1], b[endB-1]) {
		endA, endB = endA-1, endB-1
	}
	for from < endB && len(bytes.TrimSpace(b[from])) == 0 && (from >= endA || len(bytes.TrimSpace(a[from])) == 0) {
		from++
	}
	lines := func(list [][]byte) (out []string) {
		for _, l := range list {
			out = append(out, string(l))
		}
		return out
	}
	if from < endA {
		removed = lines(a[from:endA])
	}
	if from < endB {
		added = lines(b[from:endB])
	}
	if len(removed) == 0 || len(added) == 0 { // a blank line beside a rule is not the rule
		removed, added = trimmedEnd(removed), trimmedEnd(added)
	}
	return removed, added, from + 1
}

func trimmedEnd(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
