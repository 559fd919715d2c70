package ui

import (
	"fmt"

	"memcurator/keymap"
)

// The catalogue: texts of the user interface that are no action's help. One place, so
// that wording stays even and a translation would be one file.
const (
	TextLoading         = "reading the directory..."
	TextOpening         = "opening..."
	TextNoMatch         = "no name matches; {global/back} clears the filter"
	TextTailBadge       = "[tail] at the end as it grows"
	TextNoTail          = "only a file can grow; this is none"
	TextTailShorter     = "the file got shorter; staying at its new end"
	TextTailReplaced    = "the file was replaced by another text; staying at its end"
	TextRootUnmarked    = "/memories itself cannot be marked; mark what is in it"
	TextNoChanges       = "no change since memcurator was started; edits show up here as they are made"
	TextNoChangeFile    = "no change of this path since memcurator was started"
	TextTooSmall        = "too small"
	TextRawBelow        = "the agent gets only the line above; below are the bytes of the file, made visible"
	TextLineCut         = "this line goes on: {motion/right} shows the next part, {view/line-end} its end"
	TextLineBegan       = "this line began before: {motion/left} shows the part before, {view/line-start} its start"
	TextNotLoaded       = "not loaded by itself from here on"
	TextLineUnread      = "the line cannot be read now"
	TextRestUnreadable  = "the rest of this file cannot be read"
	TextDiffTooLong     = "the diff is longer than 1 MiB, too long for the clipboard"
	TextNoDifference    = "the text is the same on both sides; < shows the change before this one"
	TextOnlySpace       = "only white space differs; W counts it again"
	TextDiffFailed      = "the comparison failed; {global/messages} shows why"
	TextHowToCompare    = "{tree/compare} in the tree compares two marked files, :compare A B any two"
	TextSpaceIgnored    = "white space ignored"
	TextTooNarrow       = "too narrow for two sides"
	TextCompareHow      = "mark two files with space, then D; or :compare A B"
	TextCompareSelf     = "these are the same file"
	TextFolderSide      = "a folder has no text to compare"
	TextNoHunk          = "there is no hunk under the cursor to copy"
	TextComparing       = "comparing..."
	TextNoMoreHunks     = "no further hunk in this direction"
	TextBack            = "the memory directory is back"
	TextChangedTitle    = "It changed meanwhile. Delete all the same?"
	TextCutResult       = "(cut here: the whole result is longer than 1 MiB; use `memcurator cat`)"
	TextAllRead         = "every change is marked as read"
	TextNoUnread        = "no unread change"
	TextNoFurtherChange = "no further change of this file in this direction"
	TextVersionLost     = "the bytes of this version are gone: the folder for temporary files lost them"
	TextNothingToLeave  = "nothing to leave here: {global/quit} quits"
	TextNothingToCopy   = "there is nothing to copy here"
	TextNoLine          = "there is no line under the cursor to copy"
	TextHelpTitle       = "Keys"
	TextMessagesTitle   = "Messages"
	TextNoMessages      = "no message so far"
	TextCopyTitle       = "Copy"
	TextConflictTitle   = "Changed since you looked"
	TextConflictFooter  = "what you saw against what is there now: {confirm/yes} runs the command all the same, {confirm/no} leaves it"
	TextPromptHelp      = "Memory commands at the prompt, as the agent would send them"
	TextFollowing       = "following: each change is shown as it is made"
	TextNotFollowing    = "no longer following; {global/follow} follows again"
	TextTree            = "tree"
	TextView            = "view"
	TextDiff            = "diff"
	TextLive            = "live"
	TextPartlyWatched   = "partly watched"
	TextPolling         = "polling"
	TextGone            = "unavailable"
	TextStarting        = "loading"
	TextFollowBadge     = "following"
	TextPickerTitle     = "memcurator"
	TextPickerPrompt    = " > "
	TextPickerNone      = "no directory matches"
	TextPickerOpen      = "open"
	TextPickerLeave     = "leave"
	TextPickerType      = "type to narrow"
	TextConfigTaken     = "the configuration was read again"
	TextReadOnlyBadge   = "READ-ONLY"
	TextUnread          = "unread"
	TextFolderClosed    = "cannot be read"
	TextFilterLead      = "filter: "
	TextDeleteTitle     = "Delete?"
	TextDeleteNoUndo    = "This cannot be undone. " + TextAskDelete
	TextTheLink         = "the link, not what it points to"
	TextResultFooter    = "what the agent would get; {overlay/overlay-copy} copies, {overlay/close} closes"
	TextHelpFooter      = "{overlay/overlay-filter} filters, {overlay/close} closes"
	TextBadPath         = "the path cannot be read"
	TextFileGone        = "the file is not there any more, or is no regular file now"
	TextFileTooLarge    = "the file is too large now to be compared here"
	TextTooLongToCopy   = "the output is longer than 1 MiB, too long for the clipboard: use `memcurator cat`"
	TextPaletteTitle    = "Actions"
	TextChoiceFooter    = "type to narrow, {input/accept} takes it, {input/cancel} closes"
	TextChoiceNone      = "nothing matches"
	TextPaletteFooter   = "type to narrow, {input/accept} does it, {input/cancel} closes"
	TextNoAction        = "no action matches"
	TextNoSearch        = "nothing to search for yet: {global/search} starts a search"
	TextEmptied         = "not done: all files of this store are gone; bring them back, or run memcurator doctor --accept-empty"
	TextEmptiedTitle    = "The files of this store are gone"
	TextReadOnly        = "read-only: started with --read-only, nothing is written"
	TextStopping        = "finishing the write under way..."
	TextUnavailable     = "the memory directory is not available; what you see is its last known state"

	LabelFilter   = "filtering"
	LabelOpen     = "opening"
	LabelIndex    = "reading lines"
	LabelSearch   = "searching"
	LabelDiff     = "comparing"
	LabelCommand  = "running the command"
	LabelCopy     = "copying"
	LabelRemember = "remembering the layout"
)

