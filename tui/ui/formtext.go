package ui

import "fmt"

// Texts of the forms for memory commands.
const (
	TextWouldGet     = "the agent would get"
	TextWouldFail    = "the agent would get an error"
	TextWouldChange  = "what changes"
	TextFormChanged  = "it changed meanwhile: writing asks first"
	TextNotTaken     = "not taken"
	TextChoices      = "what can follow"
	TextFormPath     = "/memories/..."
	TextFormNew      = "empty: old_str is deleted"
	TextFormLine     = "after this line; 0 is the start of the file"
	TextFormLarge    = "The file is larger than 4 MiB: it is read for the preview only."
	TextFieldFull    = "This field holds at most 1 MiB and 10,000 lines. Edit larger texts in an editor of your own."
	TextOneRow       = "This field is one line: a text with line breaks does not fit."
	TextRowFull      = "This field holds at most 8 KiB."
	TextNoLineNumber = "insert_line takes the number of a line"
	TextLeaveForm    = "Leave the form?"
	TextLeaveLoses   = "What you typed is lost. {confirm/yes} leaves, {confirm/no} goes back to it."
	TextNoFileShown  = "no file is shown: open one in the view tab first"
	TextNoLineHere   = "there is no line under the cursor to replace"
	TextNotLike      = "nothing is known of this change beyond its diff: a side is not kept, is no text, or has 1 MiB or more"
	TextLikePair     = "two files are compared; no memory command made the one out of the other"
	TextLikeFooter   = "{overlay/overlay-copy} copies, {overlay/close} closes"
	TextLikeLong     = "(longer than 8 KiB: see the diff)"
	TextLikeDelete   = "(empty: old_str is deleted)"

	LabelCheck = "asking what would happen"
)

// FormPreviewTitle is the title over what a command would do.
func FormPreviewTitle(command string) string { return command + ": not written yet" }

// WrittenText says that a form is done.
func WrittenText(command, path string) string { return command + ": done, " + path }

// MissingText says what a form waits for.
func MissingText(field string) string { return field + " is still to be filled in" }

// TextSize says how much a field holds.
func TextSize(lines, bytes int) string {
	return fmt.Sprintf("%s, %s", Count(lines, "line"), Count(bytes, "byte"))
}

// LikeTitle names the command that a change resembles.
func LikeTitle(command string) string { return "resembles " + command }

// OwnEditText says that a change came through the handlers, so that it resembles nothing else.
func OwnEditText(command string) string {
	return "this change was made by the memory command " + command + " itself; the diff shows it"
}
