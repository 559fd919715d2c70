package cli

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"memcurator/render/text"
)

// hostileText has what a terminal acts on: C1 and C0 forms of OSC 52 and 8, SGR, bidirectional controls, a newline.
const hostileText = "ag\u009d52;c;YQ==\u009c\x1b]8;;http://x\x1b\\\x1b[31m\u202egnp\u2066\n9 forged\x07\u009b2J\x7f"

// What others chose, the names of actors, sessions and files, is shown and never acted on, in a terminal and in a pipe; lines of
// JSON mean the same in both.
func TestHostileTextsAreHarmlessInEveryCommand(t *testing.T) {
	dir, state := newStore(t, nil), t.TempDir()
	block := func(input map[string]any) string {
		data, err := json.Marshal(map[string]any{"type": "tool_use", "id": hostileText, "name": "memory", "input": input})
		must(t, err)
		return string(data) + "\n"
	}
	stdin := block(map[string]any{"command": "create", "path": "/memories/a.md", "file_text": hostileText + "\n"}) +
		block(map[string]any{"command": "insert", "path": "/memories/a.md", "insert_line": 0, "insert_text": "x"}) +
		block(map[string]any{"command": "create", "path": "/memories/\u202e\u009b2J.md", "file_text": "n\n"}) +
		block(map[string]any{"command": "create", "path": "/memories/b\u202ec.md", "file_text": "b\n"}) +
		block(map[string]any{"command": "delete", "path": "/memories/b\u202ec.md"}) +
		block(map[string]any{"command": "view", "path": "/memories/a.md"})
	common := []string{"--state", state, "--config", "/dev/null"}
	for _, tty := range []bool{true, false} {
		args := append([]string{"exec", dir, "--session", hostileText}, common...)
		o := call{args: args, stdin: stdin, tty: tty}.run(t)
		if o.code != 0 {
			t.Fatalf("%+v", o)
		}
		check(t, "exec", o, tty)
		stdin = block(map[string]any{"command": "view", "path": "/memories/a.md"})
	}
	harmless(t, dir, common)
}

// ownColors are what each output.Painter adds.
var ownColors = regexp.MustCompile(`\x1b\[(0|1|3[1236])m`)

// harmless runs the commands that show what others chose.
func harmless(t *testing.T, dir string, common []string) {
	t.Helper()
	for _, args := range [][]string{
		{"log", dir}, {"show", dir, "1"}, {"show", dir, "2"}, {"blame", dir, "/memories/a.md"}, {"trash", dir}, {"diff", dir, "1..2"},
		{"stats", dir}, {"stats", dir, "--json"},
		{"search", dir, "forged"}, {"plan", dir}, {"scan", dir}, {"doctor", dir}, {"undo", dir, "99"},
		{"cat", dir, "/memories/none" + hostileText}, {"cat", dir, "/memories/a.md"}, {"ls", dir},
		{"log", dir, "--json"}, {"show", dir, "1", "--json"}, {"blame", dir, "/memories/a.md", "--json"}, {"trash", dir, "--json"},
		{"search", dir, "forged", "--json"},
	} {
		in := append(args, common...)
		screen, pipe := call{args: in, tty: true, env: map[string]string{"NO_COLOR": "1"}}.run(t), call{args: in}.run(t)
		if colored := (call{args: in, tty: true}).run(t); ownColors.ReplaceAllString(colored.out, "") != screen.out {
			t.Errorf("%q is another text in colors: %q", args, colored.out)
		}
		check(t, strings.Join(args, " "), screen, true)
		check(t, strings.Join(args, " "), pipe, false)
		if args[len(args)-1] == "--json" && args[0] != "stats" && !reflect.DeepEqual(jsonOf(t, screen.out), jsonOf(t, pipe.out)) {
			t.Errorf("%q: the lines differ: %s and %s", args, screen.out, pipe.out)
		}
	}
}

// check looks for what a terminal acts on: in what it gets, and in what is written to standard error in any case.
func check(t *testing.T, what string, o outcome, tty bool) {
	t.Helper()
	streams := map[string]string{"error": o.err}
	if tty {
		streams["output"] = o.out
	}
	for name, s := range streams {
		for _, line := range strings.Split(s, "\n") {
			if at := strings.IndexFunc(line, func(r rune) bool {
				return unicode.IsControl(r) && r != '\t' || text.Clean("a"+string(r)) != "a"+string(r) && !unicode.IsMark(r) && r != '\t'
			}); at >= 0 {
				t.Errorf("%s: standard %s holds %q", what, name, line)
			}
		}
		if strings.HasPrefix(s, "9 forged") || strings.Contains(s, "\n9 forged") && !strings.Contains(what, "diff") &&
			!strings.Contains(what, "show") {
			t.Errorf("%s: a line is forged in %q", what, s)
		}
	}
}
