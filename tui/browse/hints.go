package browse

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	count := len(s.Tree.Keys())
	unread := len(s.Feed.Unread())
	switch {
	case s.Tree.Ranging() || count > 0:
		return kit.Hints{
			Lead: s.Tree.SelectionText(),
			Acts: []kit.Hint{
				kit.Act("delete", keymap.Delete), kit.Act("move", keymap.Move),
				kit.Act("copy", keymap.CopyMenu), kit.Act("clear", keymap.Back),
			},
		}
	case s.Away():
		return kit.Hints{Lead: s.away.name(), Acts: []kit.Hint{
			kit.Act("step", keymap.TravelOlder, keymap.TravelNewer), kit.Act("restore file", keymap.RestoreAt),
			kit.Act("present", keymap.Travel), kit.Act("open", keymap.Open),
		}}
	case s.shell.OnDetail():
		if s.Tabs.at == Diff {
			return s.Diff.hints()
		}
		return kit.Hints{}
	case s.Following.On():
		return kit.Hints{Lead: "following", Acts: []kit.Hint{
			kit.Act("stop", keymap.Follow), s.reviewHint(), kit.Act("open Changes", keymap.ScreenChanges),
		}}
	case s.Files.none():
		return kit.Hints{Lead: "no files yet", Acts: []kit.Hint{kit.Act("new file", keymap.NewFile), kit.Act("follow the agent", keymap.Follow)}}
	}
	var acts []kit.Hint
	if unread > 0 {
		acts = []kit.Hint{kit.Act(fmt.Sprintf("next of %s unread", kit.Number(unread)), keymap.NextUnread)}
		if s.Feed.UnreadBelow(s.reviewedPath()) {
			acts = append(acts, kit.Act("approve", keymap.MarkRead))
		}
	}
	acts = append(acts, kit.Act("open", keymap.Open), kit.Act("edit", keymap.Edit), kit.Act("delete", keymap.Delete),
		kit.Act("filter", keymap.Filter), kit.Act("search", keymap.Find), kit.Act("new file", keymap.NewFile), kit.Act("follow", keymap.Follow))
	return kit.Hints{Acts: acts}
}

// reviewHint leads to the next unread change, if there is one.
func (s *Screen) reviewHint() kit.Hint {
	if len(s.Feed.Unread()) == 0 {
		return kit.Hint{}
	}
	return kit.Act("review", keymap.NextUnread)
}

// hints are those of the tab when it has the focus.
func (t *DiffTab) hints() kit.Hints {
	if t.pane.Path() == "" { // a folder, or a file with no change on record
		return kit.Hints{Acts: []kit.Hint{
			kit.Act("tab", keymap.TabPrev, keymap.TabNext), t.screen.reviewHint(), kit.Act("back", keymap.Back),
		}}
	}
	return t.pane.HunkHints("",
		kit.Act("restore", keymap.RestoreAt),
		kit.Act("split", keymap.SideBySide), kit.Act("file", keymap.OpenFile), t.screen.reviewHint(), t.backHint())
}

// backHint leads back to the change that was read before this one, if there is one.
func (t *DiffTab) backHint() kit.Hint {
	if _, ok := t.screen.Feed.Before(t.pinned); !ok || t.pinned == 0 {
		return kit.Hint{}
	}
	return kit.Act("back", keymap.PrevUnread)
}

var _ kit.Hinted = (*Screen)(nil)
