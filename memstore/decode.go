package memstore

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DecodeCommand decodes the tool's JSON input. Unlike encoding/json with
// structs, it matches names exactly. It ignores fields that the command
// doesn't have. The error is an [*InputError].
func DecodeCommand(input []byte) (Command, error) {
	c, bad := decodeCommand(input)
	if bad != nil {
		return c, bad
	}
	return c, nil
}

func decodeCommand(input []byte) (Command, *InputError) {
	// encoding/json would silently replace bytes that are not UTF-8, and so store
	// something other than was sent.
	if !utf8.Valid(input) {
		return Command{}, &InputError{Message: "The input is not valid UTF-8"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(input, &fields); err != nil || fields == nil {
		return Command{}, &InputError{Message: "The input is not a JSON object"}
	}
	d := decoder{fields: fields}
	c := Command{Name: d.text("command", required)}
	if d.bad == nil {
		d.bad = unknownCommand(c.Name)
	}
	switch c.Name {
	case CmdView:
		c.Path = d.text("path", required)
		c.ViewRange, c.sentRange = d.integers("view_range")
	case CmdCreate:
		c.Path = d.text("path", required)
		c.FileText = d.text("file_text", required)
	case CmdStrReplace:
		c.Path = d.text("path", required)
		c.OldStr = d.text("old_str", required)
		c.NewStr = d.text("new_str", optional) // absent: old_str is deleted (row 25)
	case CmdInsert:
		c.Path = d.text("path", required)
		c.InsertLine, c.sentLine = d.integer("insert_line")
		c.InsertText = d.text("insert_text", required)
	case CmdDelete:
		c.Path = d.text("path", required)
	case CmdRename:
		c.OldPath = d.text("old_path", required)
		c.NewPath = d.text("new_path", required)
	}
	return c, d.bad
}

// unknownCommand returns nil for the six commands.
func unknownCommand(name string) *InputError {
	switch name {
	case CmdView, CmdCreate, CmdStrReplace, CmdInsert, CmdDelete, CmdRename:
		return nil
	}
	return &InputError{
		Field:   "command",
		Message: "Unknown command: " + name + ". The field `command` must be one of view, create, str_replace, insert, delete, rename.",
	}
}

type presence bool

const (
	required presence = true
	optional presence = false
)

// decoder reads fields of an input and keeps the first problem.
type decoder struct {
	fields map[string]json.RawMessage
	bad    *InputError
}

func (d *decoder) problem(field, message string) {
	if d.bad == nil {
		d.bad = &InputError{Field: field, Message: message}
	}
}

// field returns the JSON of a field, or nil if it is absent or null.
func (d *decoder) field(name string, p presence) json.RawMessage {
	raw := d.fields[name]
	if len(raw) == 0 || string(raw) == "null" {
		if p == required {
			d.problem(name, "The field `"+name+"` is required")
		}
		return nil
	}
	return raw
}

func (d *decoder) text(name string, p presence) string {
	raw := d.field(name, p)
	if raw == nil {
		return ""
	}
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		d.problem(name, "The field `"+name+"` must be a string")
	}
	// encoding/json replaces half a surrogate pair by U+FFFD.
	if strings.Contains(s, "\uFFFD") && halfPair(raw) {
		d.problem(name, "The field `"+name+"` holds half of a surrogate pair, which is no text")
	}
	return s
}

// halfPair reports whether a valid JSON string contains an unpaired surrogate
// escape.
func halfPair(raw []byte) bool {
	high := false // the previous escape is the first half of a pair
	for i := 0; i < len(raw); {
		var unit uint64
		size := 1
		if raw[i] == '\\' {
			if size = 2; raw[i+1] == 'u' {
				size = 6
				unit, _ = strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
			}
		}
		low := 0xDC00 <= unit && unit <= 0xDFFF
		if low != high {
			return true
		}
		high = 0xD800 <= unit && unit <= 0xDBFF
		i += size
	}
	return false
}

// Numbers of the tool's input are read as integers. A result names a number as it was sent, as far as the dialect's own language would.

// exactFloat is the limit up to which a float64 represents every integer.
const exactFloat = 1 << 53

// longNumber is how many characters of a number a result repeats.
const longNumber = 64

// viewRange is a view_range: its numbers, nil if absent, and the spelling of those beyond 53 bits.
type viewRange struct {
	numbers []int
	sent    []string // nil, or one for each number; "" for those within 53 bits
}

// list formats a range for a result.
func (r viewRange) list(rules *rules) string {
	texts := make([]string, len(r.numbers))
	for i, n := range r.numbers {
		sent := ""
		if i < len(r.sent) {
			sent = r.sent[i]
		}
		texts[i] = rules.numberText(n, sent)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (r *rules) numberText(n int, sent string) string {
	if sent == "" {
		return strconv.Itoa(n)
	}
	return r.number(sent)
}

func (d *decoder) integer(name string) (n int, sent string) {
	raw := d.field(name, required)
	if raw == nil {
		return 0, ""
	}
	n, ok := parseInteger(string(raw))
	if !ok {
		d.problem(name, "The field `"+name+"` must be an integer")
	}
	return n, sentText(n, raw)
}

// integers decodes an optional array. It doesn't check the length.
func (d *decoder) integers(name string) (list []int, sent []string) {
	raw := d.field(name, optional)
	if raw == nil {
		return nil, nil
	}
	var items []json.RawMessage
	valid := raw[0] == '[' && json.Unmarshal(raw, &items) == nil
	list = make([]int, 0, len(items))
	for i, item := range items {
		n, ok := parseInteger(string(item))
		valid = valid && ok
		list = append(list, n)
		if text := sentText(n, item); text != "" {
			if sent == nil {
				sent = make([]string, len(items))
			}
			sent[i] = text
		}
	}
	if !valid {
		d.problem(name, "The field `"+name+"` must be an array of integers")
		return nil, nil
	}
	return list, sent
}

// parseInteger reads a JSON number with an integral value: 2, 2.0 and 2e0,
// but not 1.5 or "1" (row 31). A value that doesn't fit an int becomes the
// nearest int, which is also beyond any line number.
func parseInteger(raw string) (int, bool) {
	if strings.Trim(raw, "+-.0123456789eE") != "" {
		return 0, false
	}
	if n, err := strconv.Atoi(raw); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(raw, 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		return 0, false
	case f >= math.MaxInt:
		return math.MaxInt, true
	case f <= math.MinInt:
		return math.MinInt, true
	}
	return int(f), f == math.Trunc(f)
}

// sentText returns how an integer was spelled if that is worth keeping, else "".
func sentText(n int, raw []byte) string {
	if -exactFloat <= n && n <= exactFloat {
		return ""
	}
	return string(raw)
}

// numberAsSent repeats a number as sent, shortened if it is very long.
func numberAsSent(sent string) string {
	if len(sent) <= longNumber {
		return sent
	}
	return jsNumber(sent)
}

// jsNumber formats a number as JavaScript does, where it is a float64.
func jsNumber(sent string) string {
	f, _ := strconv.ParseFloat(sent, 64) // an infinity if out of range
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case math.Abs(f) < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

// pyNumber formats a number as Python does. One sent with a fraction or an
// exponent still becomes an integer if 64 bits can hold it.
func pyNumber(sent string) string {
	f, _ := strconv.ParseFloat(sent, 64)
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case isPyFloat(sent), len(sent) > longNumber:
		return strconv.FormatFloat(f, 'e', -1, 64)
	case strings.ContainsAny(sent, ".eE"):
		return strconv.FormatInt(int64(f), 10)
	}
	return sent
}

// isPyFloat reports whether a number stays a float in Python.
func isPyFloat(sent string) bool {
	if !strings.ContainsAny(sent, ".eE") {
		return false
	}
	f, _ := strconv.ParseFloat(sent, 64)
	return f >= math.MaxInt64 || f <= math.MinInt64
}
