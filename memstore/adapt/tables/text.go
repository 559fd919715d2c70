package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/adapt"
)

const (
	ruler     = "---"
	fence     = "```"
	jsonFence = fence + "json"
	instant   = "2006-01-02T15:04:05.000Z"
)

// encode writes the text of a record: a line for each column, and the body.
func (m *memory) encode(r *row) []byte {
	var b bytes.Buffer
	b.WriteString(ruler + "\n")
	for _, c := range m.columns[r.table] {
		v, ok := r.values[c]
		if !ok || c == r.table.body || slices.Contains(r.table.sections, c) || slices.Contains(counted, c) || r.named(c) || m.usual(r.table, c, v) {
			continue
		}
		b.WriteString(c + ": " + shown(c, v) + "\n")
	}
	b.WriteString(ruler + "\n")
	if body := bodyText(r); body != "" {
		b.WriteString(body + "\n")
	}
	for _, c := range r.table.sections {
		text := r.values[c]
		if list := r.list(c); len(list) > 0 {
			text = "- " + strings.Join(list, "\n- ")
		}
		if text != "" && text != "[]" {
			b.WriteString("\n## " + strings.ReplaceAll(c, "_", " ") + "\n\n" + text + "\n")
		}
	}
	return b.Bytes()
}

// usual reports whether a column that the program's exports don't have is as in a new row: then no text has it.
func (m *memory) usual(t *table, column, v string) bool {
	usual, ok := m.defaults[t][column]
	return ok && v == usual && !slices.Contains(strings.Fields(exported[t]), column)
}

// named reports whether the name of the file has a column whole.
func (r *row) named(column string) bool {
	return column != "id" && slices.Contains(r.table.path, column) && adapt.SafeName(r.values[column]) == r.values[column]
}

// shown is a value on the line of its column: as it is, or in JSON's quotes.
func shown(column, v string) string {
	if forms[column] == moment {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return momentText(n)
		}
	}
	if v == "" || strings.TrimSpace(v) != v || v[0] == '"' || strings.ContainsFunc(v, unicode.IsControl) {
		return string(marshal(v))
	}
	return v
}

func momentText(n int64) string {
	at := time.UnixMilli(n).UTC()
	if at.Year() < 0 || at.Year() > 9999 {
		return strconv.FormatInt(n, 10)
	}
	return at.Format(instant)
}

// bodyText is the column below the lines. JSON that isn't text is a block.
func bodyText(r *row) string {
	v := r.values[r.table.body]
	if !r.table.json || v == "" {
		return v
	}
	var s string
	if json.Unmarshal([]byte(v), &s) == nil && string(marshal(s)) == v && !strings.HasPrefix(s, jsonFence) {
		return s
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(v), "", "  ") != nil {
		return v // it is shown as it is, and fixed
	}
	return jsonFence + "\n" + b.String() + "\n" + fence
}

// marshal writes a value as the program does: without escapes for HTML.
func marshal(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil // no value here can't be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func wrong(line int, format string, args ...any) error {
	return refuse("Line %d: %s", line, fmt.Sprintf(format, args...))
}

// decode is the inverse of encode: the values of all columns but those that no text has. segments are the parts of the file's name.
func (m *memory) decode(t *table, segments []string, data []byte) (map[string]string, error) {
	if !utf8.Valid(data) {
		return nil, refuse("The text has bytes that are not UTF-8")
	}
	values := map[string]string{}
	head, body, at := "", string(data), 0
	for {
		if body == "" {
			return nil, wrong(at+1, "the fields of the record stand between two lines %s", ruler)
		}
		head, body, _ = strings.Cut(body, "\n")
		head = strings.TrimSuffix(head, "\r")
		at++
		if at == 1 && head != ruler {
			return nil, wrong(1, "the fields of the record begin with a line %s", ruler)
		}
		if head == ruler && at > 1 {
			break
		}
		if at == 1 || strings.TrimSpace(head) == "" {
			continue
		}
		column, value, ok := strings.Cut(head, ":")
		column, value = strings.TrimSpace(column), strings.TrimSpace(value)
		_, twice := values[column]
		switch {
		case !ok || !slices.Contains(m.columns[t], column) || column == t.body || slices.Contains(counted, column):
			return nil, wrong(at, "“%s” is not a field: write “FIELD: VALUE”; fields are %s", column, strings.Join(m.fields(t), ", "))
		case twice:
			return nil, wrong(at, "%s is already above", column)
		}
		v, err := valueOf(column, value)
		if err != nil {
			return nil, wrong(at, "%s", err)
		}
		values[column] = v
	}
	for i, c := range t.path {
		if _, ok := values[c]; !ok && c != month {
			values[c] = t.said(segments, i)
		}
	}
	for c, v := range m.defaults[t] {
		if _, ok := values[c]; !ok && m.usual(t, c, v) && !slices.Contains(counted, c) {
			values[c] = v
		}
	}
	body = strings.TrimSuffix(body, "\n")
	if t.json {
		inner, block := strings.CutPrefix(body, jsonFence)
		if !block {
			values[t.body] = string(marshal(body))
			return values, nil
		}
		var b bytes.Buffer
		if json.Compact(&b, []byte(strings.TrimSuffix(strings.TrimSpace(inner), fence))) != nil {
			return nil, wrong(at+1, "between %s and %s there is no valid JSON", jsonFence, fence)
		}
		body = b.String()
	}
	values[t.body] = body
	return values, nil
}

// fields are the columns that a text of a table can have.
func (m *memory) fields(t *table) []string {
	return slices.DeleteFunc(slices.Clone(m.columns[t]), func(c string) bool { return c == t.body || slices.Contains(counted, c) })
}

// valueOf is the inverse of shown. The error says what the column takes.
func valueOf(column, s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		var v string
		if json.Unmarshal([]byte(s), &v) != nil {
			return "", fmt.Errorf("the quotes of %s don't end", column)
		}
		return v, nil
	}
	switch forms[column] {
	case moment:
		if n, ok := parseMoment(s); ok {
			return strconv.FormatInt(n, 10), nil
		}
		return "", fmt.Errorf("%s is a time such as 2026-02-01T09:12:44.120Z", column)
	case number:
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return "", fmt.Errorf("%s is a number", column)
		}
		if r, ok := ranges[column]; ok && (n < r[0] || n > r[1]) {
			return "", fmt.Errorf("%s is a number from %s to %s", column, numberText(r[0]), numberText(r[1]))
		}
		return numberText(n), nil
	case list:
		var l []string
		if json.Unmarshal([]byte(s), &l) != nil {
			return "", fmt.Errorf(`%s is a list such as ["database","performance"]`, column)
		}
	case object:
		if !json.Valid([]byte(s)) {
			return "", fmt.Errorf("%s is JSON", column)
		}
	}
	return s, nil
}

// parseMoment reads a moment, also as a user would write it: in local time.
func parseMoment(s string) (int64, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t.UnixMilli(), true
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// changes are the columns in which two rows differ, in order.
func changes(before, after map[string]string) (list []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, c := range slices.Sorted(maps.Keys(all)) {
		was, had := before[c]
		is, has := after[c]
		if was != is || had != has {
			list = append(list, c)
		}
	}
	return list
}
