package ui

import "fmt"

// The texts of the box that decides the conflicts of an undo.
const (
	TextSideNow      = "as it is now"
	TextSideThen     = "as it was"
	TextLeftTitle    = "An edit was not finished"
	TextLeftFooter   = "as it is now against the text that was left: {confirm/yes} writes it, {confirm/no} keeps it for {global/edit}; {global/drop-draft} drops it"
	TextMergeNothing = "(no line)"
	TextMergeFooter  = "{merge/take-now} mine (<)  {merge/take-then} theirs (>)  {merge/take-both} both  {merge/hunk-next} next  {merge/edit} edit  {merge/yes} write  {merge/no} leave"
)

// MergeTitle heads the box; file counts from 1, files is how many there are.
func MergeTitle(command, path string, file, files int) string {
	title := command + ": " + path
	if files > 1 {
		title += fmt.Sprintf(" (file %d of %d)", file, files)
	}
	return title
}

// MergeHead heads one conflict; choice is that of the merge package.
func MergeHead(n, of, choice int) string {
	says := [...]string{"not decided: < is now, > was before", "mine: as it is now", "theirs: as it was", "both"}[choice]
	return fmt.Sprintf("conflict %d of %d, %s", n, of, says)
}

// MergeHiddenText stands for lines that are the same in any case.
func MergeHiddenText(lines int) string { return "... " + Count(lines, "line") + " ..." }

// MergeLeftText says that nothing can be written yet.
func MergeLeftText(left int) string { return Count(left, "conflict") + " not decided yet" }
