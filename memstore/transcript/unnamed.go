package transcript

import (
	"strings"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// Some local servers give calls no ids: a result is that of the call of the same tool that was made first
// and has none yet.

// unnamed are the calls without ids of the newest message that has such, in their order.
type unnamed struct {
	list      []used
	answering bool // a result of them was reported: the next call is in another message
}

// unnamedCalls are the calls without ids of each session.
type unnamedCalls map[string]*unnamed

// expect notes a call without an id; c is nil for other tools than memory.
func (calls unnamedCalls) expect(session, tool string, c *Call) {
	u := calls[session]
	if u == nil {
		u = &unnamed{}
		calls[session] = u
	}
	if u.answering {
		u.list, u.answering = u.list[:0], false
	}
	u.list = append(u.list, used{tool, c})
}

// answer returns the call that a result without an id belongs to, nil if it is none of the memory; tool is "" where the
// result names none either.
func (calls unnamedCalls) answer(session, tool string) *Call {
	u := calls[session]
	if u == nil {
		return nil
	}
	u.answering = true
	for i, call := range u.list {
		if tool != "" && call.tool != tool {
			continue
		}
		u.list = append(u.list[:i:i], u.list[i+1:]...)
		return call.call
	}
	return nil
}

// wait reports whether a call of the memory waits for its result.
func (calls unnamedCalls) wait() bool {
	for _, u := range calls {
		for _, call := range u.list {
			if call.call != nil && call.call.Result == nil {
				return true
			}
		}
	}
	return false
}

// unnamedResult takes an object that is a result which names no call.
func (r *Reader) unnamedResult(o rawjson.Object, s scope) bool {
	role := o.Text("role")
	if f := o.Get("functionResponse").Object(); f.Get("response") != nil {
		content := f.Get("response")
		for _, key := range []string{"result", "output", "content", "error"} {
			if inner := content.Object().Get(key); inner != nil {
				content = inner
				break
			}
		}
		a := format.Result{ID: f.Text("id"), Content: content}
		if e := f.Get("response").Object().Get("error"); e != nil {
			a.IsError, a.Flagged = true, true
		}
		if a.ID != "" {
			r.book.answered(a, s)
			return true
		}
		r.answeredInOrder(f.Text("name"), a, s)
		return true
	}
	if (role != "tool" || o.Text("tool_call_id") != "") && role != "function" || o.Get("content") == nil || o.Get("content").IsArray() &&
		role == "tool" {
		return false
	}
	r.answeredInOrder(o.First("tool_name", "name"), format.Result{Content: o.Get("content")}, s)
	return true
}

// answeredInOrder takes a result that names no call.
func (r *Reader) answeredInOrder(tool string, a format.Result, s scope) {
	if c := r.unnamed.answer(s.session, tool); c != nil {
		r.book.give(c, a, s)
	}
}

// asking is an answer that may ask for a tool in XML, until the message after it shows whether it did.
type asking struct {
	text string
	s    scope
}

// inXML takes a message of a conversation whose calls are in XML. An element is a call if the next message has its result.
func (r *Reader) inXML(before asking, m rawjson.Value, s scope) asking {
	o := m.Object()
	s = s.within(o)
	switch o.Text("role") {
	case "assistant":
		return asking{textsOf(o.Get("content"), "\n"), s}
	case "user":
		if before.text == "" {
			return asking{}
		}
		if header, result, ok := format.Told(o.Get("content")); ok {
			if c, ok := format.Asked(before.text, header); ok {
				r.answeredCall(c, &result, before.s)
			}
		}
	}
	return asking{}
}

// unanswered takes the answer with which a conversation ends: what it asks for may have been done.
func (r *Reader) unanswered(last asking) {
	if c, ok := format.Asked(last.text, ""); ok {
		r.answeredCall(c, nil, last.s)
	}
}

// answeredCall takes a call that names no id with its result; nil: there is none.
func (r *Reader) answeredCall(c format.Call, result *format.Result, s scope) {
	delete(r.book.record.latest, "")
	r.made(c, s)
	if made := r.book.record.latest[""]; made != nil && result != nil {
		r.book.give(made, *result, s)
	}
}

// textsOf is the text of a message, or of its blocks.
func textsOf(content rawjson.Value, between string) string {
	if content.IsString() {
		return content.Text()
	}
	var list []string
	content.Each(func(b rawjson.Value) {
		if o := b.Object(); o.Text("type") == "text" {
			list = append(list, o.Text("text"))
		}
	})
	return strings.Join(list, between)
}
