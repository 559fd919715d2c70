package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/transcript/format"

	"memcurator/memstore/transcript/rawjson"
)

// shape takes an object that is a call, a result or an event of a stream. It reports whether the
// object was taken, so that nothing in it is looked at again.
func (r *Reader) shape(o rawjson.Object, s scope) bool {
	if m, ok := format.ReadCall(o); ok {
		r.made(m, s)
		if a, ok := format.ReadEnclosed(o); ok {
			r.book.answered(a, s)
		}
		return true
	}
	if a, ok := format.ReadResult(o); ok {
		if a.Unwrap == nil {
			a.Unwrap = format.Unwrap(r.summary.Format)
		}
		a.After = a.After || format.AnswersAfter(r.summary.Format)
		r.book.answered(a, s)
		return true
	}
	if r.functionResponse(o, s) {
		return true
	}
	r.editorParts(o, s)
	return r.event(o, s)
}

// functionResponse takes a result as the Gemini API has it. One that names no call is not read.
func (r *Reader) functionResponse(o rawjson.Object, s scope) bool {
	f := o.Get("functionResponse").Object()
	content := f.Get("response")
	if content == nil {
		return false
	}
	a := format.Result{ID: f.Text("id")}
	if e := content.Object().Get("error"); e != nil {
		a.IsError, a.Flagged = true, true
	}
	for _, key := range []string{"result", "output", "content", "error"} {
		if inner := content.Object().Get(key); inner != nil {
			content = inner
			break
		}
	}
	if a.Content = content; a.ID != "" {
		r.book.answered(a, s)
	}
	return true
}

// made takes a call of any tool.
func (r *Reader) made(m format.Call, s scope) {
	input, whole := inputOf(m.Input)
	made := &Call{
		ID: m.ID, Session: s.session, Turn: s.turn, Time: s.time, When: s.when, Model: s.model, Side: s.side,
		Tool: m.Name, places: r.places, dir: workingDir(input.Object(), s.dir), Input: json.RawMessage(input), Source: r.book.record.at,
	}
	ours := r.isOurs(made, whole)
	if isMemoryName(m.Name) && m.Input.IsString() && m.Input.Text() == "" {
		return // a stream announces the start of a call
	}
	if !ours {
		r.boundaries.uses(m.Name, nil, s)
		r.book.record.latest[m.ID] = nil
		if isMemoryName(m.Name) {
			r.book.other(m, s)
		} else {
			r.summary.Tools[m.Name]++
		}
		return
	}
	if m.Again && r.book.told(m.ID, s) {
		return
	}
	if r.book.record.whole && !s.inside {
		made.Turn = r.book.record.count + 1 // the answer to the conversation
		s.turn = made.Turn
	}
	made.Cut = !whole && made.Family == Memory
	r.book.add(made, s)
	r.boundaries.uses(m.Name, r.book.record.latest[m.ID], s)
}

// inputOf is the input as an object; of one that came as a string the text of that. whole is
// false for what is not an object.
func inputOf(v rawjson.Value) (input rawjson.Value, whole bool) {
	if v.IsString() {
		text := rawjson.Value(bytes.TrimSpace(v.TextBytes()))
		if text.IsObject() && rawjson.Valid(text) {
			return text, true
		}
		return v, false
	}
	return v, v.IsObject()
}

// isOurs reports whether a call is one on a memory, and sets its family. A name alone is not proof.
func (r *Reader) isOurs(c *Call, whole bool) bool {
	input := rawjson.Value(c.Input)
	o := input.Object()
	if isMemoryName(c.Tool) {
		if whole && !isCommand(o.Text("command")) || !whole && !strings.Contains(input.Text(), `"command"`) {
			return false
		}
		r.places.note(folder{kind: ownMemory})
		return true
	}
	does := format.FileTool(c.Tool)
	if does == format.NoFiles {
		return false
	}
	c.Family = Files
	if does == format.Shell {
		c.Family = Shell
	}
	at, found := r.places.locate(filePath(o), c.dir)
	if does == format.Shell || does.Several() {
		at, found = c.firstFolder()
	}
	if found {
		r.places.note(at)
	}
	return found || does == format.Shell && namesFolder(c.CommandLine(), len(r.options.Folders) == 0)
}

