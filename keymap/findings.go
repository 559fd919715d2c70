package keymap

// Actions of the Secrets screen.
const (
	ScreenFindings ID = "findings"

	FindingReveal   ID = "reveal"
	FindingClass    ID = "finding-class"
	FindingAllow    ID = "allow-finding"
	FindingPurge    ID = "purge-findings"
	FindingPurgeAll ID = "purge-all-findings"
	FindingReport   ID = "purge-report"
	FindingInfo     ID = "explain-finding"
	FilesOnly       ID = "files-only"

	DismissValue  ID = "dismiss-value"
	DismissInFile ID = "dismiss-in-file"
	KeepValue     ID = "keep-value"
)

// findingActions are those of the Secrets screen and of its dialogs.
func findingActions() []Action {
	return []Action{
		{FindingPurge, Findings, []string{"a"}, "purge", "approve: redact the selected values in files, or purge them everywhere",
			"redact or purge"},
		{FindingAllow, Findings, []string{"D"}, "dismiss", "decline: dismiss the value as not a secret, or list it again", "dismiss"},
		{FindingClass, Findings, []string{"e"}, "", "edit the class of the selected values", "class"},
		{Open, Findings, []string{"enter"}, "", "open the preview; from there, the file at that place", "preview"},
		{Filter, Findings, []string{"f"}, "filter", "filter by class, path, severity and terms: is:open is:selected " +
			"is:dismissed is:past", "filter"},
		{FindingPurgeAll, Findings, []string{"A"}, "", "approve: redact or purge all listed values", ""},
		{FindingInfo, Findings, []string{"i"}, "", "explain why the value was found, and where", "why"},
		{FindingReport, Findings, nil, "purge-report", "open the report of the last purge, with the keys to revoke", ""},
		{OpenFile, Findings, []string{"b"}, "open-file", "browse the file of the place", ""},

		{FilesOnly, TakeOut, []string{"f"}, "", "redact the files only; u undoes", "files only"},
		{Yes, TakeOut, []string{"p"}, "", "purge the values from files and all history; asks for a word", "purge"},
		{No, TakeOut, []string{"n", "esc", "q", "enter"}, "", "cancel", "cancel"},

		{DismissValue, Dismissing, []string{"v"}, "", "dismiss the value anywhere", "anywhere"},
		{DismissInFile, Dismissing, []string{"f"}, "", "dismiss the value in this file", "in this file"},
		{KeepValue, Dismissing, []string{"k"}, "", "keep the value, and ask again in 30 days", "keep, ask again in 30 days"},
		{No, Dismissing, []string{"n", "esc", "q", "enter"}, "", "cancel", "cancel"},
	}
}
