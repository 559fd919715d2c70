package policy_test

import (
	"testing"
	"time"

	"memcurator/memstore/policy"
)

func TestLifetimes(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	note := func(expires string) string { return "---\nexpires: " + expires + "\n---\ntext\n" }
	for _, c := range []struct{ was, typed, want, why string }{
		{note("never"), "keep", "", "it is kept for good already"},
		{note("2026-11-24"), "keep", note("never"), ""},
		{note("soon"), "2h", note("2026-11-23T14:00:00Z"), ""},
		{note("2026-11-24"), "1d12h", note("2026-11-25T00:00:00Z"), ""},
		{note("2026-11-24"), "2026-12-31", note("2027-01-01T00:00:00Z"), ""},
		{note("2026-11-24"), "2026-12-31 18:00", note("2026-12-31T18:00:00Z"), ""},
		{note("2026-11-24"), "2026-11-23 11:59", "", "that time is past"},
		{note("2026-11-24"), "tomorrow", "", `say how long: 2h, 3d, 2026-12-31, 2026-12-31 18:00, or "keep" for good`},
		{"text\n", "2h", "", "no expires: in its front matter, so nothing ends its life"},
		{note("\n  2026-11-24"), "2h", "", "its expires: can't be changed here: edit the file"},
	} {
		l, err := policy.ParseLifetime(c.typed, now)
		var got []byte
		if err == nil {
			got, _, err = l.Set([]byte(c.was), now)
		}
		why := ""
		if err != nil {
			why = err.Error()
		}
		if string(got) != c.want || why != c.why {
			t.Errorf("%q %s: %q, %s", c.was, c.typed, got, why)
		}
	}
}

// What a note says it is kept for never expires by it.
func TestNeverIsNoDate(t *testing.T) {
	p := parse(t, "[[rule]]\nmatch = [\"**\"]\nexpires = true\n")
	files := map[string]policy.File{"/memories/a.md": {Expires: "never"}, "/memories/b.md": {Expires: "2026-01-01"}}
	got := p.Plan(policy.Input{Snapshot: snapshot(map[string]file{"a.md": daysOld(1), "b.md": daysOld(1)}), Facts: &policy.Facts{Files: files}, Now: now})
	if len(got.Actions) != 1 || got.Actions[0].Path != "/memories/b.md" || len(got.Notes) > 0 {
		t.Errorf("%+v %v", got.Actions, got.Notes)
	}
}
