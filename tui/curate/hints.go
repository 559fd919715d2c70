package curate

import (
	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Hints implements [ui.Hinted].
func (s *Screen) Hints() ui.Hints {
	if s.ruled {
		h := ui.Hints{Lead: s.rules.Place(), Acts: []ui.Hint{ui.Act("new rule", keymap.NewRule), ui.Act("proposals", keymap.TabPrev)}}
		if _, ok := s.rules.Current(); ok {
			h.Acts = append([]ui.Hint{ui.Act("edit", keymap.EditProposal)}, h.Acts...)
		}
		return h
	}
	h := ui.Hints{Lead: s.lead()}
	_, onRow := s.list.Action()
	_, onSecret := s.list.Secret()
	switch {
	case s.list.Locked():
		h.Acts = []ui.Hint{ui.Act("stop", keymap.Back)}
	case s.list.Ranging():
		h.Acts = []ui.Hint{ui.Act("select", keymap.Mark), ui.Act("drop", keymap.Back)}
	case len(s.list.Selection()) > 0:
		h.Acts = []ui.Hint{ui.Act("apply", keymap.Apply), ui.Act("keep", keymap.Never), ui.Act("clear", keymap.Back)}
	case onSecret:
		_, _, values := s.list.Counts()
		h.Lead = waitingText(0, 0, values, "")
		h.Acts = []ui.Hint{ui.Act("open", keymap.Open), ui.Act("redact or purge", keymap.Apply), ui.Act("dismiss", keymap.Never)}
	case !onRow && s.list.NoMatch():
		return ui.Hints{Acts: []ui.Hint{ui.Act("clear", keymap.Back), ui.Act("filter", keymap.Filter)}}
	case !onRow:
		h.Acts = []ui.Hint{
			ui.Act("select", keymap.Mark), ui.Act("new rule", keymap.NewRule), ui.Act("filter", keymap.Filter),
			ui.Act("refresh", keymap.Refresh),
		}
	case s.texts && s.shell.OnDetail():
		h.Acts = s.diff.hints()
	default:
		h.Acts = []ui.Hint{
			ui.Act("select", keymap.Mark), ui.Act("apply", keymap.Apply), ui.Act("keep", keymap.Never), ui.Act("new rule", keymap.NewRule),
			ui.Act("pin", keymap.Pin), ui.Act("edit", keymap.EditProposal), ui.Act("file", keymap.OpenFile), ui.Act("filter", keymap.Filter),
		}
	}
	return h
}

var _ ui.Hinted = (*Screen)(nil)
