package keymap

// Actions. Motions are shared: the focused pane defines their effect.
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
	FocusLive  ID = "live"
	TabNext    ID = "tab-next"
	TabPrev    ID = "tab-prev"
	Listing    ID = "listing"
	NextUnread ID = "next-unread"
	ReadAll    ID = "read-all"
	MarkRead   ID = "mark-read"
	TTL        ID = "ttl"
	Summary    ID = "summary"
	CopyMenu   ID = "copy"
	Messages   ID = "messages"
	Redraw     ID = "redraw"
	Suspend    ID = "suspend"
	Theme      ID = "theme"
	Zoom       ID = "zoom"
	Edit       ID = "edit"
	DropDraft  ID = "drop-draft"
	Follow     ID = "follow"
	Palette    ID = "palette"
	Find       ID = "find"
	Alert      ID = "alert"
	Refresh    ID = "refresh"
	Explain    ID = "info"
	PrevUnread ID = "previous-unread"

	ScreenBrowse  ID = "browse"
	ScreenChanges ID = "changes"
	ScreenTrash   ID = "trash"

	Travel      ID = "travel"
	TravelOlder ID = "older"
	TravelNewer ID = "newer"
	At          ID = "at"

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
	// PreviewDown and PreviewUp scroll the preview of a row while the list has the focus.
	PreviewDown ID = "preview-down"
	PreviewUp   ID = "preview-up"

	Open        ID = "open" // the row under the cursor
	ExpandAll   ID = "expand-all"
	CollapseAll ID = "collapse-all"
	Filter      ID = "filter"
	ShowHidden  ID = "show-hidden"
	Sort        ID = "sort"
	Mark        ID = "mark"
	MarkRange   ID = "mark-range"
	MarkAll     ID = "mark-all"
	NewFile     ID = "new-file"

	// Within typed lines and fields.
	DeleteWord ID = "delete-word"

	Wrap      ID = "wrap"
	LineStart ID = "line-start"
	LineEnd   ID = "line-end"
	GoToLine  ID = "line"

	OpenLink ID = "open-link"

	HunkNext     ID = "hunk-next"
	HunkPrev     ID = "hunk-prev"
	ChangeOlder  ID = "change-older"
	ChangeNewer  ID = "change-newer"
	OpenFile     ID = "open-file"
	SideBySide   ID = "side-by-side"
	Whitespace   ID = "whitespace"
	Compare      ID = "compare"
	FindAgain    ID = "find-again"
	Close        ID = "close"
	OverlayFind  ID = "overlay-filter"
	OverlayCopy  ID = "overlay-copy"
	Yes          ID = "yes"
	No           ID = "no"
	CopyPath     ID = "copy-path"
	CopyLine     ID = "copy-line"
	CopyOutput   ID = "copy-output"
	CopyDiff     ID = "copy-diff"
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
		sharedActions(), motionActions(), globalActions(),
		overlayActions(), inputActions(), findingActions(), storesActions(),
	} {
		t = append(t, part...)
	}
	return t
}

func treeActions() []Action {
	return []Action{
		{Open, Tree, []string{"enter"}, "open", "open the file, or unfold the folder", "open"},
		{Delete, Tree, []string{"d"}, "delete-marked", "delete the selected files and folders, or the one under the cursor; asks first", ""},
		{Pin, Tree, []string{"p"}, "pin", "pin the file: no proposals for it; shows the rule first", ""},
		{Move, Tree, []string{"m"}, "move", "move or rename the file; selected ones into a folder: :move FOLDER", ""},
		{NewFile, Tree, []string{"c"}, "new-file", "create a file in this folder; your editor opens for its text", ""},
		{Filter, Tree, []string{"f"}, "filter", "filter by words and terms: notes is:selected ext:md size:>10k", "filter"},
		{Summary, Tree, nil, "summary", "explain what changed since you last looked, and what needs you", ""},
	}
}

