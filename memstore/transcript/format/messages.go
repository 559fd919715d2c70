package format

import "memcurator/memstore/transcript/rawjson"

// Messages is the name of files of messages in the style of most interfaces, one by one or as whole requests.
const Messages = "messages"

var messages = format{
	Name: Messages,
	Detects: func(o rawjson.Object) bool {
		return has(o, "messages") || has(o, "role", "content") || has(o, "role", "tool_calls")
	},
}

// contentBlocks are those of Anthropic's Messages, which Managed Agents have too, with names of their own.
var contentBlocks = format{
	Call: func(o rawjson.Object) (Call, bool) {
		switch o.Text("type") {
		case "tool_use", "server_tool_use", "mcp_tool_use", "agent.custom_tool_use", "agent.tool_use", "agent.mcp_tool_use":
			c := Call{ID: o.Text("id"), Name: o.Text("name"), Input: o.Get("input")}
			return c, c.Input != nil && c.Name != ""
		}
		return Call{}, false
	},
	Result: func(o rawjson.Object) (Result, bool) {
		flag := o.Get("is_error")
		r := Result{Content: o.Get("content"), IsError: flag.IsTrue(), Flagged: flag != nil, Omitted: flag == nil}
		switch o.Text("type") {
		case "tool_result", "mcp_tool_result", "agent.tool_result", "agent.mcp_tool_result", "user.tool_result":
			r.ID = o.First("tool_use_id", "mcp_tool_use_id")
			return r, r.ID != ""
		case "user.custom_tool_result":
			r.ID = o.Text("custom_tool_use_id")
			return r, true
		}
		return Result{}, false
	},
}
