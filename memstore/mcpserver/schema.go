package mcpserver

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// Schema says in which form the input of the tool is described to the client. What
// is accepted does not depend on it.
type Schema string

// The forms.
const (
	// schemaAuto is the union, and flat for clients that pass schemas on to
	// Anthropic's API: it refuses a union at the top level of a schema, and those clients then
	// drop the tool. They are known by the name that they introduce themselves with.
	schemaAuto Schema = ""
	// SchemaUnion has one alternative for each command, told apart by the field command. The types of
	// all fields stand beside the alternatives, for clients that turn typed text into arguments and look no deeper.
	SchemaUnion Schema = "union"
	// SchemaFlat has the fields of all commands; only command is required.
	SchemaFlat Schema = "flat"
)

// ParseSchema finds a form by its name.
func ParseSchema(name string) (Schema, error) {
	switch name {
	case "", "auto":
		return schemaAuto, nil
	case string(SchemaUnion), string(SchemaFlat):
		return Schema(name), nil
	}
	return "", fmt.Errorf("unknown schema %q; choose auto, union or flat", name)
}

// schema is as much of JSON Schema (2020-12) as the tool needs.
type schema struct {
	Type        string             `json:"type,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Const       string             `json:"const,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`
	MaxItems    int                `json:"maxItems,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	OneOf       []*schema          `json:"oneOf,omitempty"`
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

// commands are the six variants of the input of memory_20250818, with the fields that its
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

var unionSchema, flatSchema = buildUnion(), buildFlat()

func commandNames() []string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

func commandField() *schema {
	return &schema{Type: "string", Enum: commandNames(), Description: "What to do; the other fields depend on it"}
}

func buildUnion() *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{"command": commandField()}, Required: []string{"command"}}
	for _, c := range commands {
		variant := &schema{
			Type: "object", Title: c.name, Description: c.means, Required: []string{"command"},
			Properties: map[string]*schema{"command": {Type: "string", Const: c.name, Description: c.means}},
		}
		for _, f := range c.fields {
			s.Properties[f.name] = f.kind
			variant.Properties[f.name] = f.kind.describedAs(f.means)
			if !f.optional {
				variant.Required = append(variant.Required, f.name)
			}
		}
		s.OneOf = append(s.OneOf, variant)
	}
	return s
}

// buildFlat says in each description which commands take the field, and what it means to each.
func buildFlat() *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{"command": commandField()}, Required: []string{"command"}}
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

// flat decides the form for one client.
func (s *server) flat(r *mcp.ListToolsRequest) bool {
	if s.options.Schema != schemaAuto {
		return s.options.Schema == SchemaFlat
	}
	client := r.ClientInfo()
	if client == nil {
		return false
	}
	name := strings.ToLower(client.Name)
	return strings.HasPrefix(name, "claude") || strings.HasPrefix(name, "anthropic")
}
