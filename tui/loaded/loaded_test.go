package loaded

import (
	"testing"

	"memcurator/memstore/backend/mem"
	"memcurator/memstore/load"
)

// The page has each file with its amounts, the lines that the agent gets with their numbers, where a limit cuts, and what can't be read.
func TestLayout(t *testing.T) {
	m := mem.New()
	for name, text := range map[string]string{
		"a.md": "one\ntwo <!-- x --> three\n<!-- y -->\nfour\n", "b.md": "five\nsix\nseven", "c.md": "a\x00", "d.md": "eight\n",
	} {
		if err := m.Create(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	rule := load.Rule{Files: []string{"*.md"}, Lines: 6, Together: true, Stripped: true, Heading: "# NAME\n"}
	s, err := rule.Read(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		kind kind
		line int
		text string
	}
	want := []line{
		{gauge, 0, "10 of 6 lines, 4 lines cut, 39B, about 11 tokens (4 bytes each)"},
		{said, 0, ""},
		{title, 1, "a.md  3 lines, 20B, about 5 tokens, whole"},
		{given, 0, "# a.md"}, {given, 1, "one"}, {given, 2, "two  three"}, {given, 4, "four"},
		{said, 0, ""},
		{title, 1, "b.md  1 line, 5B, about 2 tokens of 3 lines, 14B"},
		{given, 0, "# b.md"}, {given, 1, "five"}, {cut, 2, "cut here by the limit of 6 lines for all files: 2 lines, 9B not loaded"},
		{said, 0, ""},
		{title, 1, "c.md  not loaded"}, {bad, 0, "Can't load it: not text"},
		{said, 0, ""},
		{title, 1, "d.md  not loaded: the files before it use up the limit"}, {cut, 1, "not loaded: 1 line, 6B"},
	}
	got := layout(s)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("row %d: %q", i, got[i].text)
		case i >= len(got):
			t.Errorf("row %d is missing: %q", i, want[i].text)
		case got[i].kind != want[i].kind || got[i].line != want[i].line || string(got[i].text) != want[i].text:
			t.Errorf("row %d: %d %d %q, want %d %d %q", i, got[i].kind, got[i].line, got[i].text, want[i].kind, want[i].line, want[i].text)
		}
	}
}
