package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Settings are what the configuration says for one store.
type Settings struct {
	Store string // the name of its section, "" where it has none
	section
}

// For merges what the file says in general with the section of the store in dir, where there is
// one. It asks the disk which directory dir is, links and all. A nil Config says nothing.
func (c *Config) For(dir string) Settings { return c.ForReal(realPath(dir)) }

// ForReal is For, for the absolute path of a store, without links.
func (c *Config) ForReal(real string) Settings {
	s := c.General()
	for _, one := range c.Stores() {
		if realPath(one.Dir.Value) == real {
			s.Store = one.Name
			s.overlay(one.section)
			break
		}
	}
	return s
}

// General are the settings of a store without a section of its own.
func (c *Config) General() Settings {
	if c == nil {
		return Settings{}
	}
	return Settings{section: c.general.clone()}
}

// realPath is a directory without links, or as absolute as it can be where it does not exist.
func realPath(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return filepath.Clean(dir)
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved
	}
	return abs
}

// Inside reports whether a file, or what it links to, is in a directory or below it.
func Inside(file, dir string) bool {
	resolved, err := filepath.EvalSymlinks(file)
	return Within(filepath.Dir(file), dir) || err == nil && Within(filepath.Dir(resolved), dir)
}

// Within reports whether a path is a directory or below it, by name or by identity: a link, a mount, or a file system that ignores case,
// shows one directory under several names.
func Within(path, dir string) bool {
	path = realPath(path)
	if rel, err := filepath.Rel(realPath(dir), path); err == nil && filepath.IsLocal(rel) {
		return true
	}
	want, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for {
		if info, err := os.Stat(path); err == nil && os.SameFile(info, want) {
			return true
		}
		above := filepath.Dir(path)
		if above == path {
			return false
		}
		path = above
	}
}

func (s section) clone() section {
	s.Rules = slices.Clone(s.Rules)
	s.Scrub.Class = slices.Clone(s.Scrub.Class)
	return s
}

// overlay lets what over says stand over s, key by key; its rules come last.
func (s *section) overlay(over section) {
	merge(s, &over)
	s.Rules = append(s.Rules, over.Rules...)
	for _, class := range over.Scrub.Class {
		i := slices.IndexFunc(s.Scrub.Class, func(c ScrubClass) bool { return c.Name == class.Name })
		if i < 0 {
			s.Scrub.Class = append(s.Scrub.Class, class)
			continue
		}
		merge(&s.Scrub.Class[i], &class)
	}
}

// merge lets the values that are set in over stand over those in base, also in the structs in it.
func merge[T any](base, over *T) {
	mergeFields(reflect.ValueOf(base).Elem(), reflect.ValueOf(over).Elem())
}

func mergeFields(base, over reflect.Value) {
	for i := range over.NumField() {
		b, o := base.Field(i), over.Field(i)
		switch value, ok := o.Addr().Interface().(slot); { // a plan asks for many paths: a pointer is not copied
		case ok && value.IsSet():
			b.Set(o)
		case !ok && o.Kind() == reflect.Struct:
			mergeFields(b, o)
		}
	}
}

// Rule merges the rules that match a path, in their order: later ones override earlier ones
// key by key, and each value says where it is from. path is relative to the store, with slashes;
// an agent path below /memories is taken too. Pins and locks count in any spelling of upper and lower case.
func (s Settings) Rule(path string) Keys {
	path = strings.TrimPrefix(path, memoriesRoot)
	var out Keys
	for i := range s.Rules {
		r := &s.Rules[i]
		switch {
		case r.Matches(path):
			merge(&out, &r.Keys)
		case r.Protects() && r.MatchesFold(path):
			merge(&out, &Keys{Pin: r.Keys.Pin, Lock: r.Keys.Lock})
		}
	}
	return out
}

// Protects reports whether the rule says something about pins or locks.
func (r *Rule) Protects() bool { return r.Keys.Pin.IsSet() || r.Keys.Lock.IsSet() }
