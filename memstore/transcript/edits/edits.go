// Package edits reads what a recorded call does to files: a patch, blocks to search and replace, a simple shell command. It knows
// nothing about transcripts or memories; paths are as the call names them.
package edits

import "strings"

// Op is what an edit does.
type Op uint8

// The operations.
const (
	Alter  Op = iota // Change makes the file, or gives it other content
	Delete           // of a file
	Move             // from Path to To
)

// Edit is what a call does to one path.
type Edit struct {
	Op       Op
	Path, To string
	// Change is the content after the edit; false: it doesn't fit the content before. exists is false if there is no file.
	Change func(before string, exists bool) (after string, fits bool)
	// Whole says that Change needs nothing of what was there.
	Whole bool
	// Adds is what the edit puts at the end of the file, and does nothing else; "" for any other edit.
	Adds string
}

// write is an edit that gives a file its content, whatever it had.
func write(path, text string) Edit {
	return Edit{Path: path, Whole: true, Change: func(string, bool) (string, bool) { return text, true }}
}

// appended is an edit that adds to the end of a file.
func appended(path, text string) Edit {
	return Edit{Path: path, Adds: text, Change: func(before string, _ bool) (string, bool) { return before + text, true }}
}

// inside is an edit of a file that must be there.
func inside(path string, change func(before string) (string, bool)) Edit {
	return Edit{Path: path, Change: func(before string, exists bool) (string, bool) {
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
