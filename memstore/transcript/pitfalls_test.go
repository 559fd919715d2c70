package transcript_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// What trips readers up, each with the sentence that says what was seen.

func describe(t *testing.T, text string) (string, int) {
	t.Helper()
	r := transcript.NewReader(transcript.Options{})
	if err := r.Read("f", strings.NewReader(text)); err != nil {
		return err.Error(), len(r.Calls())
	}
	return r.Summary().Describe("f"), len(r.Calls())
}

func TestOddFiles(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"half of UTF-16", "\xff\xfe{", "no JSON found"},
		{"broken gzip", "\x1f\x8b\x08broken....", "it looks like gzip that can't be unpacked"},
		{"a table of keys", "type: memory\ntype: again\n", "printed log"},
		{"quoted in prose", `{"role":"assistant","content":[{"type":"text","text":"{\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",` +
			`\"input\":{\"command\":\"view\",\"path\":\"/memories\"}}"}]}` + "\n", "No memory calls in f"},
		{"quoted as a response", `{"prompt":"x","response":"{\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",` +
			`\"input\":{\"command\":\"delete\",\"path\":\"/memories/a\"}}"}` + "\n", "No memory calls in f"},
		{"quoted as a list", `{"prompt":"x","response":"[{\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",` +
			`\"input\":{\"command\":\"delete\",\"path\":\"/memories/a\"}}]"}` + "\n", "No memory calls in f"},
		{"quoted in a result", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":[{"type":"tool_use","id":"q",` +
			`"name":"memory","input":{"command":"view"}}]}]}` + "\n", "No memory calls in f"},
		{"a summary", `{"type":"user","isCompactSummary":true,"uuid":"u","sessionId":"s","message":{"role":"user","content":"tool_use ` +
			`memory {\"command\":\"view\"}"}}` + "\n", "No memory calls in f"},
	} {
		if says, calls := describe(t, c.text); !strings.Contains(says, c.says) || calls != 0 {
			t.Errorf("%s: %d calls, %q, want %q", c.name, calls, says, c.says)
		}
	}
}

func TestBomb(t *testing.T) {
	defer transcript.SetMaxUnpacked(4 << 20)()
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	zeros := bytes.Repeat([]byte{' '}, 1<<20)
	for range 100 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	r := transcript.NewReader(transcript.Options{})
	if err := r.Read("f", &packed); !errors.Is(err, transcript.ErrBomb) {
		t.Errorf("error %v", err)
	}
}

// A line of 5 MB that has nothing to do with the memory, one that has, and one without an end.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("word ", 1<<20)
	input := `{"command":"create","path":"/memories/a.md","file_text":"` + long + `"}`
	want := []told{{id: "t1", input: input, result: `"File created successfully at: /memories/a.md"`}}
	text := `{"role":"user","content":"` + long + `"}` + "\n" +
		`{"role":"assistant","content":[` + useOf(want[0]) + "]}\n" +
		`{"role":"user","content":[` + result(want[0]) + "]}\n" +
		`{"role":"assistant","content":[{"type":"text","text":"` + long
	r := read(t, transcript.Options{}, text)
	if calls := r.Calls(); len(calls) != 1 || string(calls[0].Input) != input || calls[0].Source.Line != 2 || calls[0].Result == nil {
		t.Errorf("found %d calls", len(calls))
	}
}

// Duplicate keys, lone surrogates, NUL and bytes that are not UTF-8 are kept as they are.
func TestOddBytes(t *testing.T) {
	input := `{"command":"create","path":"/memories/a.md","path":"/memories/b.md","file_text":"` + "\xff\xfe" + `\ud800 \u0000"}`
	text := `{"role":"assistant","content":[` + useOf(told{id: "t1", input: input}) + "]}\r\n"
	check(t, read(t, transcript.Options{}, text), []told{{id: "t1", input: input}})
	track := trackOf(t, read(t, transcript.Options{}, text).Calls(), nil)
	if files := filesAfter(track, 1); len(files) != 1 || files["/memories/b.md"] == "" {
		t.Errorf("the memory is %q", files)
	}
}

