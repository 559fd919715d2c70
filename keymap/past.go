package keymap

// Actions that undo, restore and delete.
const (
	Undo       ID = "undo"
	Redo       ID = "redo"
	Delete     ID = "delete-marked"
	Move       ID = "move"
	Revert     ID = "revert"
	RevertHunk ID = "revert-hunk"
	RestoreAt  ID = "restore"

	KeepCurrent ID = "keep-current"
	KeepOther   ID = "keep-other"
)

// pastActions change the store by key, and undo those changes.
func pastActions() []Action {
	return []Action{

		{RevertHunk, Diff, []string{"r"}, "revert-hunk", "revert the hunk, or those selected; later edits stay", ""},
		{Revert, Diff, nil, "revert", "revert the whole change; later edits stay", ""},
		{RestoreAt, Diff, []string{"R"}, "restore", "restore the file as of this change", ""},
		{Revert, History, []string{"r"}, "revert", "revert the change; later edits stay", "revert"},
		{RestoreAt, History, []string{"R"}, "restore", "restore the file as of this change", "restore"},
		{Revert, Changes, []string{"r"}, "revert", "revert the change or session; later edits stay", "revert"},
		{RestoreAt, Changes, []string{"R"}, "restore", "restore the file as of this change", ""},
		{Revert, Trash, []string{"r"}, "revert", "revert the deletion", ""},
		{RestoreAt, Trash, []string{"R"}, "restore", "restore the deleted file or folder", "restore"},

		{KeepCurrent, Merge, []string{"c"}, "", "keep the current lines of all conflicts", "current"},
		{KeepOther, Merge, []string{"o"}, "", "take the other lines of all conflicts; u undoes", "other"},
		{Edit, Merge, []string{"e"}, "", "edit the text in $VISUAL or $EDITOR, with conflict markers", "edit"},
		{No, Merge, []string{"esc", "q"}, "", "leave: decide nothing", "leave"},

		{RestoreAt, Global, []string{"R"}, "restore", "restore the file as of the revision shown", ""},
		{Undo, Global, []string{"u"}, "undo", "undo your last act, even one from an earlier run", ""},
		{Redo, Global, []string{"ctrl+r"}, "redo", "redo what you last undid", ""},
	}
}
