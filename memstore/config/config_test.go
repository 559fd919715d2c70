package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

const home = "/home/me"

// everything is a file with every key of the schema.
const everything = `# what I want
dialect = "typescript"

[ui]
theme = "light" # the beamer
ascii = true
mouse = false
wrap = true
hidden = true
follow = false
sort = "age"

[keys]
quit = "Q"
follow = []
redraw = "none"
[keys.tree]
filter = ["F", "ctrl+g"]

[limits]
max_files = 500
max_bytes = "100MB"
read_chars = 8_000
mode = "warn"

[[rule]]
match = ["**"]
max_idle = "60d"
max_age = "8w"
ttl = "1d12h"
expire = "archive"
archive_to = "old/notes/"
max_file_bytes = 102400
max_file_lines = 0x100
max_depth = 6
mode = "refuse"

[[rule]]
match = "keep/**"
pin = true
lock = true
ttl = "none"

[scrub]
on_write = "mask"
[scrub.class.email]
on_write = "off"
enabled = false

[stores.work]
dir = "~/agent/memories"
dialect = "python"
[stores.work.ui]
theme = "dark"
[stores.work.limits]
max_files = "none"
[stores.work.scrub.class.email]
enabled = true
[[stores.work.rule]]
match = ["scratch/**"]
ttl = "30m"

[journal]
keep = "90d"
`

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse("config.toml", []byte(text), home)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryKeyIsReadAndMerged(t *testing.T) {
	c := parse(t, everything)
	s := c.General()
	if s.Dialect.Value != memstore.TypeScript || s.Dialect.From.String() != "config.toml:2" {
		t.Errorf("dialect %v from %s", s.Dialect.Value, s.Dialect.From)
	}
	if s.UI.Theme.Value != "light" || !s.UI.ASCII.Value || s.UI.Mouse.Value || !s.UI.Mouse.IsSet() || s.UI.Sort.Value != "age" {
		t.Errorf("ui %+v", s.UI)
	}
	if l := s.Limits; l.MaxFiles.Value != 500 || l.MaxBytes.Value != 100<<20 || l.ReadChars.Value != 8000 || l.Mode.Value != config.ModeWarn {
		t.Errorf("limits %+v", l)
	}
	k := s.Rule("a.md")
	if k.MaxIdle.Value != 60*24*time.Hour || k.MaxAge.Value != 56*24*time.Hour || k.TTL.Value != 36*time.Hour ||
		k.Expire.Value != config.ExpireArchive ||
		k.ArchiveTo.Value != "old/notes" || k.MaxFileBytes.Value != 102400 || k.MaxFileLines.Value != 256 ||
		k.MaxDepth.Value != 6 || k.Mode.Value != config.ModeRefuse || k.Pin.IsSet() {
		t.Errorf("keys of a.md: %+v", k)
	}
	kept := s.Rule("/memories/keep/deep/a.md")
	if !kept.Pin.Value || !kept.Lock.Value || kept.TTL.Value != 0 || !kept.TTL.IsSet() || kept.MaxIdle.Value == 0 {
		t.Errorf("keys below keep: %+v", kept)
	}
	if got := kept.TTL.From.String(); got != "config.toml:42" {
		t.Errorf("the ttl below keep is from %s", got)
	}
	if c.Stores()[0].Dir.Value != filepath.FromSlash("/home/me/agent/memories") {
		t.Errorf("dir %q", c.Stores()[0].Dir.Value)
	}
	if len(c.Keys) != 4 || c.Keys[0].Action != "quit" || c.Keys[0].Keys[0].Value != "Q" || len(c.Keys[1].Keys) != 0 || len(c.Keys[2].Keys) != 0 ||
		c.Keys[3].Scope != "tree" || c.Keys[3].Keys[0].Value != "F" || c.Keys[3].Keys[1].Value != "ctrl+g" || c.Keys[3].Keys[1].From.Column != 16 {
		t.Errorf("keys %+v", c.Keys)
	}
}

