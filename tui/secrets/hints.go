package secrets

import (
	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Hints implements [ui.Hinted].
func (s *Screen) Hints() ui.Hints {
	h := ui.Hints{Lead: s.workText()}
	n := len(s.list.selection())
	switch {
	case s.Removal.Busy():
		h.Acts = []ui.Hint{ui.Act("stop", keymap.Back)}
	case n > 0:
		if h.Lead == "" {
			h.Lead = ui.Number(n) + " selected"
			if hidden := s.list.CountSelected() - n; hidden > 0 {
				h.Lead += ", " + ui.Number(hidden) + " hidden"
			}
		}
		h.Acts = []ui.Hint{
			ui.Act("redact or purge", keymap.FindingPurge), ui.Act("dismiss", keymap.FindingAllow),
			ui.Act("class", keymap.FindingClass), ui.Act("reveal (hold)", keymap.FindingReveal), ui.Act("clear", keymap.Back),
		}
	case s.list.group() == nil:
		h.Acts = []ui.Hint{ui.Act("scan", keymap.Refresh), ui.Act("browse", keymap.ScreenBrowse)}
	default:
		if h.Lead == "" {
			h.Lead = ui.Number(s.Waiting()) + " open"
		}
		h.Acts = []ui.Hint{
			ui.Act("select", keymap.Mark), ui.Act("redact or purge", keymap.FindingPurge), ui.Act("dismiss", keymap.FindingAllow),
			ui.Act("class", keymap.FindingClass), ui.Act("reveal (hold)", keymap.FindingReveal),
			ui.Act("why", keymap.FindingInfo),
		}
	}
	return h
}

var _ ui.Hinted = (*Screen)(nil)
