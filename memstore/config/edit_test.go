package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/config"
)

// edited applies one edit and returns the new text; what is outside the splice is the same.
func edited(t *testing.T, text string, edit func(*config.Document) (config.Splice, error)) string {
	t.Helper()
	d, err := config.Edit("config.toml", []byte(text), home)
	if err != nil {
		t.Fatal(err)
	}
	s, err := edit(d)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Apply(home, s)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text[:s.Start]+s.Text+text[s.End:])
	}
	if want := text[:s.Start] + s.Text + text[s.End:]; string(out) != want {
		t.Fatalf("the edit did more than its splice:\n%s", out)
	}
	return string(out)
}

func TestEditsKeepEverythingElse(t *testing.T) {
	set := func(p config.Place, key string, v config.Literal) func(*config.Document) (config.Splice, error) {
		return func(d *config.Document) (config.Splice, error) { return d.Set(p, key, v) }
	}
	pin := func(store, glob string) func(*config.Document) (config.Splice, error) {
		return func(d *config.Document) (config.Splice, error) { return d.AddPin(store, glob) }
	}
	ui, rule := config.Place{Section: "ui"}, config.Place{Section: "rule"}
	for _, c := range []struct {
		name, text string
		edit       func(*config.Document) (config.Splice, error)
		want       string
	}{
		{"a store", "dialect = \"docs\"\n", func(d *config.Document) (config.Splice, error) { return d.AddStore("my notes", "/srv/m") },
			"dialect = \"docs\"\n\n[stores.\"my notes\"]\ndir = \"/srv/m\"\n"},
		{"a value", "[ui]\ntheme = 'dark' # why\n", set(ui, "theme", config.Text("light")), "[ui]\ntheme = \"light\" # why\n"},
		{"a list", "[[rule]]\nmatch = [ # all\n \"**\",\n]\nttl = \"1h\"\n", set(rule, "ttl", config.Period(90*time.Minute)),
			"[[rule]]\nmatch = [ # all\n \"**\",\n]\nttl = \"1h30m\"\n"},
		{"a new key", "[ui]\n\ttheme = \"dark\" # why\n\n# next\n[limits]\n", set(ui, "wrap", config.Flag(true)),
			"[ui]\n\ttheme = \"dark\" # why\n\twrap = true\n\n# next\n[limits]\n"},
		{"a new key, CRLF", "[ui]\r\ntheme = \"dark\"\r\n", set(ui, "wrap", config.Flag(true)), "[ui]\r\ntheme = \"dark\"\r\nwrap = true\r\n"},
		{"a new key without a line end", "[ui]", set(ui, "wrap", config.Flag(true)), "[ui]\nwrap = true"},
		{"a new table", "dialect = \"docs\"", set(ui, "wrap", config.Flag(true)), "dialect = \"docs\"\n\n[ui]\nwrap = true\n"},
		{"an empty file", "", set(ui, "wrap", config.Flag(true)), "[ui]\nwrap = true\n"},
		{"a mark only", "\ufeff", set(config.Place{}, "dialect", config.Text("python")), "\ufeffdialect = \"python\"\n"},
		{"above the headers", "# hello\n\n# of the screen\n[ui]\n", set(config.Place{}, "dialect", config.Text("python")),
			"# hello\n\ndialect = \"python\"\n\n# of the screen\n[ui]\n"},
		{"below the top keys", "preset = \"hosted\" # p\n\n[ui]\n", set(config.Place{}, "dialect", config.Text("python")),
			"preset = \"hosted\" # p\ndialect = \"python\"\n\n[ui]\n"},
		{"an inline table", "ui = { theme = \"dark\" } # x\n", set(ui, "wrap", config.Flag(true)),
			"ui = { theme = \"dark\", wrap = true } # x\n"},
		{"an empty inline table", "ui = {}\n", set(ui, "wrap", config.Flag(true)), "ui = { wrap = true }\n"},
		{"dotted keys", "ui.theme = \"dark\" # x\npreset = []\n", set(ui, "wrap", config.Flag(true)),
			"ui.theme = \"dark\" # x\nui.wrap = true\npreset = []\n"},
		{"a table that is only implied", "[stores.\"a b\"]\ndir = \"/x\"\n[stores.\"a b\".ui]\n",
			set(config.Place{Store: "a b", Section: "limits"}, "max_files", config.Count(0)),
			"[stores.\"a b\"]\ndir = \"/x\"\n[stores.\"a b\".ui]\n\n[stores.\"a b\".limits]\nmax_files = \"none\"\n"},
		{"a store's key", "[stores.w]\ndir = \"/x\"\n\n[[stores.w.rule]]\nmatch = \"a\"\n",
			set(config.Place{Store: "w"}, "dialect", config.Text("docs")), "[stores.w]\ndir = \"/x\"\ndialect = " +
				"\"docs\"\n\n[[stores.w.rule]]\nmatch = \"a\"\n"},
		{"the second rule", "[[rule]]\nmatch = \"a\"\n[[rule]]\nmatch = \"b\"\n[ui]\n",
			set(config.Place{Section: "rule", Rule: 1}, "max_file_bytes", config.Size(200<<10)),
			"[[rule]]\nmatch = \"a\"\n[[rule]]\nmatch = \"b\"\nmax_file_bytes = \"200KB\"\n[ui]\n"},
		{"a pin joins", "[[rule]]\nmatch = [\"keep/**\"] # mine\npin = true\n", pin("", "a \"b\".md"),
			"[[rule]]\nmatch = [\"keep/**\", \"a \\\"b\\\".md\"] # mine\npin = true\n"},
		{"a pin joins one glob", "[[rule]]\nmatch = 'keep/**'\npin = true\n", pin("", "a"), "[[rule]]\nmatch = ['keep/**', \"a\"]\npin = true\n"},
		{"a pin joins a list of lines", "[[rule]]\npin = true\nmatch = [\n  \"x\", # x\n]\n", pin("", "a"),
			"[[rule]]\npin = true\nmatch = [\n  \"x\", \"a\", # x\n]\n"},
		{"a pin of its own", "[[rule]]\nmatch = [\"keep/**\"]\npin = true\nlock = true\n# end\n[ui]\n", pin("", "a"),
			"[[rule]]\nmatch = [\"keep/**\"]\npin = true\nlock = true\n\n[[rule]]\nmatch = [\"a\"]\npin = true\n# end\n[ui]\n"},
		{"a pin behind what unpins", "[[rule]]\nmatch = [\"a\"]\npin = true\n[[rule]]\nmatch = \"**\"\npin = false\n", pin("", "b"),
			"[[rule]]\nmatch = [\"a\"]\npin = true\n[[rule]]\nmatch = \"**\"\npin = false\n\n[[rule]]\nmatch = [\"b\"]\npin = true\n"},
		{"a pin in a store", "[stores.w]\ndir = \"/x\"", pin("w", "b"), "[stores.w]\ndir = \"/x\"\n\n[[stores.w.rule]]\nmatch = " +
			"[\"b\"]\npin = true\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := edited(t, c.text, c.edit); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestEditsThatAreRefused(t *testing.T) {
	d, err := config.Edit("config.toml", []byte("rule = [{match = \"a\"}]\nstores = {w = {dir = \"/x\"}}\n"), home)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddPin("", "a"); !errors.Is(err, config.ErrUnusual) {
		t.Errorf("a rule in a list of inline tables: %v", err)
	}
	for name, try := range map[string]func() (config.Splice, error){
		"unknown key":     func() (config.Splice, error) { return d.Set(config.Place{Section: "ui"}, "colour", config.Flag(true)) },
		"unknown section": func() (config.Splice, error) { return d.Set(config.Place{Section: "x"}, "theme", config.Flag(true)) },
		"unknown store":   func() (config.Splice, error) { return d.AddPin("y", "a") },
		"no such rule": func() (config.Splice, error) {
			return d.Set(config.Place{Section: "rule", Rule: 1}, "pin", config.Flag(true))
		},
		"wrong type": func() (config.Splice, error) { return d.Set(config.Place{Section: "ui"}, "wrap", config.Text("x")) },
		"two lines":  func() (config.Splice, error) { return d.Set(config.Place{Section: "ui"}, "wrap", "true\nascii = true") },
	} {
		if s, err := try(); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s, err := d.AppendRule("w", []string{"["}); err == nil {
		if _, err := d.Apply(home, s); err == nil {
			t.Error("a glob that is none was written")
		}
	}
	if _, err := config.Edit("config.toml", []byte("x = 1\n"), home); err == nil {
		t.Error("a file with mistakes was opened to be changed")
	}
}

// Whatever the file looks like: after an edit that is not refused, it has the value, and
// every byte outside the splice is what it was.
func FuzzEdit(f *testing.F) {
	f.Add(everything, "notes/**", uint8(0))
	f.Add("[stores]\nwork.dir = \"/x\" # c\r\nwork.rule = []\n", "a", uint8(1))
	f.Add("ui = { } # \"x\"\n[[rule]]\nmatch = '''a'''\npin = true", "b", uint8(2))
	f.Fuzz(func(t *testing.T, text, glob string, which uint8) {
		d, err := config.Edit("config.toml", []byte(text), home)
		if err != nil {
			t.Skip()
		}
		var s config.Splice
		var holds func(*config.Config) bool
		store := ""
		if c, _ := config.Parse("config.toml", []byte(text), home); which&4 != 0 && len(c.Stores()) > 0 {
			store = c.Stores()[0].Name
		}
		last := func(c *config.Config) config.Settings {
			if store == "" {
				return c.General()
			}
			return c.For(c.Stores()[0].Dir)
		}
		switch which & 3 {
		case 0:
			s, err = d.Set(config.Place{Store: store, Section: "ui"}, "wrap", config.Flag(true))
			holds = func(c *config.Config) bool { return last(c).UI.Wrap.Value }
		case 1:
			s, err = d.Set(config.Place{Store: store}, "dialect", config.Text("python"))
			holds = func(c *config.Config) bool { return last(c).Dialect.Value.String() == "python" }
		case 2:
			s, err = d.AddPin(store, glob)
			holds = func(c *config.Config) bool { return globIsPinned(last(c), glob) }
		case 3:
			s, err = d.Set(config.Place{Store: store, Section: "rule"}, "ttl", config.Period(77*time.Second))
			holds = func(c *config.Config) bool {
				for _, r := range last(c).Rules {
					if r.Index == 0 && r.Store == store && r.Keys.TTL.Value == 77*time.Second {
						return true
					}
				}
				return false
			}
		}
		if err != nil {
			t.Skip()
		}
		out, err := d.Apply(home, s)
		if err != nil {
			t.Skip() // refused: nothing was written
		}
		if string(out) != text[:s.Start]+s.Text+text[s.End:] {
			t.Fatal("bytes outside the splice have changed")
		}
		c, err := config.Parse("config.toml", out, home)
		if err != nil || !holds(c) {
			t.Fatalf("the value is not there (%v):\n%s", err, out)
		}
	})
}

func globIsPinned(s config.Settings, glob string) bool {
	for _, r := range s.Rules {
		for _, g := range r.Match {
			if g == glob && r.Keys.Pin.Value {
				return true
			}
		}
	}
	return false
}

func TestSaveIsWholeAndOutsideOfStores(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "sub", "config.toml")
	if err := config.Create(file, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := config.Create(file, []byte("b")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second Create: %v", err)
	}
	link := filepath.Join(dir, "link.toml")
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no links here:", err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := config.Save(link, []byte("a"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(file); string(data) != "b" {
		t.Errorf("the file behind the link holds %q", data)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if err := config.Save(file, []byte("a"), []byte("c")); !errors.Is(err, config.ErrChanged) {
		t.Errorf("a file that was changed meanwhile: %v", err)
	}
	for _, inside := range []string{dir, filepath.Dir(file)} {
		if err := config.Save(link, []byte("b"), []byte("c"), inside); !errors.Is(err, config.ErrInsideStore) {
			t.Errorf("inside the store %s: %v", inside, err)
		}
		if err := config.Create(filepath.Join(inside, "new.toml"), nil, inside); !errors.Is(err, config.ErrInsideStore) {
			t.Errorf("a new file inside the store %s: %v", inside, err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("files left: %v %v", left, err)
	}
}

func TestReplaceAndRemoveRules(t *testing.T) {
	const file = "# mine\n[ui]\nwrap = true\n\n[[rule]]\nmatch = \"a/**\" # these\n# for a while\nttl = \"20d\" # days\nexpire = \"warn\"\n\n" +
		"[[rule]]\nmatch = [\"b\"]\npin = true\n"
	edit := func() *config.Document {
		d, err := config.Edit("config.toml", []byte(file), home)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := edit()
	splices, err := d.ReplaceRule(config.Place{Section: "rule"}, []string{"a/**", "c/*"}, []string{"ttl", "max_age"},
		config.KeyValue{Key: "max_idle", Value: config.Period(60 * 24 * time.Hour)}, config.KeyValue{Key: "expire", Value: config.Text("delete")})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Apply(home, splices...)
	want := "# mine\n[ui]\nwrap = true\n\n[[rule]]\nmatch = [\"a/**\", \"c/*\"] # these\nmax_idle = \"60d\"\n# for a while\nexpire = \"delete\"\n\n" +
		"[[rule]]\nmatch = [\"b\"]\npin = true\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	for i, want := range []string{
		"# mine\n[ui]\nwrap = true\n\n[[rule]]\nmatch = [\"b\"]\npin = true\n",
		"# mine\n[ui]\nwrap = true\n\n[[rule]]\nmatch = \"a/**\" # these\n# for a while\nttl = \"20d\" # days\nexpire = \"warn\"\n",
	} {
		d := edit()
		splice, err := d.RemoveRule(config.Place{Section: "rule", Rule: i})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.Apply(home, splice); err != nil || string(got) != want {
			t.Errorf("%d: %v\n%q\nwant\n%q", i, err, got, want)
		}
	}
	if _, err := edit().RemoveRule(config.Place{Section: "rule", Rule: 2}); err == nil {
		t.Error("a rule that does not exist was removed")
	}
}
