package config

import (
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"memcurator/memstore"
)

// key is one key of a section: its name, what its values look like, what it is for, and where
// the value goes. The tables below are all there is: the reader, "config show", the editor
// and the test of the documentation take them.
type key[T any] struct {
	name string
	kind kind
	at   func(*T) slot
	// def is the default, as TOML; "" where it is not a value.
	def string
}

// Themes are the names of the themes.
func Themes() []string { return []string{"auto", "dark", "light", "contrast", "mono"} }

// sorts are the orders of the tree.
func sorts() []string { return []string{"name", "size", "age"} }

// dialects reads the name of a dialect.
var dialects = kind{
	name: words(dialectNames()...).name,
	read: func(v *value) (any, string) {
		if d, err := memstore.ParseDialect(v.text); err == nil {
			return d, ""
		}
		if _, why := words(dialectNames()...).read(v); why != "" {
			return nil, why
		}
		return nil, "can't be " + quoted(v.text)
	},
	write: func(v any) string { return literal(v.(memstore.Dialect).String()) },
}

func dialectNames() []string {
	var names []string
	for _, d := range memstore.Dialects() {
		names = append(names, d.String())
	}
	return names
}

// expiries reads what is proposed for what has expired. "tell" is the old word for "warn".
var expiries = kind{
	name: expiryWords.name, write: expiryWords.write,
	read: func(v *value) (any, string) {
		if v.kind == unstable.String && v.text == "tell" {
			return ExpireWarn, ""
		}
		return expiryWords.read(v)
	},
}

var expiryWords = words(ExpireDelete, ExpireArchive, expireQuarantine, ExpireWarn)

var modes = words(ModeOff, ModeWarn, ModeRefuse)

var sectionKeys = []key[section]{
	{"dialect", dialects, func(s *section) slot { return &s.Dialect }, `"docs"`},
	{"index", words(indexKeep, IndexLeave), func(s *section) slot { return &s.Index }, `"keep"`},
	{"agents_edit", words(agentsEditProject, AgentsEditAll), func(s *section) slot { return &s.AgentsEdit }, `"project"`},
}

var uiKeys = []key[UI]{
	{"theme", words(Themes()...), func(u *UI) slot { return &u.Theme }, `"auto"`},
	{"ascii", boolean, func(u *UI) slot { return &u.ASCII }, ""},
	{"mouse", boolean, func(u *UI) slot { return &u.Mouse }, `true`},
	{"wrap", boolean, func(u *UI) slot { return &u.Wrap }, `true`},
	{"hidden", boolean, func(u *UI) slot { return &u.Hidden }, `true`},
	{"follow", boolean, func(u *UI) slot { return &u.Follow }, `false`},
	{"sort", words(sorts()...), func(u *UI) slot { return &u.Sort }, `"name"`},
	{"bell", boolean, func(u *UI) slot { return &u.Bell }, `false`},
}

var limitKeys = []key[Limits]{
	{"max_files", count, func(l *Limits) slot { return &l.MaxFiles }, `"none"`},
	{"max_bytes", size, func(l *Limits) slot { return &l.MaxBytes }, `"none"`},
	{"max_tokens", count, func(l *Limits) slot { return &l.MaxTokens }, `"none"`},
	{"read_chars", count, func(l *Limits) slot { return &l.ReadChars }, `"none"`},
	{"mode", modes, func(l *Limits) slot { return &l.Mode }, `"refuse"`},
}

var journalKeys = []key[Journal]{
	{"keep", duration, func(j *Journal) slot { return &j.Keep }, `"none"`},
	{"max_bytes", size, func(j *Journal) slot { return &j.MaxBytes }, `"none"`},
	{"copy", words(CopyDaily, copyOff), func(j *Journal) slot { return &j.Copy }, `"daily"`},
	{"record", words(recordOpened, RecordAll), func(j *Journal) slot { return &j.Record }, `"opened"`},
}

