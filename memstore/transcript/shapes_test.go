package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// session writes lines of a session file of Claude Code.
type session struct {
	strings.Builder
	n   int
	cwd string
}

const memoryDir = "/home/u/.claude/projects/-home-u-p/memory/"

func (s *session) stamp() string {
	s.n++
	return fmt.Sprintf(`"uuid":"u%d","sessionId":"s1","cwd":"%s","timestamp":"2026-01-02T03:04:%02d.000Z","isSidechain":false`, s.n, s.cwd, s.n)
}

// call writes a call and its result; extra is toolUseResult, "" for none.
func (s *session) call(tool, input, content, extra string, failed bool) {
	id := fmt.Sprintf("toolu_01A09q90qw90lq9178%04d", 1000+s.n)
	fmt.Fprintf(s, `{"type":"assistant",%s,"message":{"model":"m-2","role":"assistant","content":[{"type":"tool_use","id":"%s",`+
		`"name":"%s","input":%s}]}}`+"\n", s.stamp(), id, tool, input)
	if extra != "" {
		extra = `,"toolUseResult":` + extra
	}
	fmt.Fprintf(s, `{"type":"user",%s%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":%s,`+
		`"is_error":%v}]}}`+"\n", s.stamp(), extra, id, encoded(content), failed)
}

func (s *session) write(name, text, original string) {
	s.call("Write", `{"file_path":"`+memoryDir+name+`","content":`+encoded(text)+`}`, "ok", `{"type":"update","originalFile":`+original+
		`}`, false)
}

func (s *session) edit(name, from, to, original string) {
	s.call("Edit", `{"file_path":"`+memoryDir+name+`","old_string":`+encoded(from)+`,"new_string":`+encoded(to)+`}`, "ok",
		`{"originalFile":`+original+`}`, false)
}

func TestClaudeCode(t *testing.T) {
	var s session
	s.WriteString(`{"type":"summary","leafUuid":"x","summary":"memory"}` + "\n" +
		`{"type":"file-history-snapshot","messageId":"memory","snapshot":{}}` + "\n")
	s.call("Read", `{"file_path":"/home/u/p/memory/notes.md"}`, "elsewhere", "", false) // no memory folder
	s.edit("MEMORY.md", "old", "new", encoded("an old line\n"))
	s.write("b.md", "one two one\n", "null")
	s.call("Edit", `{"file_path":"`+memoryDir+`b.md","old_string":"one","new_string":"1"}`, "File has not been read yet",
		`"Error: File has not been read yet"`, true)
	s.call("MultiEdit", `{"file_path":"`+memoryDir+
		`b.md","edits":[{"old_string":"one","new_string":"1","replace_all":true},{"old_string":"two","new_string":"2"}]}`, "ok",
		`{"originalFile":`+encoded("one two one\n")+`}`, false)
	s.call("Read", `{"file_path":"`+memoryDir+`b.md"}`, "     1\t1 2 1",
		`{"type":"text","file":{"content":"1 2 1","numLines":1,"startLine":1,"totalLines":1}}`, false)
	fmt.Fprintf(&s, `{"type":"system","subtype":"compact_boundary",%s}`+"\n"+
		`{"type":"user",%s,"isCompactSummary":true,"message":{"role":"user","content":"memory {\"type\":\"tool_use\",\"name\":\"Write\"}"}}`+
		"\n", s.stamp(), s.stamp())
	s.write("b.md", "three\n", encoded("by hand\n"))
	s.call("Edit", `{"file_path":"`+memoryDir+`b.md","old_string":"three","new_string":"3"}`, "ok",
		`{"originalFile":"three\n","newString":"III","userModified":true}`, false)
	s.call("Bash", `{"command":"cat > `+memoryDir+`c.md <<E\nIII\nE"}`, "", "", false)
	s.call("Write", `{"file_path":"`+memoryDir+`../../../x","content":"x"}`, "ok", "", false)
	text := s.String()

	want := []transcript.Verdict{
		transcript.Identical, transcript.Identical, transcript.Identical, transcript.Identical, transcript.Identical,
		transcript.Differs, transcript.Identical, transcript.Identical, transcript.NotReplayable,
	}
	// A resumed copy repeats the lines of the session it resumes, under its own name.
	resumed := strings.ReplaceAll(text, `"sessionId":"s1"`, `"sessionId":"s2"`)
	for name, r := range map[string]*transcript.Reader{
		"alone": read(t, nil, text), "with a resumed copy": read(t, nil, text, resumed),
		"files in another order": read(t, nil, resumed[len(resumed)/2:], text),
	} {
		calls := r.Calls()
		p := trackOf(t, calls)
		var got []transcript.Verdict
		for i, c := range calls {
			got = append(got, p.Steps[i].Verdict)
			if c.Model != "m-2" || c.When.IsZero() {
				t.Errorf("%s: call %s has model %q, time %q", name, c.ID, c.Model, c.Time)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: verdicts %v\nwant %v", name, got, want)
		}
		for file, text := range map[string]string{"MEMORY.md": "an new line\n", "c.md": "III\n"} {
			if got := content(p, file); got != text {
				t.Errorf("%s: %s ends as %q, want %q", name, file, got, text)
			}
		}
	}
}

func content(p *transcript.Track, name string) string {
	f, _ := p.File("/memories/"+name, len(p.Steps))
	return string(f.Data)
}

// Calls of subagents did run: they are taken in order of time, each with its agent.
func TestSubagentsAndTime(t *testing.T) {
	line := func(uuid, when, id string, side bool) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"%s","sessionId":"s","timestamp":"%s","isSidechain":%v,"agentId":"a7",`+
			`"message":{"role":"assistant","content":[%s]}}`+"\n",
			uuid, when, side, useOf(told{id: id, input: `{"command":"view","path":"/memories"}`}))
	}
	calls := read(t, nil, line("1", "2026-01-01T00:00:03Z", "c", false)+line("2", "2026-01-01T00:00:01Z", "a", false)+
		`{"data":{"type":"agent_progress","agentId":"a8","message":`+strings.TrimSpace(line("4", "2026-01-01T00:00:04Z", "d", false))+"}}\n",
		line("3", "2026-01-01T00:00:02Z", "b", true)).Calls()
	if len(calls) != 4 || calls[0].ID != "a" || calls[1].ID != "b" || calls[2].ID != "c" || calls[1].Agent != "a7" || calls[0].Agent != "" ||
		calls[3].Agent != "a8" {
		t.Errorf("found %+v", calls)
	}
}

// A read leaves the last newline of a file out: that is no difference when the next edit shows the file whole.
func TestReadLeavesTheLastNewlineOut(t *testing.T) {
	var s session
	s.call("Read", `{"file_path":"`+memoryDir+`a.md"}`, "     1\u2192one",
		`{"type":"text","file":{"content":"one","numLines":1,"startLine":1,"totalLines":1}}`, false)
	s.edit("a.md", "one", "two", encoded("one\n"))
	s.edit("a.md", "two", "three", encoded("two"))
	track, got := stepsOf(t, read(t, nil, s.String()).Calls())
	if same := "/memories/a.md identical "; !slices.Equal(got, []string{same, same, same}) {
		t.Errorf("%q", got)
	}
	if files := filesAfter(track, 2); files["/memories/a.md"] != "two\n" {
		t.Errorf("the memory is %q", files)
	}
}
