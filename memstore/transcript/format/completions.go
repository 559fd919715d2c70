package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// completions are the messages of chat completions.
var completions = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("function").IsObject() {
			return Call{}, false
		}
		f := o.Get("function").Object()
		c := Call{ID: o.Text("id"), Name: f.Text("name"), Input: f.Get("arguments")}
		return c, c.Input != nil && c.Name != ""
	},
	Result: func(o rawjson.Object) (Result, bool) {
		id := o.Text("tool_call_id")
		if id == "" || o.Text("role") != "tool" {
			return Result{}, false
		}
		return WithError(Result{ID: id, Content: o.Get("content")}, o), true
	},
}

// WithError takes the error beside a result: where there is one, its message is what the agent got.
func WithError(r Result, o rawjson.Object) Result {
	e := o.Get("error")
	if !e.IsObject() {
		return r
	}
	r.IsError, r.Flagged = true, true
	if text := e.Object().Get("message"); text.IsString() && strings.TrimSpace(ContentText(r.Content)) == "" {
		r.Content = text
	}
	return r
}
