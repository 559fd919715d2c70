// Package frontmatter finds the block of names and values that begins many notes (YAML between ---, TOML between +++, or a JSON object)
// and reads it into rows for a header.
//
// It reads for people, not for programs: values appear as written, nested ones in one line, and whatever it can't parse is shown raw,
// never refused. It reads only the head of a file, uses only the standard library, and needs linear time and bounded memory for any
// input.
package frontmatter

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Limits. A longer front matter is treated as text; more rows or longer values wouldn't fit the header anyway.
const (
	MaxBytes = 16 << 10 // of the whole block, and all of a file that needs to be read
	maxRows  = 64
	maxValue = 512 // bytes of one value
)

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
	var m Matter
	ok := false
	switch {
	case bytes.HasPrefix(body, []byte("---")):
		m, ok = fenced(body, "---", yamlRows)
	case bytes.HasPrefix(body, []byte("+++")):
		m, ok = fenced(body, "+++", tomlRows)
	case bytes.HasPrefix(body, []byte("{")):
		m, ok = object(body)
	}
	m.End += skipped
	return m, ok
}

// fenced reads the text between two marker lines. YAML may also end with three dots.
func fenced(body []byte, mark string, read func([]string) []Row) (Matter, bool) {
	line, at := nextLine(body, 0)
	if line != mark {
		return Matter{}, false
	}
	var lines []string
	for at < len(body) {
		line, at = nextLine(body, at)
		if line == mark || mark == "---" && line == "..." {
			rows := read(lines)
			return Matter{End: at, Rows: rows}, len(rows) > 0
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

// object reads a JSON object that precedes the text; if it is the whole file, it is a JSON file rather than front matter.
func object(body []byte) (Matter, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return Matter{}, false
	}
	var rows []Row
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return Matter{}, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return Matter{}, false
		}
		rows = add(rows, name, compact(value))
	}
	if _, err := d.Token(); err != nil {
		return Matter{}, false
	}
	end := int(d.InputOffset())
	n := bytes.IndexByte(body[end:], '\n') + 1
	if n == 0 || len(bytes.TrimSpace(body[end:end+n])) > 0 || len(bytes.TrimSpace(body[end+n:])) == 0 {
		return Matter{}, false
	}
	return Matter{End: end + n, Rows: rows}, len(rows) > 0
}

// compact writes a JSON value in one line; a string without its quotes.
func compact(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
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

// tomlRows reads names and values; keys of a table are prefixed by its name.
func tomlRows(lines []string) []Row {
	var rows []Row
	table := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			table = strings.Trim(line, "[] ") + "."
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			rows = add(rows, "", line)
			continue
		}
		value = strings.TrimSpace(value)
		for open := opened(value); open != "" && i+1 < len(lines); {
			i++
			value += " " + strings.TrimSpace(lines[i])
			if strings.Contains(lines[i], open) {
				break
			}
		}
		rows = add(rows, table+unquote(strings.TrimSpace(key)), unquote(value))
	}
	return rows
}

// opened returns the terminator of a value that continues over several lines.
func opened(value string) string {
	for _, q := range []string{`"""`, "'''"} {
		if strings.HasPrefix(value, q) && !strings.Contains(value[3:], q) {
			return q
		}
	}
	if strings.HasPrefix(value, "[") && !strings.Contains(value, "]") {
		return "]"
	}
	return ""
}

func unquote(s string) string {
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return strings.TrimSpace(s[len(q) : len(s)-len(q)])
		}
	}
	return s
}

// continues reports whether the lines after a key belong to its value, perhaps after empty ones.
func continues(after []byte) bool {
	next := bytes.TrimLeft(after, "\r\n")
	return len(next) > 0 && (next[0] == ' ' || next[0] == '\t' || bytes.HasPrefix(next, []byte("- ")))
}

// Set returns a text with another value for a key that its front matter has at the left edge, and nothing else changed. false: the
// front matter doesn't have it, is JSON, or the value spans several lines.
func Set(data []byte, key, value string) ([]byte, bool) {
	m, ok := Find(data)
	if !ok {
		return nil, false
	}
	body := bytes.TrimPrefix(data[:m.End], []byte("\xef\xbb\xbf"))
	separator, mark := byte(':'), "---"
	switch {
	case bytes.HasPrefix(body, []byte("+++")):
		separator, mark = '=', "+++"
	case body[0] == '{':
		return nil, false
	}
	for at := m.End - len(body) + bytes.IndexByte(body, '\n') + 1; at < m.End; {
		end := at + bytes.IndexByte(data[at:m.End], '\n') + 1
		if end == at {
			break
		}
		line := bytes.TrimRight(data[at:end], " \t\r\n")
		cut := bytes.IndexByte(line, separator)
		switch {
		case mark == "+++" && bytes.HasPrefix(line, []byte("[")): // keys of a table
			return nil, false
		case cut < 0 || !strings.EqualFold(unquote(string(bytes.TrimSpace(line[:cut]))), key) || line[0] == ' ' || line[0] == '\t':
		case continues(data[end:m.End]):
			return nil, false
		default:
			was := strings.TrimSpace(string(line[cut+1:]))
			if opened(was) != "" {
				return nil, false
			}
			if bare := unquote(was); bare != was || mark == "+++" && (value == "" || value[0] < '0' || value[0] > '9') {
				value = `"` + value + `"`
			}
			return slices.Concat(data[:at+cut+1], []byte(" "+value), data[at+len(line):]), true
		}
		at = end
	}
	return nil, false
}
