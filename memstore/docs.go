package memstore

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// missingShort is the documentation's sentence for insert, delete and rename.
const missingShort = "Error: The path {p} does not exist"

// docsRules is the docs dialect. Sentences without a leading "Error: " are printed that way in the documentation; the ones we added begin
// with it.
var docsRules = rules{
	name: "docs",

	listHeader:   "Here're the files and directories up to 2 levels deep in {p}, excluding hidden items and node_modules:",
	fileHeader:   "Here's the content of {p} with line numbers:",
	created:      "File created successfully at: {p}",
	replaced:     "The memory file has been edited. Here is the snippet showing the change (with line numbers):",
	inserted:     "The file {p} has been edited.",
	snippetReach: 2,
	deleted:      "Successfully deleted {p}",
	renamed:      "Successfully renamed {old} to {new}",

	missing: map[string]string{
		CmdView:       "The path {p} does not exist. Please provide a valid path.",
		CmdStrReplace: "Error: The path {p} does not exist. Please provide a valid path.",
		CmdInsert:     missingShort,
		CmdDelete:     missingShort,
		CmdRename:     missingShort,
	},
	exists: map[string]string{
		CmdCreate: "Error: File {p} already exists",
		CmdRename: "Error: The destination {p} already exists",
	},
	root: map[string]string{
		CmdDelete: "Error: Cannot delete the " + backend.Root + " directory itself",
		CmdRename: "Error: Cannot rename the " + backend.Root + " directory itself",
	},
	tooBig:   "Error: File {p} has {size} bytes. Files of more than {max} bytes cannot be handled as a whole.",
	tooLarge: "Error: File {p} would have {size} bytes. Files of more than {max} bytes cannot be made. Split the text into several files.",
	failures: []failureText{
		{backend.ErrUnavailable, "Error: The memory directory is not available"},
		{backend.ErrPrefix, "Error: Path must start with " + backend.Root + ", got: {p}"},
		{backend.ErrControl, "Error: Path {p} contains control characters"},
		{backend.ErrEscapes, "Error: Path {p} would escape " + backend.Root + " directory"},
		{ErrTooLong, "File {p} exceeds maximum line limit of 999,999 lines."},
		{ErrNotText, "Error: File {p} is not valid UTF-8 text"},
		{backend.ErrNotRegular, "Error: Unsupported file type for {p}"},
		// No {p}: repeating a path of megabytes would help no one.
		{backend.ErrPathTooLong, "Error: The path is too long. A path may have 4,096 bytes, and a new one 256 names below " + backend.Root + "."},
		{backend.ErrNameTooLong, "Error: The path {p} has a name that is too long"},
		{ErrReserved, "Error: The name of {p} is kept for files of the store itself. Choose another name."},
		{backend.ErrLinkLoop, "Error: The path {p} leads through too many links"},
		{backend.ErrDamaged, "Error: The file {p} is damaged: the key of this store does not open it. Put back a copy of it, or delete it."},
		{ErrReadOnly, "Error: The memory directory is read-only"},
		{backend.ErrPermission, "Error: Permission denied for {p}"},
		{backend.ErrNoSpace, "Error: No space left to write {p}"},
		{backend.ErrChanged, "Error: The file {p} was changed by another program at the same time. View it again, then repeat the command."},
		{ErrNotRecorded, "Error: The change of {p} could not be recorded, so it was not made"},
		// Before ErrBusy, which also covers a context that ends while waiting.
		{context.Canceled, "Error: The command on {p} was cancelled"},
		{context.DeadlineExceeded, "Error: The command on {p} took too long and was ended"},
		{backend.ErrBusy, "Error: Another program is writing to the memory directory. Nothing was changed for {p}; try again."},
	},
	broken:       "Error: The file system could not carry out the command on {p}",
	blocked:      "Error: Cannot create {p}, because {parent} is not a directory",
	inside:       "Error: Cannot rename {old} to {new}, which is inside it",
	noMatch:      "No replacement was performed, old_str `{old}` did not appear verbatim in {p}.",
	manyMatches:  "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please ensure it is unique",
	insertRange:  "Error: Invalid `insert_line` parameter: {n}. It should be within the range of lines of the file: [0, {n_lines}]",
	viewRange:    "Error: Invalid `view_range` parameter: {range}. It should be two line numbers [start, end]; an end of -1 is the last line.",
	refused:      "Error: {why}",
	inputProblem: "Error: {why}",

	cutRows: "[Cut at {max} characters: lines {from} to {to} of {n_lines} are shown. To read on, use view_range [{next}, {end}].]",
	cutLine: "[Cut at {max} characters, inside line {from}. To read on after it, use view_range [{next}, {end}].]",
	cutLast: "[Cut at {max} characters, inside line {from}, the last one asked for.]",

	parse: backend.ParsePath,
	echo:  func(_, clean string) string { return clean },

	listing:    sizedListing,
	appendSize: appendDocsSize,
	dirSize:    func(backend.Info) int64 { return 4096 },
	hidden:     docsHidden,
	order:      strings.Compare,

	decode:    docsDecode,
	askedRows: docsAskedRows,
	viewRows:  docsViewRows,
	number:    numberAsSent,

	editsDir: backend.ErrNotExist, // row 27
	find:     docsFind,
	insertAt: docsInsertAt,

	// Row 34: parents come last, so that a rename that fails makes no folder.
	renameChecks: []func(*renaming) *Error{
		(*renaming).notRoot, (*renaming).notInside, (*renaming).notTaken, (*renaming).hasSource, (*renaming).hasParents,
		(*renaming).notIntoItself,
	},
}

