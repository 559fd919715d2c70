package ui

import (
	"fmt"
	"strings"
)

// The texts of the Curate screen.
const (
	TextCurateScreen   = "curate"
	TextWhy            = "why"
	TextPlanning       = "working out what is proposed..."
	TextNoActionFits   = "nothing fits the filter; {global/back} clears it"
	TextOnlyTold       = "this is only told: nothing is ticked; {curate/edit-proposal} edits a proposal, {curate/delete-file} deletes the file, {curate/never} tells it no more"
	TextNothingTicked  = "nothing is ticked: {curate/mark} ticks, {curate/mark-all} ticks all"
	TextApplyTitle     = "Apply?"
	TextApplyWhole     = "That is every file of the store."
	TextApplyAsk       = "{global/undo} takes all of it back. {confirm/yes} does it, {confirm/no} does not."
	TextApplyStops     = "stopping after the file that is under way"
	TextNoPlan         = "there is no plan while the memory directory is not available"
	TextPlanFailed     = "the plan cannot be made: the journal or the directory cannot be read"
	TextNoConfigFile   = "there is no configuration file to write a rule to: name one with --config"
	TextConfigInside   = "the configuration lies inside the memory directory, where the agent could change it: nothing is written"
	TextConfigChanged  = "the configuration was changed by another program meanwhile: nothing is written"
	TextConfigUnusual  = "the configuration is written in a way that cannot be extended here: edit it by hand"
	TextConfigFailed   = "the configuration cannot be written: permission denied, or the disk is full"
	TextConfigBroken   = "the configuration has mistakes, nothing is written; memcurator config check names them"
	TextRuleTitle      = "Write this to the configuration?"
	TextRuleFooter     = "the file as it is against what {confirm/yes} writes; {confirm/no} leaves it"
	TextNoRuleForName  = "a rule cannot name this path: it holds a backslash or bytes that are no text"
	TextNoCapHere      = "this is over no cap that could be raised"
	TextLoadCap        = "the client loads no more than this, whatever is said here: {curate/edit-proposal} edits a split, {curate/never} tells it no more"
	TextRootNoPin      = "this is about the whole store: {curate/raise} raises its cap"
	TextNoneChosen     = "no proposal is chosen here"
	TextNoProposal     = "there is no merge or split to edit here; {global/edit} edits the file"
	TextProposedMerge  = "proposed merge"
	TextProposedSplit  = "proposed split"
	TextWhatOtherHas   = "what the other note has more"
	TextNothingToMerge = "all of this note is in the other one: there is nothing to merge, {curate/delete-file} deletes it"
	TextSplitLost      = "a part has no path: each begins with a line ==== /memories/NAME ===="
	TextSplitTaken     = "nothing was written: a part is to go where something is already, or was named twice"
	TextWriteTitle     = "Write this text?"
	TextWriteFooter    = "the note as it is against what {confirm/yes} writes; {confirm/no} keeps your text in its file"
	TextDue            = "due"

	LabelPlan  = "planning"
	LabelApply = "applying"
	LabelRule  = "writing the configuration"
)

// groupTitles are the headings of the groups of a plan.
var groupTitles = map[string]string{
	"expired": "Expired", "over cap": "Over a cap", "store cap": "The store is over its cap", "under cap": "To get under the cap: the smallest loss",
	"lint": "Lint: what is wrong with notes", "expiring": "Expires soon", "sensitive": "Sensitive values",
}

// groupHelp says what the groups of a plan are, and what to do about them.
var groupHelp = map[string]string{
	"expired":   "Nobody has used, or changed, these for longer than a rule allows. {curate/mark} ticks them, {curate/apply} carries out what is ticked; {curate/never} writes a rule that spares the file, {curate/pin} pins it.",
	"over cap":  "These are longer or larger than a rule allows. They are only told: {curate/edit-proposal} edits a proposed split, {curate/raise} raises the cap for the file.",
	"store cap": "The store holds more than the configuration allows. {curate/raise} raises the cap; below is the smallest loss that brings it under.",
	"under cap": "What the store could lose at the least to get under its caps: the files worth least by recency, use, links and size. Nothing goes unless you tick it.",
	"lint":      "Text that is not seen or reads as planted for the agent, near-duplicates, names that lead nowhere, work called done without a word of how it was tried. {curate/never} leaves a file out.",
	"expiring":  "Not due yet: these expire within three days.",
	"sensitive": "Keys, passwords and personal data, one row for all places of a value. {curate/open-change} goes to it, {global/findings} to all of them: there they are shown, accepted and taken out, with a question of their own.",
}

