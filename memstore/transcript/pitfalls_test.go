package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// A line of 5 MB that has nothing to do with the memory, one that has, and one without an end.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("word ", 1<<20)
	input := `{"command":"create","path":"/memories/a.md","file_text":"` + long + `"}`
	want := []told{{id: "t1", input: input, result: `"File created successfully at: /memories/a.md"`}}
	text := `{"role":"user","content":"` + long + `"}` + "\n" +
		`{"role":"assistant","content":[` + useOf(want[0]) + "]}\n" +
		`{"role":"user","content":[` + result(want[0]) + "]}\n" +
		`{"role":"assistant","content":[{"type":"text","text":"` + long
	r := read(t, nil, text)
	if calls := r.Calls(); len(calls) != 1 || string(calls[0].Input) != input || calls[0].Source.Line != 2 || calls[0].Result == nil {
		t.Errorf("found %d calls", len(calls))
	}
}

// Duplicate keys, lone surrogates, NUL and bytes that are not UTF-8 are kept as they are.
func TestOddBytes(t *testing.T) {
	input := `{"command":"create","path":"/memories/a.md","path":"/memories/b.md","file_text":"` + "\xff\xfe" + `\ud800 \u0000"}`
	text := `{"role":"assistant","content":[` + useOf(told{id: "t1", input: input}) + "]}\r\n"
	check(t, read(t, nil, text), []told{{id: "t1", input: input}})
}

// The folder that a user opened counts for the tools that work on files, and a mounted store does, which is another one.
func TestMemoryFolders(t *testing.T) {
	var s session
	for tool, file := range map[string]string{"Write": "/srv/notes/a.md", "write": "/mnt/memory/team/d/b.md", "create": "/srv/other/c.md"} {
		s.call(tool, `{"file_path":"`+file+`","content":"x\n"}`, "ok", "", false)
	}
	r := read(t, []string{"/srv/notes"}, s.String())
	track := trackOf(t, r.Calls())
	if files := filesAfter(track, len(track.Steps)); len(files) != 2 || files["/memories/a.md"] != "x\n" || files["/memories/mnt/memory/team/d/b.md"] != "x\n" {
		t.Errorf("the memory is %q", files)
	}
}

// What VS Code has rendered is a tree with the text in its leaves.
func TestRenderedTree(t *testing.T) {
	text := `{"version":3,"sessionId":"s","requests":[{"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"c1","name":"memory",` +
		`"arguments":"{\"command\":\"view\",\"path\":\"/memories\"}"}]}],` +
		`"toolCallResults":{"c1":{"content":[{"value":{"node":{"type":1,"children":[{"type":2,"text":"No memories"},{"type":1,` +
		`"children":[{"type":2,"text":" found."}]}]}}}]}}}}}]}` + "\n"
	calls := read(t, nil, text).Calls()
	if len(calls) != 1 || calls[0].Result == nil || calls[0].Result.Text != "No memories found." {
		t.Errorf("found %+v", calls)
	}
}

// A record that an interrupted append cut off is named, and the whole one behind it on its line is read.
func TestDamagedLines(t *testing.T) {
	all := conversation()
	text := strings.Join(all[:3], "\n") + "\n" + all[3][:60] + all[3] + "\n{\"broken\n" + strings.Repeat("\x00", 4096) +
		strings.Join(all[4:], "\n") + "\n"
	r := read(t, nil, text)
	check(t, r, truth)
	if s := r.Summary(); s.Bad != 3 || s.BadLine != 4 || strings.Join(s.Notes(), "") != "3 lines are damaged, the first is line 4" {
		t.Errorf("%+v, %q", s, s.Notes())
	}
}

// The results of many calls at once are all found, also late in a file.
func TestManyCallsAtOnce(t *testing.T) {
	var uses, results []string
	for i := range 20 {
		c := told{id: fmt.Sprintf("toolu_%d", i), input: viewA, result: `"ok"`}
		uses, results = append(uses, useOf(c)), append(results, `{"role":"user","content":[`+result(c)+`]}`)
	}
	text := strings.Repeat(`{"role":"user","content":"go on"}`+"\n", 50) + `{"role":"assistant","content":[` + strings.Join(uses, ",") + "]}\n" +
		strings.Join(results, "\n") + "\n"
	for _, c := range read(t, nil, text).Calls() {
		if c.Result == nil {
			t.Errorf("%s has no result", c.ID)
		}
	}
}

// What doesn't show the file says nothing of its content.
func TestResultsThatShowNothing(t *testing.T) {
	for name, c := range map[string]struct{ text, extra string }{
		"unchanged":   {"Wasted call", `{"type":"file_unchanged","file":{"filePath":"x"}}`},
		"persisted":   {"<persisted-output>\nOutput too large", ""},
		"no content":  {"     1\tother", `{"type":"text","file":{"filePath":"x","numLines":1,"startLine":1,"totalLines":1}}`},
		"only a part": {"     1\tother", `{"type":"text","file":{"content":"other","numLines":1,"startLine":1,"totalLines":9}}`},
	} {
		var s session
		s.write("a.md", "one\n", "null")
		s.call("Read", `{"file_path":"`+memoryDir+`a.md"}`, c.text, c.extra, false)
		track := trackOf(t, read(t, nil, s.String()).Calls())
		if step := track.Steps[1]; step.Verdict != transcript.Identical || filesAfter(track, 2)["/memories/a.md"] != "one\n" {
			t.Errorf("%s: %s (%s), %q", name, step.Verdict, step.Detail, filesAfter(track, 2))
		}
	}
}

// The calls of a branch that the user left are named, and the difference that it makes. A subagent's are no branch.
func TestRewound(t *testing.T) {
	var text strings.Builder
	line := func(uuid, parent, kind, content, more string) {
		fmt.Fprintf(&text, `{"parentUuid":%s,"isSidechain":false%s,"type":"%s","uuid":"%s","sessionId":"s","message":{"role":"%s","content":%s}}`+"\n",
			encoded(parent), more, kind, uuid, kind, content)
	}
	call := func(uuid, parent, tool, input, extra string) {
		line(uuid, parent, "assistant", `[{"type":"tool_use","id":"toolu_`+uuid+`","name":"`+tool+`","input":{"file_path":"`+memoryDir+`a.md"`+input+`}}]`, "")
		line(uuid+"r", uuid, "user", `[{"type":"tool_result","tool_use_id":"toolu_`+uuid+`","content":"ok"}]`, `,"toolUseResult":`+extra)
	}
	line("p1", "", "user", `"note one"`, "")
	call("a1", "p1", "Write", `,"content":"one\n"`, `{"type":"create","originalFile":null}`)
	line("p2", "a1r", "user", `"and two"`, "")
	call("a2", "p2", "Write", `,"content":"two\n"`, `{"type":"update","originalFile":"one\n"}`)
	line("p3", "a1r", "user", `"rather three"`, "")
	call("a3", "p3", "Write", `,"content":"three\n"`, `{"type":"update","originalFile":"one\n"}`)
	_, got := stepsOf(t, read(t, nil, text.String()).Calls())
	want := []string{"/memories/a.md identical ", "/memories/a.md identical rewound: the user went back to before it",
		"/memories/a.md differs the file differs from line 1 on; call 2 left it otherwise, which the user rewound"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
