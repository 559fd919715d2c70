package transcript

import (
	"strings"
)

// pathOp is what an edit does.
type pathOp uint8

// The operations.
const (
	alter  pathOp = iota // Change makes the file, or gives it other content
	remove               // of a file
	move                 // from Path to To
)

// pathEdit is what a call does to one path.
type pathEdit struct {
	Op       pathOp
	Path, To string
	// Change is the content after the edit; false: it doesn't fit the content before. exists is false if there is no file. nil: the
	// transcript doesn't say what was written.
	Change func(before string, exists bool) (after string, fits bool)
	// Whole says that Change needs nothing of what was there.
	Whole bool
}

// write is an edit that gives a file its content, whatever it had.
func write(path, text string) pathEdit {
	return pathEdit{Path: path, Whole: true, Change: func(string, bool) (string, bool) { return text, true }}
}

// disk is what a call of a tool for files does, on disk paths: its edits, or the file that it shows.
func (c *Call) disk() (list []pathEdit, shown string) {
	o, extra := value(c.Input).object(), value(c.extra).object()
	modified := string(extra.get("userModified")) == "true" // what the user made of it counts
	switch c.does() {
	case reads:
		return nil, filePath(o)
	case commands:
		return parseShell(c.CommandLine())
	case patches:
		text := value(c.Input).text()
		if o != nil {
			text = o.at("input|patch|patchText").text()
		}
		list = parsePatch(text)
	case deletes:
		list = []pathEdit{{Op: remove, Path: filePath(o)}}
	case writes:
		text := o.at("content|file_text|contents")
		if modified && extra.get("content").isString() {
			text = extra.get("content")
		}
		e := pathEdit{Path: filePath(o)}
		if text.isString() {
			e.Whole, e.Change = true, func(string, bool) (string, bool) { return text.text(), true }
		}
		list = []pathEdit{e}
	case edits:
		list = []pathEdit{{Path: filePath(o), Change: func(before string, exists bool) (string, bool) {
			all := replacements(o)
			if modified && extra.get("newString").isString() && len(all) == 1 {
				all[0].after = extra.text("newString")
			}
			fits := len(all) > 0
			for _, r := range all {
				if before, fits = r.in(before, exists); !fits {
					return "", false
				}
				exists = true
			}
			return before, fits
		}}}
	}
	return list, ""
}

// replacement is one text in place of another.
type replacement struct {
	before, after string
	all           bool
}

// replacements are those of an edit of a file, in the names that different programs have.
func replacements(o object) (list []replacement) {
	of := func(o object) replacement {
		return replacement{o.at("old_string|oldString|old_str").text(), o.at("new_string|newString|new_str").text(),
			string(o.at("replace_all|replaceAll|allow_multiple")) == "true"}
	}
	if edits := o.get("edits"); edits != nil {
		edits.each(func(v value) { list = append(list, of(v.object())) })
		return list
	}
	return []replacement{of(o)}
}

func (r replacement) in(text string, exists bool) (string, bool) {
	switch {
	case r.before == "":
		return r.after, !exists || text == ""
	case !exists || !strings.Contains(text, r.before):
		return "", false
	case r.all:
		return strings.ReplaceAll(text, r.before, r.after), true
	}
	return strings.Replace(text, r.before, r.after, 1), true
}

// edits is what a call does to files of the memory, on agent paths: its edits, or the file that it shows. known is false if some of the
// edits are not in the input.
func (c *Call) edits() (list []pathEdit, shown string, known bool) {
	known = true
	disk, read := c.disk()
	for _, e := range disk {
		from, to := c.places.agentPath(e.Path, c.dir), c.places.agentPath(e.To, c.dir)
		switch {
		case from == "" && to == "":
			continue
		case e.Op == alter && e.Change == nil, from == "":
			known = false
		case e.Op == move && to == "": // it leaves the memory
			e.Op = remove
		}
		if e.Path, e.To = from, to; from == "" {
			e.Path = to
		}
		list = append(list, e)
	}
	return list, c.places.agentPath(read, c.dir), known && len(list) > 0
}

// reads reports a call that shows a file and changes none.
func (c *Call) reads() bool {
	_, shown := c.disk()
	return shown != ""
}

// shows reports whether the result of a call can show the content of a file at all: it is there and not cleared, no refusal, and not a note
// about the output in place of it.
func (c *Call) shows() bool {
	r := c.Result
	if r == nil || r.IsError || isCleared(r.Text) || value(c.extra).object().text("type") == "file_unchanged" {
		return false
	}
	for _, begin := range []string{"<persisted-output>", "Wasted call", "File unchanged since", "File content unchanged",
		"Command running in background", "<system-reminder>", "The user doesn't want to", "[Request interrupted"} {
		if strings.HasPrefix(strings.TrimSpace(r.Text), begin) {
			return false
		}
	}
	return true
}

// FileBefore is the file before a call of a tool for files, as its result shows it. known is false where that does not show all of it,
// exists is false where there was none. A read leaves the last newline out; it is added.
func (c *Call) FileBefore() (data string, exists, known bool) {
	o, extra := value(c.Input).object(), value(c.extra).object()
	switch {
	case !c.shows():
		return "", false, false
	case c.does() == commands:
		data, known = c.Result.Text, c.reads() && !abridged().MatchString(c.Result.Text)
	case c.reads() && extra.get("file") != nil:
		file := extra.get("file").object()
		whole := file.number("startLine") <= 1 && file.number("numLines") >= file.number("totalLines")
		data, known = file.text("content"), whole && file.get("content").isString()
	case c.reads():
		part := max(o.number("offset"), o.number("start_line"), o.number("end_line")) > 1 || o.number("limit") > 0
		data, known = c.Result.file()
		known = known && !part
	default:
		original := extra.get("originalFile")
		if original == nil {
			original = extra.get("originalFileContents") // of MultiEdit
		}
		if original.isString() {
			return original.text(), true, true
		}
		makes := c.does() == writes && extra.text("type") != "update" || c.does() == edits && replacements(o)[0].before == ""
		return "", false, original != nil && makes
	}
	if data != "" && !strings.HasSuffix(data, "\n") {
		data += "\n"
	}
	return data, true, known
}

// mostRead is how many lines a read shows where no limit is given.
const mostRead = 2000

// shortened begins a file of which Gemini CLI shows a part.
const shortened = "IMPORTANT: The file content has been truncated."

// file is the file that the text of a read shows, where it is the whole one: its lines behind their numbers, or as they are. A reminder for
// the agent may stand behind them.
func (r *Result) file() (data string, whole bool) {
	if r.plain {
		return r.Text, !strings.HasPrefix(strings.TrimLeft(r.Text, "\n"), shortened)
	}
	text, _, _ := strings.Cut(r.Text, "\n<system-reminder>")
	text, _, _ = strings.Cut(text, "\n\n(File has ") // of Cline
	text = strings.TrimRight(text, "\n")
	if strings.Count(text, "\n")+1 >= mostRead {
		return "", false
	}
	lines, whole := numberedText(text)
	return string(lines), whole
}

// rows are the lines of a text; a last newline begins no line.
func rows(text string) []string {
	list := strings.Split(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
