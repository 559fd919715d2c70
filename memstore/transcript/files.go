package transcript

import (
	"bytes"
	"encoding/json"
	"strings"

	"memcurator/memstore"
)

// fileInput is the input of Write, Edit and MultiEdit.
type fileInput struct {
	Content   string `json:"content"`
	OldString string `json:"old_string"`
	NewString string `json:"new_string"`
	All       bool   `json:"replace_all"`
	Edits     []struct {
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
		All       bool   `json:"replace_all"`
	} `json:"edits"`
}

// fileExtra is what Claude Code tells of a file beside the result.
type fileExtra struct {
	OriginalFile *string `json:"originalFile"`
	Contents     *string `json:"originalFileContents"` // the same of MultiEdit
	Content      *string `json:"content"`
	NewString    *string `json:"newString"`
	UserModified bool    `json:"userModified"`
	File         *struct {
		Content    string `json:"content"`
		NumLines   int    `json:"numLines"`
		StartLine  int    `json:"startLine"`
		TotalLines int    `json:"totalLines"`
	} `json:"file"`
}

func (c *Call) fileParts() (in fileInput, extra fileExtra, ok bool) {
	if json.Unmarshal(c.Input, &in) != nil {
		return in, extra, false
	}
	if value(c.extra).isObject() && json.Unmarshal(c.extra, &extra) != nil {
		extra = fileExtra{}
	}
	if extra.OriginalFile == nil {
		extra.OriginalFile = extra.Contents
	}
	return in, extra, true
}

// before is what the result tells of the file as it was before the call; known is false where it
// tells nothing, data nil where the file did not exist.
func (c *Call) before() (data []byte, known bool) {
	in, extra, ok := c.fileParts()
	if !ok || c.Result == nil || c.Result.IsError {
		return nil, false
	}
	if f := extra.File; fileTool(c.Tool) == toolRead && f != nil {
		whole := f.StartLine <= 1 && f.NumLines >= f.TotalLines
		return []byte(f.Content), whole
	}
	o := value(c.extra).object()
	switch {
	case fileTool(c.Tool) == toolRead:
		return nil, false
	case extra.OriginalFile != nil:
		return []byte(*extra.OriginalFile), true
	case o.get("originalFile") == nil:
		return nil, false
	}
	return nil, fileTool(c.Tool) == toolWrite || in.OldString == ""
}

// file carries out a call of a file tool and judges it by what was recorded of the file's content.
func (p *Replay) file(s *Step) {
	in, extra, ok := s.fileParts()
	s.Path = s.AgentPath()
	name, err := memstore.ParsePath(s.Path)
	if !ok || err != nil {
		s.Verdict, s.Detail = NotReplayable, "the path leads out of the memory folder"
		return
	}
	switch {
	case s.Result == nil:
		s.Verdict = NoResult
	case isCleared(s.Result.Text):
		s.Verdict = Cleared
	case s.Result.IsError:
		s.Verdict, s.Detail = Identical, "failed; nothing was changed"
		return
	default:
		p.compareBefore(s, name)
	}
	if fileTool(s.Tool) == toolRead {
		return
	}
	now, err := p.content(name)
	next, fits := in.apply(now, err == nil, fileTool(s.Tool), extra)
	if !fits {
		if s.Result != nil {
			s.Verdict, s.Detail = Divergent, "recorded as done, and old_string is not in the file here"
		}
		return
	}
	p.put(name, next)
	delete(p.loose, name)
}

// compareBefore judges by the recorded content before the call, and goes on from that: it is the
// whole file as it was.
func (p *Replay) compareBefore(s *Step, name string) {
	s.Verdict = Identical
	recorded, known := s.before()
	if !known {
		return
	}
	now, err := p.content(name)
	switch {
	case recorded == nil && err != nil, recorded != nil && err == nil && bytes.Equal(now, recorded):
		return
	case recorded != nil && err == nil && fileTool(s.Tool) == toolRead && strings.TrimRight(string(now), "\n") == strings.TrimRight(string(recorded), "\n"):
		return // a read leaves the last newline out
	case recorded != nil && err == nil && p.loose[name] && string(now)+"\n" == string(recorded):
		p.put(name, recorded)
		return
	}
	s.Verdict, s.Detail = Drift, "the file was changed outside of the transcript"
	if recorded == nil {
		_ = p.backend.Remove(name) // it exists
		return
	}
	p.put(name, recorded)
	p.loose[name] = fileTool(s.Tool) == toolRead
}

// apply is the content of the file after the call.
func (in fileInput) apply(now []byte, exists bool, tool string, extra fileExtra) (next []byte, fits bool) {
	if tool == toolWrite {
		if extra.UserModified && extra.Content != nil {
			return []byte(*extra.Content), true
		}
		return []byte(in.Content), true
	}
	if extra.UserModified && extra.NewString != nil {
		in.NewString = *extra.NewString
	}
	if tool == toolEdit {
		return replaced(now, exists, in.OldString, in.NewString, in.All)
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
