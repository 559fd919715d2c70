package timeline

import (
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
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

func TestFilterIsCompleted(t *testing.T) {
	for line, want := range map[string]string{
		"a":           "actor:",
		"notes si":    "notes since:",
		"x actor:":    "x actor:agent, x actor:external, x actor:curator, x actor:replay",
		"actor:ag":    "actor:agent",
		"actor:agent": "",
		"notes ":      "",
		"is:":         "is:unread",
	} {
		if got := strings.Join(CompleteFilter(line), ", "); got != want {
			t.Errorf("CompleteFilter(%q) = %q, want %q", line, got, want)
		}
	}
	if f, err := ParseFilter("actor:e", noon); err != nil || len(f.actors) != 1 || f.actors[0] != memstore.External {
		t.Errorf("the beginning of an actor is read as %v, %v", f.actors, err)
	}
}

func TestParseFilterRefusesWithASentence(t *testing.T) {
	for line, want := range map[string]string{
		"colour:red": "not a filter term", "since:soon": "Can't parse", "until:5": "Can't parse", "since:99999999999w": "Can't parse",
		"is:read": "not a filter term", "actor:agnet": "not an actor", "since:": "Can't parse",
	} {
		if _, err := ParseFilter(line, noon); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestClockShowsTheDateOfOtherDays(t *testing.T) {
	today := past.Revision{Time: noon}
	if got := clockText(today, noon); !strings.HasSuffix(got, noon.Format("15:04:05")) {
		t.Errorf("%q", got)
	}
	before := past.Revision{Time: noon.AddDate(0, 0, -3), Note: past.NoteUnseen}
	if got := clockText(before, noon); strings.TrimSpace(got) != "by 11-18" {
		t.Errorf("%q", got)
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
