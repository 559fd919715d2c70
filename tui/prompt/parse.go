package prompt

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
)

// usage of the short forms, as the errors and the help show it.
var usage = map[string]string{
	memstore.CmdView:       "view PATH [FROM,TO]",
	memstore.CmdCreate:     `create PATH ["TEXT"]`,
	memstore.CmdStrReplace: `str_replace PATH "OLD" "NEW"`,
	memstore.CmdInsert:     `insert PATH LINE "TEXT"`,
	memstore.CmdDelete:     "delete PATH",
	memstore.CmdRename:     "rename OLD-PATH NEW-PATH",
}

// Usage lists the short forms of the memory commands, for the help.
func Usage() []string {
	out := make([]string, 0, len(usage))
	for _, name := range commands {
		out = append(out, usage[name])
	}
	return out
}

var commands = []string{
	memstore.CmdView, memstore.CmdCreate, memstore.CmdStrReplace,
	memstore.CmdInsert, memstore.CmdDelete, memstore.CmdRename,
}

// IsCommand reports whether a line is a memory command: the tool's JSON input, or a short form.
func IsCommand(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	_, ok := usage[name]
	return ok || strings.HasPrefix(line, "{")
}

// Input is the input of the tool in a JSON text: the text itself, or the input of a whole tool_use block.
func Input(line string) ([]byte, error) {
	input := []byte(line)
	if !json.Valid(input) {
		return nil, errors.New("not valid JSON")
	}
	var block struct {
		Type  string          `json:"type"`
		Input json.RawMessage `json:"input"`
	}
	if json.Unmarshal(input, &block) == nil && block.Type == "tool_use" && len(block.Input) > 0 {
		return block.Input, nil
	}
	return input, nil
}

// ParseCommand builds a memory command from the words of its short form. Errors are sentences for the user.
func ParseCommand(name string, words []string) (memstore.Command, error) {
	c := memstore.Command{Name: name}
	least, most := 1, 1
	switch name {
	case memstore.CmdView, memstore.CmdStrReplace:
		most = 3
		if name == memstore.CmdStrReplace {
			least = 2
		}
	case memstore.CmdCreate, memstore.CmdRename:
		least, most = 2, 2
	case memstore.CmdInsert:
		least, most = 3, 3
	}
	if len(words) < least || len(words) > most {
		return c, fmt.Errorf("usage: %s (text with spaces in quotes; \\n in double quotes is a new line)", usage[name])
	}
	c.Path = words[0]
	switch name {
	case memstore.CmdView:
		return c, viewRange(&c, words[1:])
	case memstore.CmdCreate:
		c.FileText = words[1]
	case memstore.CmdRename:
		c.Path, c.OldPath, c.NewPath = "", words[0], words[1]
		if c.NewPath != "" && c.NewPath[0] != '/' && strings.HasPrefix(c.OldPath, "/") { // a name in the same folder
			c.NewPath = path.Join(path.Dir(c.OldPath), c.NewPath)
		}
	case memstore.CmdStrReplace:
		c.OldStr = words[1]
		if len(words) == 3 {
			c.NewStr = words[2]
		}
	case memstore.CmdInsert:
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return c, fmt.Errorf("line %q is not a number; usage: %s", words[1], usage[name])
		}
		c.InsertLine, c.InsertText = n, words[2]
	}
	return c, nil
}

// viewRange accepts [1,20], [1, 20], 1,20, 1:20 and 1 20.
func viewRange(c *memstore.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	joined := strings.Trim(strings.Join(words, ","), "[]")
	parts := strings.FieldsFunc(joined, func(r rune) bool { return r == ',' || r == ':' || r == ' ' })
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return fmt.Errorf("range %q is not two line numbers; usage: %s", strings.Join(words, " "), usage[c.Name])
		}
		c.ViewRange = append(c.ViewRange, n)
	}
	return nil
}

// Words cuts a line into words. Single quotes keep everything; double quotes know
// \n, \t, \" and \\; brackets keep a range together.
func Words(line string) ([]string, error) {
	var words []string
	for rest := strings.TrimLeft(line, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		word, after, err := nextWord(rest)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		rest = after
	}
	return words, nil
}

func nextWord(s string) (word, rest string, err error) {
	switch s[0] {
	case '\'':
		end := strings.IndexByte(s[1:], '\'')
		if end < 0 {
			return "", "", errors.New("unclosed '")
		}
		return s[1 : 1+end], s[2+end:], nil
	case '"':
		return quoted(s[1:])
	case '[':
		if end := strings.IndexByte(s, ']'); end >= 0 {
			return s[:end+1], s[end+1:], nil
		}
	}
	end := strings.IndexAny(s, " \t")
	if end < 0 {
		return s, "", nil
	}
	return s[:end], s[end:], nil
}

func quoted(s string) (word, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '"', '\\':
				b.WriteByte(s[i])
			default:
				b.WriteByte('\\')
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", errors.New("unclosed \"")
}

// Word reads a line that is one word: spaces and all, or in quotes.
func Word(line string) string {
	if words, err := Words(line); err == nil && len(words) == 1 {
		return words[0]
	}
	return line
}

// Unknown says that no action or command has a name, and which one may be meant.
func Unknown(name string, keys *keymap.Map) error {
	best := text.Nearest(name, append(keys.Names(), commands...))
	if best == "" {
		return fmt.Errorf("No such command: %q. tab lists them", name)
	}
	return fmt.Errorf("No such command: %q. Did you mean %s?", name, best)
}

// Quote writes a word so that [Words] reads it unchanged.
func Quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'\\[") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(word) + `"`
}
