package tui

import (
	"cmp"
	"time"

	"memcurator/keymap"
	"memcurator/tui/browse"
	"memcurator/tui/curate"
	"memcurator/tui/kit"
	"memcurator/tui/secrets"
	"memcurator/tui/summary"
)

// opening is the summary that Browse opens with: what else needs the user beside the changes, a line each.
type opening struct {
	env     *kit.Env
	curate  *curate.Screen
	secrets *secrets.Screen
}

// open shows the summary of what changed since the user looked last: as the caller knows it, or as the layout of the last run does.
func (o *opening) open(present *browse.Screen, known, remembered time.Time) {
	present.Opening.Begin(cmp.Or(known, remembered))
}

// lines are the rows beside the changes, as far as they are known.
func (o *opening) lines() []summary.Line {
	st := o.env.Styles
	var lines []summary.Line
	if says := o.curate.Summary(); says != "" {
		lines = append(lines, summary.Line{Key: keymap.ScreenCurate, Text: says, Paint: st.Text})
	}
	if says := o.secrets.Summary(); says != "" {
		lines = append(lines, summary.Line{Key: keymap.ScreenFindings, Text: says, Paint: st.Error})
	}
	return lines
}
