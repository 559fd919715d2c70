package transcript_test

import (
	"encoding/json"
	"testing"

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
			transcript.Differs},
		{"rows of the first handlers", viewA, "   1: one\n   2: two", false, transcript.OtherDialect},
		{"gone", viewA, "The path /memories/a.md does not exist. Please provide a valid path.", true, transcript.Differs},
		{"not there, in Python's words", `{"command":"delete","path":"/memories/x"}`, "The path /memories/x does not exist", true,
			transcript.OtherDialect},
		{"there elsewhere", `{"command":"delete","path":"/memories/x"}`, "Successfully deleted /memories/x", false, transcript.Differs},
		{"a flag that is not set", `{"command":"delete","path":"/memories/x"}`, "Error: The path /memories/x does not exist", false,
			transcript.OtherDialect},
		{"sizes of " +
			"directories", listR, "Here're the files and directories up to 2 levels deep in /memories, excluding hidden " +
			"items:\n60B\t/memories\n8B\t/memories/a.md", false, transcript.OtherDialect},
		{"another entry", listR, "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and " +
			"node_modules:\n4.0K\t/memories\n8B\t/memories/z.md", false, transcript.Differs},
		{"fewer lines around", `{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"1"}`,
			"The memory file has been edited.\n     1\t1", false, transcript.OtherDialect},
		{"cleared", viewA, "[Old tool result content cleared]", false, transcript.Cleared},
		{"a stub", viewA, "ok", false, transcript.Unknown},
		{"lost input", `{"command":"create","path":"/memories/n","file_text":"[Old tool use content cleared]"}`,
			"File created successfully at: /memories/n", false, transcript.NotReplayable},
		{"a text that looks like a placeholder", `{"command":"create","path":"/memories/n","file_text":"\n[Old tool result content cleared]\n"}`,
			"File created successfully at: /memories/n", false, transcript.Identical},
		{"overwritten", makeA, "File created successfully at /memories/a.md", false, transcript.OtherDialect},
		{"edited in VS Code's words", `{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"1"}`,
			"The memory file has been edited. Here's the result of running `cat -n` on a snippet of /memories/a.md:\n     1\t1\n     " +
				"2\ttwo\n     3\t", false, transcript.OtherDialect},
	} {
		s := stepOn(t, map[string]string{"/memories/a.md": "one\ntwo\n"}, recorded(c.input, c.text, c.failed))
		if s.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s; ours: %+v", c.name, s.Verdict, s.Detail, c.want, s.Ours)
		}
	}
	missing := recorded(makeA, "", false)
	missing.Result = nil
	view := recorded(viewA, "Here's the content of /memories/a.md with line numbers:\n"+rows, false)
	want := []transcript.Verdict{transcript.NoResult, transcript.Identical}
	for i, s := range trackOf(t, []*transcript.Call{missing, view}).Steps {
		if s.Verdict != want[i] {
			t.Errorf("call %d: %s (%s), want %s", i+1, s.Verdict, s.Detail, want[i])
		}
	}
}
