package keymap

// Actions of the Curate screen.
const (
	ScreenCurate ID = "curate"
	Apply        ID = "apply"
	Pin          ID = "pin"
	Never        ID = "never"
	EditProposal ID = "edit-proposal"
	DeleteFile   ID = "delete-file"
	ApplyAll     ID = "apply-all"
	NewRule      ID = "new-rule"
)

// curateActions choose among proposals, apply them, and change the rules behind them.
func curateActions() []Action {
	return []Action{
		{Open, Curate, []string{"enter"}, "open", "open the reason and the text; on a heading, unfold the group", "why"},
		{Apply, Curate, []string{"a"}, "apply", "approve and apply the selected rows; asks first, one u undoes all", "apply"},
		{ApplyAll, Curate, []string{"A"}, "apply-all", "approve and apply all rows shown; asks first, one u undoes all", ""},
		{NewRule, Curate, []string{"c"}, "new-rule", "create a rule by a line; shows what it would do and how the file changes", "new rule"},
		{Never, Curate, []string{"D"}, "never", "decline the proposal: keep the file; shows the rule first", "keep"},
		{Pin, Curate, []string{"p"}, "pin", "pin the file: no proposals for it; shows the rule first", "pin"},
		{EditProposal, Curate, []string{"e"}, "edit-proposal", "edit the proposed text, the line of the rule, or the file; on a heading the configuration", ""},
		{DeleteFile, Curate, []string{"d"}, "delete-file", "delete the file under the cursor; asks first", ""},
		{OpenFile, Curate, []string{"b"}, "open-file", "browse the file of the proposal", "file"},
		{Filter, Curate, []string{"f"}, "filter", "filter by path, reason and terms: do:delete", "filter"},
	}
}
