package transcript

import (
	"bytes"
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

// Around reads what was said around a call in the transcript that it was found in, oldest first. A
// transcript that is packed is unpacked up to that place. What the call answers and what it thought
// stands in other records; those within 512 KB are looked at.
func Around(from io.ReadSeeker, c *Call) ([]Said, error) {
	start := max(0, c.Source.Offset-aroundBytes)
	in, err := unpacked(from)
	defer in.free()
	if err != nil {
		return nil, err
	}
	if err := skip(in, start); err != nil {
		return nil, err
	}
	record := c.Source.Offset - start
	data, err := io.ReadAll(io.LimitReader(in, record+MaxRecord))
	if err != nil {
		return nil, err
	}
	if start > 0 { // somewhere in a line
		if at := bytes.IndexByte(data, '\n'); at >= 0 && int64(at) < record {
			data, record = data[at+1:], record-int64(at)-1
		}
	}
	return focus(collect(data, int(min(record, int64(len(data))))), c.ID), nil
}

// skip goes on to an offset of the text.
func skip(in io.Reader, n int64) error {
	_, err := io.CopyN(io.Discard, in, n)
	return err
}

// collect takes what is said in the records of data; the one at offset may be spread over lines.
func collect(data []byte, offset int) []Said {
	var list []Said
	for line := range bytes.Lines(data[:offset]) {
		said(&list, trimmed(bytes.TrimSpace(line)), 0)
	}
	rest := data[offset:]
	line, after, _ := bytes.Cut(rest, []byte{'\n'})
	if !valid(bytes.TrimSpace(line)) {
		values(rest, func(v value, _ int) { said(&list, v, 0) })
		return list
	}
	said(&list, bytes.TrimSpace(line), 0)
	for line := range bytes.Lines(after[:min(len(after), aroundBytes)]) {
		said(&list, trimmed(bytes.TrimSpace(line)), 0)
	}
	return list
}

// said walks to the messages of a record.
func said(list *[]Said, v value, depth int) {
	if depth > deepest || len(v) == 0 {
		return
	}
	if v.isArray() {
		v.each(func(e value) { said(list, e, depth+1) })
		return
	}
	if !v.isObject() || depth == 0 && !valid(v) {
		return
	}
	o := v.object()
	if who := o.text("role"); who != "" && o.get("content") != nil {
		message(list, who, o)
		return
	}
	for _, f := range o {
		if !leftOut[f.key] && (f.val.isObject() || f.val.isArray()) {
			said(list, f.val, depth+1)
		}
	}
}

func message(list *[]Said, who string, o object) {
	add := func(s Said) {
		if s.Text = strings.TrimSpace(s.Text); s.Text == "" && s.Tool == "" {
			return
		}
		if len(s.Text) > saidUpTo {
			s.Text = strings.ToValidUTF8(s.Text[:saidUpTo], "") + "…"
		}
		s.Who = who
		*list = append(*list, s)
	}
	content := o.get("content")
	if who == "tool" {
		return // a result
	}
	add(Said{Text: content.text()})
	content.each(func(b value) {
		block := b.object()
		if m, ok := callShape(block); ok {
			add(Said{Text: string(m.input), Tool: m.name, ID: m.id})
			return
		}
		switch block.text("type") {
		case "text", "thinking", "reasoning":
			add(Said{Text: block.first("text", "thinking", "reasoning")})
		}
	})
	o.get("tool_calls").each(func(e value) {
		if m, ok := callShape(e.object()); ok {
			add(Said{Text: m.input.text(), Tool: m.name, ID: m.id})
		}
	})
}

// focus keeps what stands around the last telling of a call, without what is told again: logs
// repeat the history.
func focus(list []Said, id string) []Said {
	at := -1
	for i, s := range list {
		if s.ID == id && s.Tool != "" {
			at = i
			break
		}
	}
	if at < 0 {
		return nil
	}
	list[at].Here = true
	return list[max(0, at-saidBefore):min(len(list), at+1+saidAfter)]
}
