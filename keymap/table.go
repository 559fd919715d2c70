package keymap

// The actions. Motions are shared: the pane with the focus gives them their meaning.
const (
	Quit       ID = "quit"
	ForceQuit  ID = "force-quit"
	Back       ID = "back"
	Help       ID = "help"
	Prompt     ID = "prompt"
	Search     ID = "search"
	SearchNext ID = "search-next"
	SearchPrev ID = "search-prev"
	FocusNext  ID = "focus-next"
	FocusPrev  ID = "focus-prev"
	FocusTree  ID = "focus-tree"
	FocusLive  ID = "live"
	TabNext    ID = "tab-next"
	TabPrev    ID = "tab-prev"
	Listing    ID = "listing"
	NextUnread ID = "next-unread"
	ReadAll    ID = "read-all"
	MarkRead   ID = "mark-read"
	MarkUnread ID = "unread"
	Summary    ID = "summary"
	CopyMenu   ID = "copy"
	Messages   ID = "messages"
	Redraw     ID = "redraw"
	Suspend    ID = "suspend"
	CycleTheme ID = "theme"
	Zoom       ID = "zoom"
	Edit       ID = "edit"
	DropDraft  ID = "drop-draft"
	Follow     ID = "follow"
	Palette    ID = "palette"
	Mouse      ID = "mouse"
	Find       ID = "find"
	Dialect    ID = "dialect"

	ScreenBrowse  ID = "browse"
	ScreenChanges ID = "changes"
	ScreenTrash   ID = "trash"

	Travel      ID = "travel"
	TravelOlder ID = "older"
	TravelNewer ID = "newer"
	At          ID = "at"
	DiffAt      ID = "diff-at"

	Down     ID = "down"
	Up       ID = "up"
	Left     ID = "left"
	Right    ID = "right"
	Top      ID = "top"
	Bottom   ID = "bottom"
	HalfDown ID = "half-page-down"
	HalfUp   ID = "half-page-up"
	PageDown ID = "page-down"
	PageUp   ID = "page-up"

	Open        ID = "open"
	ExpandAll   ID = "expand-all"
	CollapseAll ID = "collapse-all"
	Filter      ID = "filter"
	ShowHidden  ID = "show-hidden"
	Sort        ID = "sort"
	Mark        ID = "mark"
	MarkRange   ID = "mark-range"
	MarkInvert  ID = "mark-invert"
	MarkAll     ID = "mark-all"
	MarkNone    ID = "mark-none"

	Wrap      ID = "wrap"
	Tail      ID = "tail"
	LineStart ID = "line-start"
	LineEnd   ID = "line-end"
	goToLine  ID = "go-to-line"

	OpenLink   ID = "open-link"
	goToOffset ID = "go-to-offset"

	HunkNext     ID = "hunk-next"
	HunkPrev     ID = "hunk-prev"
	ChangeOlder  ID = "change-older"
	ChangeNewer  ID = "change-newer"
	OpenChange   ID = "open-change"
	OpenFile     ID = "open-file"
	SideBySide   ID = "side-by-side"
	Whitespace   ID = "whitespace"
	Compare      ID = "compare"
	OpenMatch    ID = "open-match"
	FindAgain    ID = "find-again"
	ContextMore  ID = "context-more"
	ContextLess  ID = "context-less"
	Close        ID = "close"
	OverlayFind  ID = "overlay-filter"
	OverlayCopy  ID = "overlay-copy"
	Yes          ID = "yes"
	No           ID = "no"
	CopyPath     ID = "copy-path"
	CopyLine     ID = "copy-line"
	CopyOutput   ID = "copy-output"
	CopyDiff     ID = "copy-diff"
	CopyHunk     ID = "copy-hunk"
	Accept       ID = "accept"
	Cancel       ID = "cancel"
	Complete     ID = "complete"
	HistoryOlder ID = "history-older"
	HistoryNewer ID = "history-newer"
)

// Table returns the built-in actions. The order is the order of the help.
func Table() []Action {
	var t []Action
	for _, part := range [][]Action{
		treeActions(), textActions(), liveActions(), foundActions(), journalActions(), pastActions(), curateActions(), replayActions(),
		motionActions(), globalActions(),
		overlayActions(), inputActions(), formActions(), findingActions(),
	} {
		t = append(t, part...)
	}
	return t
}