// Texts around the user's own editor.
const (
	TextNoEditor           = "no editor is set: set VISUAL or EDITOR, as in EDITOR=nano"
	TextEditFolder         = "a folder has no text to edit; choose a file"
	TextEditTooLarge       = "the file is larger than 64 MiB, too large to be edited here"
	TextEditBinary         = "this is no text: an editor would damage it"
	TextNoCopy             = "no copy for the editor can be made: the folder for it is full or not writable"
	TextEditorNotStarted   = "cannot be started, set VISUAL or EDITOR to another one"
	TextEditorKilled       = "was ended by a signal"
	TextEditConflictFooter = "what you opened against what is there now: {confirm/yes} writes your text over it, {confirm/no} keeps your text for later"
	TextDraftKept          = "not written; your text is kept: {global/edit} takes it up again, {global/drop-draft} drops it"
	TextDraftAgain         = "your text that was not written is taken up again"
	TextDraftGone          = "nothing is written: the editor left no file behind"
	TextNoDraft            = "there is no text of this file that waits to be written"
	TextDraftDropped       = "the text that was not written is dropped"
)

// HiddenText says what the tree shows now.
func HiddenText(shown bool) string {
	if shown {
		return "hidden names are shown, dimmed"
	}
	return "hidden names are left out; {tree/show-hidden} shows them again"
}

// MarksText is how much is marked.
func MarksText(count int, bytes string) string { return fmt.Sprintf("%d marked, %s", count, bytes) }

// RangeText says that a range is being chosen, with what is marked so far.
func RangeText(e *Env, count int, bytes string) string {
	return fmt.Sprintf("range: %d marked, %s", count, bytes) + e.Keyed("; {tree/mark-range} sets it, {global/back} drops it")
}

// MatchesText is how much a filter leaves.
func MatchesText(matched, total int) string { return fmt.Sprintf("%d of %d", matched, total) }

// UnknownTermText names a term of a filter that means nothing, and what may be meant.
func UnknownTermText(term, nearest string) string {
	if nearest == "" {
		return fmt.Sprintf("%s is no term; tab lists them, quotes look for it as a word", term)
	}
	return fmt.Sprintf("%s is no term; did you mean %s?", term, nearest)
}

// FilterValueText says that the value of a term cannot be read.
func FilterValueText(term string) string {
	return fmt.Sprintf("%s cannot be read; like size:>10k, size:1k..2m, changed:<1d", term)
}

