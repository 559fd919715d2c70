// Package format describes the recordings of each program, one file per format.
//
// A [format] knows the keys by which its records are recognized and the objects that hold calls and their results. The
// reader of package transcript walks the values of a file and looks up each object here, so a
// file that mixes formats is read too. To add one, write a file and name it in the list of [registered].
// The functions examine one object, keep no state and know nothing about files.
package format

import (
	"memcurator/memstore/transcript/rawjson"
)

// format is one way in which programs record conversations. What a format does not have of its own is nil.
type format struct {
	// Name is what users call the format; "" where its objects appear in the files of other formats.
	Name string
	// Detects reports whether the keys at the top of a value speak for the format.
	Detects func(rawjson.Object) bool
	// Decides is true if one such value determines the format of a file, whatever its other values are.
	Decides bool
	// Call reads an object that is a call.
	Call func(rawjson.Object) (Call, bool)
	// Result reads an object that is the result of a call.
	Result func(rawjson.Object) (Result, bool)
	// Enclosed reads the result inside the object of its call. It is only called where Call has accepted the object.
	Enclosed func(rawjson.Object) (Result, bool)
	// Speaker returns the role of a message: user, assistant or system; "" for other objects.
	Speaker func(rawjson.Object) string
	// Setting reads what a value at the top of a file says of those after it.
	Setting func(rawjson.Object) Setting
	// Words are in the values that make settings.
	Words []string
	// Unwrap takes off what the program puts around the results in its files, as [Result] has it.
	Unwrap func(text string) (inner string, failed, told bool)
	// After says that the program answers an edit with the file after it.
	After bool
	// Files are the program's tools for files and commands, by their names in small letters.
	Files map[string]Does
}

// registered are all formats. The first that recognizes a value or an object wins: the specific ones
// come before the general ones.
var registered = []format{
	contentBlocks, codex, geminiCLI, cline, copilot, openCode, letta, deepAgents,
	responses, completions, mcp, gemini, bedrock, pydantic, vercel, vercelUI, autogen,
	claudeCode, streamJSON, batch, vscode, langchain, managedAgents, requestLog, messages,
}

// The forms of files that hold values of any format, and what a file of no known format is called.
const (
	SSE   = "sse"
	Other = "other"
)

// Names are the names of all formats.
func Names() (list []string) {
	for _, f := range registered {
		if f.Name != "" {
			list = append(list, f.Name)
		}
	}
	return append(list, SSE, Other)
}

// Call is a call as recorded.
type Call struct {
	ID, Name string
	Input    rawjson.Value // an object, or a string that holds one
	Again    bool          // an event about a call that the file may have already, with another input
}

// Result is the result of a call as recorded.
type Result struct {
	ID      string        // of the call
	Content rawjson.Value // nil: empty
	IsError bool
	Flagged bool // the format says whether it is an error
	Omitted bool // the format has a flag, which is absent here: not an error
	// Unwrap takes what the program puts around the text of a result off it; told says that this shows whether the tool
	// failed. nil: nothing is around it.
	Unwrap func(text string) (inner string, failed, told bool)
	// After says that the text after a successful edit is the file after it.
	After bool
	// Plain says that the program shows a file that was read as it is, without numbers before its lines.
	Plain bool
}

// ReadCall reads an object that is a call in any format.
func ReadCall(o rawjson.Object) (Call, bool) {
	for i := range registered {
		if read := registered[i].Call; read != nil {
			if c, ok := read(o); ok {
				return c, true
			}
		}
	}
	return Call{}, false
}

// ReadResult reads an object that is a result in any format.
func ReadResult(o rawjson.Object) (Result, bool) {
	for i := range registered {
		if read := registered[i].Result; read != nil {
			if r, ok := read(o); ok {
				return r, true
			}
		}
	}
	return Result{}, false
}

// ReadEnclosed reads the result inside the object of its call, in any format.
func ReadEnclosed(o rawjson.Object) (Result, bool) {
	for i := range registered {
		if read := registered[i].Enclosed; read != nil {
			if r, ok := read(o); ok {
				return r, true
			}
		}
	}
	return Result{}, false
}

// roleNames are what frameworks call the roles.
var roleNames = map[string]string{
	"human": "user", "ai": "assistant", "HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system",
	"request": "user", "response": "assistant",
}

// Speaker returns the role of a message, whatever its format calls it; "" for other objects.
func Speaker(o rawjson.Object) string {
	if who := o.Text("role"); who != "" && (o.Get("content") != nil || o.Get("parts") != nil || o.Get("tool_calls") != nil) {
		return who
	}
	for i := range registered {
		if ask := registered[i].Speaker; ask != nil {
			if who := ask(o); who != "" {
				return who
			}
		}
	}
	return ""
}

// has reports whether an object has all of some keys.
func has(o rawjson.Object, keys ...string) bool {
	for _, k := range keys {
		if o.Get(k) == nil {
			return false
		}
	}
	return true
}
