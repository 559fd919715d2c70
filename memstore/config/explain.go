package config

import (
	"bytes"
	_ "embed"
	"maps"
	"slices"
)

//go:embed starter.toml
var starter []byte

// Starter is a file to begin with: every key, explained and commented out. It sets nothing.
func Starter() []byte { return slices.Clone(starter) }

// Recommended is the Starter as "config init" writes it: what an agent writes is scanned for secrets,
// which are reported and not changed.
func Recommended() []byte {
	return bytes.Replace(starter, []byte("[scrub]\n#on_write = \"off\"\n"), []byte("[scrub]\non_write = \"warn\"\n"), 1)
}

// Setting is one value with its name and where it came from, for people and for scripts.
type Setting struct {
	Section string // "", "[ui]", "[limits]" ...; "" too for the keys of a path
	Key     string
	Value   string // as TOML
	From    Origin
}

// Explain lists what holds for a store, defaults included, in the order of the documentation.
// Rules are not in it.
func (s Settings) Explain() []Setting {
	out := explain("", sectionKeys, &s.section)
	out = append(out, explain("[ui]", uiKeys, &s.UI)...)
	out = append(out, explain("[limits]", limitKeys, &s.Limits)...)
	out = append(out, explain("[journal]", journalKeys, &s.Journal)...)
	out = append(out, explain("[scrub]", scrubKeys, &s.Scrub)...)
	for _, name := range slices.Sorted(maps.Keys(s.Scrub.Class)) {
		class := s.Scrub.Class[name]
		out = append(out, explain("[scrub.class."+bareKey(name)+"]", scrubClassKeys, &class)...)
	}
	return out
}

// Explain lists what is set by a rule, or holds for a path.
func (k Keys) Explain() []Setting {
	return slices.DeleteFunc(explain("", ruleKeys, &k), func(s Setting) bool { return !s.From.isSet() })
}

func explain[T any](section string, keys []key[T], in *T) []Setting {
	var out []Setting
	for _, k := range keys {
		switch v := k.at(in); {
		case v.origin().isSet():
			out = append(out, Setting{section, k.name, k.kind.write(v.get()), v.origin()})
		case k.def != "":
			out = append(out, Setting{Section: section, Key: k.name, Value: k.def})
		}
	}
	return out
}
