// Package frontmatter finds the block of names and values that begins many notes (YAML between ---) and reads it into rows for a header.
//
// It reads for people, not for programs: values appear as written, nested ones in one line, and whatever it can't parse is shown raw,
// never refused. It reads only the head of a file, uses only the standard library, and needs linear time and bounded memory for any
// input.
package frontmatter

import (
	"bytes"
	"strings"
)

// Limits. A longer front matter is treated as text; more rows or longer values wouldn't fit the header anyway.
const (
	MaxBytes = 16 << 10 // of the whole block, and all of a file that needs to be read
	maxRows  = 64
	maxValue = 512 // bytes of one value
)

// mark is the line around a block; three dots may end one too.
const mark = "---"

// Row is one name and its value.
type Row struct{ Key, Value string }

// Matter is a front matter. Its rows contain raw bytes of the file: sanitize them before display.
type Matter struct {
	End  int // bytes from the start of the file to the end of the block and its last line end
	Rows []Row
}

// Find reads the front matter of a file, given at least its first MaxBytes. false: the file doesn't begin with one.
func Find(head []byte) (Matter, bool) {
	head = head[:min(len(head), MaxBytes)]
	body := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	skipped := len(head) - len(body)
	line, at := nextLine(body, 0)
	if line != mark {
		return Matter{}, false
	}
	var lines []string
	for at < len(body) {
		line, at = nextLine(body, at)
		if line == mark || line == "..." {
			rows := yamlRows(lines)
			return Matter{End: skipped + at, Rows: rows}, len(rows) > 0
		}
		lines = append(lines, line)
	}
	return Matter{}, false
}

// nextLine returns the line at an offset without trailing blanks, and the offset after it.
func nextLine(b []byte, at int) (string, int) {
	n := bytes.IndexByte(b[at:], '\n')
	if n < 0 {
		return strings.TrimRight(string(b[at:]), " \t\r"), len(b)
	}
	return strings.TrimRight(string(b[at:at+n]), " \t\r"), at + n + 1
}

func add(rows []Row, key, value string) []Row {
	if len(rows) >= maxRows {
		return rows
	}
	if len(value) > maxValue {
		value = strings.ToValidUTF8(value[:maxValue], "") + "..."
	}
	return append(rows, Row{key, value})
}

// yamlRows reads the names at the left edge; the lines indented below one are its value.
func yamlRows(lines []string) []Row {
	var rows []Row
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var below []string
		for i < len(lines) && (lines[i] == "" || lines[i][0] == ' ' || lines[i][0] == '\t' || strings.HasPrefix(lines[i], "- ")) {
			below = append(below, lines[i])
			i++
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || value != "" && value[0] != ' ' && value[0] != '\t' {
			rows = add(rows, "", strings.Join(append([]string{line}, below...), " "))
			continue
		}
		rows = add(rows, unquote(strings.TrimSpace(key)), yamlValue(strings.TrimSpace(value), below))
	}
	return rows
}

// yamlValue joins a value with the lines below its name: a list as [a, b], a mapping as {a: 1}, a multi-line text with spaces.
func yamlValue(value string, below []string) string {
	var parts []string
	list, names := true, true
	for _, l := range below {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		list = list && strings.HasPrefix(l, "- ")
		names = names && (strings.Contains(l, ": ") || strings.HasSuffix(l, ":"))
		parts = append(parts, l)
	}
	if len(parts) == 0 {
		return unquote(value)
	}
	switch value {
	case "":
		if list {
			for i := range parts {
				parts[i] = unquote(strings.TrimSpace(parts[i][2:]))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		if names {
			return "{" + strings.Join(parts, ", ") + "}"
		}
	case "|", ">", "|-", ">-", "|+", ">+":
	default:
		parts = append([]string{value}, parts...)
	}
	return strings.Join(parts, " ")
}

func unquote(s string) string {
	for _, q := range []string{`"`, "'"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return strings.TrimSpace(s[len(q) : len(s)-len(q)])
		}
	}
	return s
}
