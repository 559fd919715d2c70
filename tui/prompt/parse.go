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

// Request is what a typed line asks for: exactly one of the fields is set.
type Request struct {
	Action  keymap.ID         // an action of the table
	Line    int               // go to this line, from 1
	Command *memstore.Command // a memory command, as the agent would send it
	Create  string            // create a note at this path, whose text is typed in the editor
	Input   []byte            // the same as the tool's JSON, where it does not decode: the tool answers with its error
	Open    string            // show this agent path
	Theme   string            // use this theme
	At      string            // show the store at this point: a revision, a time, or now
	Replay  []string          // open these transcripts
	Call    int               // go to this call of the transcript, from 1
	Turn    int               // go to this turn of the transcript
	Find    string            // search the store for this, as typed
	TTL     string            // keep what is chosen for this time
	Commit  string            // commit the user's changes with this message, as typed
	Move    string            // move what is marked into this folder
	Undo    []int64           // undo these revisions, whoever made them
	// RestoreAs puts what was chosen back at this agent path.
	RestoreAs string
	Folder    string            // add this folder to the list of stores
	Compare   []string          // compare these: one or two agent paths, or #N for a file after change N
	Dialect   *memstore.Dialect // show and answer in this dialect from now on
}

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

// Parse reads a line typed at ":": the tool's JSON input, a memory command in
// short form, a line number, or the name of an action. Errors are sentences for the user.
func Parse(line string, keys *keymap.Map) (Request, error) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "{") {
		return parseJSON([]byte(line))
	}
	if words, ok := strings.CutPrefix(line, string(keymap.Find)+" "); ok {
		// The search text is taken literally: quotes and backslashes are part of it.
		return Request{Find: strings.TrimSpace(words)}, nil
	}
	if message, ok := strings.CutPrefix(line, string(keymap.Commit)+" "); ok {
		return Request{Commit: strings.TrimSpace(message)}, nil
	}
	if rest, ok := strings.CutPrefix(line, string(keymap.TTL)); ok && strings.HasPrefix(rest+" ", " ") {
		if rest = strings.TrimSpace(rest); rest == "" {
			return Request{}, errors.New("ttl takes a time: ttl 2h, ttl 3d, ttl 2026-12-31 18:00, ttl keep")
		}
		return Request{TTL: rest}, nil
	}
	if folder, ok := strings.CutPrefix(line, string(keymap.AddFolder)+" "); ok {
		return parseFolder(strings.TrimSpace(folder))
	}
	words, err := split(line)
	if err != nil {
		return Request{}, err
	}
	if len(words) == 0 {
		return Request{}, errors.New("type an action or a memory command; tab completes, esc leaves")
	}
	if _, ok := usage[words[0]]; ok {
		if words[0] == memstore.CmdCreate && len(words) == 2 {
			return Request{Create: words[1]}, nil
		}
		c, err := short(words[0], words[1:])
		return Request{Command: c}, err
	}
	return parseAction(words, keys)
}

const usageFolder = "add-folder takes a folder: :add-folder ~/notes/memory"

// parseFolder reads the folder to add: the rest of the line, spaces and all, or one word in quotes.
func parseFolder(rest string) (Request, error) {
	if rest == "" {
		return Request{}, errors.New(usageFolder)
	}
	if words, err := split(rest); err == nil && len(words) == 1 {
		rest = words[0]
	}
	return Request{Folder: rest}, nil
}

// parseJSON takes the tool's input or a whole tool_use block.
func parseJSON(line []byte) (Request, error) {
	if !json.Valid(line) {
		return Request{}, errors.New("not valid JSON")
	}
	var block struct {
		Type  string          `json:"type"`
		Input json.RawMessage `json:"input"`
	}
	if json.Unmarshal(line, &block) == nil && block.Type == "tool_use" && len(block.Input) > 0 {
		line = block.Input
	}
	c, err := memstore.DecodeCommand(line)
	if err != nil {
		return Request{Input: line}, nil
	}
	return Request{Command: &c}, nil
}

