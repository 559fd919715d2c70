package memstore

// The six commands of memory_20250818.
const (
	CmdView       = "view"
	CmdCreate     = "create"
	CmdStrReplace = "str_replace"
	CmdInsert     = "insert"
	CmdDelete     = "delete"
	CmdRename     = "rename"
)

// Command is one input of the memory tool. Only the fields of the named
// command are read. Build it as a literal or decode it with [DecodeCommand].
type Command struct {
	Name       string // one of the Cmd constants
	Path       string // as the model sent it; every command but rename
	ViewRange  []int  // view; nil: absent. May have any length: the dialect checks it
	FileText   string // create
	OldStr     string // str_replace
	NewStr     string // str_replace; absent and null in the JSON mean ""
	InsertLine int    // insert
	InsertText string // insert
	OldPath    string // rename
	NewPath    string // rename

	// Numbers of the JSON input beyond 53 bits, spelled as they were sent, because results name them; "" otherwise. sentRange is set if
	// any number of view_range is that large.
	sentLine  string
	sentRange []string
}

// Result is what the tool returns: the text and the flag of the tool_result
// block, and for Go callers the cause of an error.
type Result struct {
	Content string
	IsError bool
	Err     error // an *Error if IsError, else nil
}

// MaxLine is the largest line, in bytes, that can hold one command as JSON: room for a file of the largest size, if little of its text
// needs escapes.
const MaxLine = MaxFile + 1<<20
