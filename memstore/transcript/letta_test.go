package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// Letta answers an edit with the whole block, words what else it did in its own way, and may say of a failed delete that it succeeded.
func TestLettaResults(t *testing.T) {
	const now = " Your system prompt has been recompiled with the new memory block and is now active in your context."
	const failed = "Error executing function memory: "
	for _, packed := range []bool{false, true} { // messages of the API, and of an agent file
		var list []string
		call := func(args, status, answer string) {
			id := fmt.Sprintf("call_%024d", len(list))
			if packed {
				answer = `{"status": "` + map[string]string{"success": "OK", "error": "Failed"}[status] + `", "message": ` + encoded(answer) +
					`, "time": "2026-01-02 10:00:00 AM"}`
				list = append(list, `{"role":"assistant","content":[],"tool_calls":[{"id":"`+id+`","type":"function","function":{"name":"memory","arguments":`+
					encoded(args)+`}}]}`, `{"role":"tool","tool_call_id":"`+id+`","content":[{"type":"text","text":`+encoded(answer)+`}]}`)
				return
			}
			list = append(list, `{"id":"m","message_type":"tool_call_message","tool_call":{"name":"memory","arguments":`+encoded(args)+
				`,"tool_call_id":"`+id+`"}}`, `{"id":"m","message_type":"tool_return_message","tool_return":`+encoded(answer)+`,"status":"`+status+
				`","tool_call_id":"`+id+`"}`)
		}
		call(`{"command":"create","path":"/memories/human","description":"d","file_text":"one\ntwo"}`, "success",
			"Successfully created memory block 'human'."+now)
		call(`{"command":"str_replace","path":"/memories/human","old_string":"two","new_string":"2\tb"}`, "success", "one\n2       b")
		call(`{"command":"str_replace","path":"human","old_string":"none","new_string":""}`, "error", failed+
			"ValueError: No replacement was performed, old_string `none` did not appear verbatim in memory block with label `human`.")
		call(`{"command":"insert","path":"/memories/human","insert_line":1,"insert_text":"half"}`, "success", "one\nhalf\n2       b")
		call(`{"command":"insert","path":"/human","insert_line":-1,"insert_text":"last"}`, "success", "one\nhalf\n2       b\nlast")
		call(`{"command":"rename","path":"/memories/human","description":"who it is"}`, "success",
			"Successfully updated description of memory block 'human'. Your system prompt has been recompiled with it.")
		call(`{"command":"rename","old_path":"/memories/human","new_path":"/memories/user"}`, "success",
			"Successfully renamed memory block 'human' to 'user'."+now)
		call(`{"command":"delete","path":"/memories/human"}`, "success",
			"Error performing delete: 'Block field human does not exist (available sections = user)'")
		call(`{"command":"str_replace","path":"/memories/user","old_string":"one","new_string":"1"}`, "success", "1\nby hand\nlast")
		call(`{"command":"delete","path":"/memories/user"}`, "success", "Successfully deleted memory block 'user'."+now)
		call(`{"command":"insert","path":"/memories/user","insert_line":0,"insert_text":"x"}`, "error",
			failed+"KeyError: 'Block field user does not exist (available sections = )'")
		text := "[" + strings.Join(list, ",") + "]"
		if packed {
			text = `{"agents":[{"id":"agent-0","messages":` + text + `}],"groups":[],"blocks":[],"files":[],"sources":[],"tools":[],"mcp_servers":[]}`
		}
		r := read(t, transcript.Options{}, text)
		if r.Summary().Format != "letta" {
			t.Errorf("packed %v: format %s", packed, r.Summary().Format)
		}
		track := trackOf(t, r.Calls(), nil)
		after := []string{"one\ntwo", "one\n2       b", "one\n2       b", "one\nhalf\n2       b", "one\nhalf\n2       b\nlast",
			"one\nhalf\n2       b\nlast", "one\nhalf\n2       b\nlast", "one\nhalf\n2       b\nlast", "1\nby hand\nlast", "", ""}
		if track.Len() != len(after) {
			t.Fatalf("packed %v: %d calls", packed, track.Len())
		}
		for i, s := range track.Steps() {
			files, want := filesAfter(track, i+1), transcript.OtherDialect
			if i == 8 {
				want = transcript.Drift
			}
			if got := files["/memories/human"] + files["/memories/user"]; got != after[i] || s.Verdict != want {
				t.Errorf("packed %v, after call %d: %q, %s (%s)", packed, i+1, files, s.Verdict, s.Detail)
			}
		}
	}
}
