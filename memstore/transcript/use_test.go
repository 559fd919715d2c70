package transcript_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/use"
)

// sessions writes sessions of Claude Code that work on one memory folder, a call and its result after another.
type sessions struct {
	t     testing.TB
	lines []string
	files map[string]string
	n     int
}

const memoryFolder = "/h/.claude/projects/-src-app/memory/"

func (s *sessions) call(session, tool, name string, input map[string]any, result string) {
	s.t.Helper()
	s.n++
	input["file_path"] = memoryFolder + name
	in, err := json.Marshal(input)
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := json.Marshal(result)
	if err != nil {
		s.t.Fatal(err)
	}
	head := fmt.Sprintf(`"sessionId":%q,"timestamp":"2026-11-20T09:%02d:00Z","cwd":"/src/app","uuid":"u%%d%d"`, session, s.n, s.n)
	s.lines = append(s.lines,
		fmt.Sprintf(`{"type":"assistant",`+fmt.Sprintf(head, 1)+`,"message":{"id":"m%d","role":"assistant","model":"m-1","content":[`+
			`{"type":"tool_use","id":"toolu_01%018d","name":%q,"input":%s}]}}`, s.n, s.n, tool, in),
		fmt.Sprintf(`{"type":"user",`+fmt.Sprintf(head, 2)+`,"message":{"role":"user","content":[`+
			`{"type":"tool_result","tool_use_id":"toolu_01%018d","content":%s}]}}`, s.n, out))
}

func (s *sessions) say(session, text string) {
	s.n++
	s.lines = append(s.lines, fmt.Sprintf(`{"type":"user","sessionId":%q,"timestamp":"2026-11-20T09:%02d:00Z","cwd":"/src/app","uuid":"p%d",`+
		`"message":{"role":"user","content":%q}}`, session, s.n, s.n, text))
}

func (s *sessions) write(session, name, text string) {
	s.files[name] = text
	s.call(session, "Write", name, map[string]any{"content": text}, "File created successfully at: "+memoryFolder+name)
}

func (s *sessions) read(session, name string) {
	var rows strings.Builder
	for i, l := range strings.Split(strings.TrimSuffix(s.files[name], "\n"), "\n") {
		fmt.Fprintf(&rows, "%6d→%s\n", i+1, l)
	}
	s.call(session, "Read", name, map[string]any{}, rows.String())
}

func (s *sessions) track() *transcript.Track {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(s.lines, "\n")+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	track, err := use.Gather(s.t.Context(), []string{file}, transcript.Options{}, memstore.Docs, func(file string, err error) {
		s.t.Errorf("%s: %v", file, err)
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return track
}

func newSessions(t testing.TB) *sessions { return &sessions{t: t, files: map[string]string{}} }

// Reads and writes count for the file, a read of what another session changed is stale, and a session's memory has a size at
// its start and at its end.
func TestUse(t *testing.T) {
	t.Parallel()
	s := newSessions(t)
	s.write("one", "a.md", "alpha beta\n")
	s.write("one", "b.md", "never read\n")
	s.read("two", "a.md")
	s.read("two", "a.md") // nothing changed: not stale
	s.write("one", "a.md", "alpha beta gamma delta\n")
	s.read("one", "a.md") // its own text
	s.read("two", "a.md") // stale: one changed it
	notes, sessions := s.track().Use()
	if len(notes) != 2 || len(sessions) != 2 {
		t.Fatalf("%+v, %+v", notes, sessions)
	}
	a, b := notes[0], notes[1]
	if a.Path != "/memories/a.md" || a.Reads != 4 || a.Writes != 2 || a.Stale != 1 || a.LastRead != 7 || a.LastWrite != 5 || len(a.Sessions) != 2 {
		t.Errorf("a.md: %+v", a)
	}
	if a.Tokens < 4*4 || a.Tokens > 4*12 {
		t.Errorf("four reads of a few words loaded %d tokens", a.Tokens)
	}
	if b.Reads != 0 || b.LastRead != 0 || b.Writes != 1 || b.Tokens != 0 || b.Gone {
		t.Errorf("b.md: %+v", b)
	}
	one, two := sessions[0], sessions[1]
	if one.Session != "one" || one.Start != 0 || one.First != 1 || one.Last != 6 || one.Writes != 3 || one.Reads != 1 || one.Model != "m-1" {
		t.Errorf("one: %+v", one)
	}
	if two.Start != 6 || two.End != 9 || two.Loaded <= one.Loaded || two.Writes != 0 || two.Reads != 3 {
		t.Errorf("two: %+v", two)
	}
}

// A rename takes the use along, and a deleted file is gone.
func TestUseFollowsRenames(t *testing.T) {
	t.Parallel()
	calls := read(t, transcript.Options{}, strings.Join([]string{
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"memory","input":{"command":"create","path":"/memories/d/a.md","file_text":"one\n"}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"File created successfully at: /memories/d/a.md"}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"memory","input":{"command":"rename","old_path":"/memories/d","new_path":"/memories/e"}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"Successfully renamed /memories/d to /memories/e"}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"memory","input":{"command":"view","path":"/memories/e/a.md"}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"Here's the content of /memories/e/a.md with line numbers:\n     1\tone\n"}]}`,
	}, "\n")).Calls()
	notes, _ := trackOf(t, calls, nil).Use()
	if len(notes) != 1 || notes[0].Path != "/memories/e/a.md" || notes[0].Writes != 2 || notes[0].Reads != 1 || notes[0].Gone {
		t.Errorf("%+v", notes)
	}
}