func parseAction(words []string, keys *keymap.Map) (Request, error) {
	number := words[0]
	if number == "line" && len(words) == 2 {
		number = words[1]
	}
	if n, err := strconv.Atoi(number); err == nil && n > 0 {
		return Request{Line: n}, nil
	}
	if words[0] == string(keymap.Dialect) {
		return parseDialect(words[1:])
	}
	if words[0] == string(keymap.At) {
		if len(words) == 1 {
			return Request{}, errors.New("at takes a revision or a time: at 123, at 2d, at 2026-11-20 12:00, at now")
		}
		return Request{At: strings.Join(words[1:], "T")}, nil
	}
	if words[0] == "line" {
		return Request{}, errors.New("line takes a line number, from 1: line 120")
	}
	if r, ok, err := parseReplay(words); ok {
		return r, err
	}
	if (words[0] == string(keymap.Undo) || words[0] == string(keymap.Revert)) && len(words) > 1 {
		return parseUndo(words[0], words[1:])
	}
	if words[0] == string(keymap.AddFolder) {
		return Request{}, errors.New(usageFolder)
	}
	if len(words) == 2 && words[0] == string(keymap.Open) {
		return Request{Open: words[1]}, nil
	}
	if words[0] == string(keymap.Compare) && len(words) > 1 {
		if len(words) > 3 {
			return Request{}, errors.New("compare takes one or two paths: compare A B (a path with spaces in quotes)")
		}
		return Request{Compare: words[1:]}, nil
	}
	if len(words) == 2 && words[0] == string(keymap.Move) {
		return Request{Move: words[1]}, nil
	}
	if len(words) == 2 && words[0] == string(keymap.RestoreAs) {
		return Request{RestoreAs: words[1]}, nil
	}
	if len(words) == 2 && words[0] == string(keymap.CycleTheme) {
		return Request{Theme: words[1]}, nil
	}
	name := words[0]
	if name == "q" {
		name = string(keymap.Quit)
	}
	a, ok := keys.Named(name)
	if !ok {
		return Request{}, unknown(name, keys)
	}
	if len(words) > 1 {
		return Request{}, fmt.Errorf("%s takes no argument", name)
	}
	return Request{Action: a.ID}, nil
}

// parseUndo reads numbers of revisions.
func parseUndo(name string, words []string) (Request, error) {
	var revs []int64
	for _, w := range words {
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "#"), 10, 64)
		if err != nil || n <= 0 {
			return Request{}, fmt.Errorf("%s takes revisions: %s 118, %s 118 121", name, name, name)
		}
		revs = append(revs, n)
	}
	return Request{Undo: revs}, nil
}

func parseDialect(words []string) (Request, error) {
	if len(words) != 1 {
		return Request{}, errors.New("dialect takes a name: " + memstore.DialectNames())
	}
	d, err := memstore.ParseDialect(words[0])
	if err != nil {
		return Request{}, err
	}
	return Request{Dialect: &d}, nil
}

func unknown(name string, keys *keymap.Map) error {
	best := text.Nearest(name, append(keys.Names(), commands...))
	if best == "" {
		return fmt.Errorf("No such command: %q. tab lists them", name)
	}
	return fmt.Errorf("No such command: %q. Did you mean %s?", name, best)
}

// short builds a command from its words.
func short(name string, words []string) (*memstore.Command, error) {
	c := &memstore.Command{Name: name}
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
		return nil, fmt.Errorf("usage: %s (text with spaces in quotes; \\n in double quotes is a new line)", usage[name])
	}
	c.Path = words[0]
	switch name {
	case memstore.CmdView:
		return c, viewRange(c, words[1:])
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
			return nil, fmt.Errorf("line %q is not a number; usage: %s", words[1], usage[name])
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

// split cuts a line into words. Single quotes keep everything; double quotes know
// \n, \t, \" and \\; brackets keep a range together.
func split(line string) ([]string, error) {
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

// Quote writes a word so that [Parse] reads it unchanged.
func Quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'\\[") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(word) + `"`
}

// parseReplay reads what has to do with transcripts.
func parseReplay(words []string) (Request, bool, error) {
	switch {
	case words[0] == string(keymap.ScreenReplay) && len(words) > 1:
		return Request{Replay: words[1:]}, true, nil
	case words[0] == "call" || words[0] == "turn":
		n := 0
		if len(words) == 2 {
			n, _ = strconv.Atoi(words[1]) // 0 is not a valid number of either
		}
		switch {
		case n < 1:
			return Request{}, true, fmt.Errorf("%s takes a number, from 1: %s 37", words[0], words[0])
		case words[0] == "call":
			return Request{Call: n}, true, nil
		}
		return Request{Turn: n}, true, nil
	}
	return Request{}, false, nil
}
