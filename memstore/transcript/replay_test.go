package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// recorded is a call with its result as the reader returns it.
func recorded(input, text string, failed bool) *transcript.Call {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return &transcript.Call{Tool: "memory", Input: json.RawMessage(input),
		Result: &transcript.Result{Raw: raw, Text: text, IsError: failed}}
}

const (
	makeA = `{"command":"create","path":"/memories/a.md","file_text":"one\ntwo\n"}`
	viewA = `{"command":"view","path":"/memories/a.md"}`
	listR = `{"command":"view","path":"/memories"}`
	rows  = "     1\tone\n     2\ttwo\n     3\t"
)

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, input, text string
		failed            bool
		want              transcript.Verdict
	}{
		{"the same", viewA, "Here's the content of /memories/a.md with line numbers:\n" + rows, false, transcript.Identical},
		{"other text", viewA, "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\tTWO\n     3\t", false,
			transcript.Drift},
		{"rows of the first handlers", viewA, "   1: one\n   2: two", false, transcript.OtherDialect},
		{"gone", viewA, "The path /memories/a.md does not exist. Please provide a valid path.", true, transcript.Divergent},
		{"not there, in Python's words", `{"command":"delete","path":"/memories/x"}`, "The path /memories/x does not exist", true,
			transcript.OtherDialect},
		{"not there, from the runtime", `{"command":"delete","path":"/memories/x"}`, "Error: ENOENT: no such file", true,
			transcript.OtherDialect},
		{"there elsewhere", `{"command":"delete","path":"/memories/x"}`, "Successfully deleted /memories/x", false, transcript.Divergent},
		{"a flag that is not set", `{"command":"delete","path":"/memories/x"}`, "Error: The path /memories/x does not exist", false,
			transcript.OtherDialect},
		{"sizes of " +
			"directories", listR, "Here're the files and directories up to 2 levels deep in /memories, excluding hidden " +
			"items:\n60B\t/memories\n8B\t/memories/a.md", false, transcript.OtherDialect},
		{"another entry", listR, "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and " +
			"node_modules:\n4.0K\t/memories\n8B\t/memories/z.md", false, transcript.Drift},
		{"a line after the snippet that is not here", `{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"1"}`,
			"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\t1\n     2\ttwo\n     " +
				"3\tby hand\n     4\t", false, transcript.Drift},
		{"fewer lines around", `{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"1"}`,
			"The memory file has been edited.\n     1\t1", false, transcript.OtherDialect},
		{"the range of a longer file", `{"command":"insert","path":"/memories/a.md","insert_line":9,"insert_text":"x"}`,
			"Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 5]", true, transcript.Drift},
		{"a range that counts otherwise", `{"command":"insert","path":"/memories/a.md","insert_line":9,"insert_text":"x"}`,
			"Invalid `insert_line` parameter: 9. It should be within the range [0, 3].", true, transcript.OtherDialect},
		{"more lines with the text", `{"command":"str_replace","path":"/memories/a.md","old_str":"o","new_str":"0"}`,
			"No replacement was performed. Multiple occurrences of old_str `o` in lines: 1, 2, 7. Please ensure it is unique", true,
			transcript.Drift},
		{"the same lines, one twice", `{"command":"str_replace","path":"/memories/a.md","old_str":"o","new_str":"0"}`,
			"No replacement was performed. Multiple occurrences of old_str `o` in lines [1, 2, 2]. Please ensure it is unique", true,
			transcript.OtherDialect},
		{"cleared", viewA, "[Old tool result content cleared]", false, transcript.Cleared},
		{"a stub", viewA, "ok", false, transcript.Unknown},
		{"lost input", `{"command":"create","path":"/memories/n","file_text":"(content saved to memory)"}`,
			"File created successfully at: /memories/n", false, transcript.NotReplayable},
		{"overwritten", makeA, "File created successfully at /memories/a.md", false, transcript.OtherDialect},
		{"edited in VS Code's words", `{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"1"}`,
			"The memory file has been edited. Here's the result of running `cat -n` on a snippet of /memories/a.md:\n     1\t1\n     " +
				"2\ttwo\n     3\t", false, transcript.OtherDialect},
	} {
		p := start(t, map[string][]byte{"/memories/a.md": []byte("one\ntwo\n")})
		if s := p.Step(t.Context(), recorded(c.input, c.text, c.failed)); s.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s; ours: %+v", c.name, s.Verdict, s.Detail, c.want, s.Ours)
		}
	}
	p := start(t, nil)
	missing := recorded(makeA, "", false)
	missing.Result = nil
	if s := p.Step(t.Context(), missing); s.Verdict != transcript.NoResult {
		t.Errorf("without a result: %s", s.Verdict)
	}
	if s := p.Step(t.Context(), recorded(viewA, "Here's the content of /memories/a.md with line numbers:\n"+rows,
		false)); s.Verdict != transcript.Identical {
		t.Errorf("a whole input without a result was not carried out: %s", s.Verdict)
	}
	if s := p.Step(t.Context(), &transcript.Call{Tool: "memory", Input: json.RawMessage(`"{"`),
		Cut: true}); s.Verdict != transcript.NotReplayable {
		t.Errorf("a cut input: %s", s.Verdict)
	}
}