func TestTheSectionOfAStore(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("no links here:", err)
	}
	text := strings.Replace(everything, "~/agent/memories", filepath.ToSlash(dir), 1)
	c := parse(t, text)
	for _, name := range []string{dir, link} {
		s := c.For(name)
		if s.Store != "work" || s.Dialect.Value != memstore.Python || s.UI.Theme.Value != "dark" || s.UI.Sort.Value != "age" {
			t.Errorf("settings %q %v %v", s.Store, s.Dialect, s.UI)
		}
		if s.Limits.MaxFiles.Value != 0 || !s.Limits.MaxFiles.IsSet() || s.Limits.Mode.Value != config.ModeWarn {
			t.Errorf("limits %+v", s.Limits)
		}
		email := s.Scrub.Class[0]
		if !email.Enabled.Value || email.OnWrite.Value != config.ScrubOff || s.Scrub.OnWrite.Value != config.ScrubMask {
			t.Errorf("scrub %+v", s.Scrub)
		}
		for path, want := range map[string]time.Duration{
			"scratch/a.md": 30 * time.Minute, "other.md": 36 * time.Hour,
		} {
			if got := s.Rule(path).TTL.Value; got != want {
				t.Errorf("ttl of %s is %v, want %v", path, got, want)
			}
		}
	}
	// What is merged for one store stays there.
	if general := c.General(); general.Scrub.Class[0].Enabled.Value || len(general.Rules) == len(c.For(dir).Rules) {
		t.Error("the section of the store changed what is said in general")
	}
	if other := c.For(t.TempDir()); other.Store != "" || other.Dialect.Value != memstore.TypeScript {
		t.Errorf("another store: %q %v", other.Store, other.Dialect)
	}
	if got := (*config.Config)(nil).For(dir); got.Dialect.IsSet() {
		t.Errorf("no configuration: %+v", got)
	}
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"unknown key", "dialekt = \"docs\"\n", []string{`1:1: unknown key "dialekt"; did you mean dialect?`}},
		{"key of another section", "theme = \"dark\"\n", []string{`1:1: unknown key "theme" at the top level; valid keys: dialect, ui, limits, journal, scrub, ` +
			`rule, discover, keys, stores`}},
		{"key like none", "[ui]\nzzzzzz = 1\n",
			[]string{`2:1: unknown key "zzzzzz" in [ui]; valid keys: theme, ascii, mouse, wrap, hidden, follow, sort, bell`}},
		{"unknown key of a store's rule", "[stores.x]\ndir=\"/a\"\n[[stores.x.rule]]\nmatch=\"**\"\npn=true\n",
			[]string{`5:1: unknown key "pn"; did you mean pin?`}},
		{"word", "[ui]\ntheme = \"darkk\"\n", []string{`2:9: theme can't be "darkk"; did you mean "dark"?`}},
		{"word without quotes", "[ui]\ntheme = 1\n", []string{`2:9: theme must be text in quotes`}},
		{"boolean", "[ui]\nascii = \"yes\"\n", []string{`2:9: ascii must be true or false, without quotes`}},
		{"duration without a unit", "[[rule]]\nmatch = \"**\"\nttl = 30\n",
			[]string{`3:7: ttl must be a duration in quotes, as in "30m", "24h", "60d" or "8w"`}},
		{"size", "[limits]\nmax_bytes = \"1TB\"\n",
			[]string{`2:13: max_bytes must be a number of bytes, or a size in quotes, as in "100KB" or "2MB"`}},
		{"number", "[limits]\nmax_files = 1.5\n", []string{`2:13: max_files must be a whole number above 0, or "none"`}},
		{"no match", "[[rule]]\npin = true\n", []string{`1:3: [[rule]] needs match = ["GLOB"]; use ["**"] for every path`}},
		{"globs", "[[rule]]\nmatch = [\"a\", \"[\", \"/memories/x/**\", \"/x\", \"../y\", 1, \"\", \"{a\"]\n", []string{
			`2:15: match can't be "["; it has an unclosed bracket or brace`,
			`2:20: match can't be "/memories/x/**"; globs are relative to the store: "x/**"`,
			`2:38: match can't be "/x"; globs are relative to the store: "x"`,
			`2:44: match can't be "../y"; ".." is not allowed in a path`,
			`2:52: match must be text in quotes, or a list of texts`,
			// The places move on by one where the number is left out.
			`2:55: match has an empty glob`,
			`2:59: match can't be "{a"; it has an unclosed bracket or brace`,
		}},
		{"one bracket", "[rule]\nmatch = \"**\"\n", []string{`1:2: a rule needs two brackets: [[rule]], and its keys below`}},
		{"archive outside", "[[rule]]\nmatch = \"**\"\narchive_to = \"../x\"\n",
			[]string{`3:14: archive_to can't be "../x"; ".." is not allowed in a path`}},
		{"table", "ui = 3\n", []string{`1:6: ui must be a table of its own: [ui], and its keys below`}},
		{"store without dir", "[stores.work]\n", []string{`1:9: [stores.work] needs dir = "DIRECTORY"`}},
		{"relative dir", "[stores.work]\ndir = \"memories\"\n",
			[]string{`2:7: dir can't be "memories"; use an absolute path, or one that begins with "~/"`}},
		{"one dir twice", "[stores.a]\ndir=\"/x\"\n[stores.b]\ndir=\"/x/\"\n", []string{`4:1: same directory as [stores.a]`}},
		{"class", "[scrub.class.email]\non_write = \"redact\"\nenable = true\n", []string{
			`2:12: on_write can't be "redact"; use off, warn, mask or refuse`,
			`3:1: unknown key "enable"; did you mean enabled?`,
		}},
		{"a key twice", "dialect = \"docs\"\n\ndialect = \"python\"\n", []string{`3:1: invalid TOML: key dialect is already defined`}},
		{"a table twice", "[scrub]\n\n[scrub]\non_write = \"warn\"\n",
			[]string{`3:2: invalid TOML: table scrub already exists; put its keys below the first one`}},
		{"columns count characters", "[ui]\n\"théme\" = 1 # é\nsort = \"näme\"\n", []string{
			`2:1: unknown key "théme"; did you mean theme?`, `3:8: sort can't be "näme"; did you mean "name"?`,
		}},
		{"no TOML", "[limits]\nmax_files = many\nmode = \"of\"\n",
			[]string{`2:13: invalid TOML: unexpected character U+006D 'm' at start of value`}},
		{"control characters", "\"a\\u0007\\u202e\" = 1\n",
			[]string{`1:1: unknown key "a\a\u202e" at the top level; valid keys: dialect, ui, limits, journal, scrub, rule, discover, keys, stores`}},
		{"paths that are none", "[discover]\npath = 1\npaths = [\"notes\", 2]\n", []string{
			`2:1: unknown key "path"; did you mean paths?`,
			`3:10: paths can't be "notes"; use an absolute path, or one that begins with "~/"`,
			`3:19: paths must be text in quotes, or a list of texts`,
		}},
	} {
		_, err := config.Parse("config.toml", []byte(c.text), home)
		var mistakes config.Mistakes
		if !errors.As(err, &mistakes) {
			t.Errorf("%s: no mistakes: %v", c.name, err)
			continue
		}
		var got []string
		for _, m := range mistakes {
			got = append(got, strings.TrimPrefix(m.Error(), "config.toml:"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// Each file here is large, deep or made to be slow; all are answered at once.
func TestHostileFilesAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"too large": strings.Repeat("#", config.MaxConfigBytes+1),
		"mistakes":  strings.Repeat("[x\n", 10000),
		"unknown keys": func() string {
			var b strings.Builder
			for i := range 5000 {
				fmt.Fprintf(&b, "k%d=1\n", i)
			}
			return b.String()
		}(),
		"one long key":    strings.Repeat("k", config.MaxConfigBytes-10) + "=1\n",
		"deep arrays":     "a = " + strings.Repeat("[", 100000),
		"deep tables":     "a = " + strings.Repeat("{b=", 9000) + "1" + strings.Repeat("}", 9000) + "\n",
		"deep dots":       strings.Repeat("a.", 100000) + "a = 1\n",
		"deep header":     "[" + strings.Repeat("a.", 100000) + "a]\n",
		"open string":     "a = \"\"\"" + strings.Repeat("\n\"\"", 50000),
		"no text":         "\x00\xff\xfe",
		"open list":       "[[rule]]\nmatch = [" + strings.Repeat("\"a\",\n", 100000),
		"globs of a rule": "[[rule]]\nmatch = \"" + strings.Repeat("**/", 300) + "x{a,b\"\n",
	} {
		_, err := config.Parse("config.toml", []byte(text), home)
		var mistakes config.Mistakes
		if !errors.As(err, &mistakes) || len(mistakes) > 101 {
			t.Errorf("%s: %d mistakes", name, len(mistakes))
			continue
		}
		if len(err.Error()) > 100000 {
			t.Errorf("%s: mistakes of %d bytes", name, len(err.Error()))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add("a.b = 1\n[a]\nc = 2\n")
	f.Add("[[rule]]\nmatch=[\"a\",{}]\n[rule.x]\n")
	f.Add("stores = {a = {dir = \"/x\", rule = [{match = \"**\"}]}}\n")
	f.Add("\ufeff[keys]\nquit = [\"a\", [\"b\"]]\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := config.Parse("config.toml", []byte(text), home)
		var all map[string]any
		if err == nil {
			if tomlErr := toml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &all); tomlErr != nil {
				t.Fatalf("taken, but no TOML: %v", tomlErr)
			}
			s := c.General()
			s.Rule("a/b.md")
			return
		}
		var mistakes config.Mistakes
		if !errors.As(err, &mistakes) || len(mistakes) == 0 {
			t.Fatalf("an error without mistakes: %v", err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, m := range mistakes {
			if m.Line > lines || strings.ContainsAny(m.Text, "\n\x1b") {
				t.Fatalf("mistake %q in a file of %d lines", m.Error(), lines)
			}
		}
	})
}
