package changes

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	r, ok := s.list.Selected()
	run, onRun := s.list.Run()
	switch {
	case len(s.list.Selection()) > 0:
		return kit.Hints{Lead: kit.Number(len(s.list.Selection())) + " selected", Acts: []kit.Hint{
			kit.Act("revert", keymap.Revert), kit.Act("approve", keymap.MarkRead), kit.Act("clear", keymap.Back),
		}}
	case onRun:
		revert := "revert all"
		if s.list.Filter() != "" { // it reverts no others
			revert = "revert " + kit.Number(len(run.Revisions)) + " shown"
		}
		acts := []kit.Hint{kit.Act(revert, keymap.Revert)}
		if run.Unread > 0 {
			acts = append([]kit.Hint{kit.Act("approve "+kit.Number(run.Unread), keymap.MarkRead)}, acts...)
		}
		first, _ := s.traced()
		acts = append(acts, callHint(first),
			kit.Act("fold", keymap.Open), kit.Act("filter", keymap.Filter), kit.Act("order", keymap.Sort))
		return s.reviewHints(s.list.RunName(&run), acts)
	case !ok && s.list.Filter() == "":
		return kit.Hints{Acts: []kit.Hint{kit.Act("browse", keymap.ScreenBrowse)}}
	case !ok:
		return kit.Hints{Acts: []kit.Hint{kit.Act("clear", keymap.Back), kit.Act("filter", keymap.Filter), kit.Act("browse", keymap.ScreenBrowse)}}
	case s.ID == keymap.ScreenTrash:
		return kit.Hints{Acts: []kit.Hint{
			kit.Act("restore", keymap.RestoreAt), kit.Act("text", keymap.Open), callHint(r),
			kit.Act("travel", keymap.Travel), kit.Act("filter", keymap.Filter),
		}}
	}
	if s.shell.OnDetail() {
		return s.detail.HunkHints(fmt.Sprintf("#%d", r.Rev),
			kit.Act("restore", keymap.RestoreAt),
			kit.Act("file", keymap.OpenFile), callHint(r), kit.Act("split", keymap.SideBySide))
	}
	acts := []kit.Hint{
		kit.Act("revert", keymap.Revert, keymap.RevertHunk), kit.Act("restore", keymap.RestoreAt),
		callHint(r), kit.Act("travel", keymap.Travel), kit.Act("diff", keymap.Open), kit.Act("filter", keymap.Filter),
	}
	if r.Unread {
		acts = append([]kit.Hint{kit.Act("approve", keymap.MarkRead)}, acts...)
	}
	return s.reviewHints(fmt.Sprintf("#%d", r.Rev), acts)
}

// callHint is the hint of the call that made a revision, where a transcript that was read has it.
func callHint(r past.Revision) kit.Hint {
	if r.Turn == 0 {
		return kit.Hint{}
	}
	return kit.Act("call", keymap.CallOf)
}

// reviewHints begin with the way to the next unread change while there is one; then the cursor alone says what the others act on.
func (s *Screen) reviewHints(of string, acts []kit.Hint) kit.Hints {
	unread := s.Waiting()
	if unread == 0 {
		return kit.Hints{Lead: of, Acts: acts}
	}
	next := kit.Act(fmt.Sprintf("next of %s unread", kit.Number(unread)), keymap.NextUnread)
	return kit.Hints{Acts: append([]kit.Hint{next}, acts...)}
}

// Legend implements [kit.Legended].
func (s *Screen) Legend() string {
	return s.env.Styles.Glyphs.Unread + " unread  by 18:35: found then, made at that time or before"
}

var _ interface {
	kit.Hinted
	kit.Legended
} = (*Screen)(nil)
