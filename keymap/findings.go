package keymap

// Actions of the Secrets screen.
const (
	ScreenFindings ID = "findings"

	FindingReveal   ID = "reveal"
	FindingReject   ID = "reject-finding"
	FindingFilter   ID = "filter-findings"
	FindingClass    ID = "finding-class"
	FindingClassAll ID = "finding-class-all"
	FindingAllow    ID = "allow-finding"
	FindingDiff     ID = "preview-finding"
	FindingPurge    ID = "purge-findings"
	FindingPurgeAll ID = "purge-all-findings"
	FindingRedact   ID = "redact-findings"
	FindingReport   ID = "purge-report"
	FindingInfo     ID = "explain-finding"
	FilesOnly       ID = "files-only"
	FindingAgain    ID = "scan-again"

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
		{FindingClass, Findings, []string{"e"}, "", "edit the class of the value, or of all of its class", "class"},
		{Open, Findings, []string{"enter"}, "", "open the preview; from there, the file at that place", "preview"},
		{FindingFilter, Findings, []string{"f"}, "filter-findings", "filter by class, path, severity and terms: is:open is:selected " +
			"is:dismissed is:past", "filter"},
		{FindingPurgeAll, Findings, []string{"A"}, "", "approve: redact or purge all listed values", ""},
		{FindingRedact, Findings, nil, "redact", "redact the selected values in files; u undoes", ""},
		{FindingReject, Findings, nil, "reject-finding", "decline for 30 days: keep the selected values, then ask again", ""},
		{FindingClassAll, Findings, nil, "finding-class-all", "edit the class of all listed values of this class", ""},
		{FindingDiff, Findings, nil, "preview-finding", "focus the preview of the redaction", ""},
		{FindingInfo, Findings, []string{"i"}, "", "explain why the value was found, and where", "why"},
		{FindingReport, Findings, nil, "purge-report", "open the report of the last purge, with the keys to revoke", ""},
		{FindingAgain, Findings, nil, "scan-again", "refresh: scan files and history again", ""},
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
