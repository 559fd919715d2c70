package format

import (
	"slices"
	"testing"

	"memcurator/memstore/transcript/rawjson"
)

func TestNamesAreUnique(t *testing.T) {
	names := Names()
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("two formats share a name: %v", names)
	}
	for i, f := range registered {
		if (f.Name == "") != (f.Detects == nil) {
			t.Errorf("format %d, %q: a format is known by its name and found by its keys, or neither", i, f.Name)
		}
	}
}

// What two formats could claim goes to the more specific one.
func TestFirstFormatWins(t *testing.T) {
	for _, c := range []struct{ value, name string }{
		{`{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","content":"x"}}`, ClaudeCode},
		{`{"session_id":"s","message":{}}`, StreamJSON},
		{`{"epoch":1,"messages":[]}`, Inspect},
		{`{"custom_id":"c","request":{}}`, Batch},
		{`{"kind":0,"v":{}}`, VSCode},
		{`{"type":"agent.message","content":[]}`, ManagedAgents},
		{`{"request":{"messages":[]}}`, Log},
		{`{"role":"user","content":"x"}`, Messages},
		{`{"data":[{"type":"user.message"}]}`, ManagedAgents},
		{`{"hello":1}`, Other},
	} {
		if name, _ := kindOf(rawjson.Value(c.value)); name != c.name {
			t.Errorf("%s is %s, want %s", c.value, name, c.name)
		}
	}
	both := rawjson.Value(`{"type":"tool-call","toolCallId":"1","toolName":"memory","state":"call","args":{}}`).Object()
	if c, ok := ReadCall(both); !ok || c.Name != "memory" {
		t.Errorf("a part with a state is %v", c)
	}
}

// An answer without a result asks for a tool with the element at its end, not with one that it quotes.
func TestAskedWithoutResult(t *testing.T) {
	const element = "<execute_command>\n<command>ls</command>\n</execute_command>"
	for text, want := range map[string]bool{
		"I look.\n\n" + element: true, element + "\n": true, "You mean " + element: false, "As you said:\n" + element + "\n</task>": false,
	} {
		if _, ok := Asked(text, ""); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}
