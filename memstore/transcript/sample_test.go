package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/format"
)

func toolEvent(id, at, input, result, failed string) string {
	return fmt.Sprintf(`{"event":"tool","timestamp":"%s","id":"%s","function":"memory","arguments":%s,"result":%s,"error":%s}`, at, id,
		input, result, failed)
}

func sampleOf(epoch int, messages, events string) string {
	return fmt.Sprintf(`{"id":"a","epoch":%d,"messages":[%s],"events":[%s],"output":{"choices":[{"message":{"role":"assistant",`+
		`"tool_calls":[{"id":"c0","function":"memory","arguments":%s}]}}]}}`,
		epoch, messages, events, listR)
}

// Servers count ids up in each sample, and each sample is a run of its own.
func TestSamplesWithTheSameIDs(t *testing.T) {
	const message = `{"role":"assistant","tool_calls":[{"id":"c0","function":"memory","arguments":` + listR +
		`}]},{"role":"tool","tool_call_id":"c0","content":"x"}`
	var list []string
	for epoch := range 3 {
		list = append(list, sampleOf(epoch+1, message, toolEvent("c0", fmt.Sprintf("2026-11-20T09:00:0%dZ", epoch), listR, `"x"`, "null")))
	}
	r := read(t, transcript.Options{}, `{"eval":{},"samples":[`+strings.Join(list, ",")+`]}`)
	calls := r.Calls()
	if len(calls) != 3 || r.Summary().Format != format.Inspect {
		t.Fatalf("%d calls in %s", len(calls), r.Summary().Format)
	}
	for i, c := range calls {
		if c.Session != fmt.Sprintf("a_epoch_%d", i+1) || c.Turn != 1 || c.Time == "" {
			t.Errorf("call %d: session %q, turn %d, time %q", i, c.Session, c.Turn, c.Time)
		}
	}
}

// What a compaction removed from the messages, and what a subagent did, is in the events only;
// what was requested and never executed is in the messages only.
func TestSampleEventsBesideMessages(t *testing.T) {
	input := func(name string) string { return `{"command":"delete","path":"/memories/` + name + `"}` }
	message := func(id, name string) string {
		return `{"role":"assistant","tool_calls":[{"id":"` + id + `","function":"memory","arguments":` + input(name) + `}]}`
	}
	failed := `{"type":"unknown","message":"The path /memories/b does not exist"}`
	events := strings.Join([]string{
		`{"event":"model","timestamp":"2026-11-20T09:00:00Z"}`,
		toolEvent("1", "2026-11-20T09:00:01Z", input("a"), `"Successfully deleted /memories/a"`, "null"),
		`{"event":"compaction","timestamp":"2026-11-20T09:00:02Z"}`,
		`{"event":"subtask","timestamp":"2026-11-20T09:00:03Z","events":[` + toolEvent("1", "2026-11-20T09:00:03Z", input("b"), `""`,
			failed) + `]}`,
		toolEvent("2", "2026-11-20T09:00:04Z", input("c"), `"attachment://h"`, "null"),
	}, ",")
	sample := sampleOf(1, message("2", "c")+`,{"role":"tool","tool_call_id":"2","content":"kept"},`+message("3", "d"), events)
	r := read(t, transcript.Options{}, strings.Replace(sample, `"output"`, `"attachments":{"h":"kept"},"output"`, 1))
	check(t, r, []told{
		{"1", input("a"), `"Successfully deleted /memories/a"`, false}, {"1", input("b"), `"The path /memories/b does not exist"`, true},
		{"2", input("c"), `"kept"`, false}, {"3", input("d"), "", false},
	})
	track := trackOf(t, r.Calls(), nil)
	track.SetBoundaries(r.Boundaries())
	if b := track.Boundaries(); len(b) != 1 || b[0].Step != 1 || b[0].Kind != transcript.Compaction {
		t.Errorf("boundaries %+v", b)
	}
}

// The same call made twice in one sample is two calls, told of in both places.
func TestSampleRepeatsACall(t *testing.T) {
	const message = `{"role":"assistant","tool_calls":[{"id":"c0","function":"memory","arguments":` + listR +
		`}]},{"role":"tool","tool_call_id":"c0","content":"x"}`
	event := toolEvent("c0", "2026-11-20T09:00:00Z", listR, `"x"`, "null")
	r := read(t, transcript.Options{}, sampleOf(1, message+","+message, event+","+event))
	if n := len(r.Calls()); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}

// A sample may be spread over files: messages that point to texts by their number, which are in other files.
func TestSampleInPieces(t *testing.T) {
	message := func(id, text string) string {
		return `[{"role":"assistant","tool_calls":[{"id":"` + id + `","function":"memory","arguments":` + listR +
			`}]},{"role":"tool","tool_call_id":"` + id + `","content":"attachment://` + text + `"}]`
	}
	r := read(t, transcript.Options{}, archiveOf(t, map[string]string{
		"samples/1_epoch_1/messages/0.json": message("a", "0"), "samples/1_epoch_1/messages/2.json": message("b", "2"),
		"samples/1_epoch_1/attachments/0.json": `["one"]`, "samples/1_epoch_1/attachments/1.json": `["two","three"]`,
		"samples/2_epoch_1/messages/0.json": message("c", "0"), "samples/2_epoch_1/attachments/0.json": `["four"]`,
		"samples/3_epoch_1/messages/0.json": message("d", "0"),
	}))
	check(t, r, []told{{"a", listR, `"one"`, false}, {"b", listR, `"three"`, false}, {"c", listR, `"four"`, false},
		{"d", listR, `"attachment://0"`, false}})
}
