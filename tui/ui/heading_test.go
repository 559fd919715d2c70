package ui

import (
	"testing"

	"memcurator/render/theme"
)

func TestAHeadingKeepsTheNameAndTheCounts(t *testing.T) {
	st := theme.New(theme.Options{ASCII: true})
	h := Heading{
		Lead: []string{"#118", "2026-11-20 10:48:00", "agent", "str_replace"}, Path: "/memories/projects/booking-api/payments.md", Counts: "+4 -1",
	}
	renamed := Heading{Lead: []string{"#7", "agent"}, OldPath: "/memories/projects/drafts/plan.md", Path: "/memories/plan.md"}
	for _, c := range []struct {
		h     Heading
		width int
		want  string
	}{
		{h, 100, "#118  2026-11-20 10:48:00  agent  str_replace  projects/booking-api/payments.md  +4 -1"},
		{h, 78, "#118  2026-11-20 10:48:00  agent  str_replace  projects/.../payments.md  +4 -1"},
		{h, 60, "#118  2026-11-20 10:48:00  agent  .../payments.md  +4 -1"},
		{h, 38, "#118  projects/.../payments.md  +4 -1"},
		{h, 20, "payments.md  +4 -1"},
		{h, 16, "paymen...  +4 -1"},
		{renamed, 60, "#7  agent  projects/drafts/plan.md -> plan.md"},
		{renamed, 40, "#7  agent  .../plan.md -> plan.md"},
	} {
		if got := c.h.Fit(st, c.width); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.width, got, c.want)
		}
	}
}
