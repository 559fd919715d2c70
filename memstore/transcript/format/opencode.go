package format

import "memcurator/memstore/transcript/rawjson"

// OpenCode is the name of the sessions that opencode exports, of its parts, and of what opencode run --format json prints.
//
// Read: anomalyco/opencode, packages/opencode/src/session/message-v2.ts, 2026.
const OpenCode = "opencode"

var openCode = format{
	Name:    OpenCode,
	Decides: true,
	Detects: func(o rawjson.Object) bool {
		part := o.Get("part").Object()
		return has(o, "sessionID", "messageID", "type") || has(part, "sessionID", "messageID") ||
			o.Get("messages").IsArray() && has(o.Get("info").Object(), "id", "projectID") || has(o.Get("info").Object(), "sessionID", "role")
	},
	Files: map[string]Does{
		"write": Writes, "edit": Edits, "multiedit": EditsMany, "read": Reads, "bash": Shell, "apply_patch": Patches, "patch": Patches,
	},
	Call: func(o rawjson.Object) (Call, bool) {
		if o.Text("type") != "tool" || !o.Get("callID").IsString() {
			return Call{}, false
		}
		state := o.Get("state").Object()
		c := Call{ID: o.Text("callID"), Name: o.Text("tool"), Input: state.Get("input")}
		return c, c.Name != "" && c.Input != nil && state.Text("status") != "pending"
	},
	Enclosed: func(o rawjson.Object) (Result, bool) {
		state := o.Get("state").Object()
		r := Result{ID: o.Text("callID"), Content: state.Get("output"), Flagged: true}
		switch {
		case o.Text("type") != "tool" || r.ID == "":
			return r, false
		case state.Text("status") == "error":
			r.Content, r.IsError = state.Get("error"), true
			return r, true
		}
		return r, state.Text("status") == "completed"
	},
}
