package ui

import (
	"fmt"
	"strings"

	"memcurator/render/text"
)

// The texts of what takes back, puts back and takes away.
const (
	TextNothingToUndo = "there is nothing of yours to take back"
	TextNothingToRedo = "there is no undo to take back, or something was done since"
	TextNotThereThen  = "nothing was there then"
	TextNotRecorded   = "this change is not in the journal"
	TextNotKept       = "the bytes before it are not kept"
	TextNameTaken     = "something is there by now; choose another name"
	TextSoAlready     = "there is nothing to do: it is so already"
	TextChangedNow    = "another program changed it just now"
	TextUsedNow       = "the agent has used it just now"
	TextTakenNow      = "something else is there by now"
	TextGoneNow       = "it is gone"
	TextUnrecorded    = "it could not be recorded first"
	TextYouStopped    = "you stopped it"
	TextNoPermission  = "permission denied"
	TextNotDone       = "it could not be done"
	TextRootStays     = "/memories itself stays; delete or move what is in it"
	TextNoHunkHere    = "the cursor is on no hunk of a change"
	TextNoRevisionNow = "no change is chosen here; the Changes screen and the history list them"
	TextMoveTitle     = "Move?"
	TextMoveHow       = "move takes a folder: move /memories/archive/"
	TextRestoreAsHow  = "restore-as takes the new path: restore-as /memories/notes.md"
	TextRestoreAsHere = "choose in the Trash screen what to put back"
	TextAskDelete     = "{confirm/yes} deletes, {confirm/no} keeps."
	TextDeleteUndoes  = "{global/undo} brings it back. " + TextAskDelete
	TextAskMove       = "{confirm/yes} moves, {confirm/no} leaves it."
	TextNoAlarm       = "nothing was deleted in bulk; the Trash screen has what was deleted"

	TextBetween     = "these are the differences between two points; {inbox/restore} puts a file back as it was at the first, {global/back} goes back to the changes"
	TextSameThen    = "nothing differs between these two points"
	TextMarkAnother = "there is no revision here to compare"
	LabelBetween    = "comparing two points in time"

	TextPastConflictFooter = "as it is now against what {confirm/yes} puts there, undoable; {confirm/no} leaves it"

	LabelTakeBack = "putting back"
	LabelDelete   = "deleting"
	LabelMove     = "moving"
	LabelSurvey   = "looking at what is there"
)

// Keys are the keys of undo and redo as they are bound now; "" for none.
type Keys struct{ Undo, Redo string }

// Steps is what an act on the journal did.
type Steps struct {
	Back, Gone, Moved, Rewritten, Merged int // files
	Folders                              int // made or taken away
	Path                                 string
	File                                 string // the last path that is no folder
}

// files counts all that are no folders.
func (s Steps) files() int { return s.Back + s.Gone + s.Moved + s.Rewritten + s.Merged }

