package transcript

import (
	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// Some local servers give calls no ids: a result is that of the call of the same tool that was made first
// and has none yet.

// unnamed are the calls without ids of the newest message that has such, in their order.
type unnamed struct {
	list      []used
	answering bool // a result of them was told: the next call is of another message
}

// expect notes a call without an id; c is nil where it is none of the memory.
func (r *Reader) expect(tool string, c *Call, s scope) {
	u := r.unnamed[s.session]
	if u == nil {
		u = &unnamed{}
		r.unnamed[s.session] = u
	}
	if u.answering {
		u.list, u.answering = u.list[:0], false
	}
	u.list = append(u.list, used{tool, c})
}

// inOrder takes a result that names no call; tool is "" where it names none either.
func (r *Reader) inOrder(tool string, a format.Result, s scope) {
	u := r.unnamed[s.session]
	if u == nil {
		return
	}
	u.answering = true
	for i, call := range u.list {
		if tool != "" && call.tool != tool {
			continue
		}
		u.list = append(u.list[:i:i], u.list[i+1:]...)
		if call.call != nil {
			r.give(call.call, a, s)
		}
		return
	}
}

// awaitsUnnamed reports whether a call without an id waits for its result.
func (r *Reader) awaitsUnnamed() bool {
	for _, u := range r.unnamed {
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
			r.answered(a, s)
			return true
		}
		r.inOrder(f.Text("name"), a, s)
		return true
	}
	if (role != "tool" || o.Text("tool_call_id") != "") && role != "function" || o.Get("content") == nil || o.Get("content").IsArray() &&
		role == "tool" {
		return false
	}
	r.inOrder(o.First("tool_name", "name"), format.Result{Content: o.Get("content")}, s)
	return true
}