// docsDecode refuses bytes that are not UTF-8: a view couldn't show them, and an edit would have to guess (row 13).
func docsDecode(data []byte) (text []byte, lossy bool, err error) {
	if !utf8.Valid(data) {
		return nil, false, ErrNotText
	}
	return data, false, nil
}

func docsHidden(name string) bool {
	return name == "" || name[0] == '.' || name == "node_modules"
}

// docsFind counts matches that don't overlap, several per line if need be, and returns each line that one starts on, once (rows 21 to
// 24). An empty old never matches.
func docsFind(text []byte, old string) (at int, lines []int) {
	if old == "" {
		return -1, nil
	}
	needle := []byte(old)
	at = bytes.Index(text, needle)
	if at < 0 {
		return -1, nil
	}
	next := at + len(needle)
	if !bytes.Contains(text[next:], needle) {
		return at, nil
	}
	for line := range linesFrom(text, at, func(pos int) int { return indexFrom(text, needle, pos+len(needle)) }) {
		if len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	return at, lines
}

// linesFrom are the lines of matches, counted from 1: of the one at at and of those that next finds, which returns -1 after the last.
func linesFrom(text []byte, at int, next func(pos int) int) iter.Seq[int] {
	return func(yield func(line int) bool) {
		line, counted := 1, 0
		for pos := at; pos >= 0; pos = next(pos) {
			line += bytes.Count(text[counted:pos], newline)
			if counted = pos; !yield(line) {
				return
			}
		}
	}
}

// indexFrom is where needle is in text at from or behind it, -1 if it is not.
func indexFrom(text, needle []byte, from int) int {
	i := bytes.Index(text[from:], needle)
	if i < 0 {
		return -1
	}
	return from + i
}

var newline = []byte{'\n'}

// docsViewRows: a final newline ends a line and begins none, and line numbers have at most six digits. The empty row after a final
// newline is shown nonetheless (row 10), because it tells the reader that the file ends in a newline, unless no number remains for it.
func docsViewRows(newlines int, ended bool) int {
	if ended && newlines == maxRows {
		return maxRows
	}
	return newlines + 1
}

// docsInsertAt counts lines as a text editor does: a final newline ends a line and begins none. Every byte of add is kept: it becomes
// lines of its own, and gets a final newline if it lacks one and needs one, which it does before another line and at the end of a text
// that is empty or ended in one (rows 29 and 30).
func docsInsertAt(text []byte, n int, add string) (out []byte, lines int, ok bool) {
	lines = bytes.Count(text, newline)
	unended := len(text) > 0 && text[len(text)-1] != '\n'
	if unended {
		lines++
	}
	if n < 0 || n > lines {
		return nil, lines, false
	}
	at := len(text)
	if n < lines {
		at = lineStart(text, n)
	}
	out = make([]byte, 0, len(text)+len(add)+1)
	out = append(out, text[:at]...)
	if unended && n == lines {
		out = append(out, '\n')
		return append(out, add...), lines, true
	}
	out = append(out, add...)
	if !strings.HasSuffix(add, "\n") {
		out = append(out, '\n')
	}
	return append(out, text[at:]...), lines, true
}

// lineStart is the offset just after the nth newline of text, which must have that many.
func lineStart(text []byte, n int) int {
	at := 0
	for range n {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at
}

// docsAskedRows reads a view_range: two numbers, the second -1 for the last
// line. A start below 1 means 1; an end beyond the last line means the last;
// a start beyond the end selects no rows and is not an error.
func docsAskedRows(r viewRange) (rows [2]int, ok bool) {
	switch {
	case r.numbers == nil:
		return [2]int{1, maxRows}, true
	case len(r.numbers) != 2 || r.numbers[1] < -1:
		return [2]int{1, 0}, false
	case r.numbers[1] == -1:
		return [2]int{max(1, r.numbers[0]), maxRows}, true
	}
	return [2]int{max(1, r.numbers[0]), r.numbers[1]}, true
}