func treeActions() []Action {
	return []Action{
		{Open, Tree, []string{"enter", "l", "right"}, "open", "open the file in the view, or unfold the folder", "open"},
		{Left, Tree, []string{"h", "left"}, "", "fold the folder, or go to its parent", ""},
		{Filter, Tree, []string{"f"}, "filter", "filter by words and terms: notes is:marked ext:md size:>10k", "filter"},
		{Mark, Tree, []string{"space"}, "mark", "mark or unmark the row and go down; sets a range", ""},
		{MarkRange, Tree, []string{"v"}, "mark-range", "begin a range that grows with the cursor, or set it", ""},
		{MarkInvert, Tree, []string{"*"}, "mark-invert", "invert the marks of the visible rows", ""},
		{MarkAll, Tree, []string{"ctrl+a"}, "mark-all", "mark all visible rows", ""},
		{MarkNone, Tree, nil, "mark-none", "take all marks away", ""},
		{ExpandAll, Tree, []string{"E"}, "expand-all", "unfold every folder", ""},
		{CollapseAll, Tree, []string{"C"}, "collapse-all", "fold every folder", ""},
		{Compare, Tree, []string{"D"}, "compare", "compare the two marked files, or the marked one with this", ""},
		{Sort, Tree, []string{"s"}, "sort", "sort folders by name, size or age", ""},
		{Summary, Tree, []string{"i"}, "summary", "what changed since you last looked, and what needs you", ""},
		{ShowHidden, Tree, []string{"H"}, "show-hidden", "show or leave out what the agent's listing hides (dot names, node_modules)", ""},
	}
}

func textActions() []Action {
	return []Action{
		{Wrap, View, []string{"w"}, "wrap", "wrap long lines, or cut them", "wrap"},
		{LineStart, View, []string{"0", "^"}, "", "scroll to the start of the lines", ""},
		{LineEnd, View, []string{"$"}, "", "scroll to the end of the line", ""},
		{SearchNext, View, []string{"n"}, "search-next", "next match of the search", ""},
		{SearchPrev, View, []string{"N"}, "search-prev", "previous match of the search", ""},
		{Tail, View, []string{"F"}, "tail", "stay at the end while the file grows; a motion up or esc ends it", ""},
		{goToLine, View, nil, "line", "go to a line: :line 120, or just :120", ""},

		{OpenLink, Rendered, []string{"enter", "o"}, "open-link", "open the file that the link on this row leads to", "link"},
		{SearchNext, Rendered, []string{"n"}, "search-next", "next match of the search", ""},
		{SearchPrev, Rendered, []string{"N"}, "search-prev", "previous match of the search", ""},

		{SearchNext, Hex, []string{"n"}, "search-next", "next match of the search; x:de ad looks for bytes", ""},
		{SearchPrev, Hex, []string{"N"}, "search-prev", "previous match of the search", ""},
		{goToOffset, Hex, nil, "offset", "go to a byte: :offset 0x1f40, or :offset 8000", ""},

		{Wrap, Diff, []string{"w"}, "wrap", "wrap long lines, or cut them", "wrap"},
		{LineStart, Diff, []string{"0", "^"}, "", "scroll to the start of the lines", ""},
		{LineEnd, Diff, []string{"$"}, "", "scroll to the end of the line", ""},
		{SearchNext, Diff, []string{"n"}, "search-next", "next match of the search, or next hunk without one", "next"},
		{SearchPrev, Diff, []string{"N"}, "search-prev", "previous match of the search, or previous hunk without one", ""},
		{HunkNext, Diff, []string{"}"}, "hunk-next", "next hunk", ""},
		{HunkPrev, Diff, []string{"{"}, "hunk-prev", "previous hunk", ""},
		{SideBySide, Diff, []string{"s"}, "side-by-side", "show the two sides beside each other, or below", "sides"},
		{Whitespace, Diff, []string{"W"}, "whitespace", "leave white space out of account, or count it", ""},
		{ChangeOlder, Diff, []string{"<", ","}, "change-older", "the change of this file before this one", "older"},
		{ChangeNewer, Diff, []string{">"}, "change-newer", "the change of this file after this one", ""},
		{ContextMore, Diff, []string{"+", "="}, "context-more", "more unchanged lines around each hunk", ""},
		{ContextLess, Diff, []string{"-"}, "context-less", "fewer unchanged lines around each hunk", ""},
		{OpenFile, Diff, []string{"enter"}, "open-file", "open the file in the view tab, at this line", ""},
	}
}

func liveActions() []Action {
	return []Action{
		{OpenChange, Changes, []string{"enter", "l", "right"}, "open-change", "show the diff of the change", "diff"},
		{OpenFile, Changes, []string{"o"}, "open-file", "show the file in the view tab", "file"},
	}
}

func foundActions() []Action {
	return []Action{
		{OpenMatch, Found, []string{"enter", "l", "right"}, "", "open the file at the match; n and N go on through the store", "open"},
		{SearchNext, Found, []string{"n", "}"}, "", "next file with matches", "file"},
		{SearchPrev, Found, []string{"N", "{"}, "", "previous file with matches", ""},
		{FindAgain, Found, []string{"r"}, "find-again", "search the store again for the same", "again"},
	}
}

