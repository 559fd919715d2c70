package replay

import (
	"encoding/json"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// row is what the list shows of a call that is not replayed yet. It shares nothing with the
// reader, which may still be learning of the call.
type row struct {
	id       string
	turn     int
	when     time.Time
	time     string // as recorded, where it is no time that can be read
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
	r := row{id: c.ID, turn: c.Turn, when: c.When, session: c.Session, op: c.Op(), side: c.Side}
	if c.When.IsZero() {
		r.time = c.Time
	}
	if c.Family == transcript.Memory {
		if cmd, err := memstore.DecodeCommand(c.Input); err == nil {
			r.path = cmd.Path
			if cmd.Name == memstore.CmdRename {
				r.path, r.to = cmd.OldPath, cmd.NewPath
			}
			return r
		}
	}
	var in struct {
		Path    string `json:"path"`
		OldPath string `json:"old_path"`
		Command string `json:"command"`
	}
	if json.Unmarshal(c.Input, &in) != nil {
		return r
	}
	switch {
	case c.Family == transcript.Shell:
		r.path = in.Command
	case c.Family == transcript.Files:
		r.path = c.AgentPath()
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
	return cmd.Path + "\n" + cmd.OldPath + "\n" + cmd.NewPath + "\n" + cmd.FileText + "\n" + cmd.OldStr + "\n" + cmd.NewStr + "\n" + cmd.InsertText
}
