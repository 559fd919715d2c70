package browse

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// fileUpTo is the largest file that is shown, in bytes: the lines of a thousand versions are compared.
const fileUpTo = 4 << 20

// document is what the tab shows for one path. It is not changed once it was read.
type document struct {
	path  string
	note  string // why it is empty, and what to press; "": it has lines
	lines []past.Blamed
	revs  map[int64]past.Revision
	// actorWidth and commandWidth are the cells of the widest name in their columns.
	actorWidth, commandWidth int
}

// The most cells of a name.
const (
	actorMost   = 8
	commandMost = 11
)

// measure finds the widths of the columns; what is older than the journal has a word in either of them.
func (d *document) measure() {
	d.actorWidth, d.commandWidth = len(older), len(older)
	for _, r := range d.revs {
		d.actorWidth = min(actorMost, max(d.actorWidth, text.Width(text.Clean(string(r.Actor)))))
		d.commandWidth = min(commandMost, max(d.commandWidth, text.Width(text.Clean(r.Command))))
	}
}

// older represents the revision of a line that the journal began with.
const older = "older"

const (
	textNoHistory   = "No recorded change of this file. [ goes back"
	textBlameFolder = "A folder has no lines. [ goes back to its history"
)

// loadBlame reads what the journal knows about a path after revision rev (0: the newest). What cannot be
// shown is a note.
func loadBlame(ctx context.Context, s *memstore.Store, source blameSource, path string, rev int64) (*document, error) {
	d := &document{path: path}
	name := memstore.BackendName(path)
	if name == "." {
		d.note = textBlameFolder
		return d, nil
	}
	info, err := s.Backend().Lstat(name)
	switch {
	case errors.Is(err, memstore.ErrNotExist):
		d.note = ui.TextFileGone
	case err != nil:
		d.note = ui.TextFileUnread
	case info.Kind == memstore.KindDir:
		d.note = textBlameFolder
	case info.Kind != memstore.KindFile:
		d.note = "Not a regular file, so it has no lines. [ goes back"
	case info.Size > fileUpTo:
		d.note = tooLargeText(fileUpTo)
	}
	if d.note != "" {
		return d, nil
	}
	b, err := source.Blame(ctx, path, rev)
	switch {
	case errors.Is(err, past.ErrNotThere):
		d.note = textNoHistory
	case errors.Is(err, past.ErrNotKept):
		d.note = "The journal did not keep this file's content. [ shows its history"
	case err != nil:
		return nil, err
	case len(b.Lines) == 0:
		d.note = ui.TextFileEmpty
	case binary(b.Lines):
		d.note = "Binary file: no lines to blame"
	default:
		d.lines, d.revs = b.Lines, b.Revisions
		d.measure()
	}
	return d, nil
}

// tooLargeText explains why the lines of a large file are not distinguished.
func tooLargeText(limit int64) string {
	return fmt.Sprintf("File over %d MiB: too large to blame. [ shows its history", limit>>20)
}

// binary reports whether a file of these lines is not text.
func binary(lines []past.Blamed) bool {
	var head []byte
	for _, l := range lines {
		if head = append(head, l.Text...); len(head) > 8<<10 {
			break
		}
	}
	return text.Binary(head)
}

// text is a line without its newline.
func (d *document) text(line int) []byte { return bytes.TrimSuffix(d.lines[line].Text, []byte("\n")) }

// begins reports whether a line is the first of those that its revision wrote in one piece.
func (d *document) begins(line int) bool {
	return line == 0 || d.lines[line].Rev != d.lines[line-1].Rev || d.lines[line].Unsure != d.lines[line-1].Unsure
}

// same finds the line of an older state of the file: the nearest with the same text that was
// written by the same revision, else the number that it had.
func (d *document) same(old *document, line int) int {
	if line >= len(old.lines) {
		return line
	}
	was := old.lines[line]
	is := func(i int) bool {
		return i >= 0 && i < len(d.lines) && d.lines[i].Rev == was.Rev && bytes.Equal(d.lines[i].Text, was.Text)
	}
	for away := range len(d.lines) + len(old.lines) {
		switch {
		case is(line + away):
			return line + away
		case is(line - away):
			return line - away
		}
	}
	return line
}
