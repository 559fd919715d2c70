//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore/config"
)

// A save that begins right before the file is read is not a version of it, also where a part of it makes sense.
func TestAVersionThatIsBeingSavedAgainIsNotTaken(t *testing.T) {
	t.Parallel()
	const rules = "[[rule]]\nmatch = [\"a\"]\n[[rule]]\nmatch = [\"b\"]\nlock = true\n"
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	var taken []string
	use := func(text []byte) string { taken = append(taken, string(text)); return "" }
	f := &session.RuleFile{Name: file, Read: true, Exists: true, Text: []byte("old = 1\n")}
	was := config.StampOf(file)
	if err := os.WriteFile(file, []byte(rules[:strings.Index(rules, "[[rule]]\nmatch = [\"b")]), 0o600); err != nil {
		t.Fatal(err)
	}
	if why, changed := f.Saved(was, use); why != "" || changed || len(taken) > 0 {
		t.Errorf("%q, %v, taken %q", why, changed, taken)
	}
	if _, changed := f.Saved(config.StampOf(file), use); !changed || len(taken) != 1 {
		t.Errorf("changed %v, taken %q once it is at rest", changed, taken)
	}
}

// saves are the ways in which editors and scripts save a file. The text is never another one.
var saves = map[string]func(file, text string) error{
	"truncate and write": func(file, text string) error {
		return os.WriteFile(file, []byte(text), 0o600)
	},
	"truncate, wait, write": func(file, text string) error {
		if err := os.Truncate(file, 0); err != nil {
			return err
		}
		time.Sleep(120 * time.Millisecond)
		return os.WriteFile(file, []byte(text), 0o600)
	},
	"in two halves": func(file, text string) error {
		if err := os.WriteFile(file, []byte(text[:len(text)/2]), 0o600); err != nil {
			return err
		}
		time.Sleep(60 * time.Millisecond)
		return os.WriteFile(file, []byte(text), 0o600)
	},
	"moved aside as a backup": func(file, text string) error {
		if err := os.Rename(file, file+"~"); err != nil {
			return err
		}
		time.Sleep(60 * time.Millisecond)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		return os.Remove(file + "~")
	},
	"removed and made": func(file, text string) error {
		if err := os.Remove(file); err != nil {
			return err
		}
		time.Sleep(120 * time.Millisecond)
		return os.WriteFile(file, []byte(text), 0o600)
	},
	"a link that leads nowhere for a while": func(file, text string) error {
		if err := os.Remove(file); err != nil {
			return err
		}
		if err := os.Symlink(file+".gone", file); err != nil {
			return err
		}
		time.Sleep(120 * time.Millisecond)
		if err := os.Remove(file); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(text), 0o600)
	},
	"renamed over": func(file, text string) error {
		if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
			return err
		}
		return os.Rename(file+".new", file)
	},
}

// While the files of rules are saved, in whatever way, no edit passes that they forbid: neither in a process that runs, nor
// in one that starts.
func TestSavingTheRulesLetsNothingThrough(t *testing.T) {
	const rules = "[scrub]\non_write = \"refuse\"\n[[rule]]\nmatch = \"locked.md\"\nlock = true\n"
	const own = "[[rule]]\nid = \"plum\"\nclass = \"plum\"\nregex = '''PLUM-[0-9]{6}'''\nkeywords = [\"PLUM-\"]\n"
	commands := []string{
		`{"command":"insert","path":"/memories/locked.md","insert_line":0,"insert_text":"x"}`,
		`{"command":"create","path":"/memories/a.md","file_text":"PLUM-` + `246813"}`,
	}
	binary(t)
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, config := newStore(t, map[string]string{"locked.md": "as it is\n"}), writeConfig(t, rules)
			rulesOf := filepath.Join(filepath.Dir(config), session.ScrubFile)
			writeText(t, rulesOf, own)
			aged(t, rulesOf)
			refuse := func(r *running) {
				for _, c := range commands {
					if answer := r.ask(t, c); !strings.Contains(answer, `"is_error":true`) {
						t.Errorf("let through: %s", answer)
					}
				}
			}
			r := start(t, "exec", dir, "--config", config)
			refuse(r) // the rules are in force
			done := make(chan error)
			go func() {
				for range 4 {
					for file, text := range map[string]string{config: rules, rulesOf: own} {
						if err := save(file, text); err != nil {
							done <- err
							return
						}
						time.Sleep(100 * time.Millisecond)
					}
				}
				close(done)
			}()
			starts := 0
			for saving := true; saving; {
				select {
				case err, ok := <-done:
					if ok {
						t.Fatal(err)
					}
					saving = false
				case <-time.After(5 * time.Millisecond):
				}
				refuse(r)
				if starts < 2 { // each may wait until the file is at rest, and may refuse to start at all
					starts++
					o := process(t, strings.Join(commands, "\n"), binary(t), "exec", dir, "--config", config)
					if strings.Contains(o.out, `"is_error":false`) || o.code == 0 && o.out == "" {
						t.Errorf("a start let through: %+v", o)
					}
				}
			}
			_ = r.in.Close()
			if err := r.Wait(); err != nil {
				t.Error(err, r.errs.String())
			}
			if data, err := os.ReadFile(filepath.Join(dir, "locked.md")); err != nil || string(data) != "as it is\n" {
				t.Errorf("%q, %v", data, err)
			}
		})
	}
}