// StepsText says what came back, and how that is undone.
func StepsText(command string, s Steps, keys Keys) string {
	name := Count(s.files(), "file")
	switch {
	case s.files() == 1:
		name = text.Clean(s.File)
	case s.files() == 0 && s.Folders == 1:
		name, s.Back = text.Clean(s.Path)+"/", 1
	case s.files() == 0:
		name, s.Back = Count(s.Folders, "folder"), 1
	}
	var parts []string
	add := func(n int, what string) {
		switch {
		case n == 0:
		case n == s.files() || s.files() <= 1:
			parts = append(parts, name+" "+what)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(s.Back, "came back")
	add(s.Moved, "moved back")
	add(s.Rewritten, "as before")
	add(s.Merged, "as before, with what was done since")
	add(s.Gone, "taken away")
	said := map[string]string{"undo": "undone", "redo": "done again", "revert": "taken back", "restore": "put back"}[command]
	if said == "" {
		said = command
	}
	said += ": " + strings.Join(parts, ", ")
	key, does := keys.Undo, "undoes it"
	if command == "undo" {
		key, does = keys.Redo, "does it again"
	}
	if key == "" {
		return said
	}
	return said + "; " + key + " " + does
}

// StoppedAtText says how far an act came.
func StoppedAtText(said, path, why string, left int) string {
	return fmt.Sprintf("%s. It stopped at %s: %s; %s left", said, text.Clean(path), why, Count(left, "step"))
}

// NotKeptText stands for a text of the past that the journal did not keep; why is the reason, nil where none is known.
func NotKeptText(why error) string {
	if why == nil {
		return "The bytes of this version were not kept."
	}
	return "The bytes of this version were not kept: " + why.Error() + "."
}

// JournalFailedText says that the journal did not answer.
func JournalFailedText(why string) string { return "the journal cannot be used now: " + why }

// PastConflictTitle heads what stands in the way of an act on the journal.
func PastConflictTitle(command string) string {
	return "The file has moved on: " + command + " needs your word"
}

// ConflictText says what stands in the way at one path; why is the journal's word.
func ConflictText(path, why string) string {
	says := map[string]string{
		"changed":  "was changed in the same lines since",
		"gone":     "is not there any more",
		"taken":    "is something else by now",
		"not kept": "cannot be restored: its bytes were not kept",
		"full":     "is no longer empty",
		"special":  "cannot be restored: it was a pipe, a socket or a device",
	}[why]
	return text.Clean(path) + " " + says
}

// conflictsListed bounds the list of conflicts in a question.
const conflictsListed = 12

// ConflictsText lists conflicts; rest is how many other steps could be done.
func ConflictsText(e *Env, lines []string, rest int) string {
	shown := lines[:min(len(lines), conflictsListed)]
	body := strings.Join(shown, "\n")
	if more := len(lines) - len(shown); more > 0 {
		body += fmt.Sprintf("\nand %d more", more)
	}
	if rest == 0 {
		return body + "\n\nNothing was done."
	}
	return body + e.Keyed("\n\nNothing was done yet. {confirm/yes} does the other "+Count(rest, "step")+", {confirm/no} leaves all as it is.")
}

// RefusedText says why something is not done that could not be taken back.
func RefusedText(why string) string {
	return "not done, since it could not be undone: there is no journal (" + why + ")"
}

// Named is a path that an act is about, with what it holds.
type Named struct {
	Path string // agent path
	What string // "1 file, 2K"
}

// targetsListed bounds the names in a question.
const targetsListed = 8

// TargetsText names what an act is about: each of the paths, and the sum where they are several.
func TargetsText(list []Named, files int, size string) string {
	if len(list) == 1 {
		return text.Clean(list[0].Path) + "\n" + list[0].What
	}
	var b strings.Builder
	for _, t := range list[:min(len(list), targetsListed)] {
		b.WriteString(text.Clean(t.Path) + "  " + t.What + "\n")
	}
	if more := len(list) - targetsListed; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String() + "\ntogether " + Count(files, "file") + ", " + size
}

// IntoText says where files are going to be moved.
func IntoText(folder string) string { return "into " + text.Clean(folder) + "/" }

// DoneText says what a deletion or a move did. Undo is the key that takes it back, "" where
// nothing does.
func DoneText(did string, files int, one, size string, skipped int, first, why, undo string) string {
	what := Count(files, "file")
	if one != "" {
		what = text.Clean(one)
	}
	out := did + " " + what
	if size != "" {
		out += ", " + size
	}
	if skipped > 0 {
		out += fmt.Sprintf("; %d left alone: %s: %s", skipped, text.Clean(first), why)
	}
	if undo != "" && files > 0 {
		out += "; " + undo + " brings it back"
	}
	return out
}

// StoppingText says that an act ends after the file it is at.
func StoppingText(label string) string { return label + ": stopping after this file" }

// ActStoppedText says that an act was stopped before so many steps.
func ActStoppedText(said string, left int) string {
	return fmt.Sprintf("%s. Stopped: %s not begun", said, Count(left, "step"))
}

// LeftAloneText says why one path was left alone.
func LeftAloneText(path, why string) string { return text.Clean(path) + " was left alone: " + why }

// AlarmBadge stands in the top bar after a mass deletion.
func AlarmBadge(files int, key string) string {
	return fmt.Sprintf("%d files gone: %s puts back", files, key)
}

// AlarmBadgeShort is AlarmBadge where the bar is narrow.
func AlarmBadgeShort(files int, key string) string { return fmt.Sprintf("%d gone: %s", files, key) }

// AlarmText says that many files went at once.
func AlarmText(files int, actor, key string) string {
	return fmt.Sprintf("%d files were deleted or emptied at once (%s); %s puts them back", files, actor, key)
}

// RevisionMarkedText says that one of two revisions is chosen; compare is the key that chooses the other.
func RevisionMarkedText(rev int64, compare string) string {
	return fmt.Sprintf("#%d is marked; %s on another revision compares the two, and on this one takes the mark off", rev, compare)
}

// FileAtText names a file as it was after a revision.
func FileAtText(path string, rev int64) string { return fmt.Sprintf("%s after #%d", path, rev) }

// BetweenTitle heads the list of what differs between two points; more tells that it is cut.
func BetweenTitle(from, to, arrow string, paths int, more bool) string {
	n := Count(paths, "path")
	if more {
		n = fmt.Sprintf("the first %d paths", paths)
	}
	return fmt.Sprintf("%s %s %s: %s", from, arrow, to, n)
}

// The words in front of the paths that differ, all of one width.
const (
	TextCame    = "new      "
	TextDiffers = "changed  "
	TextWent    = "gone     "
)
