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

// findingActions are those of sensitive values. The purge comes first: what is only taken out of the files
// is in the past still.
func findingActions() []Action {
	return []Action{
		{FindingTick, Findings, []string{"space"}, "", "accept the value, or leave it: one decision for all its places", "accept"},
		{FindingTickAll, Findings, []string{"ctrl+a"}, "", "accept every value that is listed and not rejected, or none", ""},
		{FindingReject, Findings, []string{"-"}, "", "reject the value: it stays as it is, also when all are accepted", ""},
		{FindingFilter, Findings, []string{"/", "f"}, "", "narrow the list: words of class, path, severity; is:open is:accepted " +
			"is:rejected is:allowed is:past", ""},
		{FindingPurge, Findings, []string{"x"}, "",
			"take the accepted values out: asks whether everywhere for good, which is the first answer, or of the files only", "take out"},
		{FindingRedact, Findings, []string{"X"}, "", "take the accepted values out of the files only; undo takes it back; asks first",
			"files only"},
		{FindingReveal, Findings, []string{"v"}, "", "show the value while the key is held", "reveal"},
		{FindingDiff, Findings, []string{"d"}, "", "the file of this place without the accepted values, as a diff", "diff"},
		{FindingClass, Findings, []string{"c"}, "", "take the value for another class, from a list", ""},
		{FindingClassAll, Findings, []string{"C"}, "", "take every listed value of this class for another one", ""},
		{FindingAction, Findings, []string{"t"}, "", "choose what takes the place of the value: tag, pseudonym, a part, the line goes", ""},
		{FindingActionAll, Findings, []string{"T"}, "", "choose it for every listed value of this class", ""},
		{FindingAllow, Findings, []string{"a"}, "", "judge the value harmless from now on, or take that back", "allow"},
		{FindingNext, Findings, []string{"n", "l", "right"}, "", "next place of the value", ""},
		{FindingPrev, Findings, []string{"N", "h", "left"}, "", "previous place of the value", ""},
		{FindingOpen, Findings, []string{"enter", "o"}, "", "open the file at this place", "open"},
		{Undo, Findings, []string{"u"}, "", "take back what was done last from here; a purge stays", ""},
		{FindingAgain, Findings, []string{"r"}, "", "scan the store again", ""},
		{FindingReport, Findings, []string{"R"}, "", "what the last purge of this run did, and which keys to change", ""},
		{Help, Findings, []string{"?"}, "", "the keys that work here", "keys"},
		{Close, Findings, []string{"esc", "q"}, "", "stop the work under way, or close", "close"},

		{Yes, TakeOut, []string{"y", "p"}, "", "purge: out of the files and of the whole past, for good", "purge"},
		{FilesOnly, TakeOut, []string{"f"}, "", "out of the files only; undo takes it back", "files only"},
		{No, TakeOut, []string{"n", "esc", "q", "enter"}, "", "no", "no"},

		{ScreenFindings, Global, []string{"!"}, "findings", "sensitive values: keys, passwords, personal data, in files and in the past", ""},
	}
}
