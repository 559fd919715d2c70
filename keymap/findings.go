package keymap

// Actions of the Secrets screen.
const (
	ScreenFindings ID = "findings"

	FindingReveal ID = "reveal"
	FindingAllow  ID = "allow-finding"
	FindingPurge  ID = "purge-findings"
	FilesOnly     ID = "files-only"

	DismissValue  ID = "dismiss-value"
	DismissInFile ID = "dismiss-in-file"
)

// findingActions are those of the Secrets screen and of its dialogs.
func findingActions() []Action {
	return []Action{
		{FindingPurge, Findings, []string{"a"}, "purge", "approve: redact the selected values in files, or purge them everywhere",
			"redact or purge"},
		{FindingAllow, Findings, []string{"D"}, "dismiss", "decline: dismiss the value as not a secret, or list it again", "dismiss"},
		{Open, Findings, []string{"enter"}, "", "open the preview; from there, the file at that place", "preview"},
		{Filter, Findings, []string{"f"}, "filter", "filter by class, path, severity and terms: is:open is:selected is:dismissed is:past", "filter"},
		{OpenFile, Findings, []string{"b"}, "open-file", "browse the file of the place", ""},

		{FilesOnly, TakeOut, []string{"f"}, "", "redact the files only; u undoes", "files only"},
		{Yes, TakeOut, []string{"p"}, "", "purge the values from files and all history; asks for a word", "purge"},
		{No, TakeOut, []string{"n", "esc", "q", "enter"}, "", "cancel", "cancel"},

		{DismissValue, Dismissing, []string{"v"}, "", "dismiss the value anywhere", "anywhere"},
		{DismissInFile, Dismissing, []string{"f"}, "", "dismiss the value in this file", "in this file"},
		{No, Dismissing, []string{"n", "esc", "q", "enter"}, "", "cancel", "cancel"},
	}
}
