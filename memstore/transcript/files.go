package transcript

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// fileInput is the input of a tool that reads or changes one file.
type fileInput struct {
	Content       string
	Edits         []fileEdit
	Offset, Limit int
}

type fileEdit struct {
	OldString, NewString string
	All                  bool
}

// fileExtra is what Claude Code records about a file beside the result.
type fileExtra struct {
	OriginalFile *string // the file before; nil where it says nothing, or there was none
	Content      *string
	NewString    *string
	UserModified bool
	File         *fileRead
}

type fileRead struct {
	Content                         string
	NumLines, StartLine, TotalLines int
}

// fileParts takes input and result of a call apart; each text is decoded once, since it may be long. Programs have different
// names for the same.
func (c *Call) fileParts() (in fileInput, extra fileExtra, ok bool) {
	if !rawjson.Value(c.Input).IsObject() {
		return in, extra, false
	}
	o := rawjson.Value(c.Input).Object()
	in = fileInput{Content: o.First("content", "file_text", "contents"), Limit: o.Number("limit")}
	in.Offset = max(o.Number("offset"), o.Number("start_line"), o.Number("end_line"))
	if format.FileTool(c.Tool) == format.Edits {
		in.Edits = []fileEdit{editOf(o)}
	}
	o.Get("edits").Each(func(v rawjson.Value) { in.Edits = append(in.Edits, editOf(v.Object())) })
	return in, extraOf(rawjson.Value(c.extra).Object()), true
}

func editOf(o rawjson.Object) fileEdit {
	all := false
	for _, key := range []string{"replace_all", "replaceAll", "allow_multiple"} {
		all = all || o.Get(key).IsTrue()
	}
	return fileEdit{o.First("old_string", "oldString", "old_str"), o.First("new_string", "newString", "new_str"), all}
}

func extraOf(o rawjson.Object) (extra fileExtra) {
	optional := func(keys ...string) *string {
		for _, key := range keys {
			if v := o.Get(key); v.IsString() {
				text := v.Text()
				return &text
			}
		}
		return nil
	}
	extra = fileExtra{
		OriginalFile: optional("originalFile", "originalFileContents"), Content: optional("content"), // the other name is MultiEdit's
		NewString: optional("newString"), UserModified: o.Get("userModified").IsTrue(),
	}
	if f := o.Get("file").Object(); f != nil {
		extra.File = &fileRead{Content: f.Text("content"), NumLines: f.Number("numLines"), StartLine: f.Number("startLine"),
			TotalLines: f.Number("totalLines")}
	}
	return extra
}

// before is the file before the call, as the result shows it; known is false where it
// says nothing, data nil where the file did not exist.
func (c *Call) before() (data *string, known bool) {
	in, extra, ok := c.fileParts()
	if !ok {
		return nil, false
	}
	return c.beforeOf(in, extra)
}

// FileBefore is the file before a call of a file tool, as its result shows it. known is false where that does not show all of it, exists
// is false where there was none. A read leaves the last newline out; it is added.
func (c *Call) FileBefore() (data string, exists, known bool) {
	before, known := c.before()
	if !known || before == nil {
		return "", false, known
	}
	if data = *before; format.FileTool(c.Tool) == format.Reads && data != "" && !strings.HasSuffix(data, "\n") {
		data += "\n"
	}
	return data, true, true
}

// beforeOf is before for those who have the parts.
func (c *Call) beforeOf(in fileInput, extra fileExtra) (data *string, known bool) {
	if c.Result == nil || c.Result.IsError {
		return nil, false
	}
	if f := extra.File; format.FileTool(c.Tool) == format.Reads && f != nil {
		whole := f.StartLine <= 1 && f.NumLines >= f.TotalLines
		return &f.Content, whole
	}
	o := rawjson.Value(c.extra).Object()
	switch {
	case format.FileTool(c.Tool) == format.Reads:
		return in.shown(c.Result)
	case extra.OriginalFile != nil:
		return extra.OriginalFile, true
	case o.Get("originalFile") == nil:
		return nil, false
	}
	return nil, format.FileTool(c.Tool) == format.Writes || len(in.Edits) > 0 && in.Edits[0].OldString == ""
}

// mostRead is how many lines a read shows where no limit is given.
const mostRead = 2000

// shownLines finds the numbered lines of a file that is shown from its first line on.
var shownLines = regexp.MustCompile(`(?s)<content lines="1-\d+">\n(.*)</content>`)

// shortened begins a file of which Gemini CLI shows a part.
const shortened = "IMPORTANT: The file content has been truncated."

// reminder begins what is put behind the lines of a file for the agent.
const reminder = "\n<system-reminder>"

