package mcpserver

import (
	"fmt"
	"strings"

	"memcurator/memstore"
)

// schema is as much of JSON Schema (2020-12) as the tool needs.
type schema struct {
	Type        string             `json:"type,omitempty"`
	Description string             `json:"description,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`
	MaxItems    int                `json:"maxItems,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
}

// field is one field of a command.
type field struct {
	name     string
	optional bool
	kind     *schema
	means    string
}

var (
	aText  = &schema{Type: "string"}
	aLine  = &schema{Type: "integer", Minimum: new(int)}
	aRange = &schema{Type: "array", Items: &schema{Type: "integer"}, MinItems: 2, MaxItems: 2}
)

// commands are the six commands in the input of memory_20250818, with the fields that its
// published types have.
var commands = []struct {
	name, means string
	fields      []field
}{
	{memstore.CmdView, "Show the contents of a directory, or of a file with line numbers.", []field{
		{"path", false, aText, "Path of the directory or file to show, such as /memories or /memories/notes.md"},
		{"view_range", true, aRange,
			"Only for files: the first and the last line to show, counted from 1; -1 as the last line means the end of the file"},
	}},
	{memstore.CmdCreate, "Create a new file. An existing file is not replaced.", []field{
		{"path", false, aText, "Path of the new file, below /memories; missing directories are created"},
		{"file_text", false, aText, "Content of the new file"},
	}},
	{memstore.CmdStrReplace, "Replace text in a file.", []field{
		{"path", false, aText, "Path of the file to edit"},
		{"old_str", false, aText, "Text to replace, verbatim; it must occur exactly once in the file"},
		{"new_str", false, aText, "Text to put in its place; empty to delete it"},
	}},
	{memstore.CmdInsert, "Insert text at a line of a file.", []field{
		{"path", false, aText, "Path of the file to edit"},
		{"insert_line", false, aLine, "Number of the line after which the text is inserted; 0 inserts at the beginning of the file"},
		{"insert_text", false, aText, "Text to insert"},
	}},
	{memstore.CmdDelete, "Delete a file, or a directory with all its contents.", []field{
		{"path", false, aText, "Path of the file or directory to delete"},
	}},
	{memstore.CmdRename, "Rename or move a file or a directory. Nothing is overwritten.", []field{
		{"old_path", false, aText, "Path of the file or directory to rename"},
		{"new_path", false, aText, "New path, where nothing exists yet"},
	}},
}

var inputSchema = buildSchema()

func commandNames() []string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

// buildSchema describes the fields of all commands side by side, and says in each description which commands take the field, and what it
// means to each. A union of the commands would say more, but the API of Anthropic and others refuse one at the top of a schema, and their
// clients then drop the tool.
func buildSchema() *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{
		"command": {Type: "string", Enum: commandNames(), Description: "What to do; the other fields depend on it"},
	}, Required: []string{"command"}}
	means := map[string][]string{}
	for _, c := range commands {
		for _, f := range c.fields {
			need := "required"
			if f.optional {
				need = "optional"
			}
			means[f.name] = append(means[f.name], fmt.Sprintf("`%s` (%s): %s", c.name, need, f.means))
			s.Properties[f.name] = f.kind.describedAs(strings.Join(means[f.name], ". "))
		}
	}
	return s
}

func (s *schema) describedAs(text string) *schema {
	described := *s
	described.Description = text
	return &described
}