// journalActions are those of the screens of revisions.
func journalActions() []Action {
	return []Action{
		{OpenChange, History, []string{"enter", "l", "right"}, "open-change", "show the revision in the diff tab", "diff"},
		{Compare, History, []string{"D"}, "compare", "mark this revision; on another one: compare the file as it was after each", ""},
		{Travel, History, []string{"t"}, "travel", "show the whole store as it was after this revision; again: back to now", "travel"},

		{OpenChange, Blame, []string{"enter"}, "open-change", "show the revision that wrote the line in the diff tab", "diff"},
		{Wrap, Blame, []string{"w"}, "wrap", "wrap long lines, or cut them", "wrap"},
		{LineStart, Blame, []string{"0", "^"}, "", "scroll to the start of the lines", ""},
		{LineEnd, Blame, []string{"$"}, "", "scroll to the end of the line", ""},
		{SearchNext, Blame, []string{"n"}, "search-next", "next match of the search", ""},
		{SearchPrev, Blame, []string{"N"}, "search-prev", "previous match of the search", ""},

		{OpenChange, Inbox, []string{"enter", "l", "right"}, "open-change", "move into the diff of the change", "diff"},
		{OpenFile, Inbox, []string{"o"}, "open-file", "show the file in the view tab", "file"},
		{Compare, Inbox, []string{"D"}, "compare", "mark this revision; on another one: list what differs between the two", ""},
		{Travel, Inbox, []string{"t"}, "travel", "show the whole store as it was after this revision; again: back to now", "travel"},
		{SideBySide, Inbox, []string{"s"}, "side-by-side", "show the two sides of the diff beside each other, or below", ""},
		{Whitespace, Inbox, []string{"W"}, "whitespace", "leave white space out of account in the diff, or count it", ""},
		{HunkNext, Inbox, []string{"}"}, "hunk-next", "next hunk of the diff", ""},
		{HunkPrev, Inbox, []string{"{"}, "hunk-prev", "previous hunk of the diff", ""},
		{Filter, Inbox, []string{"f"}, "filter", "narrow the list: words of the path, actor:agent, command:delete, since:2d, is:unread",
			"filter"},

		{OpenChange, Trash, []string{"enter", "l", "right"}, "open-change", "move into what the deleted file held", "text"},
		{Travel, Trash, []string{"t"}, "travel", "show the whole store as it was after this revision; again: back to now", ""},
		{Filter, Trash, []string{"f"}, "filter", "narrow the list: words of the path, actor:agent, since:2d", "filter"},
	}
}

func motionActions() []Action {
	return []Action{
		{Down, Motion, []string{"j", "down"}, "", "down", ""},
		{Up, Motion, []string{"k", "up"}, "", "up", ""},
		{Left, Motion, []string{"h", "left"}, "", "left", ""},
		{Right, Motion, []string{"l", "right"}, "", "right", ""},
		{Top, Motion, []string{"g", "home"}, "top", "first line", ""},
		{Bottom, Motion, []string{"G", "end"}, "bottom", "last line", ""},
		{HalfDown, Motion, []string{"ctrl+d"}, "", "half a page down", ""},
		{HalfUp, Motion, []string{"ctrl+u"}, "", "half a page up", ""},
		{PageDown, Motion, []string{"pgdown", "ctrl+f", "space"}, "", "a page down", ""},
		{PageUp, Motion, []string{"pgup", "ctrl+b"}, "", "a page up", ""},
	}
}