func textActions() []Action {
	return []Action{
		{GoToLine, View, nil, "line", "go to a line: :line 120, or :120", ""},

		{OpenLink, Rendered, []string{"enter"}, "open-link", "open the file that the link leads to", "link"},

		{HunkNext, Diff, []string{"}"}, "hunk-next", "jump to the next hunk", ""},
		{HunkPrev, Diff, []string{"{"}, "hunk-prev", "jump to the previous hunk", ""},
		{Mark, Diff, []string{"space"}, "", "select the hunk for revert, or clear it", ""},
		{MarkAll, Diff, []string{"ctrl+a"}, "", "select all hunks, or none", ""},
		{SideBySide, Diff, []string{"s"}, "side-by-side", "split the diff side by side, or join it", "split"},
		{Whitespace, Diff, []string{"W"}, "whitespace", "ignore whitespace, or compare it", ""},
		{ChangeOlder, Diff, []string{"<"}, "change-older", "step to the older change of this file", "older"},
		{ChangeNewer, Diff, []string{">"}, "change-newer", "step to the newer change of this file", ""},
		{OpenFile, Diff, []string{"enter"}, "open-file", "open the file at this line", ""},
	}
}

func liveActions() []Action {
	return []Action{
		{Open, Strip, []string{"enter"}, "open", "open the diff of the change, or the file that was read", "diff"},
		{OpenFile, Strip, []string{"b"}, "open-file", "browse the file of the change", "file"},
	}
}

func foundActions() []Action {
	return []Action{
		{Open, Found, []string{"enter"}, "", "open the file at the match; n and N go on through the store", "open"},
		{SearchNext, Found, []string{"n"}, "", "find the next match", ""},
		{SearchPrev, Found, []string{"N"}, "", "find the previous match", ""},
		{FindAgain, Found, []string{"f5"}, "find-again", "refresh: search the store again", "again"},
	}
}

// journalActions belong to the screens that show revisions.
func journalActions() []Action {
	return []Action{
		{Open, History, []string{"enter"}, "open", "open the diff of the revision", "diff"},
		{Compare, History, []string{"V"}, "compare", "compare the two selected revisions, or the selected one with this", "compare"},

		{Open, Blame, []string{"enter"}, "open", "open the diff of the revision that wrote the line", "diff"},

		{Open, Load, []string{"enter"}, "open", "open the file at the line", "open"},

		{Open, Changes, []string{"enter"}, "open", "open the diff of the change; on a heading, fold or unfold it", "diff"},
		{OpenFile, Changes, []string{"b"}, "open-file", "browse the file of the change", "file"},
		{SideBySide, Changes, []string{"s"}, "side-by-side", "split the diff side by side, or join it", ""},
		{Whitespace, Changes, []string{"W"}, "whitespace", "ignore whitespace, or compare it", ""},
		{HunkNext, Changes, []string{"}"}, "hunk-next", "jump to the next heading; in the diff, to the next hunk", ""},
		{HunkPrev, Changes, []string{"{"}, "hunk-prev", "jump to the previous heading; in the diff, to the previous hunk", ""},
		{Filter, Changes, []string{"f"}, "filter", "filter by path and terms: actor:agent command:delete since:2d is:unread", "filter"},

		{Open, Trash, []string{"enter"}, "open", "open the text of the deleted file", "text"},
		{Filter, Trash, []string{"f"}, "filter", "filter by path and terms: actor:agent since:2d", "filter"},
	}
}

// sharedActions are those of any list and any text.
func sharedActions() []Action {
	return []Action{
		{Mark, List, []string{"space"}, "mark", "select the row or clear it, and go down; ends a range", ""},
		{MarkRange, List, []string{"v"}, "mark-range", "extend a range with the cursor; again selects it", ""},
		{MarkAll, List, []string{"ctrl+a"}, "mark-all", "select all rows, or none", ""},
		{ExpandAll, List, []string{"+", "="}, "expand-all", "more: unfold everything", ""},
		{CollapseAll, List, []string{"-"}, "collapse-all", "less: fold everything", ""},
		{HunkNext, List, []string{"}"}, "", "jump to the next heading", ""},
		{HunkPrev, List, []string{"{"}, "", "jump to the previous heading", ""},
		{Sort, List, []string{"o"}, "sort", "order the list by something else", ""},
		{ShowHidden, List, []string{"H"}, "show-hidden", "hide or show what the list leaves out", ""},

		{Wrap, Text, []string{"w"}, "wrap", "wrap long lines, or cut them", "wrap"},
		{LineStart, Text, []string{"^"}, "", "scroll to the start of the line", ""},
		{LineEnd, Text, []string{"$"}, "", "scroll to the end of the line", ""},
	}
}

