package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"memcurator/render/text"
)

// Parse reads a file. name is used in mistakes and origins; home stands for the tilde in
// directories, "" where there is none. The error is [Mistakes].
func Parse(name string, data []byte, home string) (*Config, error) {
	c, mistakes := Check(name, data, home)
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	return c, nil
}

// Check is [Parse] for who has something to say about the words of [keys] too: the Config is
// there, and incomplete, also where mistakes were found.
func Check(name string, data []byte, home string) (*Config, Mistakes) {
	return open(name, data).config(home)
}

// decoder reads the tables of a document by the schema.
type decoder struct {
	*Document
	home string
}

// config reads the document, and returns the mistakes of its form and of its content.
func (d *Document) config(home string) (*Config, Mistakes) {
	read := *d
	read.mistakes = slices.Clone(d.mistakes)
	r := decoder{&read, home}
	c := &Config{File: d.name}
	r.unknown(d.root, "", topNames)
	c.general = r.section(d.root, "")
	c.Keys = r.keys(d.root.get("keys"))
	c.stores = r.stores(d.root.get("stores"))
	c.paths = r.paths(d.root.get("discover"))
	if len(read.mistakes) == 0 {
		read.confirm()
	}
	read.mistakes.Sort()
	if read.full {
		read.mistakes = append(read.mistakes, Mistake{File: d.name, Text: fmt.Sprintf("there are more than these %d mistakes", maxMistakes)})
	}
	return c, read.mistakes
}

// called is how a mistake names a section.
func called(section string) string {
	if section == "" {
		return "at the top level"
	}
	return "in " + section
}

// unknown reports the keys of a table that mean nothing there.
func (d decoder) unknown(t *table, section string, known []string) {
	for _, e := range t.entries {
		if slices.Contains(known, e.name) {
			continue
		}
		hint := ""
		if near := text.Nearest(e.name, known); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		} else if home := homeOf(e.name, section); home != "" {
			hint = fmt.Sprintf(" %s; it belongs in %s", called(section), home)
		} else {
			hint = fmt.Sprintf(" %s; valid keys: %s", called(section), strings.Join(known, ", "))
		}
		d.mistake(e.at.start, "unknown key %s%s", quoted(e.name), hint)
	}
}

// homeOf is the section that has a key of this name.
func homeOf(name, not string) string {
	for _, k := range schema() {
		if k.Name == name && k.Section != "" && k.Section != not {
			return k.Section
		}
	}
	return ""
}

// tableOf is the table of a key, nil where it is missing or something else.
func (d decoder) tableOf(v *value, what string) *table {
	switch {
	case v == nil:
		return nil
	case v.table == nil:
		d.mistake(v.at.start, "%s must be a table, as in [%s]", what, what)
	}
	return v.table
}

// take reads the keys of a table into a struct.
func take[T any](d decoder, t *table, keys []key[T], into *T) {
	for _, k := range keys {
		e := t.index[k.name]
		if e == nil {
			continue
		}
		got, why := k.kind.read(e.val)
		if why != "" {
			d.mistake(e.val.at.start, "%s %s", k.name, why)
			continue
		}
		k.at(into).put(got, d.origin(e.at.start))
	}
}

// section reads what may be set for all stores and for one; the caller reports its unknown keys.
func (d decoder) section(t *table, store string) section {
	prefix := ""
	if store != "" {
		prefix = "stores." + store + "."
	}
	var s section
	take(d, t, sectionKeys, &s)
	if u := d.tableOf(t.get("ui"), prefix+"ui"); u != nil {
		d.unknown(u, "["+prefix+"ui]", names(uiKeys))
		take(d, u, uiKeys, &s.UI)
	}
	// What a preset says comes before what the section says itself.
	for _, p := range d.presets(t) {
		mergeKeys(limitKeys, &s.Limits, &p.limits)
		for _, r := range p.rules {
			r.Store = store
			s.Rules = append(s.Rules, r)
		}
	}
	if l := d.tableOf(t.get("limits"), prefix+"limits"); l != nil {
		d.unknown(l, "["+prefix+"limits]", names(limitKeys))
		take(d, l, limitKeys, &s.Limits)
	}
	if j := d.tableOf(t.get("journal"), prefix+"journal"); j != nil {
		d.unknown(j, "["+prefix+"journal]", names(journalKeys))
		take(d, j, journalKeys, &s.Journal)
	}
	s.Scrub = d.scrub(t.get("scrub"), prefix)
	s.Rules = append(s.Rules, d.rules(t.get("rule"), prefix, store)...)
	return s
}

func (d decoder) scrub(v *value, prefix string) Scrub {
	var s Scrub
	t := d.tableOf(v, prefix+"scrub")
	if t == nil {
		return s
	}
	d.unknown(t, "["+prefix+"scrub]", scrubNames)
	take(d, t, scrubKeys, &s)
	classes := d.tableOf(t.get("class"), prefix+"scrub.class.NAME")
	if classes == nil {
		return s
	}
	s.Class = map[string]ScrubClass{}
	for _, e := range classes.entries {
		name := prefix + "scrub.class." + e.name
		one := d.tableOf(e.val, name)
		if one == nil {
			continue
		}
		d.unknown(one, "["+name+"]", names(scrubClassKeys))
		var c ScrubClass
		take(d, one, scrubClassKeys, &c)
		s.Class[e.name] = c
	}
	return s
}

