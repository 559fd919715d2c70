package memstore

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DecodeCommand decodes the tool's JSON input. Names are matched exactly, which
// encoding/json does not do for structs; fields that the command does not know
// are ignored. The error is an [*InputError].
func DecodeCommand(input []byte) (Command, error) {
	c, bad := decodeCommand(input)
	if bad != nil {
		return c, bad
	}
	return c, nil
}

func decodeCommand(input []byte) (Command, *InputError) {
	// encoding/json would replace bytes that are no UTF-8 silently, and so store
	// something else than what was sent.
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

// unknownCommand is nil for the six commands.
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

// decoder takes fields out of an input and keeps the first problem.
type decoder struct {
	fields map[string]json.RawMessage
	bad    *InputError
}

func (d *decoder) problem(field, message string) {
	if d.bad == nil {
		d.bad = &InputError{Field: field, Message: message}
	}
}

// field returns the JSON of a field, nil where it is absent or null.
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
	// encoding/json puts U+FFFD in the place of half a surrogate pair.
	if strings.Contains(s, "\uFFFD") && halfPair(raw) {
		d.problem(name, "The field `"+name+"` holds half of a surrogate pair, which is no text")
	}
	return s
}

// halfPair reports whether a valid JSON string holds the escape of one surrogate
// without the other.
func halfPair(raw []byte) bool {
	high := false // what comes before is the first half of a pair
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
