package keymap

// The actions that undo, restore and delete.
const (
	Undo       ID = "undo"
	Redo       ID = "redo"
	PutBack    ID = "put-back"
	Delete     ID = "delete-marked"
	Move       ID = "move"
	Revert     ID = "revert"
	RevertHunk ID = "revert-hunk"
	RestoreAt  ID = "restore"
	RestoreAs  ID = "restore-as"

	TakeNow     ID = "take-now"
	TakeThen    ID = "take-then"
	TakeBoth    ID = "take-both"
	TakeAllNow  ID = "take-all-now"
	TakeAllThen ID = "take-all-then"
)

// pastActions change the store by key, and undo that.
func pastActions() []Action {
	return []Action{
		{Delete, Tree, []string{"d"}, "delete-marked", "delete the marked files and folders, or the one under the cursor; asks first", ""},
		{Move, Tree, []string{"m"}, "move", "rename or move the file; the marked ones into a folder: :move FOLDER", ""},

		{RevertHunk, Diff, []string{"x"}, "revert-hunk", "take back the hunk under the cursor; what was done since is kept", ""},
		{Revert, Diff, []string{"X"}, "revert", "take back the whole change that is shown", ""},
		{RestoreAt, Diff, []string{"R"}, "restore", "put the file back as it was after this change", ""},
		{Revert, History, []string{"x", "X"}, "revert", "take back this change; what was done since is kept", ""},
		{RestoreAt, History, []string{"R"}, "restore", "put the file back as it was after this change", ""},
		{Revert, Inbox, []string{"x", "X"}, "revert", "take back this change; what was done since is kept", "revert"},
		{RestoreAt, Inbox, []string{"R"}, "restore", "put the file back as it was after this change", ""},
		{RestoreAt, Trash, []string{"r", "R"}, "restore", "put it back, a folder with what it held; asks for a name where its own is taken",
			"restore"},
		{RestoreAs, Trash, nil, "restore-as", "put it back under another name: :restore-as NEW-PATH", ""},

		{TakeNow, Merge, []string{"m", "left"}, "", "of this conflict: keep what is there now (mine)", "mine"},
		{TakeThen, Merge, []string{"t", "right"}, "", "of this conflict: what was there before (theirs)", "theirs"},
		{TakeBoth, Merge, []string{"b"}, "", "of this conflict: both, what is there now first", "both"},
		{TakeAllNow, Merge, []string{"M"}, "", "of all conflicts: what is there now", ""},
		{TakeAllThen, Merge, []string{"T"}, "", "of all conflicts: what was there before", ""},
		{HunkNext, Merge, []string{"}", "tab", "n"}, "", "next conflict", ""},
		{HunkPrev, Merge, []string{"{", "shift+tab", "N"}, "", "previous conflict", ""},
		{Edit, Merge, []string{"e"}, "", "edit the text in $VISUAL or $EDITOR, with marks at what is not decided", ""},
		{Yes, Merge, []string{"y", "enter"}, "", "write the file as it is decided; undoable", "write"},
		{No, Merge, []string{"esc", "q"}, "", "leave the file as it is", "leave"},

		{Undo, Global, []string{"u"}, "undo", "take back what was done last from here, also before the last start", ""},
		{Redo, Global, []string{"ctrl+r"}, "redo", "take back the undo", ""},
		{PutBack, Global, []string{"P"}, "put-back", "put back what the alarm in the top bar tells of", ""},
	}
}
