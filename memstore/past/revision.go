package past

import (
	"encoding/json"
	"io/fs"
	"time"

	"memcurator/memstore"
)

// Shape is what a revision did to its path.
type Shape uint8

// The shapes.
const (
	Made    Shape = iota + 1 // nothing was there
	Edited                   // other bytes are there
	Removed                  // nothing is there any more
	Renamed                  // from OldPath to Path
)

// The commands of revisions that a transfer between two stores made. The title of their group names the other store: "move to ~/memories".
const (
	CmdCopy = "copy"
	CmdMove = "move"
)

// Note marks what is unusual about a revision.
type Note string

// The notes.
const (
	// NoteUnseen: found by comparing with the disk, made at an unknown time before.
	NoteUnseen Note = "unseen"
	// NoteUncertain: the process that made it died before it finished, and the disk held neither
	// the bytes before nor those after.
	NoteUncertain Note = "uncertain"
)

// Revision is one difference made to one path, as it was recorded. It is a value.
type Revision struct {
	Rev           int64
	Time          time.Time
	Actor         memstore.Actor
	Command       string // of the tool; "edit" for other programs; "undo", "restore", "revert" for ours
	Kind          memstore.Kind
	Shape         Shape
	Path, OldPath string // agent paths; OldPath of a rename only
	Before, After Side
	Added         int // lines; both 0 if unknown
	Removed       int
	Session       string
	Model         string
	ToolUseID     string
	Turn          int    // number of the message of the call in its conversation, as a transcript tells; 0: not known
	Process       string // who recorded it: "exec", "mcp", "ui"
	Group         int64  // the first revision of those that are undone as one; 0: it stands alone
	Unread        bool
	Note          Note
	Title         string // of its group, as people read it
	Folders       int    // above Path that came with it
	Undoes        int64  // the revision that this one undid
	UndoneBy      int64  // the revision in force that undid this one
	Transfer      string // what a transfer did, and with which other store: "move to ~/memories"; "" of any other revision
}

// Side is what was at the path before or after a revision.
type Side struct {
	Exists bool            // of a link the bytes are the text it holds; a folder has none
	Digest memstore.Digest // zero: not known, or a folder
	Size   int64
	Kept   bool        // Bytes returns them
	Why    string      // why not, in a sentence's end
	Mode   fs.FileMode // 0: not known
	// ModTime is the modification time; zero if unknown.
	ModTime time.Time
}

// Stamps are what a file that is restored gets besides its bytes.
func (s Side) Stamps() memstore.Stamps { return memstore.Stamps{Mode: s.Mode, ModTime: s.ModTime} }

// line is a revision as `log --json` prints it.
type line struct {
	Rev       int64   `json:"rev"`
	Time      string  `json:"time"`
	Actor     string  `json:"actor"`
	Command   string  `json:"command"`
	Path      string  `json:"path"`
	OldPath   *string `json:"old_path"`
	Before    *string `json:"before"`
	After     *string `json:"after"`
	Added     int     `json:"added"`
	Removed   int     `json:"removed"`
	Session   *string `json:"session"`
	ToolUseID *string `json:"tool_use_id"`
	Turn      *int    `json:"turn"`
	Group     *int64  `json:"group"`
	Unread    bool    `json:"unread"`
	Kind      string  `json:"kind"`
	Model     *string `json:"model"`
	Process   *string `json:"process"`
	Note      *string `json:"note"`
	Undoes    *int64  `json:"undoes"`
	Transfer  *string `json:"transfer"`
}

// timeFormat is RFC 3339 with nanoseconds, always as many digits.
const timeFormat = "2006-01-02T15:04:05.000000000Z07:00"

// MarshalJSON writes the shape of `log --json`: hashes are null where a side does not
// exist, texts if unknown.
func (r Revision) MarshalJSON() ([]byte, error) {
	return json.Marshal(line{
		Rev: r.Rev, Time: r.Time.UTC().Format(timeFormat), Actor: string(r.Actor), Command: r.Command,
		Path: r.Path, OldPath: some(r.OldPath), Before: r.Before.hash(), After: r.After.hash(), Added: r.Added, Removed: r.Removed,
		Session: some(r.Session), ToolUseID: some(r.ToolUseID), Turn: some(r.Turn), Group: some(r.Group), Unread: r.Unread,
		Kind: KindName(r.Kind), Model: some(r.Model), Process: some(r.Process), Note: some(string(r.Note)),
		Undoes: some(r.Undoes), Transfer: some(r.Transfer),
	})
}

// some returns nil for the zero value.
func some[T comparable](v T) *T {
	var nothing T
	if v == nothing {
		return nil
	}
	return &v
}

func (s Side) hash() *string {
	if s.Digest == (memstore.Digest{}) {
		return nil
	}
	h := s.Digest.String()
	return &h
}

// KindName is the word for a kind of path.
func KindName(k memstore.Kind) string {
	switch k {
	case memstore.KindFile:
		return "file"
	case memstore.KindDir:
		return "folder"
	case memstore.KindLink:
		return "link"
	}
	return "other"
}
