//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/cli/session"
)

// saves are the ways in which editors and scripts save a file. The text is never another one.
var saves = map[string]func(file, text string) error{
	"truncate and write": func(file, text string) error {
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
				for range 2 {
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