// GroupHelp says what a group is, with keys in braces.
func GroupHelp(group string) string { return groupHelp[group] }

// GroupText is the heading of a group; a count below 0 leaves the numbers out.
func GroupText(group string, count int, bytes string, ticked int) string {
	title := groupTitles[group]
	if title == "" {
		title = group
	}
	if count < 0 {
		return title
	}
	out := fmt.Sprintf("%s  %d, %s", title, count, bytes)
	if ticked > 0 {
		out += fmt.Sprintf("  (%d ticked)", ticked)
	}
	return out
}

// NothingDueText says that nothing is proposed, and how to get proposals.
func NothingDueText(files int, bytes string) string {
	return fmt.Sprintf("Nothing is proposed: %s, %s. Rules for expiry and caps stand in the configuration; memcurator config init writes one to begin with.", Count(files, "file"), bytes)
}

// UntickedText says how many ticks were taken away.
func UntickedText(n int) string { return Count(n, "tick") + " taken away" }

// TicksText is how much is ticked.
func TicksText(n int, bytes string) string { return fmt.Sprintf("%d ticked, %s", n, bytes) }

// SortedText says how a list is sorted now.
func SortedText(by string) string { return "sorted by " + by }

// NoPlanTermText names a term of the filter that means nothing.
func NoPlanTermText(word, terms string) string {
	return fmt.Sprintf("%s is no term; there are %s", word, terms)
}

// Proposed is one line of a question about an apply.
type Proposed struct{ Do, Path, To, Size string }

// ApplyText asks whether to carry actions out. The sums and the question come first, as the paths
// may be many; they follow with their bytes.
func ApplyText(list []Proposed, count int, all string, whole bool, doubts []string, ask string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s. %s\n", Count(count, "file"), all, ask)
	if whole {
		b.WriteString(TextApplyWhole + "\n")
	}
	for _, d := range doubts {
		b.WriteString(d + ".\n")
	}
	for _, p := range list {
		fmt.Fprintf(&b, "\n%-10s %s", p.Do, p.Path)
		if p.To != "" {
			b.WriteString(" -> " + p.To)
		}
		b.WriteString("  " + p.Size)
	}
	if more := count - len(list); more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// AppliedText says what an apply did: counts by what was done, bytes, what was skipped and what was not begun.
func AppliedText(done []string, bytes string, skipped, left int, undo string) string {
	var parts []string
	if len(done) > 0 {
		parts = append(parts, strings.Join(done, ", ")+" ("+bytes+")")
	} else {
		parts = append(parts, "nothing was done")
	}
	if skipped > 0 {
		parts = append(parts, Count(skipped, "file")+" left alone: changed meanwhile")
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("%d not begun", left))
	}
	if len(done) > 0 && undo != "" {
		parts = append(parts, undo+" brings it back")
	}
	return strings.Join(parts, "; ")
}

// ShortDo is what an action does in four cells.
func ShortDo(do string) string {
	if short, ok := map[string]string{"delete": "del", "archive": "arch", "quarantine": "quar"}[do]; ok {
		return short
	}
	return do
}

// DidText is a count of one kind of action: "3 deleted".
func DidText(n int, do string) string {
	return fmt.Sprintf("%d %s", n, map[string]string{"delete": "deleted", "archive": "archived", "quarantine": "put into quarantine"}[do])
}

// RuleText says what a rule that was written does.
func RuleText(path, what, file string) string {
	return fmt.Sprintf("%s: %s, written to %s", path, what, file)
}

// The words for rules that were written.
const (
	TextPinned    = "pinned"
	TextNeverLint = "the lint is off"
)

// NeverText says that a limit does not hold for a path any more.
func NeverText(key string) string { return key + " is off" }

// RaisedText says what a cap is now.
func RaisedText(key, value string) string { return key + " is " + value }

// DueText is the count of what is due, for the top bar.
func DueText(n int) string { return fmt.Sprintf("%d %s", n, TextDue) }

// MergedAskText says what happened before the question whether to delete the other note.
func MergedAskText(path string) string { return "merged into " + path + "; the other note can go now" }

// SplitText says into how many files a note was split.
func SplitText(path string, parts int) string {
	return fmt.Sprintf("%s was split into %s", path, Count(parts, "file"))
}
