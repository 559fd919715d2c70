package transcript

import "strings"

// pathOp is what an edit does.
type pathOp uint8

// The operations.
const (
	alter  pathOp = iota // Change makes the file, or gives it other content
	remove               // of a file
	move                 // from Path to To
)

// pathEdit is what a call does to one path.
type pathEdit struct {
	Op       pathOp
	Path, To string
	// Change is the content after the edit; false: it doesn't fit the content before. exists is false if there is no file.
	Change func(before string, exists bool) (after string, fits bool)
	// Whole says that Change needs nothing of what was there.
	Whole bool
	// Adds is what the edit puts at the end of the file, and does nothing else; "" for any other edit.
	Adds string
}

// write is an edit that gives a file its content, whatever it had.
func write(path, text string) pathEdit {
	return pathEdit{Path: path, Whole: true, Change: func(string, bool) (string, bool) { return text, true }}
}

// appended is an edit that adds to the end of a file.
func appended(path, text string) pathEdit {
	return pathEdit{Path: path, Adds: text, Change: func(before string, _ bool) (string, bool) { return before + text, true }}
}

// inside is an edit of a file that must be there.
func inside(path string, change func(before string) (string, bool)) pathEdit {
	return pathEdit{Path: path, Change: func(before string, exists bool) (string, bool) {
		if !exists {
			return "", false
		}
		return change(before)
	}}
}

// rows are the lines of a text; a last newline begins no line.
func rows(text string) []string {
	list := strings.Split(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
