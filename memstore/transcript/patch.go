package transcript

import (
	"slices"
	"strings"
)

// hunk is a part of a patch: lines that stand one after another, and what takes their place.
type hunk struct {
	context  string // a line that stands before them; "" for none
	old, new []string
	end      bool // they are the last of the file
}

// The marks of a patch, as apply_patch has them.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	addFile    = "*** Add File: "
	deleteFile = "*** Delete File: "
	updateFile = "*** Update File: "
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
)

// parsePatch reads a patch in the form of apply_patch, wherever it is in a text; nil: there is none, or it was cut off.
func parsePatch(text string) (list []pathEdit) {
	begin, end := strings.Index(text, beginPatch), strings.LastIndex(text, endPatch)
	if begin < 0 || end < begin {
		return nil
	}
	lines := strings.Split(text[begin:end], "\n")
	for at := 1; at < len(lines); {
		line := strings.TrimSuffix(lines[at], "\r")
		from := at + 1
		for at = from; at < len(lines) && !marks(lines[at]); at++ {
		}
		body := lines[from:at]
		switch {
		case strings.HasPrefix(line, addFile):
			list = append(list, write(strings.TrimPrefix(line, addFile), added(body)))
		case strings.HasPrefix(line, deleteFile):
			list = append(list, pathEdit{Op: remove, Path: strings.TrimPrefix(line, deleteFile)})
		case strings.HasPrefix(line, updateFile):
			list = append(list, updates(strings.TrimPrefix(line, updateFile), body)...)
		case strings.TrimSpace(line) != "":
			return nil
		}
	}
	return list
}

// marks reports a line that begins another part of a patch.
func marks(line string) bool {
	for _, m := range []string{addFile, deleteFile, updateFile} {
		if strings.HasPrefix(line, m) {
			return true
		}
	}
	return false
}

// added is the text of lines that begin with a plus.
func added(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if text, ok := strings.CutPrefix(l, "+"); ok {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// updates are the edits of one file by a patch: its lines change, and then its name may.
func updates(path string, body []string) (list []pathEdit) {
	to := ""
	if len(body) > 0 && strings.HasPrefix(body[0], moveTo) {
		to, body = strings.TrimSpace(strings.TrimPrefix(body[0], moveTo)), body[1:]
	}
	if hunks := hunksOf(body); len(hunks) > 0 {
		list = append(list, pathEdit{Path: path, Change: func(before string, exists bool) (string, bool) {
			after, fits := patched(before, hunks)
			return after, fits && exists
		}})
	}
	if to != "" {
		list = append(list, pathEdit{Op: move, Path: path, To: to})
	}
	return list
}

func hunksOf(lines []string) (list []hunk) {
	var h *hunk
	begin := func(context string) {
		list = append(list, hunk{context: context})
		h = &list[len(list)-1]
	}
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "@@"):
			begin(strings.TrimPrefix(strings.TrimSpace(l[2:]), "@@"))
		case strings.HasPrefix(l, endOfFile):
			if h != nil {
				h.end = true
			}
		case l == "" && i == len(lines)-1:
		default:
			if h == nil {
				begin("")
			}
			h.line(l)
		}
	}
	return list
}

// line takes a line of a hunk; an empty one stands for an empty line of the file.
func (h *hunk) line(l string) {
	text := ""
	if l != "" {
		text = l[1:]
	}
	switch {
	case l == "" || l[0] == ' ':
		h.old, h.new = append(h.old, text), append(h.new, text)
	case l[0] == '-':
		h.old = append(h.old, text)
	case l[0] == '+':
		h.new = append(h.new, text)
	}
}

// patched is a text with its lines changed by hunks, which come in its order. The last line ends in a newline then.
func patched(text string, hunks []hunk) (string, bool) {
	lines, from := rows(text), 0
	for _, h := range hunks {
		if h.context != "" {
			at := find(lines, []string{h.context}, from, false)
			if at < 0 {
				return "", false
			}
			from = at + 1
		}
		at := len(lines)
		if len(h.old) > 0 {
			at = find(lines, h.old, from, h.end)
			if last := len(h.old) - 1; at < 0 && h.old[last] == "" { // the end of the last line
				h.old = h.old[:last]
				if n := len(h.new) - 1; n >= 0 && h.new[n] == "" {
					h.new = h.new[:n]
				}
				at = find(lines, h.old, from, h.end)
			}
		}
		if at < 0 {
			return "", false
		}
		lines = slices.Concat(lines[:at], h.new, lines[at+len(h.old):])
		from = at + len(h.new)
	}
	if len(lines) == 0 {
		return "", true
	}
	return strings.Join(lines, "\n") + "\n", true
}

// find is the place of lines in a file, from one on: to the letter, or with other blanks at their ends or around them.
func find(lines, want []string, from int, end bool) int {
	for _, same := range []func(string) string{
		func(s string) string { return s }, func(s string) string { return strings.TrimRight(s, " \t\r") }, strings.TrimSpace,
	} {
		if end && len(lines) >= len(want) && matches(lines[len(lines)-len(want):], want, same) {
			return len(lines) - len(want)
		}
		for at := from; at+len(want) <= len(lines); at++ {
			if matches(lines[at:], want, same) {
				return at
			}
		}
	}
	return -1
}

func matches(lines, want []string, same func(string) string) bool {
	for i, w := range want {
		if same(lines[i]) != same(w) {
			return false
		}
	}
	return true
}