func motionActions() []Action {
	return []Action{
		{Down, Motion, []string{"j", "down"}, "", "down a row", ""},
		{Up, Motion, []string{"k", "up"}, "", "up a row", ""},
		{Left, Motion, []string{"h", "left"}, "", "left: fold, scroll, or go to the pane beside", ""},
		{Right, Motion, []string{"l", "right"}, "", "right: unfold, scroll, or go to the pane beside", ""},
		{Top, Motion, []string{"g", "home"}, "top", "first row", ""},
		{Bottom, Motion, []string{"G", "end"}, "bottom", "last row", ""},
		{HalfDown, Motion, []string{"ctrl+d"}, "", "scroll half a page down", ""},
		{HalfUp, Motion, []string{"ctrl+u"}, "", "scroll half a page up", ""},
		{PageDown, Motion, []string{"pgdown", "ctrl+f"}, "", "scroll a page down", ""},
		{PageUp, Motion, []string{"pgup", "ctrl+b"}, "", "scroll a page up", ""},
		{PreviewDown, Motion, []string{"J"}, "", "scroll the preview down", ""},
		{PreviewUp, Motion, []string{"K"}, "", "scroll the preview up", ""},
	}
}

func globalActions() []Action {
	return []Action{
		{Help, Global, []string{"?", "x"}, "help", "list what you can do here, with the keys", "keys"},
		{Quit, Global, []string{"q"}, "quit", "quit memcurator", "quit"},
		{Prompt, Global, []string{":"}, "", "run an action by name, or a memory command as the agent would", ""},
		{Palette, Global, []string{"ctrl+p"}, "", "find an action by what it does", ""},
		{SearchNext, Global, []string{"n"}, "search-next", "find the next match", ""},
		{SearchPrev, Global, []string{"N"}, "search-prev", "find the previous match", ""},
		{Search, Global, []string{"/"}, "search", "find here: in the text or the list with the focus", "find"},
		{Find, Global, []string{"S"}, "find", "search names and text of the store: words, or /a regular expression/", ""},
		{ScreenStores, Global, []string{"0"}, "stores", "show Stores: every memory on this machine", ""},
		{ScreenBrowse, Global, []string{"1"}, "browse", "show Browse: the tree and the file", ""},
		{ScreenChanges, Global, []string{"2"}, "changes", "show Changes: every recorded change with its diff", ""},
		{ScreenCurate, Global, []string{"3"}, "curate", "show Curate: what rules and lint propose to prune", ""},
		{ScreenReplay, Global, []string{"4"}, "replay", "show Replay: the memory calls of a transcript; :replay FILE opens one", ""},
		{ScreenTrash, Global, []string{"5"}, "trash", "show Trash: deleted files", ""},
		{ScreenFindings, Global, []string{"6"}, "findings", "show Secrets: keys, passwords and personal data, also in the past", ""},
		{FocusNext, Global, []string{"tab"}, "", "focus the next pane", ""},
		{FocusPrev, Global, []string{"shift+tab"}, "", "focus the previous pane", ""},
		{FocusLive, Global, nil, "live", "focus the live changes", ""},
		{TabNext, Global, []string{"]"}, "tab-next", "switch to the next tab: view, diff, history, blame, rendered", "next tab"},
		{TabPrev, Global, []string{"["}, "tab-prev", "switch to the previous tab", ""},
		{At, Global, []string{"@"}, "at", "go to a point in time: 123, 2d, 2026-11-20 12:00, now", ""},
		{Travel, Global, []string{"t"}, "travel", "travel to this revision: view the whole store as of then; again returns", ""},
		{TravelOlder, Global, []string{"<"}, "older", "step to the older version", ""},
		{TravelNewer, Global, []string{">"}, "newer", "step to the newer version", ""},
		{NextUnread, Global, []string{"."}, "next-unread", "review the next unread change", "review"},
		{PrevUnread, Global, []string{","}, "previous-unread", "review the previous unread change", ""},
		{Follow, Global, []string{"F"}, "follow", "follow the agent: show the diff of each change as it is made", "follow"},
		{MarkRead, Global, []string{"a"}, "mark-read", "approve: mark the changes of this path as read", ""},
		{TTL, Global, nil, "ttl", "keep the note for a time: :ttl 2h, :ttl 2026-12-31, :ttl keep", ""},
		{ReadAll, Global, []string{"A"}, "read-all", "approve: mark every change as read", ""},
		{Listing, Global, []string{"L"}, "listing",
			"load: show what a session starts with; again returns to the listing", ""},
		{CopyMenu, Global, []string{"y"}, "copy", "copy the path, the line, the tool's output or the diff", "copy"},
		{Edit, Global, []string{"e"}, "edit", "edit the file in $VISUAL or $EDITOR", "edit"},
		{DropDraft, Global, nil, "drop-draft", "discard the unwritten draft of this file", ""},
		{Alert, Global, []string{"!"}, "alert", "resolve the alert: open its remedy", ""},
		{FindingReveal, Global, []string{"*"}, "", "reveal masked values while the key is held", ""},
		{Refresh, Global, []string{"f5"}, "refresh", "refresh: reload what the screen shows", ""},
		{Explain, Global, []string{"i"}, "info", "explain what is under the cursor: its size, dates and use, or why it is there", ""},
		{Zoom, Global, []string{"z"}, "zoom", "zoom into the pane with the focus, or out", ""},
		{Theme, Global, nil, "theme", "switch the theme: :theme light", ""},
		{Messages, Global, []string{"M"}, "messages", "recall earlier messages", ""},
		{Redraw, Global, []string{"ctrl+l"}, "redraw", "redraw the screen", ""},
		{Suspend, Global, []string{"ctrl+z"}, "", "suspend to the shell; fg returns", ""},
		{Back, Global, []string{"esc"}, "", "leave one layer: range, selection, filter, search, pane, screen, past", ""},
		{ForceQuit, Global, []string{"ctrl+c"}, "", "quit now; while you type, cancel the text", ""},
	}
}

