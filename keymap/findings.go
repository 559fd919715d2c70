package keymap

// The actions of the box of sensitive values.
const (
	ScreenFindings ID = "findings"

	FindingTick      ID = "tick-finding"
	FindingTickAll   ID = "tick-all-findings"
	FindingReveal    ID = "reveal"
	FindingReject    ID = "reject-finding"
	FindingFilter    ID = "filter-findings"
	FindingClass     ID = "finding-class"
	FindingClassAll  ID = "finding-class-all"
	FindingAction    ID = "finding-action"
	FindingActionAll ID = "finding-action-all"
	FindingAllow     ID = "allow-finding"
	FindingDiff      ID = "preview-finding"
	FindingPurge     ID = "purge-findings"
	FindingRedact    ID = "redact-findings"
	FindingReport    ID = "purge-report"
	FilesOnly        ID = "files-only"
	FindingNext      ID = "next-place"
	FindingPrev      ID = "previous-place"
	FindingOpen      ID = "open-finding"
	FindingAgain     ID = "scan-again"
)

// findingActions are those of sensitive values. The purge comes first: what is only redacted in the files is in the past still.
func findingActions() []Action {
	return []Action{
		{FindingTick, Findings, []string{"space"}, "", "select the value or clear it: one decision for all its places", "select"},
		{FindingTickAll, Findings, []string{"ctrl+a"}, "", "select every listed value that you have not kept, or none", ""},
		{FindingReject, Findings, []string{"-"}, "", "keep the value as it is, also when all are selected", ""},
		{FindingFilter, Findings, []string{"f"}, "", "filter by class, path, severity and terms: is:open is:selected is:kept " +
			"is:dismissed is:past", ""},
		{FindingPurge, Findings, []string{"a"}, "", "approve the selected values for removal: purge them everywhere, or redact the files",
			"redact"},
		{FindingRedact, Findings, []string{"X"}, "", "redact the selected values in the files only; asks first, u undoes", "files only"},
		{FindingReveal, Findings, []string{"*"}, "", "reveal the value while the key is held", "reveal"},
		{FindingDiff, Findings, []string{"d"}, "", "diff of the file without the selected values", "diff"},
		{FindingClass, Findings, []string{"e"}, "", "edit the class of the value", ""},
		{FindingClassAll, Findings, []string{"C"}, "", "edit the class of every listed value of this class", ""},
		{FindingAction, Findings, []string{"t"}, "", "choose the replacement: tag, pseudonym, a part, or no line at all", ""},
		{FindingActionAll, Findings, []string{"T"}, "", "choose it for every listed value of this class", ""},
		{FindingAllow, Findings, []string{"D"}, "", "decline: dismiss the value as not a secret, or list it again", "dismiss"},
		{FindingNext, Findings, []string{"l", "right"}, "", "right: the next place of the value", ""},
		{FindingPrev, Findings, []string{"h", "left"}, "", "left: the previous place of the value", ""},
		{FindingOpen, Findings, []string{"enter"}, "", "open the file at this place", "open"},
		{Undo, Findings, []string{"u"}, "", "undo your last act; a purge stays", ""},
		{FindingAgain, Findings, []string{"f5"}, "", "refresh: scan the store again", ""},
		{FindingReport, Findings, []string{"R"}, "", "report of the last purge of this run, and which keys to change", ""},
		{Help, Findings, []string{"?"}, "", "help: the keys that work here", "keys"},
		{Close, Findings, []string{"esc", "q"}, "", "close, or stop the running job", "close"},

		{Yes, TakeOut, []string{"y", "p"}, "", "purge the values from the files and from all history, for good", "purge"},
		{FilesOnly, TakeOut, []string{"f"}, "", "redact the files only; u undoes", "files only"},
		{No, TakeOut, []string{"n", "esc", "q", "enter"}, "", "cancel", "no"},
	}
}
