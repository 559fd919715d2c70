package browse

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// Hints implements [ui.Hinted].
func (s *Screen) Hints() ui.Hints {
	count, bytes := s.Tree.Selection.Count()
	unread := len(s.Feed.Unread())
	switch {
	case s.Tree.Selection.Ranging():
		return ui.Hints{Lead: "range of " + ui.Number(count), Acts: []ui.Hint{ui.Act("select", keymap.MarkRange), ui.Act("drop", keymap.Back)}}
	case count > 0:
		return ui.Hints{
			Lead: ui.Number(count) + " selected, " + memstore.FormatSize(s.Store.Dialect(), bytes),
			Acts: []ui.Hint{
				ui.Act("delete", keymap.Delete), ui.Act("move", keymap.Move), ui.Act("compare", keymap.Compare),
				ui.Act("copy", keymap.CopyMenu), ui.Act("clear", keymap.Back),
			},
		}
	case s.era.past():
		return ui.Hints{Lead: fmt.Sprintf("#%d", s.era.rev()), Acts: []ui.Hint{
			ui.Act("step", keymap.TravelOlder, keymap.TravelNewer), ui.Act("restore file", keymap.RestoreAt),
			ui.Act("present", keymap.Travel), ui.Act("open", keymap.Open),
		}}
	case s.shell.OnStrip():
		return ui.Hints{Acts: []ui.Hint{
			ui.Act("diff", keymap.Open), ui.Act("review", keymap.NextUnread), ui.Act("follow", keymap.Follow),
			ui.Act("back", keymap.Back),
		}}
	case s.shell.OnDetail():
		if s.Tabs.at == Diff {
			return s.Diff.hints()
		}
		return s.Tabs.hints()
	case s.Following.On():
		return ui.Hints{Lead: "following", Acts: []ui.Hint{
			ui.Act("stop", keymap.Follow), ui.Act("review", keymap.NextUnread), ui.Act("changes", keymap.ScreenChanges),
		}}
	case s.Files.none():
		return ui.Hints{Lead: "no files yet", Acts: []ui.Hint{ui.Act("new file", keymap.NewFile), ui.Act("follow the agent", keymap.Follow)}}
	}
	var acts []ui.Hint
	if unread > 0 {
		acts = []ui.Hint{ui.Act(fmt.Sprintf("next of %s unread", ui.Number(unread)), keymap.NextUnread)}
		if s.Feed.UnreadBelow(s.reviewedPath()) {
			acts = append(acts, ui.Act("approve", keymap.MarkRead))
		}
	}
	acts = append(acts, ui.Act("open", keymap.Open), ui.Act("edit", keymap.Edit), ui.Act("delete", keymap.Delete),
		ui.Act("filter", keymap.Filter), ui.Act("search", keymap.Find), ui.Act("new file", keymap.NewFile), ui.Act("follow", keymap.Follow))
	lead := s.Tabs.tail()
	if path, n := s.Tree.Selected(); n != nil && n.Problem != nil {
		lead = ui.PathText(path) + " can't be read"
	}
	return ui.Hints{Lead: lead, Acts: acts}
}

// hints are those of the tab when it has the focus.
func (t *DiffTab) hints() ui.Hints {
	if t.pinned.pair != nil { // no revision is shown that could be reverted
		return ui.Hints{Acts: []ui.Hint{ui.Act("next hunk", keymap.HunkNext), ui.Act("split", keymap.SideBySide), ui.Act("back", keymap.Back)}}
	}
	if t.pane.Shown() == "" { // a folder, or a file with no change on record
		return ui.Hints{Acts: []ui.Hint{
			ui.Act("tab", keymap.TabPrev, keymap.TabNext), ui.Act("review", keymap.NextUnread), ui.Act("back", keymap.Back),
		}}
	}
	return t.pane.HunkHints("",
		ui.Act("next hunk", keymap.HunkNext), ui.Act("restore", keymap.RestoreAt), ui.Act("older", keymap.ChangeOlder),
		ui.Act("split", keymap.SideBySide), ui.Act("file", keymap.OpenFile), ui.Act("review", keymap.NextUnread))
}

// hints are those of the shown tab, other than the diff, when it has the focus.
func (t *Tabs) hints() ui.Hints {
	switch t.at {
	case History:
		return ui.Hints{Acts: []ui.Hint{
			ui.Act("diff", keymap.Open), ui.Act("travel", keymap.Travel), ui.Act("restore", keymap.RestoreAt),
			ui.Act("compare", keymap.Compare), ui.Act("call", keymap.CallOf), ui.Act("tab", keymap.TabPrev, keymap.TabNext),
		}}
	case Load:
		return ui.Hints{Acts: []ui.Hint{
			ui.Act("open", keymap.Open), ui.Act("edit", keymap.Edit), ui.Act("next file", keymap.HunkNext), ui.Act("listing", keymap.Listing),
			ui.Act("find", keymap.Search), ui.Act("back", keymap.Back),
		}}
	case Search:
		return ui.Hints{Acts: []ui.Hint{
			ui.Act("open", keymap.Open), ui.Act("next file", keymap.HunkNext), ui.Act("search again", keymap.Refresh),
			ui.Act("back", keymap.Back),
		}}
	}
	return ui.Hints{Lead: t.tail(), Acts: []ui.Hint{
		ui.Act("edit", keymap.Edit), ui.Act("find", keymap.Search), ui.Act("tab", keymap.TabPrev, keymap.TabNext),
		ui.Act("wrap", keymap.Wrap), ui.Act("copy", keymap.CopyMenu), ui.Act("back", keymap.Back),
	}}
}

// tail says that the view stays at the end of its file.
func (t *Tabs) tail() string {
	if v, ok := t.Shown().(*viewer.Pane); ok && v.Tailing() {
		return "following its end"
	}
	return ""
}

var _ ui.Hinted = (*Screen)(nil)
