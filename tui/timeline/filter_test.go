package timeline

import (
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestParseFilter(t *testing.T) {
	f, err := ParseFilter("actor:agent actor:external command:delete session:s1 since:2d until:2026-11-21 is:unread Pre FS", noon)
	if err != nil {
		t.Fatal(err)
	}
	got := f.narrow(past.Filter{Path: "/memories/a"})
	if len(got.Actors) != 2 || got.Commands[0] != "delete" || got.SessionPart != "s1" || !got.Unread || got.Path != "/memories/a" {
		t.Errorf("%+v", got)
	}
	if !got.Since.Equal(noon.Add(-48*time.Hour)) || !got.Until.Equal(noon.Add(-12*time.Hour)) {
		t.Errorf("since %v until %v", got.Since, got.Until)
	}
	for path, want := range map[string]bool{"/memories/prefs.md": true, "/memories/pre.md": false, "/memories/fs/PRE": true} {
		if got.HasWords(&past.Revision{Path: path}) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{"", "a b", "since:2d", "until:2026-02-31", "actor:", "::", "is:unread x:y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		filter, err := ParseFilter(line, noon)
		if err != nil && !strings.Contains(err.Error(), "not a") && !strings.Contains(err.Error(), "Can't parse") {
			t.Errorf("%q: %v", line, err)
		}
		filter.narrow(past.Filter{}).HasWords(&past.Revision{Path: line})
	})
}
