package curate

import (
	"memcurator/keymap"
	"memcurator/tui/kit"
)

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	h := kit.Hints{Lead: s.lead()}
	_, onRow := s.list.Action()
	switch {
	case s.Applying.stop != nil:
		h.Acts = []kit.Hint{kit.Act("stop", keymap.Back)}
	case s.list.Ranging():
		h.Acts = []kit.Hint{kit.Act("select", keymap.Mark), kit.Act("drop", keymap.Back)}
	case len(s.list.Selection()) > 0:
		h.Acts = []kit.Hint{kit.Act("apply", keymap.Apply), kit.Act("keep", keymap.Never), kit.Act("clear", keymap.Back)}
	case !onRow:
		h.Acts = []kit.Hint{
			kit.Act("select", keymap.Mark), kit.Act("new rule", keymap.NewRule), kit.Act("filter", keymap.Filter),
			kit.Act("refresh", keymap.Refresh),
		}
	case s.texts && s.shell.OnDetail():
		h.Acts = s.diff.hints()
	default:
		h.Acts = []kit.Hint{
			kit.Act("select", keymap.Mark), kit.Act("apply", keymap.Apply), kit.Act("keep", keymap.Never), kit.Act("new rule", keymap.NewRule),
			kit.Act("pin", keymap.Pin), kit.Act("edit", keymap.EditProposal), kit.Act("file", keymap.OpenFile), kit.Act("filter", keymap.Filter),
		}
	}
	return h
}

var _ kit.Hinted = (*Screen)(nil)
