package keymap

// The actions of the Curate screen.
const (
	ScreenCurate ID = "curate"
	Apply        ID = "apply"
	Pin          ID = "pin"
	Never        ID = "never"
	RaiseCap     ID = "raise"
	EditProposal ID = "edit-proposal"
	DeleteFile   ID = "delete-file"
)

// curateActions are what chooses among proposals, carries them out, and changes the rules behind them.
func curateActions() []Action {
	return []Action{
		{OpenChange, Curate, []string{"enter", "l", "right"}, "open-change", "move into the reason and the text; on a heading: fold " +
			"or unfold the group", "why"},
		{Left, Curate, []string{"h", "left"}, "", "fold the group", ""},
		{Mark, Curate, []string{"space"}, "", "tick or untick and go down; on a heading the whole group; sets a range", "tick"},
		{MarkRange, Curate, []string{"v"}, "", "begin a range that grows with the cursor, or tick it", ""},
		{MarkInvert, Curate, []string{"*"}, "", "invert the ticks of the visible rows", ""},
		{MarkAll, Curate, []string{"ctrl+a"}, "", "tick all visible rows", ""},
		{MarkNone, Curate, []string{"U"}, "", "take all ticks away", ""},
		{Apply, Curate, []string{"a"}, "apply", "carry out what is ticked; asks first, one undo takes it back", "apply"},
		{Never, Curate, []string{"n"}, "never", "never propose this for this file: write a rule, shown first", "never"},
		{Pin, Curate, []string{"p"}, "pin", "pin the file: nothing is ever proposed for it; shows the rule first", "pin"},
		{RaiseCap, Curate, []string{"+", "="}, "raise", "raise the cap that this is over; shows the rule first", ""},
		{EditProposal, Curate, []string{"m"}, "edit-proposal", "edit the proposed merge or split, then write it", ""},
		{DeleteFile, Curate, []string{"d"}, "delete-file", "delete the file under the cursor; asks first", ""},
		{OpenFile, Curate, []string{"o"}, "open-file", "show the file in the view tab", "file"},
		{Sort, Curate, []string{"s"}, "", "sort by group, path, size or the time it is due", ""},
		{Filter, Curate, []string{"f", "/"}, "filter",
			"narrow the list: words of path and reason, do:delete group:lint rule:planted is:ticked", "filter"},
		{ExpandAll, Curate, []string{"E"}, "", "unfold every group", ""},
		{CollapseAll, Curate, []string{"C"}, "", "fold every group", ""},
	}
}
