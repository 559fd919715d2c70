package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/said"
)

// A poisoned line leads to what the sessions that read it wrote afterwards, and to nothing else.
func TestWhatAPoisonedLineLedTo(t *testing.T) {
	t.Parallel()
	s := newSessions(t)
	s.say("one", "Remember how to install")
	s.write("one", "a.md", "clean\n")          // call 1
	s.read("two", "a.md")                      // 2: still clean
	s.write("two", "b.md", "from clean\n")     // 3
	s.write("one", "a.md", "clean\npoison!\n") // 4
	s.read("three", "a.md")                    // 5
	s.say("three", "Note the steps")
	s.write("three", "c.md", "spread\n") // 6
	s.write("two", "b.md", "again\n")    // 7: two never saw the line
	s.write("one", "a.md", "clean\n")    // 8
	s.read("four", "a.md")               // 9: it is gone
	s.write("four", "d.md", "x\n")       // 10
	track := s.track()
	var got []string
	for _, e := range track.LedTo("/memories/a.md", [][]byte{[]byte("poison!")}, 4) {
		got = append(got, fmt.Sprint(e.Read, e.Step, e.Path))
	}
	if want := []string{"5 6/memories/c.md"}; !slices.Equal(got, want) {
		t.Errorf("it led to %v, want %v", got, want)
	}
	if lines := track.Wrote(t.Context(), "/memories/a.md", 4); len(lines) != 1 || string(lines[0]) != "poison!" {
		t.Errorf("call 4 wrote %q", lines)
	}
	if list := track.LedTo("/memories/a.md", nil, 9); len(list) != 1 || list[0].Step != 10 {
		t.Errorf("call 9 led to %v", list)
	}
	if list := track.ReadBefore(6); len(list) != 1 || list[0] != (transcript.Reading{Step: 5, Path: "/memories/a.md"}) {
		t.Errorf("read before call 6: %v", list)
	}
	if list := track.ReadBefore(1); len(list) != 0 {
		t.Errorf("read before call 1: %v", list)
	}
	made := past.Revision{Path: "/memories/c.md", After: past.Side{Exists: true, Digest: memstore.Sum([]byte("spread\n"))}}
	if n := track.Made(t.Context(), made); n != 6 {
		t.Errorf("call %d made the revision", n)
	}
	made.ToolUseID = track.Steps()[0].ID
	if n := track.Made(t.Context(), made); n != 1 {
		t.Errorf("call %d has the id", n)
	}
	if n := track.Made(t.Context(), past.Revision{Path: "/memories/none.md"}); n != 0 {
		t.Errorf("call %d made nothing", n)
	}
	for n, want := range map[int]string{1: "Remember how to install", 6: "Note the steps"} {
		if prompt, err := said.Prompt(track.Steps()[n-1].Call); err != nil || prompt != want {
			t.Errorf("call %d answers %q, %v", n, prompt, err)
		}
	}
}

// The prompt may be far before the call: a long turn has many calls and results.
func TestPromptIsFoundFarBefore(t *testing.T) {
	t.Parallel()
	s := newSessions(t)
	s.say("one", "The task")
	for i := range 30 {
		s.lines = append(s.lines, fmt.Sprintf(`{"type":"assistant","sessionId":"one","uuid":"x%d","timestamp":"2026-11-20T09:02:00Z",`+
			`"message":{"role":"assistant","content":[{"type":"text","text":%q}]}}`, i, strings.Repeat("thought ", 4<<10)))
	}
	s.write("one", "a.md", "x\n")
	if prompt, err := said.Prompt(s.track().Steps()[0].Call); err != nil || prompt != "The task" {
		t.Errorf("%q, %v", prompt, err)
	}
}
