package discover

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
)

// Head holds what the beginning of a transcript reveals.
type Head struct {
	Project string // the folder in which the agent worked; "" if unknown
	Title   string // what the agent or the user called it, else the first line of the first prompt
}

// headLimit bounds how much of a transcript is read for its head.
const headLimit = 256 << 10

// Head reads the beginning of a transcript.
func (m Machine) Head(ctx context.Context, file string) (Head, error) {
	return m.headOf(ctx, file, true)
}

// Project is the project of a transcript, as its [Head] has it, which is faster to find by itself; "" if unknown.
func (m Machine) Project(ctx context.Context, file string) (string, error) {
	h, err := m.headOf(ctx, file, false)
	return h.Project, err
}

// headOf reads values until the head is known, or until they end or are cut off. titled: the title is wanted, too.
func (m Machine) headOf(ctx context.Context, file string, titled bool) (h Head, err error) {
	f, err := openQuietly(file)
	if err != nil {
		return h, err
	}
	defer func() { _ = f.Close() }() // it was only read
	d := json.NewDecoder(io.LimitReader(f, headLimit))
	d.UseNumber()
	for ctx.Err() == nil && (titled && h.Title == "" || h.Project == "") {
		o := outline{}
		err := o.read(d, "", 0)
		o.add(&h)
		if err != nil {
			break
		}
	}
	if h.Project == "" {
		folder, _ := split(file)
		folder, _ = split(folder)
		if o := vsCodeWorkspace(m, folder); o.root != "" { // VS Code records beside its chats what was open
			h.Project = o.project
		}
	}
	return h, nil
}

// workedIn is the folder in which a transcript says that the agent began to work; "" if it doesn't.
func (m Machine) workedIn(ctx context.Context, file string) string {
	if project, err := m.Project(ctx, file); err == nil && filepath.IsAbs(project) {
		return project
	}
	return ""
}

// outline is the first text of each path of keys in a value. Elements of an array have the path of the array.
type outline map[string]string

// deepest bounds how far a value is followed.
const deepest = 64

// read reads the next value; what was read before an error counts.
func (o outline) read(d *json.Decoder, path string, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case string:
		if _, ok := o[path]; !ok {
			o[path] = v
		}
	case bool:
		if v {
			o[path] = "true"
		}
	case json.Delim:
		if depth > deepest {
			return io.ErrUnexpectedEOF
		}
		for d.More() {
			at := path
			if v == '{' {
				key, err := d.Token()
				if err != nil {
					return err
				}
				name, _ := key.(string)
				at = strings.TrimPrefix(path+"."+name, ".")
			}
			if err := o.read(d, at, depth+1); err != nil {
				return err
			}
		}
		_, err = d.Token() // the end
		return err
	}
	return nil
}

// Where agents write what a conversation is about. The prompts are those of the user if the condition of the row holds.
var (
	projectPaths = []string{"cwd", "payload.cwd"}
	titlePaths   = []string{"customTitle", "v.customTitle", "aiTitle", "summary"}
	promptPaths  = []struct{ path, key, value string }{
		{"message.content", "type", "user"},
		{"message.content.text", "type", "user"},
		{"payload.message", "payload.type", "user_message"},
		{"payload.content.text", "payload.role", "user"},
		{"requests.message.text", "", ""},
		{"v.requests.message.text", "", ""},
		{"v.message.text", "", ""},
		{"messages.content", "messages.type", "user"},
		{"messages.content", "messages.role", "user"},
		{"messages.content.text", "messages.role", "user"},
		{"content", "role", "user"},
		{"content", "type", "user"},
		{"content.text", "role", "user"},
	}
)

// add adds what a value reveals.
func (o outline) add(h *Head) {
	for _, p := range projectPaths {
		if h.Project == "" {
			h.Project = o[p]
		}
	}
	for _, p := range titlePaths {
		if h.Title == "" {
			h.Title = firstLine(o[p])
		}
	}
	if o["isMeta"] != "" || o["isCompactSummary"] != "" {
		return
	}
	for _, p := range promptPaths {
		if h.Title == "" && (p.key == "" || o[p.key] == p.value) {
			h.Title = asked(o[p.path])
		}
	}
}

// asked is the first line of what the user typed; "" for text that the program added.
func asked(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	if strings.HasPrefix(prompt, "<") || strings.HasPrefix(prompt, "Caveat: ") || strings.HasPrefix(prompt, "# AGENTS.md instructions") {
		return ""
	}
	return firstLine(prompt)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