// namesFolder reports a command that names a memory folder, or may change instruction files.
func namesFolder(command string, instructed bool) bool {
	return memoryFolder.MatchString(command) || instructed && changesInstructions().MatchString(command)
}

// filePath is the path in the input of a tool for files, as different programs name it.
func filePath(o rawjson.Object) string {
	return o.First("file_path", "path", "filePath", "absolute_path", "target_file")
}

// commandLine is the command in the input of a shell, which may be a list of words.
func commandLine(o rawjson.Object) string {
	v := o.Get("command")
	if v == nil {
		v = o.Get("cmd")
	}
	if v.IsString() {
		if m := shellWord().FindStringSubmatch(v.Text()); m != nil {
			return strings.ReplaceAll(m[1], `'\''`, "'")
		}
		return v.Text()
	}
	var words []string
	v.Each(func(e rawjson.Value) { words = append(words, e.Text()) })
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// shellWord finds a command that codex exec prints with the shell around it: bash -lc '…'.
var shellWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:/\S*/)?(?:ba|z)?sh -l?c '((?:[^']|'\\'')*)'$`)
})

// workingDir is the folder in which a command runs, where its input names one.
func workingDir(o rawjson.Object, dir string) string {
	own := ""
	if o.Get("command") != nil || o.Get("cmd") != nil {
		own = o.First("workdir", "dir_path", "directory", "cwd")
	}
	if own == "" || dir == "" || strings.HasPrefix(own, "/") || strings.HasPrefix(own, "~") || drive(strings.ReplaceAll(own, `\`, "/")) {
		return cmp.Or(own, dir)
	}
	return strings.TrimSuffix(dir, "/") + "/" + own
}

// CommandLine is the command of a call of a shell.
func (c *Call) CommandLine() string { return commandLine(rawjson.Value(c.Input).Object()) }

func isMemoryName(name string) bool {
	return name == "memory" || strings.HasSuffix(name, "_memory") || strings.HasSuffix(name, "-memory") ||
		strings.HasSuffix(name, "0mcp0memory") // of Cline
}

func isCommand(name string) bool {
	switch name {
	case memstore.CmdView, memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert, memstore.CmdDelete, memstore.CmdRename:
		return true
	}
	return false
}

// AgentPath is the path in the store of a call of a file tool; "" for any other.
func (c *Call) AgentPath() string {
	if c.Family != Files {
		return ""
	}
	if list, _ := c.edits(); len(list) > 0 {
		return list[0].Path
	}
	return c.places.agentPath(filePath(rawjson.Value(c.Input).Object()), c.dir)
}

// keptResult is what is kept of a result.
func keptResult(a format.Result) *Result {
	res := &Result{Raw: json.RawMessage(a.Content), IsError: a.IsError, Flagged: a.Flagged, plain: a.Plain, after: a.After}
	if a.Content == nil || string(a.Content) == "null" {
		res.Raw = json.RawMessage(`""`)
	}
	res.Text = format.ContentText(rawjson.Value(res.Raw))
	if a.Unwrap != nil {
		text, failed, told := a.Unwrap(res.Text)
		if res.Text = text; told {
			res.IsError, res.Flagged = failed || a.Flagged && a.IsError, true
		}
	}
	if !res.Flagged && !a.Omitted {
		res.IsError = soundsFailed(res.Text)
	}
	return res
}

// editorParts takes what only chat in VS Code has: results by the id of their call, and the calls of
// a chat replay, which have both. Walking continues: the calls are beside the results.
func (r *Reader) editorParts(o rawjson.Object, s scope) {
	for _, f := range o.Get("toolCallResults").Object() {
		content := f.Val.Object().Get("content")
		if content == nil {
			continue
		}
		r.book.orphan(format.Result{ID: f.Key, Content: content})
	}
	if c, ok := format.ReplayedCall(o); ok && c.Input != nil {
		r.made(c, s)
		if response := o.Get("response"); response != nil {
			r.book.answered(format.Result{ID: c.ID, Content: response}, s)
		}
	}
}