// The folder that a user opened counts for the tools that work on files, and a mounted store does, which is another one.
func TestMemoryFolders(t *testing.T) {
	line := func(tool, path string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"%s","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use",`+
			`"id":"%s","name":"%s","input":{"file_path":"%s","content":"x\n"}}]}}`+"\n", path, path, tool, path) +
			fmt.Sprintf(`{"type":"user","uuid":"r%s","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result",`+
				`"tool_use_id":"%s","content":"ok"}]}}`+"\n", path, path)
	}
	text := line("Write", "/srv/notes/a.md") + line("write", "/mnt/memory/team/d/b.md") + line("Write", "/srv/other/c.md")
	r := read(t, transcript.Options{Folders: []string{"/srv/notes"}}, text)
	track := trackOf(t, r.Calls(), nil)
	if files := filesAfter(track, track.Len()); len(files) != 2 || files["/memories/a.md"] != "x\n" || files["/memories/mnt/memory/team/d/b.md"] != "x\n" {
		t.Errorf("the memory is %q", files)
	}
}

// What VS Code has rendered is a tree with the text in its leaves.
func TestRenderedTree(t *testing.T) {
	text := `{"version":3,"sessionId":"s","requests":[{"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"c1","name":"memory",` +
		`"arguments":"{\"command\":\"view\",\"path\":\"/memories\"}"}]}],` +
		`"toolCallResults":{"c1":{"content":[{"value":{"node":{"type":1,"children":[{"type":2,"text":"No memories"},{"type":1,` +
		`"children":[{"type":2,"text":" found."}]}]}}}]}}}}}]}` + "\n"
	calls := read(t, transcript.Options{}, text).Calls()
	if len(calls) != 1 || calls[0].Result == nil || calls[0].Result.Text != "No memories found." {
		t.Errorf("found %+v", calls)
	}
}

// A transcript cut at any byte yields a part of the calls, in their order, and never another one.
func TestCutAnywhere(t *testing.T) {
	g := generate(t, 8, 6, memstore.Docs)
	known := map[string]bool{}
	for _, c := range g.calls {
		known[c.id+c.input] = true
	}
	for _, name := range []string{"messages", "body", "log", "sse-log", "completions"} {
		text := g.formats(t)[name]
		for cut := 0; cut < len(text); cut += 1 + len(text)/40 {
			r := transcript.NewReader(transcript.Options{})
			if err := r.Read("f", strings.NewReader(text[:cut])); err != nil && !errors.Is(err, transcript.ErrEmpty) {
				t.Fatal(err)
			}
			for _, c := range r.Calls() {
				if !c.Cut && !known[c.ID+string(c.Input)] {
					t.Fatalf("%s, cut at %d: a call that was not made: %s", name, cut, c.Input)
				}
			}
		}
	}
}

// A file that a shell command of the transcript changed differs for that reason.
func TestAShellCommandIsBlamed(t *testing.T) {
	const file = "/home/u/.claude/projects/-src-p/memory/MEMORY.md"
	text, n := "", 0
	call := func(tool, input, result string) {
		n++
		text += fmt.Sprintf(`{"type":"assistant","uuid":"a%d","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use",`+
			`"id":"toolu_%d","name":%q,"input":{%s}}]}}`+"\n", n, n, tool, input)
		text += fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":"toolu_%d","content":%q}]}}`+"\n", n, n, result)
	}
	call("Write", fmt.Sprintf(`"file_path":%q,"content":"one\n"`, file), "File created successfully")
	call("Bash", fmt.Sprintf(`"command":"python3 add.py two %s"`, file), "")
	call("Read", fmt.Sprintf(`"file_path":%q`, file), "     1\u2192one\n     2\u2192two\n")
	call("Read", fmt.Sprintf(`"file_path":%q`, file), "     1\u2192one\n     2\u2192two\n     3\u2192three\n")
	calls := read(t, transcript.Options{}, text).Calls()
	track, err := transcript.NewTrack(shown, transcript.Handler{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		track.Add(t.Context(), c)
	}
	steps := track.Steps()
	if s := steps[2]; s.Verdict != transcript.Drift || s.Detail != "the shell command of call 2 changed the file" {
		t.Errorf("call 3: %s, %s", s.Verdict, s.Detail)
	}
	if s := steps[3]; s.Verdict != transcript.Drift || s.Detail != "the file changed outside this transcript" {
		t.Errorf("call 4: %s, %s", s.Verdict, s.Detail)
	}
}

// A record that an interrupted append cut off is named, and the whole one behind it on its line is read.
func TestDamagedLines(t *testing.T) {
	all := conversation()
	text := strings.Join(all[:3], "\n") + "\n" + all[3][:60] + all[3] + "\n{\"broken\n" + strings.Join(all[4:], "\n") + "\n"
	r := read(t, transcript.Options{}, text)
	check(t, r, truth)
	if s := r.Summary(); s.Bad != 2 || s.BadLine != 4 || strings.Join(s.Notes()[1:], "") != "2 lines are damaged, the first is line 4" {
		t.Errorf("%+v, %q", s, s.Notes())
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
		track := shownTrack(t, read(t, transcript.Options{}, s.String()).Calls())
		if step := track.Steps()[1]; step.Verdict != transcript.Identical || filesAfter(track, 2)["/memories/a.md"] != "one\n" {
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
	_, got := stepsOf(t, read(t, transcript.Options{}, text.String()).Calls())
	want := []string{"/memories/a.md identical ", "/memories/a.md identical rewound: the user went back to before it",
		"/memories/a.md drift the file is not as call 2 left it, which the user rewound"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