var ruleKeys = []key[Keys]{
	{"max_idle", duration, func(k *Keys) slot { return &k.MaxIdle }, `"none"`},
	{"max_age", duration, func(k *Keys) slot { return &k.MaxAge }, `"none"`},
	{"ttl", duration, func(k *Keys) slot { return &k.TTL }, `"none"`},
	{"expire", expiries, func(k *Keys) slot { return &k.Expire }, `"delete"`},
	{"archive_to", folder, func(k *Keys) slot { return &k.ArchiveTo }, ""},
	{"expires", boolean, func(k *Keys) slot { return &k.Expires }, `false`},
	{"max_file_bytes", size, func(k *Keys) slot { return &k.MaxFileBytes }, `"none"`},
	{"max_file_lines", count, func(k *Keys) slot { return &k.MaxFileLines }, `"none"`},
	{"max_path_bytes", size, func(k *Keys) slot { return &k.MaxPathBytes }, `"none"`},
	{"max_depth", count, func(k *Keys) slot { return &k.MaxDepth }, `"none"`},
	{"load_lines", count, func(k *Keys) slot { return &k.LoadLines }, `"none"`},
	{"load_bytes", size, func(k *Keys) slot { return &k.LoadBytes }, `"none"`},
	{"load_tokens", count, func(k *Keys) slot { return &k.LoadTokens }, `"none"`},
	{"mode", modes, func(k *Keys) slot { return &k.Mode }, `"refuse"`},
	{"lint", boolean, func(k *Keys) slot { return &k.Lint }, `true`},
	{"suggest", boolean, func(k *Keys) slot { return &k.Suggest }, `true`},
	{"pin", boolean, func(k *Keys) slot { return &k.Pin }, `false`},
	{"lock", boolean, func(k *Keys) slot { return &k.Lock }, `false`},
}

var scrubModes = words(ScrubOff, ScrubWarn, ScrubMask, scrubRefuse)

var scrubKeys = []key[Scrub]{
	{"on_write", scrubModes, func(s *Scrub) slot { return &s.OnWrite }, `"off"`},
}

var scrubClassKeys = []key[ScrubClass]{
	{"on_write", scrubModes, func(c *ScrubClass) slot { return &c.OnWrite }, ""},
	{"enabled", boolean, func(c *ScrubClass) slot { return &c.Enabled }, `true`},
}

func names[T any](keys []key[T]) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.name
	}
	return out
}

// The keys that hold tables, or more than a value.
var (
	wholeNames = []string{"preset", "ui", "limits", "journal", "rule", "scrub"}
	topNames   = slices.Concat(names(sectionKeys), wholeNames, []string{"discover", "keys", "stores"})
	findNames  = []string{"paths"}
	storeNames = slices.Concat([]string{"dir"}, names(sectionKeys), wholeNames)
	ruleNames  = slices.Concat([]string{"match"}, names(ruleKeys))
	scrubNames = slices.Concat(names(scrubKeys), []string{"class"})
)

// keyDoc describes one key for the documentation and for completion.
type keyDoc struct {
	Section string // "", "[ui]", "[[rule]]", "[stores.NAME]" ...
	Name    string
	Type    string
	Default string // as TOML; "" where it is not a value
}

// schema lists every key that a file may have, but those of [keys], which are the actions of
// the user interface.
func schema() []keyDoc {
	var out []keyDoc
	out = append(out, describe("", sectionKeys)...)
	out = append(out, keyDoc{"", "preset", "word or list of words: " + list(presetNames()), "[]"})
	out = append(out, describe("[ui]", uiKeys)...)
	out = append(out, describe("[limits]", limitKeys)...)
	out = append(out, describe("[journal]", journalKeys)...)
	out = append(out, keyDoc{"[[rule]]", "match", "glob or list of globs", ""})
	out = append(out, describe("[[rule]]", ruleKeys)...)
	out = append(out, describe("[scrub]", scrubKeys)...)
	out = append(out, describe("[scrub.class.NAME]", scrubClassKeys)...)
	out = append(out, keyDoc{"[discover]", "paths", `list of directories, absolute or with "~/"`, "[]"})
	out = append(out, keyDoc{"[stores.NAME]", "dir", `directory, absolute or with "~/"`, ""})
	return out
}

func describe[T any](section string, keys []key[T]) []keyDoc {
	out := make([]keyDoc, len(keys))
	for i, k := range keys {
		out[i] = keyDoc{section, k.name, k.kind.name, k.def}
	}
	return out
}

// mergeKeys lets what over says stand over what is in base, key by key.
func mergeKeys[T any](keys []key[T], base, over *T) {
	for _, k := range keys {
		if from := k.at(over); from.origin().isSet() {
			k.at(base).put(from.get(), from.origin())
		}
	}
}
