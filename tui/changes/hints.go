package changes

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// Hints implements [ui.Hinted].
func (s *Screen) Hints() ui.Hints {
	r, ok := s.list.Selected()
	run, onRun := s.list.Run()
	switch {
	case s.list.CountSelected() > 0:
		return ui.Hints{Lead: ui.Number(s.list.CountSelected()) + " selected", Acts: []ui.Hint{
			ui.Act("revert", keymap.Revert), ui.Act("approve", keymap.MarkRead), ui.Act("clear", keymap.Back),
		}}
	case onRun:
		revert := "revert all"
		if s.list.Filter() != "" { // it reverts no others
			revert = "revert " + ui.Number(len(run.Revisions)) + " shown"
		}
		acts := []ui.Hint{ui.Act(revert, keymap.Revert)}
		if run.Unread > 0 {
			acts = append([]ui.Hint{ui.Act("approve "+ui.Number(run.Unread), keymap.MarkRead)}, acts...)
		}
		if s.list.Order() == timeline.BySession {
			acts = append(acts, ui.Act("transcript", keymap.CallOf), ui.Act("restore before", keymap.RestoreAt))
		}
		acts = append(acts, ui.Act("fold", keymap.Open), ui.Act("filter", keymap.Filter), ui.Act("order", keymap.Sort))
		return s.reviewHints(s.list.RunName(&run), acts)
	case !ok:
		return ui.Hints{Acts: []ui.Hint{ui.Act("clear", keymap.Back), ui.Act("filter", keymap.Filter), ui.Act("browse", keymap.ScreenBrowse)}}
	case s.ID == keymap.ScreenTrash:
		return ui.Hints{Acts: []ui.Hint{
			ui.Act("restore", keymap.RestoreAt), ui.Act("text", keymap.Open), ui.Act("call", keymap.CallOf),
			ui.Act("travel", keymap.Travel), ui.Act("filter", keymap.Filter),
		}}
	}
	if s.shell.OnDetail() {
		return s.detail.HunkHints(fmt.Sprintf("#%d", r.Rev),
			ui.Act("next hunk", keymap.HunkNext), ui.Act("select", keymap.Mark), ui.Act("restore", keymap.RestoreAt),
			ui.Act("file", keymap.OpenFile), ui.Act("call", keymap.CallOf), ui.Act("split", keymap.SideBySide))
	}
	acts := []ui.Hint{
		ui.Act("restore", keymap.RestoreAt), ui.Act("file", keymap.OpenFile),
		ui.Act("call", keymap.CallOf), ui.Act("travel", keymap.Travel), ui.Act("diff", keymap.Open), ui.Act("filter", keymap.Filter),
	}
	if r.UndoneBy == 0 {
		acts = append([]ui.Hint{ui.Act("revert", keymap.Revert, keymap.RevertHunk)}, acts...)
	}
	if r.Unread {
		acts = append([]ui.Hint{ui.Act("approve", keymap.MarkRead)}, acts...)
	}
	return s.reviewHints(fmt.Sprintf("#%d", r.Rev), acts)
}

// reviewHints begin with the way to the next unread change while there is one; then the cursor alone says what the others act on.
func (s *Screen) reviewHints(of string, acts []ui.Hint) ui.Hints {
	unread := s.Waiting()
	if unread == 0 {
		return ui.Hints{Lead: of, Acts: acts}
	}
	next := ui.Act(fmt.Sprintf("next of %s unread", ui.Number(unread)), keymap.NextUnread)
	return ui.Hints{Acts: append([]ui.Hint{next}, acts...)}
}

var _ ui.Hinted = (*Screen)(nil)
