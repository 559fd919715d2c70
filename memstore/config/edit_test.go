package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/config"
)

func TestRulesAndStoresAreAppended(t *testing.T) {
	pin := config.KeyValue{Key: "pin", Value: config.Flag(true)}
	for before, want := range map[string]string{
		"":                                  "[[rule]]\nmatch = [\"a \\\"b\\\".md\", \"c\"]\npin = true\n",
		"dialect = \"docs\"":                "dialect = \"docs\"\n\n[[rule]]\nmatch = [\"a \\\"b\\\".md\", \"c\"]\npin = true\n",
		"[[rule]]\r\nmatch = 'x' # why\r\n": "[[rule]]\r\nmatch = 'x' # why\r\n\r\n[[rule]]\r\nmatch = [\"a \\\"b\\\".md\", \"c\"]\r\npin = true\r\n",
	} {
		after, err := config.AppendRule("config.toml", []byte(before), home, "", []string{`a "b".md`, "c"}, pin)
		if err != nil || string(after) != want {
			t.Errorf("%q became %q, %v", before, after, err)
		}
	}
	after, err := config.AppendStore("config.toml", []byte("[ui]\nwrap = true\n"), home, "my notes", "/srv/m")
	if err == nil {
		after, err = config.AppendRule("config.toml", after, home, "my notes", []string{"a"}, pin)
	}
	const want = "[ui]\nwrap = true\n\n[stores.\"my notes\"]\ndir = \"/srv/m\"\n\n[[stores.\"my notes\".rule]]\nmatch = [\"a\"]\npin = true\n"
	if err != nil || string(after) != want {
		t.Errorf("%q, %v", after, err)
	}
	for name, c := range map[string]struct {
		data, store string
		match       string
		key         config.KeyValue
	}{
		"inline rules":         {"rule = [{match = \"a\"}]\n", "", "a", pin},
		"unknown store":        {"", "y", "a", pin},
		"unknown key":          {"", "", "a", config.KeyValue{Key: "colour", Value: config.Flag(true)}},
		"no glob":              {"", "", "[", pin},
		"invalid UTF-8":        {"", "", "\xff", pin},
		"a file with mistakes": {"x = 1\n", "", "a", pin},
	} {
		if out, err := config.AppendRule("config.toml", []byte(c.data), home, c.store, []string{c.match}, c.key); err == nil {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// Whatever the file looks like: an appended rule holds, and what was there before is untouched.
func FuzzAppendRule(f *testing.F) {
	f.Add(everything, "notes/**")
	f.Add("[stores]\nwork.dir = \"/x\" # c\r\nwork.rule = []\n", "a")
	f.Add("ui = { } # \"x\"\n[[rule]]\nmatch = '''a'''\npin = true", "b")
	f.Fuzz(func(t *testing.T, text, glob string) {
		out, err := config.AppendRule("config.toml", []byte(text), home, "", []string{glob}, config.KeyValue{Key: "pin", Value: config.Flag(true)})
		if err != nil {
			t.Skip()
		}
		c, err := config.Parse("config.toml", out, home)
		if err != nil || !strings.HasPrefix(string(out), text) {
			t.Fatalf("%v:\n%s", err, out)
		}
		rules := c.General().Rules
		if last := rules[len(rules)-1]; len(last.Match) != 1 || last.Match[0] != glob || !last.Keys.Pin.Value {
			t.Fatalf("the rule is not there:\n%s", out)
		}
	})
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

func TestPathFollowsTheEnvironment(t *testing.T) {
	abs := t.TempDir()
	env := map[string]string{"XDG_CONFIG_HOME": abs}
	if got := config.Path(func(n string) string { return env[n] }); got != filepath.Join(abs, "memcurator", "config.toml") {
		t.Errorf("path %q", got)
	}
	env = map[string]string{"XDG_CONFIG_HOME": "relative", "HOME": abs, "AppData": abs}
	if got := config.Path(func(n string) string { return env[n] }); !strings.HasPrefix(got, abs) || strings.Contains(got, "relative") {
		t.Errorf("path %q", got)
	}
	if got := config.Path(func(string) string { return "" }); got != "" {
		t.Errorf("path without a home %q", got)
	}
}
