package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// writeConfig makes a configuration file outside of every store.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	writeText(t, file, text)
	return file
}

// Flag over variable over the section of the store over what is said in general.
func TestWhoseDialectCounts(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": "a\n"})
	const docs, python = "node_modules:\n", "hidden items:\n"
	general := writeConfig(t, `dialect = "python"`)
	own := writeConfig(t, "dialect = \"docs\"\n[stores.x]\ndir = '"+dir+"'\ndialect = \"python\"\n")
	for _, c := range []struct {
		name string
		call call
		want string
	}{
		{"nothing", call{args: []string{"ls", dir}}, docs},
		{"the file", call{args: []string{"ls", dir, "--config", general}}, python},
		{"the store's section", call{args: []string{"ls", dir, "--config", own}}, python},
		{"another store", call{args: []string{"ls", newStore(t, nil), "--config", own}}, docs},
		{"the variable", call{args: []string{"ls", dir}, env: map[string]string{session.EnvDialect: "python"}}, python},
		{"the flag over the variable", call{args: []string{"ls", dir, "--config", own, "--dialect", "python"},
			env: map[string]string{session.EnvDialect: "docs"}}, python},
	} {
		if o := c.call.run(t); o.code != 0 || !strings.Contains(o.out, c.want) {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
	in := `{"command":"view","path":"/memories"}`
	if o := (call{args: []string{"exec", dir, "--config", own}, stdin: in}).run(t); !strings.Contains(o.out, `hidden items:\n`) {
		t.Errorf("exec: %+v", o)
	}
}

func TestTheFileWithoutAName(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := newStore(t, nil)
	env := map[string]string{"XDG_CONFIG_HOME": base}
	file := filepath.Join(base, "memcurator", "config.toml")
	if o := (call{args: []string{"config", "path"}, env: env}).run(t); o.code != 0 || o.out != file+"\n" {
		t.Errorf("path: %+v", o)
	}
	if o := (call{args: []string{"config", "check"}, env: env}).run(t); o.code != 0 || !strings.Contains(o.err, "the defaults apply") {
		t.Errorf("check without a file: %+v", o)
	}
	if o := (call{args: []string{"config", "init"}, env: env}).run(t); o.code != 0 || o.out != file+"\n" {
		t.Errorf("init: %+v", o)
	}
	call{args: []string{"config", "init"}, env: env}.run(t).sentence(t, session.ExitFailed, "already exists")
	do(t, "config", "chek").sentence(t, session.ExitWrongUse,
		"Choose one of check, init, path")
	if o := (call{args: []string{"config", "check"}, env: env}).run(t); o.code != 0 || !strings.Contains(o.err, "no mistakes in") {
		t.Errorf("check of the starter: %+v", o)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info, err)
	}
	writeText(t, file, "dialect = \"python\"\n")
	if o := (call{args: []string{"ls", dir}, env: env}).run(t); !strings.Contains(o.out, "hidden items:\n") {
		t.Errorf("the file is not read: %+v", o)
	}
	if o := (call{args: []string{"ls", dir, "--config", os.DevNull}, env: env}).run(t); !strings.Contains(o.out, "node_modules:\n") {
		t.Errorf("no configuration: %+v", o)
	}
	call{args: []string{"config", "path"}}.run(t).sentence(t, session.ExitFailed, "the home folder is unknown")
	call{args: []string{"config", "init", "--config", filepath.Join(dir, "config.toml")},
		env: map[string]string{session.EnvDir: dir}}.run(t).sentence(t, session.ExitFailed, "is inside the store")
}

// Scripts with a broken configuration do nothing at all.
func TestABrokenConfigurationStopsScripts(t *testing.T) {
	t.Parallel()
	file := writeConfig(t, "dialekt = \"docs\"\n[keys]\nquit = \"a\"\n[ui]\ntheme = \"x\"\n")
	want := file + ":1:1: unknown key \"dialekt\"; did you mean dialect?\n" +
		file + ":3:8: quit can't have a, the key of mark-read. Free it in [keys]: mark-read = []\n" +
		file + ":5:9: theme can't be \"x\"; use auto, dark, light, contrast or mono\n"
	dir := filepath.Join(t.TempDir(), "new")
	store := newStore(t, nil)
	for _, args := range [][]string{
		{"config", "check"}, {"exec", "--create", dir}, {"mcp", "--create", dir}, {"ls", store}, {"cat", store},
		{"init", dir},
	} {
		o := call{args: append(args, "--config", file), stdin: `{"command":"create","path":"/memories/a","file_text":""}`}.run(t)
		if o.code != session.ExitFailed || strings.TrimSuffix(o.err, "memcurator: Nothing was done. Correct the configuration first\n") != want || o.out != "" {
			t.Errorf("%v: %+v", args, o)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made")
	}
}

func TestAConfigurationInsideTheStoreIsRefused(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"config.toml": ""})
	file := filepath.Join(dir, "config.toml")
	for _, args := range [][]string{{"ls", dir}, {"exec", dir}} {
		do(t, append(args, "--config", file)...).sentence(t, session.ExitFailed, "where the agent could change it")
	}
}