// EditorFailedText says why nothing came of an editor.
func EditorFailedText(editor, why string) string {
	return fmt.Sprintf("nothing is written: the editor %s (%s)", why, editor)
}

// ExitText says that a program ended with an error.
func ExitText(code int) string { return fmt.Sprintf("ended with status %d", code) }

// UnchangedText says that an edit changed nothing. atOnce: the editor returned so fast that
// it may go on in a window of its own.
func UnchangedText(atOnce bool) string {
	if atOnce {
		return "nothing was changed; an editor with a window of its own must be told to wait, as in code --wait"
	}
	return "nothing was changed, nothing is written"
}

// EditedText says that an edit is in the store.
func EditedText(path, size string) string { return fmt.Sprintf("written: %s, %s", path, size) }

// DraftFileText says where a text lies that was not written.
func DraftFileText(path, file string) string {
	return fmt.Sprintf("the text for %s that was not written is kept in %s", path, file)
}

// DraftRefusedText says that an edit was refused, and where its text is.
func DraftRefusedText(e *Env, why string) string {
	return why + e.Keyed(" Your text is kept: {global/edit} takes it up again, {global/drop-draft} drops it")
}

// UnmarkedText says how many marks were taken away.
func UnmarkedText(count int) string { return Count(count, "mark") + " taken away" }

// PathsText names so many paths.
func PathsText(count int) string { return Count(count, "path") }

// WrapText says how the view shows long lines now.
func WrapText(on bool) string {
	if on {
		return "long lines are wrapped"
	}
	return "long lines are cut; {motion/left} and {motion/right} scroll sideways"
}

// SidesText says in which form a diff is shown now.
func SidesText(two bool) string {
	if two {
		return "side by side; {diff/side-by-side} shows one below the other"
	}
	return "one below the other"
}

// NarrowText says that two sides do not fit.
func NarrowText(need, have int) string {
	return fmt.Sprintf("side by side needs %d columns, here are %d; {global/zoom} makes room", need, have)
}

// WhitespaceText says what counts as a difference now.
func WhitespaceText(ignored bool) string {
	if ignored {
		return "white space is left out of account; what is copied still has it"
	}
	return "white space counts"
}

// MovedText adds to a place where the line under the cursor was moved to or came from.
func MovedText(place string, away bool, line int) string {
	if away {
		return fmt.Sprintf("%s moved to %d", place, line)
	}
	return fmt.Sprintf("%s moved from %d", place, line)
}

// CountsText says how many lines were added and removed.
func CountsText(added, removed int, plus, minus string) string {
	return fmt.Sprintf("%s%d %s%d", plus, added, minus, removed)
}

// CompareTooManyText says that more than two files are marked.
func CompareTooManyText(marked int) string {
	return fmt.Sprintf("two files can be compared, %d are marked", marked)
}

// CompareLimitText says that a file is too large to be compared.
func CompareLimitText(size, limit string) string {
	return fmt.Sprintf("%s is too large to be compared; the limit is %s a file", size, limit)
}

// NoSuchChangeText says that no change has that number.
func NoSuchChangeText(e *Env, name string) string {
	return name + e.Keyed(" is no change since memcurator was started; {global/live} shows them")
}

// BinaryText describes two sides that are no text.
func BinaryText(before, after, offset int) []string {
	return []string{
		fmt.Sprintf("this is no text: %s before, %s after", Count(before, "byte"), Count(after, "byte")),
		fmt.Sprintf("the first difference is at offset %d (0x%x); the hex tab shows the bytes", offset, offset),
	}
}

// MatchPlaceText is the state of a search with its cursor on a match.
func MatchPlaceText(query string, at, count int, more bool) string {
	plus := ""
	if more {
		plus = "+"
	}
	return fmt.Sprintf("%q: match %s of %s%s", query, Number(at), Number(count), plus)
}

// MatchText is the state of a search. count below 0: still counting.
func MatchText(query string, count int, counting bool) string {
	switch {
	case counting:
		return fmt.Sprintf("%q: %s so far", query, Number(max(0, count)))
	default:
		return fmt.Sprintf("%q: %s", query, CountMatches(count))
	}
}

