package curate

import (
	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Hints implements [ui.Hinted].
func (s *Screen) Hints() ui.Hints {
	if s.ruled {
		return ui.Hints{Lead: s.rules.Place(), Acts: []ui.Hint{
			ui.Act("edit", keymap.EditProposal), ui.Act("remove", keymap.DeleteFile), ui.Act("new rule", keymap.NewRule),
			ui.Act("proposals", keymap.TabPrev),
		}}
	}
	h := ui.Hints{Lead: s.lead()}
	n, _ := s.list.Selection()
	_, onRow := s.list.Current()
	switch {
	case s.list.Locked():
		h.Acts = []ui.Hint{ui.Act("stop", keymap.Back)}
	case s.list.Ranging():
		h.Acts = []ui.Hint{ui.Act("select", keymap.Mark), ui.Act("drop", keymap.Back)}
	case n > 0:
		h.Acts = []ui.Hint{ui.Act("apply", keymap.Apply), ui.Act("keep", keymap.Never), ui.Act("clear", keymap.Back)}
	case !onRow:
		h.Acts = []ui.Hint{ui.Act("select", keymap.Mark), ui.Act("filter", keymap.Filter), ui.Act("refresh", keymap.Refresh)}
	default:
		h.Acts = []ui.Hint{
			ui.Act("select", keymap.Mark), ui.Act("keep", keymap.Never), ui.Act("pin", keymap.Pin), ui.Act("edit", keymap.EditProposal),
			ui.Act("file", keymap.OpenFile), ui.Act("filter", keymap.Filter),
		}
	}
	return h
}

var _ ui.Hinted = (*Screen)(nil)
