package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// vercel are the parts of the Vercel AI SDK.
var vercel = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if o.Text("type") != "tool-call" {
			return Call{}, false
		}
		c := Call{ID: o.Text("toolCallId"), Name: o.Text("toolName"), Input: vercelInput(o)}
		return c, c.Input != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Text("type") != "tool-result" {
			return Result{}, false
		}
		content, kind := o.Get("result"), ""
		if out := o.Get("output"); out.IsObject() && out.Object().Get("value") != nil {
			content, kind = out.Object().Get("value"), out.Object().Text("type")
		} else if out != nil {
			content = out
		}
		failed := strings.HasPrefix(kind, "error") || kind == "execution-denied"
		return Result{ID: o.Text("toolCallId"), Content: content, IsError: failed, Flagged: kind != ""}, true
	},
}

// vercelUI are the parts of its messages for a user interface: a call has its result beside it.
var vercelUI = format{
	Call: func(o rawjson.Object) (Call, bool) {
		id := o.Text("toolCallId")
		if id == "" || o.First("type", "state") == "tool-result" {
			return Call{}, false
		}
		c := Call{ID: id, Name: toolOfPart(o), Input: vercelInput(o)}
		return c, c.Name != "" && c.Input != nil
	},
	Enclosed: func(o rawjson.Object) (Result, bool) {
		r := Result{ID: o.Text("toolCallId"), Flagged: true}
		switch state := o.Text("state"); {
		case r.ID == "" || toolOfPart(o) == "":
		case state == "output-available":
			r.Content = o.Get("output")
			return r, true
		case state == "result":
			r.Content, r.Flagged = o.Get("result"), false
			return r, true
		case state == "output-error", state == "output-denied":
			r.IsError = true
			if r.Content = o.Get("errorText"); r.Content == nil {
				r.Content = o.Get("output")
			}
			return r, true
		}
		return Result{}, false
	},
}

// vercelInput is the input of a call, which was called args until version 4.
func vercelInput(o rawjson.Object) rawjson.Value {
	if input := o.Get("input"); input != nil {
		return input
	}
	return o.Get("args")
}

// toolOfPart is the tool of a part of a message for a user interface: its type names it, or a field.
func toolOfPart(o rawjson.Object) string {
	kind := o.Text("type")
	if name, ok := strings.CutPrefix(kind, "tool-"); ok && o.Get("state") != nil {
		return name
	}
	if o.Get("state") != nil && (kind == "dynamic-tool" || kind == "") {
		return o.Text("toolName")
	}
	return ""
}