func overlayActions() []Action {
	return []Action{
		{Close, Overlay, []string{"esc", "q", "enter"}, "", "close", "close"},
		{OverlayCopy, Overlay, []string{"y"}, "", "copy the text", "copy"},

		{CopyPath, Copy, []string{"p", "y"}, "copy-path", "copy the path as the agent writes it, or every selected one", ""},
		{CopyLine, Copy, []string{"l"}, "copy-line", "copy the line under the cursor", ""},
		{CopyOutput, Copy, []string{"o"}, "copy-output", "copy the whole text that view returns", ""},
		{CopyDiff, Copy, []string{"d"}, "copy-diff", "copy the diff as a patch", ""},

		{Accept, ActionMenu, []string{"enter"}, "", "run the action", "run"},
		{OverlayFind, ActionMenu, []string{"/"}, "", "find an action", "find"},
		{Close, ActionMenu, []string{"esc", "q", "x", "?"}, "", "close the list", "close"},

		{Yes, Confirm, []string{"y"}, "", "confirm", "yes"},
		{No, Confirm, []string{"n", "esc", "q", "enter"}, "", "cancel", "no"},
	}
}

func inputActions() []Action {
	return []Action{
		{Accept, Input, []string{"enter"}, "", "run the line", ""},
		{Cancel, Input, []string{"esc", "ctrl+c"}, "", "cancel the line", ""},
		{Complete, Input, []string{"tab"}, "", "complete the name or the path", ""},
		{HistoryOlder, Input, []string{"up", "ctrl+p"}, "", "recall the previous line", ""},
		{HistoryNewer, Input, []string{"down", "ctrl+n"}, "", "recall the next line", ""},
	}
}