func globalActions() []Action {
	return []Action{
		{Help, Global, []string{"?"}, "help", "the keys that work here, filterable", "keys"},
		{Quit, Global, []string{"q"}, "quit", "leave memcurator", "quit"},
		{Prompt, Global, []string{":"}, "", "run an action by name, or a memory command as the agent would", "command"},
		{Palette, Global, []string{"ctrl+p"}, "", "the palette: find an action by what it does", ""},
		{Search, Global, []string{"/"}, "search", "search in the open file", "search"},
		{Find, Global, []string{"S"}, "find", "search names and text of the whole store: words, or /a regular expression/", ""},
		{ScreenBrowse, Global, []string{"1"}, "browse", "the Browse screen: tree and file", ""},
		{ScreenChanges, Global, []string{"2"}, "changes", "the Changes screen: every change that is recorded, with its diff", ""},
		{ScreenCurate, Global, []string{"3"}, "curate", "the Curate screen: all that rules and lint propose, to tick and to carry out", ""},
		{ScreenReplay, Global, []string{"4"}, "replay", "the Replay screen: the memory calls of a transcript; :replay FILE opens one", ""},
		{ScreenTrash, Global, []string{"5"}, "trash", "the Trash screen: what was deleted", ""},
		{FocusNext, Global, []string{"tab"}, "", "next pane", ""},
		{FocusPrev, Global, []string{"shift+tab"}, "", "previous pane", ""},
		{FocusTree, Global, []string{"t"}, "tree", "go to the tree; in the past: come back to now", ""},
		{FocusLive, Global, []string{"c"}, "live", "go to the live changes", "changes"},
		{TabNext, Global, []string{"]"}, "tab-next", "next tab: view, diff, history, blame, rendered, hex", ""},
		{TabPrev, Global, []string{"["}, "tab-prev", "previous tab", ""},
		{At, Global, nil, "at", "travel in time: :at 123, :at 2d, :at 2026-11-20 12:00, :at now", ""},
		{DiffAt, Global, nil, "diff-at", "what differs between two points in time: :diff-at 12 20, :diff-at 2d now, :diff-at 7d", ""},
		{TravelOlder, Global, []string{"<", ","}, "older", "in the past: one revision older", ""},
		{TravelNewer, Global, []string{">"}, "newer", "in the past: one revision newer", ""},
		{NextUnread, Global, []string{"."}, "next-unread", "go to the next file with an unread change", "unread"},
		{Follow, Global, []string{"a"}, "follow", "follow the agent: show the diff of each change as it is made", "follow"},
		{MarkRead, Global, []string{"r"}, "mark-read", "approve: mark the changes of this path as read", ""},
		{MarkUnread, Global, nil, "unread", "mark the change shown, or the newest of this path, as unread", ""},
		{ReadAll, Global, []string{"A"}, "read-all", "mark every change as read", ""},
		{Listing, Global, []string{"L"}, "listing", "the listing of /memories exactly as the agent gets it", ""},
		{CopyMenu, Global, []string{"y"}, "copy", "copy the path, the line, the tool's output or the diff", "copy"},
		{Edit, Global, []string{"e"}, "edit", "edit the file in $VISUAL or $EDITOR", ""},
		{DropDraft, Global, nil, "drop-draft", "drop the text of this file that was edited and could not be written", ""},
		{Zoom, Global, []string{"z"}, "zoom", "give the pane with the focus the whole screen, or take it back", ""},
		{CycleTheme, Global, []string{"T"}, "theme", "next theme: dark, light, contrast, mono", ""},
		{Dialect, Global, nil, "dialect", "see what agents of another SDK see; :dialect takes the name, tab lists them", ""},
		{Mouse, Global, nil, "mouse", "give the mouse to the terminal for its own selection, or take it back", ""},
		{Messages, Global, []string{"M"}, "messages", "the messages shown so far", ""},
		{Redraw, Global, []string{"ctrl+l"}, "redraw", "draw the screen anew", ""},
		{Suspend, Global, []string{"ctrl+z"}, "", "suspend to the shell; fg comes back", ""},
		{Back, Global, []string{"esc"}, "", "drop the range, the marks, the filter or the search, leave the pane: one layer at a time", ""},
		{ForceQuit, Global, []string{"ctrl+c"}, "", "leave at once", ""},
	}
}

func overlayActions() []Action {
	return []Action{
		{Close, Overlay, []string{"esc", "q", "enter"}, "", "close", "close"},
		{OverlayFind, Overlay, []string{"/"}, "", "filter the lines", "filter"},
		{OverlayCopy, Overlay, []string{"y"}, "", "copy the text", "copy"},

		{CopyPath, Copy, []string{"p", "y"}, "copy-path", "copy the path as the agent writes it, or every marked one", ""},
		{CopyLine, Copy, []string{"l"}, "copy-line", "copy the line under the cursor", ""},
		{CopyOutput, Copy, []string{"o"}, "copy-output", "copy the whole text that view returns", ""},
		{CopyDiff, Copy, []string{"d"}, "copy-diff", "copy the diff that is shown as a patch", ""},
		{CopyHunk, Copy, []string{"h"}, "copy-hunk", "copy the hunk under the cursor as a patch", ""},
		{Close, Copy, []string{"esc", "q"}, "", "close the menu", ""},

		{Yes, Confirm, []string{"y"}, "", "yes, do it", "yes"},
		{No, Confirm, []string{"n", "esc", "q", "enter"}, "", "no", "no"},
	}
}

func inputActions() []Action {
	return []Action{
		{Accept, Input, []string{"enter"}, "", "take the line", ""},
		{Cancel, Input, []string{"esc"}, "", "drop the line", ""},
		{Complete, Input, []string{"tab"}, "", "complete the name or the path", ""},
		{HistoryOlder, Input, []string{"up", "ctrl+p"}, "", "the line typed before", ""},
		{HistoryNewer, Input, []string{"down", "ctrl+n"}, "", "the line typed after", ""},
	}
}
