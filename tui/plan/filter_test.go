package plan

import (
	"testing"

	"memcurator/memstore/policy"
)

func TestTheTermsThatAreOfferedAreUnderstood(t *testing.T) {
	for _, begun := range []string{"d", "g", "r", "i"} {
		lines := completeFilter("notes " + begun)
		if len(lines) != 1 {
			t.Errorf("%q is completed by %q", begun, lines)
			continue
		}
		if f := parseFilter(lines[0]); f.problem != "" {
			t.Errorf("%q is offered: %s", lines[0], f.problem)
		}
	}
}

// A word of the screen finds its rows: act, kind, heading, path, reason.
func TestTheFilterFindsWhatIsOnTheScreen(t *testing.T) {
	t.Parallel()
	o := sampleOutline()
	o.plan.Actions = append(o.plan.Actions, policy.Action{Do: policy.Review, Group: policy.Suggested, Kind: policy.BrokenLink,
		Path: "/memories/notes/c.md", Reason: "gone.md not found"})
	for line, want := range map[string]int{
		"archive": 1, "review": 1, "broken": 1, "broken link": 1, "duplicate": 5, "unused": 7, "suggestions": 13, "rules delete": 1, "due": 1,
		"notes/c": 1, "not found": 1, "secrets": 1, "redact": 1, "merge": 0,
	} {
		o.filter = parseFilter(line)
		o.arrange()
		rows := 0
		for _, r := range o.rows {
			if r.kind == proposalRow || r.kind == secretRow {
				rows++
			}
		}
		if rows != want {
			t.Errorf("%q leaves %d rows, want %d", line, rows, want)
		}
	}
}
