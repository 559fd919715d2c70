package keymap

// Actions of the forms for memory commands.
const (
	NewFile       ID = "new-file"
	InsertHere    ID = "insert-here"
	ReplaceLine   ID = "replace-line"
	FieldNext     ID = "field-next"
	FieldPrev     ID = "field-previous"
	Preview       ID = "preview"
	WordLeft      ID = "word-left"
	WordRight     ID = "word-right"
	DeleteBack    ID = "delete-back"
	DeleteNext    ID = "delete-next"
	DeleteWord    ID = "delete-word"
	DeleteToStart ID = "delete-to-start"
	DeleteToEnd   ID = "delete-to-end"
	InsertTab     ID = "insert-tab"
	UndoTyping    ID = "undo-typing"
	RedoTyping    ID = "redo-typing"
)

// formActions open a form and work in it: its keys are those of any typed line or text.
func formActions() []Action {
	return []Action{
		{NewFile, Tree, []string{"c"}, "new-file", "create a file in this folder", ""},
		{InsertHere, View, nil, "insert-here", "insert text below this line", ""},
		{ReplaceLine, View, nil, "replace-line", "replace this line", ""},

		{Preview, Form, []string{"ctrl+s", "f2"}, "", "preview what the command would do; writes nothing", "preview"},
		{Cancel, Form, []string{"esc", "ctrl+c"}, "", "leave; asks before it discards what you typed", "leave"},
		{FieldNext, Form, []string{"tab"}, "", "complete the path, or go to the next field", "next field"},
		{FieldPrev, Form, []string{"shift+tab"}, "", "focus the previous field", ""},
		{Help, Form, []string{"f1"}, "", "help: these keys", "keys"},
		{Accept, Form, []string{"enter"}, "", "insert a line break; in a field of one line, go to the next", ""},
		{InsertTab, Form, []string{"ctrl+t"}, "", "insert a tab character", ""},
		{Left, Form, []string{"left", "ctrl+b"}, "", "left a character", ""},
		{Right, Form, []string{"right", "ctrl+f"}, "", "right a character", ""},
		{Up, Form, []string{"up", "ctrl+p"}, "", "up a line", ""},
		{Down, Form, []string{"down", "ctrl+n"}, "", "down a line", ""},
		{WordLeft, Form, []string{"ctrl+left", "alt+left", "alt+b"}, "", "left a word", ""},
		{WordRight, Form, []string{"ctrl+right", "alt+right", "alt+f"}, "", "right a word", ""},
		{LineStart, Form, []string{"home", "ctrl+a"}, "", "go to the start of the line", ""},
		{LineEnd, Form, []string{"end", "ctrl+e"}, "", "go to the end of the line", ""},
		{PageUp, Form, []string{"pgup"}, "", "scroll a page up", ""},
		{PageDown, Form, []string{"pgdown"}, "", "scroll a page down", ""},
		{Top, Form, []string{"ctrl+home", "alt+<"}, "", "first line", ""},
		{Bottom, Form, []string{"ctrl+end", "alt+>"}, "", "last line", ""},
		{DeleteBack, Form, []string{"backspace", "ctrl+h", "shift+backspace"}, "", "delete the character before the cursor", ""},
		{DeleteNext, Form, []string{"delete", "ctrl+d"}, "", "delete the character under the cursor", ""},
		{DeleteWord, Form, []string{"ctrl+w", "alt+backspace"}, "", "delete the word before the cursor", ""},
		{DeleteToStart, Form, []string{"ctrl+u"}, "", "delete to the start of the line", ""},
		{DeleteToEnd, Form, []string{"ctrl+k"}, "", "delete to the end of the line", ""},
		{UndoTyping, Form, []string{"ctrl+_", "alt+u"}, "", "undo in this field", ""},
		{RedoTyping, Form, []string{"alt+r"}, "", "redo in this field", ""},

		{Accept, FormPreview, []string{"enter", "ctrl+s", "f2"}, "", "run the command", "write it"},
		{Cancel, FormPreview, []string{"esc", "q", "ctrl+c"}, "", "leave the preview for the fields", "back"},
		{FieldNext, FormPreview, []string{"tab"}, "", "more of the result, or of the diff", "more of the result"},
		{Help, FormPreview, []string{"?", "f1"}, "", "help: these keys", "keys"},
	}
}
