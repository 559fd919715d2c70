package transcript

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"regexp"
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
)

// Around reads what was said around a call in its transcript, oldest first: in its record, and in those within 512 KB of it.
func Around(from io.Reader, c *Call) ([]Said, error) {
	start := max(0, c.Source.Offset-aroundBytes)
	in, done, err := unpacked(bufio.NewReaderSize(from, headSize))
	defer done()
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, in, start); err != nil {
		return nil, err
	}
	before := make([]byte, c.Source.Offset-start)
	if _, err := io.ReadFull(in, before); err != nil {
		return nil, err
	}
	if start > 0 { // it begins somewhere in a line
		_, before, _ = bytes.Cut(before, []byte{'\n'})
	}
	r, v := NewReader(nil), &voices{}
	r.voices, r.look, r.near = v, newFinder(nil, nil), math.MaxInt // every line
	r.block(before)
	record := len(v.list)
	after, err := io.ReadAll(io.LimitReader(in, MaxRecord))
	if err != nil {
		return nil, err
	}
	whole := false
	split(after[:valueEnd(after, min(len(after), skipSpace(after, 0)))], func(e value, _ int) { // it may be spread over lines
		whole = true
		r.record(e)
		after = after[len(e):]
	})
	if end := bytes.IndexByte(after, '\n'); whole && end >= 0 {
		after = after[end+1:]
	}
	r.block(after[:min(len(after), aroundBytes)])
	r.endStreams()
	r.endChat()
	return v.around(c, record), nil
}

// voices collects what a reader meets that was said, in its order.
type voices struct{ list []Said }

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
	v.list = append(v.list, s)
}

// escapes are characters as a program writes them that keeps JSON in ASCII.
var escapes = regexp.MustCompile(`(\\u[0-9a-fA-F]{4})+`)

// call takes a call of any tool.
func (v *voices) call(m made) {
	input := string(m.input)
	if m.input.isString() {
		input = m.input.text()
	}
	input = escapes.ReplaceAllStringFunc(input, func(s string) string { return value(`"` + s + `"`).text() })
	v.add(Said{Who: "assistant", Text: input, Tool: m.name, ID: m.id})
}

// hear takes the texts of an object. who is the role of the message that it is, or is a part of; "" outside of messages.
func (v *voices) hear(o object, who string) {
	if who != "" {
		v.add(Said{Who: who, Text: o.at("text|thinking|reasoning|content").text()})
		return
	}
	v.add(Said{Who: "user", Text: o.text("prompt")})
	v.add(Said{Who: "user", Text: o.at("message.text").text()})
	if o.get("toolCalls").isArray() {
		v.add(Said{Who: "assistant", Text: o.text("response")})
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
