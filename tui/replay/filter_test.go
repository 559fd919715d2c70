package replay

import (
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

func TestParseFilter(t *testing.T) {
	r := row{op: "create", path: "/memories/Notes/a.md", session: "s-123", side: true}
	for line, want := range map[string]bool{
		"": true, "notes": true, "notes b": false, "command:create command:view": true, "command:view": false,
		"session:s-1": true, "session:x": false, "verdict:drift": true, "verdict:differs": true, "verdict:id": false, "is:main": false,
		"is:diverging": true, "is:write": true, "NOTES verdict:dr is:write": true,
	} {
		f, err := parseFilter(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if got := f.fits(r, transcript.Drift); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	if got := completeFilter("notes ver"); len(got) == 0 || got[0] != "notes verdict:" {
		t.Errorf("completed to %q", got)
	}
	if got := completeFilter("verdict:no"); len(got) != 2 {
		t.Errorf("completed to %q", got)
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{"", "a b", "verdict:drift", "is:main x", "::", "session:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		filter, err := parseFilter(line)
		if err != nil && !strings.Contains(err.Error(), "Unknown filter term") {
			t.Errorf("%q: %v", line, err)
		}
		filter.fits(row{path: line, op: line, session: line}, transcript.Verdict(line))
		completeFilter(line)
	})
}