// What is wrong with a file of rules that was saved is said once, and when it is good again.
func TestRulesThatAreNotTakenAreSaidOnce(t *testing.T) {
	t.Parallel()
	dir, config := newStore(t, nil), writeConfig(t, tightRules)
	r := start(t, "exec", dir, "--config", config)
	const create = `{"command":"create","path":"/memories/a.md","file_text":"more than ten bytes"}`
	errs := &r.errs
	r.ask(t, create)
	for i, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return os.Truncate(config, 0) }, "in force: config.toml is empty"},
		{func() error { return os.WriteFile(config, []byte("\n \n"), 0o600) }, ""},
		{func() error { return os.Remove(config) }, "in force: config.toml is gone"},
		{func() error { return os.Symlink(config+".gone", config) }, "it is a link that leads nowhere"},
		{func() error { return os.Remove(config) }, "in force: config.toml is gone"},
		{func() error { return os.Rename(writeConfig(t, tightRules), config) }, "memcurator: The configuration is valid again and in force"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if step.want == "" {
			time.Sleep(600 * time.Millisecond) // longer than a version needs to be judged: nothing is to come
			continue
		}
		for end := time.Now().Add(patience); strings.Count(errs.String(), step.want) == 0 ||
			strings.Count(errs.String(), "\n") < i; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("step %d was never told: %q", i, errs.String())
			}
		}
		if answer := r.ask(t, create); !strings.Contains(answer, `"is_error":true`) {
			t.Errorf("step %d: let through: %s", i, answer)
		}
	}
	_ = r.in.Close()
	if err := r.Wait(); err != nil || strings.Count(errs.String(), "\n") != 5 {
		t.Errorf("%v, %q", err, errs.String())
	}
}

// A link that leads nowhere is not a missing file: its author wants rules.
func TestAStartWithRulesThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	dir, home := newStore(t, nil), t.TempDir()
	folder := filepath.Join(home, "memcurator")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	config, own := filepath.Join(folder, "config.toml"), filepath.Join(folder, session.ScrubFile)
	for _, c := range []struct{ at, does, want string }{
		{config, "link", fmt.Sprintf("Can't read the configuration %s: it is a link that leads nowhere", config)},
		{own, "link", fmt.Sprintf("Can't read the rules file %s: it is a link that leads nowhere", own)},
		{own, "half of it", fmt.Sprintf("Can't read the rules file %s: line 1: ", own)},
	} {
		_, _ = os.Remove(config), os.Remove(own)
		if c.at == own {
			writeText(t, config, "[scrub]\non_write = \"warn\"\n")
		}
		if c.does == "link" {
			if err := os.Symlink(filepath.Join(home, "gone"), c.at); err != nil {
				t.Fatal(err)
			}
		} else {
			writeText(t, c.at, "[[rul")
		}
		for _, name := range []string{config, own} {
			if _, err := os.Stat(name); err == nil {
				aged(t, name)
			}
		}
		past := time.Now().Add(-time.Hour)
		if err := os.Chtimes(folder, past, past); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"exec", "mcp"} {
			o := call{args: []string{command, dir}, stdin: `{"command":"view","path":"/memories"}`,
				env: map[string]string{"XDG_CONFIG_HOME": home}}.run(t)
			if o.code != session.ExitFailed || o.out != "" || !strings.Contains(o.err, c.want) {
				t.Errorf("%s, %s: %+v", command, c.want, o)
			}
		}
	}
}
