package replay

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
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
	time     string // as recorded, where it is not a time that can be read
	session  string
	op       string
	path, to string // agent paths; to: of a rename
	shell    bool   // path is a shell command
	side     bool
	file     string // the transcript
	after    string // what happened to the conversation right before it
}

func (r row) writes() bool {
	return r.op != memstore.CmdView && r.op != "Read"
}

func rowOf(c *transcript.Call) row {
	r := row{id: c.ID, turn: c.Turn, when: c.When, session: c.Session, side: c.Side, file: c.Source.File}
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
		r.path, r.shell = c.CommandLine(), true
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

// told is the last state of a transcript, so that only new records of a growing one are parsed.
type told struct {
	calls []*transcript.Call
	ends  []int // of their inputs: one that was cut off may be told whole later
	rows  []row
	track *transcript.Track
	steps int
	wrote map[written][]int
}

// rowsOf is [rowsOf]; the rows are the caller's.
func (t *told) rowsOf(calls []*transcript.Call) []row {
	rows := make([]row, len(calls))
	ends := make([]int, len(calls))
	for i, c := range calls {
		ends[i] = len(c.Input)
		if i < len(t.calls) && t.calls[i] == c && t.ends[i] == ends[i] && t.rows[i].turn == c.Turn {
			rows[i] = t.rows[i]
		} else {
			rows[i] = rowOf(c)
		}
	}
	t.calls, t.ends, t.rows = calls, ends, slices.Clone(rows)
	return rows
}

// writesOf are the calls of a track that made each version of a file.
func (t *told) writesOf(track *transcript.Track) map[written][]int {
	if t.track != track {
		t.track, t.steps, t.wrote = track, 0, map[written][]int{}
	}
	wrote := maps.Clone(t.wrote) // the old map is read elsewhere
	for _, w := range track.Writes(context.Background(), t.steps) {
		key := written{path: w.Path}
		if w.Sum != nil {
			key.sum = *w.Sum
		}
		wrote[key] = append(slices.Clip(wrote[key]), w.Step)
	}
	t.steps, t.wrote = track.Len(), wrote
	return wrote
}

// inputText is an input as people read it, for searching.
func inputText(c *transcript.Call) string {
	cmd, err := memstore.DecodeCommand(c.Input)
	if c.Family != transcript.Memory || err != nil {
		return string(c.Input)
	}
	return strings.Join([]string{cmd.Path, cmd.OldPath, cmd.NewPath, cmd.FileText, cmd.OldStr, cmd.NewStr, cmd.InsertText}, "\n")
}
