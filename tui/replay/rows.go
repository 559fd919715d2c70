package replay

import (
	"encoding/json"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// row is what the list shows of a call. It shares nothing with the reader, which may still be learning of the call.
type row struct {
	turn     int
	when     time.Time
	time     string // as recorded, where it is not a time that can be read
	session  string
	op       string
	path, to string // agent paths; to: of a rename
	side     bool
	after    string // what happened to the conversation right before it
}

func (r row) writes() bool {
	return r.op != memstore.CmdView && r.op != "Read"
}

func rowOf(c *transcript.Call) row {
	r := row{turn: c.Turn, when: c.When, session: c.Session, side: c.Side}
	if c.When.IsZero() {
		r.time = c.Time
	}
	if c.Family == transcript.Memory {
		if cmd, err := c.Command(); err == nil {
			r.op, r.path = cmd.Name, cmd.Path
			if cmd.Name == memstore.CmdRename {
				r.path, r.to = cmd.OldPath, cmd.NewPath
			}
			return r
		}
	}
	r.op = c.Op()
	var in struct {
		Path    string `json:"path"`
		OldPath string `json:"old_path"`
	}
	switch {
	case c.Family == transcript.Shell:
		r.path = c.CommandLine()
	case c.Family == transcript.Files:
		r.path = c.AgentPath()
	case json.Unmarshal(c.Input, &in) != nil:
	case in.Path != "":
		r.path = in.Path
	default:
		r.path = in.OldPath
	}
	return r
}

func rowsOf(calls []*transcript.Call) []row {
	rows := make([]row, len(calls))
	for i, c := range calls {
		rows[i] = rowOf(c)
	}
	return rows
}

// inputText is an input as people read it, for searching.
func inputText(c *transcript.Call) string {
	cmd, err := memstore.DecodeCommand(c.Input)
	if c.Family != transcript.Memory || err != nil {
		return string(c.Input)
	}
	return strings.Join([]string{cmd.Path, cmd.OldPath, cmd.NewPath, cmd.FileText, cmd.OldStr, cmd.NewStr, cmd.InsertText}, "\n")
}