// NotFoundText says that a search has no match.
func NotFoundText(query string) string { return fmt.Sprintf("no match for %q", query) }

// WrappedText says that the search went around the end of the file.
func WrappedText(backward bool) string {
	if backward {
		return "search went on from the end"
	}
	return "search went on from the start"
}

// CutText is a text of which so many bytes are not shown.
func CutText(e *Env, shown string, more int) string {
	return fmt.Sprintf("%s\n... %d bytes more", shown, more) + e.Keyed("; {overlay/overlay-copy} copies all of it")
}

// FilterText says what a filter leaves of a text.
func FilterText(filter string, lines int) string {
	if lines == 0 {
		return fmt.Sprintf("/%s  no line matches", filter)
	}
	return fmt.Sprintf("/%s  %s", filter, Count(lines, "line"))
}

// CopiedText says what went to the clipboard.
func CopiedText(what string, bytes int) string {
	return fmt.Sprintf("copied the %s (%d bytes)", what, bytes)
}

// KeyLineText is where in a line of the help it says what the keys do, in cells.
const KeyLineText = 22

// KeyLine is one line of the help: the keys, then what they do.
func KeyLine(a keymap.Action, ascii bool) string {
	keys := a.KeyText(ascii)
	if a.Name != "" && len(a.Keys) == 0 {
		keys = ":" + a.Name
	}
	return fmt.Sprintf("  %-*s %s", KeyLineText-3, keys, a.Help)
}

// TabCountText stands for the names of tabs that do not fit: the shown one and their number.
func TabCountText(at, of int) string { return fmt.Sprintf(" %d/%d", at, of) }

// CancelledText says which job esc has ended.
func CancelledText(label string) string { return "stopped: " + label }

// MouseText says who has the mouse.
func MouseText(on bool) string {
	if on {
		return "the mouse works here: click, wheel, drag the border"
	}
	return "the mouse belongs to the terminal; :mouse takes it back"
}

// SortText says how the tree is sorted now.
func SortText(by string) string { return "sorted by " + by }

// DialectText says whose wording is shown.
func DialectText(name string) string { return "dialect: " + name }

// PickerTitle heads the list of memory directories.
func PickerTitle(shown, all int) string {
	if shown == all {
		return fmt.Sprintf("memcurator  which memory directory?  %d found", all)
	}
	return fmt.Sprintf("memcurator  which memory directory?  %d of %d", shown, all)
}

// PickerFacts says how many files a directory has and when one was written last.
func PickerFacts(files int, more, missing bool, age string) string {
	if missing {
		return "not there"
	}
	count := fmt.Sprintf("%d files", files)
	switch {
	case more:
		count = fmt.Sprintf("more than %d files", files)
	case files == 1:
		count = "1 file"
	}
	return count + fmt.Sprintf("  %6s", age)
}

// ConfigBrokenText says that a saved configuration was not taken.
func ConfigBrokenText(mistake string) string {
	return "the last good configuration is kept: " + mistake
}

// ThemeText says which theme is on.
func ThemeText(name string) string { return "theme: " + name }

// ResultTitle is the title over the result of a memory command.
func ResultTitle(command string, failed bool) string {
	if failed {
		return command + ": error"
	}
	return command + ": done"
}

// FolderText says how much a folder holds.
func FolderText(files int, size string) string {
	return "the folder with " + Count(files, "file") + ", " + size
}

// FileText says how much a file holds.
func FileText(size string) string { return Count(1, "file") + ", " + size }

// ElsewhereText says where a key works that does nothing here.
func ElsewhereText(key, help, scope string) string {
	return fmt.Sprintf("%s does nothing here; under %q it means: %s", key, scope, help)
}

// UnboundText says that a key means nothing. help is the key that shows the keys.
func UnboundText(key, help string) string { return key + " means nothing; " + help + " shows the keys" }

// ChangedKindText says what happened to something that has no text.
func ChangedKindText(folder bool, command string) string {
	if folder {
		return "a folder has no text to compare; what happened to it: " + command
	}
	return "this is no regular file and has no text to compare; what happened to it: " + command
}
