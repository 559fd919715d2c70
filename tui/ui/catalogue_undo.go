package ui

import (
	"fmt"
	"strings"
	"time"

	"memcurator/render/text"
)

// The titles of the questions before an undo or a redo.
const (
	TextUndoTitle = "Undo?"
	TextRedoTitle = "Redo?"
)

// UndoStep is what an undo or a redo is going to do to one path.
type UndoStep struct {
	Does          string // "delete", "restore", "move", "rewrite"
	Path, OldPath string // OldPath of a move only
	Keeps         string // whose later edit of the file stays; "": there is none
}

// Undoing is what an undo or a redo is going to do.
type Undoing struct {
	Redo    bool
	Title   string    // of what was done as one; "" where it has none
	Made    time.Time // when that was
	Steps   []UndoStep
	Skipped []string // a clause for each path that cannot come back
	Since   int      // changes since that stay
	Newest  string   // the newest of them
}

// undoListed is how many steps a question about an undo names; it can be scrolled.
const undoListed = 2000

// UndoText lists what an undo or a redo is going to do, and asks.
func UndoText(e *Env, u Undoing) string {
	var b strings.Builder
	b.WriteString("Done " + u.Made.In(e.Now().Location()).Format("2006-01-02 15:04:05"))
	if u.Title != "" {
		b.WriteString("  " + text.Clean(u.Title))
	}
	b.WriteString("\n\n")
	for _, s := range u.Steps[:min(len(u.Steps), undoListed)] {
		path := text.Clean(s.Path)
		if s.OldPath != "" {
			path = text.Clean(s.OldPath) + " -> " + path
		}
		if s.Keeps != "" {
			path += "  (" + text.Clean(s.Keeps) + " stays)"
		}
		fmt.Fprintf(&b, "%-8s %s\n", s.Does, path)
	}
	if more := len(u.Steps) - undoListed; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	for _, s := range u.Skipped {
		b.WriteString(text.Clean(s) + "\n")
	}
	if u.Since > 0 {
		fmt.Fprintf(&b, "\nLater changes stay: %s. The newest: %s\n", Count(u.Since, "change"), text.Clean(u.Newest))
	}
	if u.Redo {
		return b.String() + e.Keyed("\n{confirm/yes} redoes this, {confirm/no} leaves everything as it is.")
	}
	return b.String() + e.Keyed("\n{confirm/yes} undoes this, {confirm/no} leaves everything as it is.")
}

// NotBackText adds to what an act did what it could not restore: the first path with its reason, and how many in all.
func NotBackText(said, first string, n int) string {
	said += "; " + text.Clean(first)
	if n > 1 {
		said += fmt.Sprintf("; %d more cannot be restored either", n-1)
	}
	return said
}
