package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// Said is one thing that was said, or one call that was made, near a call.
type Said struct {
	Who  string // role: user, assistant, system; "" where the transcript has none
	Text string
	Tool string // of a call: the tool's name; Text is then its input
	ID   string // of a call
	Here bool   // the call that was asked about
}

// How much of a transcript is looked at around a call, in bytes, and how many things said are kept.
const (
	aroundBytes = 512 << 10
	saidBefore  = 8
	saidAfter   = 6
	saidUpTo    = 8 << 10 // of one text
)

// Around reads what was said around a call in its transcript, oldest first: in its record, and in those within 512 KB of it. A packed
// transcript is unpacked up to the call.
func Around(from io.Reader, c *Call) ([]Said, error) {
	start := max(0, c.Source.Offset-aroundBytes)
	in, plain, done, err := unpacked(from)
	defer done()
	if err != nil {
		return nil, err
	}
	rest := io.Reader(in)
	if f, ok := from.(io.Seeker); ok && plain {
		_, err = f.Seek(start, io.SeekStart)
		rest = from
	} else {
		_, err = io.CopyN(io.Discard, in, start)
	}
	if err != nil {
		return nil, err
	}
	before := make([]byte, c.Source.Offset-start)
	if _, err := io.ReadFull(rest, before); err != nil {
		return nil, err
	}
	if start > 0 { // it begins somewhere in a line
		_, before, _ = bytes.Cut(before, []byte{'\n'})
	}
	var v voices
	v.lines(before)
	record := len(v.list)
	after, err := io.ReadAll(io.LimitReader(rest, MaxRecord))
	if err != nil && !errors.Is(err, errBomb) {
		return nil, err
	}
	whole := false
	split(after[:valueEnd(after, min(len(after), skipSpace(after, 0)))], func(e value, _ int) { // it may be spread over lines
		whole = true
		v.walk(e, 0)
		after = after[len(e):]
	})
	if end := bytes.IndexByte(after, '\n'); whole && end >= 0 {
		after = after[end+1:]
	}
	v.lines(after[:min(len(after), aroundBytes)])
	return v.around(c, record), nil
}

// voices collects what is said in records of all formats, in their order.
type voices struct{ list []Said }

func (v *voices) lines(text []byte) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimPrefix(bytes.TrimSpace(line), []byte("data:"))
		v.walk(validated(string(line)), 0)
	}
}

// add takes a thing said; empty ones are dropped, and calls that are told again.
func (v *voices) add(s Said) {
	s.Text = strings.TrimSpace(s.Text)
	if s.Text == "" && s.Tool == "" {
		return
	}
	for _, t := range v.list[max(0, len(v.list)-saidBefore):] {
		if s.Tool != "" && s.ID != "" && t.ID == s.ID && t.Text == s.Text {
			return
		}
	}
	if len(s.Text) > saidUpTo {
		s.Text = strings.ToValidUTF8(s.Text[:saidUpTo], "") + "…"
	}
	v.list = append(v.list, s)
}

// walk goes to what is said in a value.
func (v *voices) walk(e value, depth int) {
	if depth > maxDepth {
		return
	}
	e.each(func(e value) { v.walk(e, depth+1) })
	o := e.object()
	if m, _, ok := callIn(o); ok {
		input := string(m.input)
		if m.input.isString() {
			input = m.input.text()
		}
		v.add(Said{Who: "assistant", Text: input, Tool: m.name, ID: m.id})
		return
	}
	if who := speaker(o); who != "" {
		v.message(who, o, depth)
		return
	}
	if resultIn(o) != nil {
		return
	}
	v.add(Said{Who: "user", Text: o.text("prompt")})
	v.add(Said{Who: "user", Text: o.at("message.text").text()})
	if o.get("toolCalls").isArray() {
		v.add(Said{Who: "assistant", Text: o.text("response")})
	}
	for _, late := range []bool{false, true} { // as the calls are read
		for _, m := range o {
			switch {
			case leftOut[m.key] || answers[m.key] != late:
			case bodies[m.key] && m.val.isString():
				if body := m.val.text(); strings.Contains(body, "data:") {
					v.lines([]byte(body))
				} else {
					v.walk(validated(body), depth+1)
				}
			default:
				v.walk(m.val, depth+1)
			}
		}
	}
}

// roles are what frameworks call the roles.
var roles = map[string]string{
	"human": "user", "ai": "assistant", "HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system",
	"request": "user", "response": "assistant",
}

// speaker is the role of a message; "" for other objects.
func speaker(o object) string {
	switch who := o.text("role"); {
	case who != "" && o.at("content|parts|tool_calls") != nil:
		return who
	case o.get("parts").isArray():
		return roles[o.text("kind")]
	case o.get("lc") != nil:
		class := ""
		o.get("id").each(func(e value) { class = e.text() })
		return roles[class]
	case o.get("data").isObject(), o.get("content") != nil:
		return roles[o.text("type")]
	}
	return ""
}

func (v *voices) message(who string, o object, depth int) {
	if who == "tool" {
		return // a result
	}
	if inner := o.at("data|kwargs"); inner.isObject() {
		o = inner.object()
	}
	for _, key := range []string{"content", "parts"} {
		v.add(Said{Who: who, Text: o.text(key)})
		o.get(key).each(func(b value) {
			block := b.object()
			if text := block.first("text", "thinking", "reasoning", "content"); text != "" && resultIn(block) == nil {
				v.add(Said{Who: who, Text: text})
				return
			}
			v.walk(b, depth+1)
		})
	}
	v.walk(o.get("tool_calls"), depth+1)
}

// around keeps what stands around a call: the first one in its record, which begins at a number of things said, else the first of all. Logs
// repeat the history.
func (v *voices) around(c *Call, record int) []Said {
	at := -1
	for i, s := range v.list {
		if s.Tool != "" && s.ID == c.ID && (at < 0 || i >= record && (at < record || s.Text == string(c.Input) && v.list[at].Text != s.Text)) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	list := v.list[max(0, at-saidBefore):min(len(v.list), at+1+saidAfter)]
	list[min(at, saidBefore)].Here = true
	return list
}