// rules reads [[rule]].
func (d decoder) rules(v *value, prefix, store string) []Rule {
	if v == nil {
		return nil
	}
	section := "[[" + prefix + "rule]]"
	if v.kind != unstable.Array {
		d.mistake(v.at.start, "a rule needs two brackets: %s", section)
		return nil
	}
	var out []Rule
	for i, one := range v.elems {
		if one.table == nil {
			d.mistake(one.at.start, "a rule must be a table: %s", section)
			continue
		}
		t := one.table
		d.unknown(t, section, ruleNames)
		r := Rule{At: d.origin(one.at.start), Store: store, Index: i}
		r.Match = d.globs(t, one.at.start, section)
		take(d, t, ruleKeys, &r.Keys)
		d.archive(r.Keys, t)
		out = append(out, r)
	}
	return out
}

// archive makes sure that a rule which archives says where to.
func (d decoder) archive(k Keys, t *table) {
	if k.Expire.Value == ExpireArchive && !k.ArchiveTo.IsSet() && t.index["archive_to"] == nil {
		d.mistake(t.index["expire"].at.start, `expire = "archive" needs archive_to = "FOLDER" in the same rule`)
	}
}

// texts reads a string or a list of strings, with their places.
func (d decoder) texts(e *entry, what string) ([]string, []int) {
	v := e.val
	if v.kind == unstable.String {
		return []string{v.text}, []int{v.at.start}
	}
	if v.kind != unstable.Array || v.heads {
		d.mistake(v.at.start, "%s must be %s in quotes, or a list of them", e.name, what)
		return nil, nil
	}
	out, at := []string{}, []int{}
	for _, one := range v.elems {
		if one.kind != unstable.String {
			d.mistake(one.at.start, "%s must be %s in quotes, or a list of them", e.name, what)
			continue
		}
		out, at = append(out, one.text), append(at, one.at.start)
	}
	return out, at
}

// keys reads [keys] and its scopes without checking the names.
func (d decoder) keys(v *value) []Binding {
	t := d.tableOf(v, "keys")
	if t == nil {
		return nil
	}
	var out []Binding
	for _, e := range t.entries {
		if e.val.table == nil {
			out = append(out, d.binding("", Origin{}, e))
			continue
		}
		for _, inner := range e.val.table.entries {
			out = append(out, d.binding(e.name, d.origin(e.at.start), inner))
		}
	}
	return out
}

func (d decoder) binding(scope string, scopeAt Origin, e *entry) Binding {
	b := Binding{Scope: scope, Action: e.name, At: d.origin(e.at.start), ScopeAt: scopeAt}
	keys, at := d.texts(e, "a key")
	if len(keys) == 1 && keys[0] == none {
		return b
	}
	b.Keys = keys
	for _, offset := range at {
		b.KeysAt = append(b.KeysAt, d.origin(offset))
	}
	return b
}

// stores reads [stores.NAME].
func (d decoder) stores(v *value) []Store {
	t := d.tableOf(v, "stores.NAME")
	if t == nil {
		return nil
	}
	var out []Store
	dirs := map[string]string{}
	for _, e := range t.entries {
		one := d.tableOf(e.val, "stores."+e.name)
		if one == nil {
			continue
		}
		d.unknownInStore(one, e.name)
		s := Store{Name: e.name, At: d.origin(e.at.start), section: d.section(one, e.name)}
		dir := one.index["dir"]
		if dir == nil {
			d.mistake(e.at.start, `[stores.%s] needs dir = "DIRECTORY"`, e.name)
			continue
		}
		s.Dir = d.directory("dir", dir.val)
		if other, taken := dirs[s.Dir]; taken && s.Dir != "" {
			d.mistake(dir.val.at.start, "same directory as [stores.%s]", other)
		}
		dirs[s.Dir] = e.name
		out = append(out, s)
	}
	return out
}

func (d decoder) unknownInStore(t *table, name string) {
	if e := t.index["keys"]; e != nil {
		d.mistake(e.at.start, "keys are the same for all stores; move them to [keys]")
	}
	d.unknown(t, "[stores."+name+"]", append([]string{"keys"}, storeNames...))
}

// paths reads [discover].
func (d decoder) paths(v *value) (out []string) {
	t := d.tableOf(v, "discover")
	if t == nil {
		return nil
	}
	d.unknown(t, "[discover]", findNames)
	e := t.index["paths"]
	if e == nil {
		return nil
	}
	if e.val.kind != unstable.Array || e.val.heads {
		d.mistake(e.val.at.start, `paths must be a list of directories in quotes, as in ["~/notes/*/memory"]`)
		return nil
	}
	for _, one := range e.val.elems {
		if dir := d.directory("paths", one); dir != "" && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// directory reads the value of a key: absolute, or below the home folder.
func (d decoder) directory(key string, v *value) string {
	if v.kind != unstable.String || v.text == "" {
		d.mistake(v.at.start, `%s must be a directory in quotes, as in "~/agent/memories"`, key)
		return ""
	}
	dir := v.text
	if rest, ok := text.CutTilde(dir); ok {
		if d.home == "" {
			d.mistake(v.at.start, "%s can't begin with ~, because the home folder is unknown", key)
			return ""
		}
		dir = filepath.Join(d.home, rest)
	}
	if !filepath.IsAbs(dir) || strings.ContainsRune(dir, 0) {
		d.mistake(v.at.start, `%s can't be %s; use an absolute path, or one that begins with "~/"`, key, quoted(v.text))
		return ""
	}
	return filepath.Clean(dir)
}
