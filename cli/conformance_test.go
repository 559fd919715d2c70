package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// The program keeps its own rules, of which each takes a process and a journal. Package memstore tries them all; those here show
// that the program records what it must and speaks every dialect.
func TestConformanceOfTheProgram(t *testing.T) {
	t.Parallel()
	bin := binary(t)
	for _, d := range memtest.Dialects() {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			run := "str_replace/"
			if d == memtest.Dialects()[0] {
				run = "(delete|rename|sessions)/"
			}
			o := process(t, "", bin, "conformance", bin+" exec --dialect "+d, "--dialect", d, "--run", run)
			passed, total := lastLine(t, o.out)
			if o.code != 0 || o.err != "" || passed != total || total == 0 || strings.Contains(o.out, "FAILED") {
				t.Errorf("exit status %d, %d/%d, %q\n%.2000s", o.code, passed, total, o.err, o.out)
			}
		})
	}
	// The program that is tried is told the dialect.
	if o := process(t, "", bin, "conformance", bin+" exec", "--dialect", "python", "--run", "sizes"); o.code != 0 {
		t.Errorf("by the variable: %+v", o)
	}
}

func lastLine(t *testing.T, out string) (passed, total int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if n, err := fmt.Sscanf(lines[len(lines)-1], "%d/%d", &passed, &total); n != 2 || err != nil {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	return passed, total
}

// wrong makes a shell script that reads its input and then does something wrong. It gets
// the store as its first argument.
func wrong(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are scripts of sh")
	}
	file := filepath.Join(t.TempDir(), "program.sh")
	writeText(t, file, "input=$(cat)\nsay() { printf '%s\\n' \"$1\"; }\n"+script)
	return "sh " + file
}

const (
	onlyMissing = "docs/view/missing$"
	right       = `{"content":"The path /memories/none.md does not exist. Please provide a valid path.","is_error":true}`
)

func TestConformanceReportsFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script string
		says         []string // nothing: it passes
	}{
		{"right", "say '" + right + "'", nil},
		{"more fields", `say '{"type":"tool_result","tool_use_id":"","content":"The path /memories/none.md does not exist. Please provide ` +
			`a valid path.","is_error":true}'`, nil},
		{"other text", `say '{"content":"No such file\n","is_error":true}'`, []string{
			`FAILED docs/view/missing  step 1: expected the error "The path /memories/none.md does not exist`, `got the error "No such file\n"`,
		}},
		{"no JSON", "echo Hello", []string{`An answer is not a JSON object with the text content: "Hello"`}},
		{"nothing", "", []string{"answered 1 inputs with 0 lines"}},
		{"status", "say '" + right + "'; echo broken >&2; exit 3", []string{"ended with exit status 3", "broken"}},
		{"a signal", "kill -9 $$", []string{"The program "}},
		{"the tree", "say '" + right + "'; echo new > $1/left.md; mkdir $1/d", []string{"the tree afterwards", "left.md", "d/"}},
		{"outside", "say '" + right + "'; echo new > $1/../outside/x", []string{"../outside/x"}},
		{"endless", "cat /dev/zero", []string{"more than 16 MiB"}},
		{"escapes", `printf '\033]0;x\007\n'`, []string{`\x1b]0;x\a`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			command := wrong(t, c.script)
			o := do(t, "conformance", command, "--run", onlyMissing)
			if c.says == nil {
				if o != (outcome{0, "1/1\n", ""}) {
					t.Errorf("%+v", o)
				}
				return
			}
			if o.code != session.ExitFailed || o.err != "memcurator: 1 of 1 vectors failed\n" || !strings.HasSuffix(o.out, "\n0/1\n") ||
				strings.Contains(o.out, "\x1b") {
				t.Errorf("%+v", o)
			}
			for _, s := range c.says {
				if !strings.Contains(o.out, s) {
					t.Errorf("it does not say %q:\n%s", s, o.out)
				}
			}
		})
	}
}
