package transcript

import (
	"encoding/json"
	"time"
)

// Family is the kind of tool that a call uses.
type Family uint8

// The families of calls.
const (
	Memory Family = iota // the memory tool with its six commands
	Files                // a program's own tools for files, on a memory folder
	Shell                // a shell command that names a memory folder; simple ones are replayed
)

// Call is one recorded call.
type Call struct {
	ID      string
	Session string    // "" where the file names none
	Turn    int       // number of the message in its conversation, or of the line, from 1
	Time    string    // as recorded; numbers as RFC 3339 in UTC; "" for none
	When    time.Time // Time read; zero where it cannot be
	Model   string
	Family  Family
	Tool    string          // the tool's name as recorded
	Input   json.RawMessage // as recorded, byte for byte; where it came as a string, the text of that string
	Result  *Result         // nil: none was recorded
	Source  Source
	Agent   string // the subagent that made it; "" for the main one
	Rewound bool   // the user went back to before it, and the conversation went on from there

	places *places // the memory folders of the transcript
	dir    string  // in which the agent was at work; "" if unknown
	// extra is what Claude Code records beside a result (toolUseResult).
	extra json.RawMessage
}

// unnamedAgent is the agent of a call of which it is only known that a subagent made it.
const unnamedAgent = "subagent"

// journalSession is the session that changes of the call are recorded with: a subagent has its own, named as Claude Code names its
// transcript.
func (c *Call) journalSession() string {
	if c.Agent == "" || c.Agent == unnamedAgent {
		return c.Session
	}
	return "agent-" + c.Agent
}

// Result is what was recorded as the answer to a call.
type Result struct {
	Raw     json.RawMessage // the content as recorded: a string, an array of blocks, or another value
	Text    string          // the text in it
	IsError bool            // as the format says, or else as the text sounds

	plain bool // a file that was read is shown as it is
}

// Failed reports a result of the memory tool that says that the call failed: by its flag, which some programs never set, or by its text.
func (r *Result) Failed() bool { return r.IsError || soundsFailed(r.Text) }

// Source says where in which file a call was found.
type Source struct {
	File   string
	Line   int   // from 1; of a file that is one JSON value the line on which it begins
	Offset int64 // of the record in the unpacked text, in bytes
}

// Op is what a call does: the command of the memory tool, or the name of another tool.
func (c *Call) Op() string {
	if c.Family == Memory {
		if op := value(c.Input).object().text("command"); op != "" {
			return op
		}
	}
	return c.Tool
}