// Some handlers let create take the place of a file, in the words that others use for a new one: what else they
// say prints them.
func TestHandlersThatOverwrite(t *testing.T) {
	make2 := strings.Replace(makeA, "two", "2", 1)
	calls := []*transcript.Call{
		recorded(makeA, "File created successfully at: /memories/a.md", false),
		recorded(make2, "File created successfully at: /memories/a.md", false),
		recorded(viewA, "Here's the result of running `cat -n` on /memories/a.md:\n     1\tone\n     2\t2\n     3\t\n", false),
		recorded(`{"command":"str_replace","path":"/memories/a.md","old_str":"2","new_str":"3"}`,
			"The file /memories/a.md has been edited. Here's the result of running `cat -n` on a snippet of /memories/a.md:\n     "+
				"1\tone\n     2\t3\n     3\t\nReview the changes.", false),
		recorded(`{"command":"view","path":"/etc/x"}`, "Invalid path: all paths must start with /memories, got /etc/x", true),
	}
	for n, want := range map[int]transcript.Verdict{2: transcript.Divergent, len(calls): transcript.OtherDialect} {
		h, err := transcript.Guess(t.Context(), calls[:n], transcript.Start{}, memstore.Docs)
		if err != nil {
			t.Fatal(err)
		}
		p, err := transcript.NewReplay(transcript.Start{}, h)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range calls[:n] {
			verdict := want
			if i == 0 {
				verdict = transcript.Identical
			}
			if s := p.Step(t.Context(), c); s.Verdict != verdict {
				t.Errorf("call %d of %d, compared with %s: %s (%s), want %s", i+1, n, h, s.Verdict, s.Detail, verdict)
			}
		}
	}
}

func start(t *testing.T, files map[string][]byte) *transcript.Replay {
	t.Helper()
	p, err := transcript.NewReplay(transcript.Start{Files: files}, transcript.Handler{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What was recorded as failed did not happen, whatever our handlers would do.
func TestFailedCallsChangeNothing(t *testing.T) {
	p := start(t, nil)
	p.Step(t.Context(), recorded(makeA, "Error: EACCES: permission denied", true))
	s := p.Step(t.Context(), recorded(viewA, "The path /memories/a.md does not exist. Please provide a valid path.", true))
	if s.Verdict != transcript.Identical {
		t.Errorf("%s (%s)", s.Verdict, s.Detail)
	}
}

func TestGuess(t *testing.T) {
	gone := `{"command":"insert","path":"/memories/x","insert_line":0,"insert_text":"a"}`
	for text, want := range map[string]transcript.Handler{
		"Error: The path /memories/x does not exist":                               {Dialect: memstore.Docs},
		"The path /memories/x does not exist. Please provide a valid path.":        {Dialect: memstore.TypeScript},
		"Error: The path /memories/x does not exist. Please provide a valid path.": {Dialect: memstore.TypeScript, Prefix: true},
	} {
		got, err := transcript.Guess(t.Context(), []*transcript.Call{recorded(gone, text, true)}, transcript.Start{}, memstore.Docs)
		if err != nil || got != want {
			t.Errorf("%q was made by %s, %v, want %s", text, got, err, want)
		}
	}
}

// After a view that shows another program's edits, the replay continues from there.
func TestDriftIsAdopted(t *testing.T) {
	p := start(t, nil)
	for i, c := range []struct {
		call *transcript.Call
		want transcript.Verdict
	}{
		{recorded(makeA, "File created successfully at: /memories/a.md", false), transcript.Identical},
		{recorded(viewA, "Here's the content of /memories/a.md with line numbers:\n     1\tother\n     2\t", false), transcript.Drift},
		{recorded(viewA, "Here's the content of /memories/a.md with line numbers:\n     1\tother\n     2\t", false), transcript.Identical},
		{recorded(viewA, "The path /memories/a.md does not exist. Please provide a valid path.", true), transcript.Divergent},
		{recorded(makeA, "File created successfully at: /memories/a.md", false), transcript.Identical},
	} {
		if s := p.Step(t.Context(), c.call); s.Verdict != c.want {
			t.Errorf("call %d: %s (%s), want %s", i, s.Verdict, s.Detail, c.want)
		}
	}
}
