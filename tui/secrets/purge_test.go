package secrets

import (
	"strings"
	"testing"
	"time"
)

// The box says what else a purge removes: journals set aside as damaged, and copies of ours.
func TestPurgeNamesOtherJournals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"journal.db.bak"}, "Also removes a backup copy of the journal, which may hold the values.\n"},
		{[]string{"one", "two"}, "Also removes 2 backup copies of the journal, which may hold the values.\n"},
	} {
		if got := asideText(c.names); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

// A report names what remains to do, most urgent first.
func TestAPurgeReportNamesTheNextStep(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*purgeReport{
		"Next: change what the report lists, then {findings/purge-findings} purges what is still there.": {
			Left: []string{"a.md"}, Commits: []string{"0123"}, Rotate: []string{"key"}},
		"Next: make what could not be read readable, then {global/refresh} scans again.": {NotRead: []string{"a.md"}},
		"Next: rewrite the git history, then {global/refresh} scans again.":              {Staged: true, Rotate: []string{"key"}},
		"Next: revoke what is listed above. A purge can't reach whoever has a copy.":     {Rotate: []string{"key"}},
		"Next: {global/next-unread} goes to the next value.":                             {},
	} {
		if got := p.next(); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// A report counts only what there was.
func TestAPurgeReportHasNoZeros(t *testing.T) {
	t.Parallel()
	p := &purgeReport{Values: 1, Revisions: 2, Contents: 1, Sought: 143, Bytes: "9.2K", Rotate: []string{"key"}}
	want := "Purged 1 value.\nRewrote 2 revisions in the journal (1 text).\n"
	if got := p.text(); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want first %q", got, want)
	}
	if got := p.summary(); got != "Purged 1 value. Verified: 143 versions, no traces. To revoke: :purge-report" {
		t.Errorf("%q", got)
	}
}

// Since when a value has been readable is the earliest time known; of one that is older than the journal, only a time from before it.
func TestSinceWhenAValueWasReadable(t *testing.T) {
	t.Parallel()
	var none time.Time
	day := func(n int) time.Time { return time.Date(2026, 11, n, 10, 0, 0, 0, time.UTC) }
	began := day(20)
	for name, c := range map[string]struct {
		first      firstSeen
		made, want time.Time
	}{
		"written before the journal began": {firstSeen{atBegin: true}.written(day(12)).written(day(3)).written(none), none, day(3)},
		"there at the beginning":           {firstSeen{atBegin: true}, none, none},
		"and written again later":          {firstSeen{atBegin: true, rev: 4}.written(day(22)), day(21), none},
		"made by a revision":               {firstSeen{rev: 4}.written(day(22)), day(21), day(21)},
		"unknown":                          {firstSeen{}, none, none},
	} {
		got, ok := c.first.since(c.made, began)
		if ok != !c.want.IsZero() || ok && !got.Equal(c.want) {
			t.Errorf("%s: %v %v, want %v", name, got, ok, c.want)
		}
	}
}
