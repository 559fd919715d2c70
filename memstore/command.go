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

// Command is one memory tool input. Only the fields of its command are read.
// Build it as a literal or decode it with [DecodeCommand].
type Command struct {
	Name       string // one of the Cmd constants
	Path       string // every command but rename; as the model sent it
	ViewRange  []int  // view; nil: absent. Any length, the dialect judges it
	FileText   string // create
	OldStr     string // str_replace
	NewStr     string // str_replace; absent and null in the JSON mean ""
	InsertLine int    // insert
	InsertText string // insert
	OldPath    string // rename
	NewPath    string // rename

	// Numbers of the JSON input that are beyond 53 bits, as they were sent, since results name
	// them: of insert_line, and of view_range where any is; else "".
	sentLine  string
	sentRange []string
}

// Result is what the tool returns: the text and the flag that become the
// tool_result block, and the cause of an error for Go callers.
type Result struct {
	Content string
	IsError bool
	Err     error // nil exactly when IsError is false; *Error
}

// MaxLine is how many bytes a line may have that holds one command as JSON: enough for a text of the
// largest size that a file may have, but for what is written in escapes.
const MaxLine = editLimit + 1<<20
