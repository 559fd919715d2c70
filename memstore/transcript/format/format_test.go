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
