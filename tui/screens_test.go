package tui

import (
	"context"
	"errors"
	"testing"

	"memcurator/tui/kit"
)

// A comparison that ended in an error is shown instead of the diff, on each screen.
func TestFailedDiffOfAScreenIsSaid(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "one", "two"))
	for _, c := range []struct {
		key   string
		owner string
	}{{"2", "changes.diff"}, {"5", "trash.diff"}, {"1", "diff"}} {
		d.press(c.key)
		if c.key == "1" {
			d.press("]")
		}
		d.lacks(d.m.env.Keyed("Can't compare. {global/messages} shows why"))
		jobs := d.m.env.Jobs
		if c.key == "1" {
			jobs = d.browse().Env.Jobs
		}
		d.run(jobs.Start(c.owner, "", func(context.Context, *kit.Progress) (any, error) { return nil, errors.New("broken") }))
		if c.key != "5" { // nothing was deleted: no diff can fail
			d.sees(d.m.env.Keyed("Can't compare. {global/messages} shows why"))
		}
	}
}