// shown is the file that the text of a read shows, where it is the whole one: its lines behind their numbers.
func (in fileInput) shown(r *Result) (data *string, whole bool) {
	text := r.Text
	if in.Offset > 1 || in.Limit > 0 {
		return nil, false
	}
	if part := shownLines.FindStringSubmatch(text); part != nil { // Roo Code's
		data, ok := numberedText(strings.TrimSuffix(part[1], "\n"), " | ", "")
		shown := string(data)
		return &shown, ok
	}
	if r.plain {
		return &text, !strings.HasPrefix(strings.TrimLeft(text, "\n"), shortened)
	}
	if at := strings.Index(text, reminder); at >= 0 {
		text = text[:at]
	}
	text = strings.TrimRight(text, "\n")
	if strings.Count(text, "\n")+1 >= mostRead {
		return nil, false
	}
	for _, between := range []string{"\u2192", "\t"} {
		if data, ok := numberedText(text, between, ""); ok {
			shown := string(data)
			return &shown, true
		}
	}
	return nil, false
}

// file carries out a call of a file tool and judges it by what was recorded of the file's content.
func (p *Replay) file(s *Step) {
	if does := format.FileTool(s.Tool); does.Several() {
		p.carry(s)
		return
	}
	in, extra, ok := s.fileParts()
	s.Path = s.AgentPath()
	s.touched = []touch{{path: s.Path}}
	name, err := memstore.ParsePath(s.Path)
	if !ok || err != nil {
		s.Verdict, s.Detail = NotReplayable, "the path leaves the memory folder"
		return
	}
	switch {
	case s.Result == nil:
		s.Verdict = NoResult
	case isCleared(s.Result.Text):
		s.Verdict = Cleared
	case s.Result.IsError:
		s.Verdict, s.Detail = Identical, "failed; changed nothing"
		return
	default:
		p.compareBefore(s, name, in, extra)
	}
	if format.FileTool(s.Tool) == format.Reads || p.tookFinal(s) {
		return
	}
	var now []byte
	exists := false
	if format.FileTool(s.Tool) != format.Writes {
		var err error
		now, err = p.content(name)
		exists = err == nil
	}
	next, fits := in.apply(now, exists, format.FileTool(s.Tool), extra)
	if !fits {
		if s.Result != nil {
			s.Verdict, s.Detail = Divergent, "succeeded in the recording; old_string is not in the file here"
		}
		return
	}
	p.put(name, next)
	if format.FileTool(s.Tool) == format.Writes {
		delete(p.loose, name)
	}
}

// compareBefore judges by the recorded content before the call, and continues from that: it is the
// whole file.
func (p *Replay) compareBefore(s *Step, name string, in fileInput, extra fileExtra) {
	s.Verdict = Identical
	recorded, known := s.beforeOf(in, extra)
	s.whole = known
	if !known {
		return
	}
	if p.holds(name, recorded) {
		return
	}
	if now, err := p.content(name); recorded != nil && err == nil {
		if format.FileTool(s.Tool) == format.Reads && strings.TrimRight(string(now), "\n") == strings.TrimRight(*recorded, "\n") {
			return // a read leaves the last newline out
		}
		if p.loose[name] && string(now)+"\n" == *recorded {
			p.put(name, []byte(*recorded))
			return
		}
	}
	s.Verdict, s.Detail = Drift, "the file changed outside this transcript"
	if recorded == nil {
		_ = p.backend.Remove(name) // it exists
		return
	}
	p.put(name, []byte(*recorded))
	p.loose[name] = format.FileTool(s.Tool) == format.Reads
}

// holds reports whether a file is what was recorded, nil for none. It copies nothing: files may be long.
func (p *Replay) holds(name string, recorded *string) bool {
	f, err := p.backend.Open(name, memstore.Look)
	if err != nil || recorded == nil {
		return err != nil && recorded == nil
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil || info.Size != int64(len(*recorded)) {
		return false
	}
	var part [32 << 10]byte
	for at := 0; at < len(*recorded); {
		n, err := f.ReadAt(part[:min(len(part), len(*recorded)-at)], int64(at))
		if n == 0 || err != nil && !errors.Is(err, io.EOF) || string(part[:n]) != (*recorded)[at:at+n] {
			return false
		}
		at += n
	}
	return true
}

// apply is the content of the file after the call.
func (in fileInput) apply(now []byte, exists bool, tool format.Does, extra fileExtra) (next []byte, fits bool) {
	if tool == format.Writes {
		if extra.UserModified && extra.Content != nil {
			return []byte(*extra.Content), true
		}
		return []byte(in.Content), true
	}
	if extra.UserModified && extra.NewString != nil && len(in.Edits) == 1 {
		in.Edits[0].NewString = *extra.NewString
	}
	next, fits = now, len(in.Edits) > 0
	for _, e := range in.Edits {
		if next, fits = replaced(next, exists, e.OldString, e.NewString, e.All); !fits {
			return nil, false
		}
		exists = true
	}
	return next, fits
}

func replaced(text []byte, exists bool, old, text2 string, all bool) ([]byte, bool) {
	if old == "" {
		return []byte(text2), !exists || len(text) == 0
	}
	if !exists || !bytes.Contains(text, []byte(old)) {
		return nil, false
	}
	n := 1
	if all {
		n = -1
	}
	return bytes.Replace(text, []byte(old), []byte(text2), n), true
}
