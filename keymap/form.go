package keymap

// The actions of the forms for memory commands.
const (
	Like          ID = "like"
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

// formActions are what opens a form, and its keys: those of lines and texts that are typed anywhere.
func formActions() []Action {
	return []Action{
		{NewFile, Tree, []string{"n"}, "new-file", "new file in this folder: a form for create", ""},
		{InsertHere, View, []string{"i"}, "insert-here", "insert text below this line: a form for insert", ""},
		{ReplaceLine, View, []string{"R"}, "replace-line", "replace this line: a form for str_replace", ""},
		{Like, Diff, []string{"i"}, "like", "the memory command that the change resembles, with its texts", ""},
		{Like, History, []string{"i"}, "like", "the memory command that the change resembles, with its texts", ""},
		{Like, Inbox, []string{"i"}, "like", "the memory command that the change resembles, with its texts", ""},
		{Like, Changes, []string{"i"}, "like", "the memory command that the change resembles, with its texts", ""},

		{Preview, Form, []string{"ctrl+s", "f2"}, "", "show what the command would do; nothing is written yet", "preview"},
		{Cancel, Form, []string{"esc", "ctrl+c"}, "", "leave; asks when something typed would be lost", "leave"},
		{FieldNext, Form, []string{"tab"}, "", "complete the path, or go to the next field", "next field"},
		{FieldPrev, Form, []string{"shift+tab"}, "", "previous field", ""},
		{Help, Form, []string{"f1"}, "", "these keys", "keys"},
		{Accept, Form, []string{"enter"}, "", "a new line; in a field of one line the next field", ""},
		{InsertTab, Form, []string{"ctrl+t"}, "", "a tab character", ""},
		{Left, Form, []string{"left", "ctrl+b"}, "", "a character back", ""},
		{Right, Form, []string{"right", "ctrl+f"}, "", "a character on", ""},
		{Up, Form, []string{"up", "ctrl+p"}, "", "up", ""},
		{Down, Form, []string{"down", "ctrl+n"}, "", "down", ""},
		{WordLeft, Form, []string{"ctrl+left", "alt+left", "alt+b"}, "", "a word back", ""},
		{WordRight, Form, []string{"ctrl+right", "alt+right", "alt+f"}, "", "a word on", ""},
		{LineStart, Form, []string{"home", "ctrl+a"}, "", "start of the line", ""},
		{LineEnd, Form, []string{"end", "ctrl+e"}, "", "end of the line", ""},
		{PageUp, Form, []string{"pgup"}, "", "a page up", ""},
		{PageDown, Form, []string{"pgdown"}, "", "a page down", ""},
		{Top, Form, []string{"ctrl+home", "alt+<"}, "", "start of the text", ""},
		{Bottom, Form, []string{"ctrl+end", "alt+>"}, "", "end of the text", ""},
		{DeleteBack, Form, []string{"backspace", "ctrl+h", "shift+backspace"}, "", "delete the character before the cursor", ""},
		{DeleteNext, Form, []string{"delete", "ctrl+d"}, "", "delete the character under the cursor", ""},
		{DeleteWord, Form, []string{"ctrl+w", "alt+backspace"}, "", "delete the word before the cursor", ""},
		{DeleteToStart, Form, []string{"ctrl+u"}, "", "delete to the start of the line", ""},
		{DeleteToEnd, Form, []string{"ctrl+k"}, "", "delete to the end of the line", ""},
		{UndoTyping, Form, []string{"ctrl+_", "alt+u"}, "", "undo in this field", ""},
		{RedoTyping, Form, []string{"alt+r"}, "", "redo in this field", ""},

		{Accept, FormPreview, []string{"enter", "ctrl+s", "f2"}, "", "run the command", "write it"},
		{Cancel, FormPreview, []string{"esc", "q", "ctrl+c"}, "", "back to the fields", "back"},
		{FieldNext, FormPreview, []string{"tab"}, "", "more of the result, or of the diff", "more of the result"},
		{Help, FormPreview, []string{"?", "f1"}, "", "these keys", "keys"},
	}
}
