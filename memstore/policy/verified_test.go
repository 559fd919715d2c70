package policy_test

import (
	"testing"
	"time"

	"memcurator/memstore/policy"
)

func TestNotesAreToBeVerified(t *testing.T) {
	ago := func(days int) time.Time { return now.Add(-time.Duration(days) * day) }
	const within = "[[rule]]\nmatch = \"**\"\nverified_within = \"90d\"\n"
	for name, c := range map[string]struct {
		rules string
		known policy.Recorded
		soon  time.Duration
		want  string
	}{
		"verified": {within, policy.Recorded{FirstSeen: ago(200), Verified: ago(89)}, 0, ""},
		"long ago": {within, policy.Recorded{FirstSeen: ago(200), Verified: ago(91)}, 0,
			"warn /memories/a.md: verified 91 days ago, limit 90d\n"},
		"never": {within, policy.Recorded{FirstSeen: ago(1)}, 0, "warn /memories/a.md: never verified, limit 90d\n"},
		"changed since": {within, policy.Recorded{FirstSeen: ago(200), Changed: ago(2), Lapsed: ago(5)}, 0,
			"warn /memories/a.md: changed since you verified it 5 days ago\n"},
		"in the future": {within, policy.Recorded{FirstSeen: ago(200), Verified: now.Add(day)}, 0, ""},
		"soon": {within, policy.Recorded{FirstSeen: ago(200), Verified: ago(88)}, 3 * day,
			"warn /memories/a.md: verified 88 days ago, limit 90d; due in 2 days\n"},
		"not so soon":    {within, policy.Recorded{FirstSeen: ago(200), Verified: ago(80)}, 3 * day, ""},
		"without record": {within, policy.Recorded{}, 0, ""},
		"pinned":         {within + "pin = true\n", policy.Recorded{FirstSeen: ago(200)}, 0, ""},
		"off": {within + "[[rule]]\nmatch = \"a.md\"\nverified_within = \"none\"\n", policy.Recorded{FirstSeen: ago(200)}, 0,
			""},
		"proposed for removal": {within + "max_age = \"30d\"\n", policy.Recorded{FirstSeen: ago(200)}, 0,
			"delete /memories/a.md: first seen 200 days ago, limit 30d (by the journal 2026-05-05)\n"},
		"expired, to warn": {within + "max_age = \"30d\"\nexpire = \"warn\"\n", policy.Recorded{FirstSeen: ago(200)}, 0,
			"warn /memories/a.md: first seen 200 days ago, limit 30d (by the journal 2026-05-05)\nwarn /memories/a.md: never verified, limit 90d\n"},
	} {
		p := parse(t, c.rules)
		plan := p.Plan(policy.Input{Snapshot: snapshot(map[string]file{"a.md": daysOld(200)}), Now: now, Soon: c.soon,
			Facts: &policy.Facts{Journal: map[string]policy.Recorded{"/memories/a.md": c.known}}})
		if got := lines(plan); got != c.want {
			t.Errorf("%s: the plan is\n%swant\n%s", name, got, c.want)
		}
		for _, a := range plan.Actions {
			if a.Key == "verified_within" && (a.Do.Changes() || a.Rule.Line != 3 || a.Due.IsZero()) {
				t.Errorf("%s: %+v", name, a)
			}
		}
	}
	p := parse(t, "[[rule]]\nmatch = \"**\"\nexpire = \"archive\"\narchive_to = \"old\"\nverified_within = \"90d\"\n")
	plan := p.Plan(policy.Input{Snapshot: snapshot(map[string]file{"old/a.md": daysOld(200), ".git/x": daysOld(200)}), Now: now,
		Facts: &policy.Facts{Journal: map[string]policy.Recorded{
			"/memories/old/a.md": {FirstSeen: ago(200)}, "/memories/.git/x": {FirstSeen: ago(200)},
		}}})
	if got := lines(plan); got != "" {
		t.Errorf("of an archive and of git it proposes %s", got)
	}
}
