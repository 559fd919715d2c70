package secrets

import (
	"memcurator/keymap"
	"memcurator/tui/kit"
)

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	h := kit.Hints{Lead: s.workText()}
	n := len(s.list.selection())
	switch {
	case s.Removal.Busy():
		h.Acts = []kit.Hint{kit.Act("stop", keymap.Back)}
	case n > 0:
		if h.Lead == "" {
			h.Lead = kit.Number(n) + " selected"
			if hidden := s.list.CountSelected() - n; hidden > 0 {
				h.Lead += ", " + kit.Number(hidden) + " hidden"
			}
		}
		h.Acts = []kit.Hint{
			kit.Act("redact or purge", keymap.FindingPurge), kit.Act("dismiss", keymap.FindingAllow),
			kit.Act("class", keymap.FindingClass), kit.Act("reveal (hold)", keymap.FindingReveal), kit.Act("clear", keymap.Back),
		}
	case s.list.group() == nil:
		h.Acts = []kit.Hint{kit.Act("scan", keymap.Refresh), kit.Act("browse", keymap.ScreenBrowse)}
	default:
		if h.Lead == "" {
			h.Lead = kit.Number(s.Waiting()) + " open"
		}
		h.Acts = []kit.Hint{
			kit.Act("select", keymap.Mark), kit.Act("redact or purge", keymap.FindingPurge), kit.Act("dismiss", keymap.FindingAllow),
			kit.Act("class", keymap.FindingClass), kit.Act("reveal (hold)", keymap.FindingReveal),
			kit.Act("why", keymap.FindingInfo),
		}
	}
	return h
}

var _ kit.Hinted = (*Screen)(nil)
