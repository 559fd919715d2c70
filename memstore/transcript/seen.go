package transcript

import (
	"slices"
	"strings"

	"memcurator/memstore"
)

// Boundary is a place in a conversation from which on the agent has not before its eyes any more
// what it had seen.
type Boundary struct {
	Kind    string // see below
	Session string
	Step    int // the last step before it; set by [Track.SetBoundaries]
	Cleared int // tool uses that were cleared, where the transcript tells
	Time    string

	after *Call // the newest call when it was read; nil: none
}

// The kinds of [Boundary].
const (
	Compaction = "compaction" // the conversation was summed up
	Clearing   = "clearing"   // old results were taken out; which ones is not told
)

// Seen is what the agent knows of a path.
type Seen struct {
	Path    string
	Step    int  // at which it saw or wrote it last
	Part    bool // it saw some lines of it
	Wrote   bool // it knows it because it wrote it
	Stale   bool // it was changed since, by another session or from outside
	Gone    bool // it is not there any more
	Cleared bool // results were cleared since: it may not have it before its eyes
}

// SetBoundaries puts the places of compaction and clearing in place; they are the reader's.
func (t *Track) SetBoundaries(list []Boundary) {
	t.mu.Lock()
	defer t.mu.Unlock()
	number := make(map[*Call]int, len(t.steps))
	for i, c := range t.told {
		number[c] = i + 1
	}
	t.marks = make([]Boundary, 0, len(list))
	for _, b := range list {
		b.Step = number[b.after]
		t.marks = append(t.marks, b)
	}
	slices.SortStableFunc(t.marks, func(a, b Boundary) int { return a.Step - b.Step })
}

// Boundaries are those of the track, by step.
func (t *Track) Boundaries() []Boundary {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clip(t.marks)
}

// Seen is what the agent that made step n has seen of the memory, up to and with that step, since
// its conversation was last compacted. listed is the last step that showed it a listing, 0 for none.
func (t *Track) Seen(n int) (list []Seen, listed int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if n < 1 || n > len(t.steps) {
		return nil, 0
	}
	who := t.steps[n-1]
	from, cleared := 0, 0
	for _, b := range t.marks {
		if b.Session == who.Session && b.Step < n {
			if b.Kind == Compaction {
				from = b.Step
			} else {
				cleared = b.Step
			}
		}
	}
	known := map[string]Seen{}
	for i := from + 1; i <= n; i++ {
		s := &t.steps[i-1]
		if s.Session != who.Session || s.Side != who.Side {
			continue
		}
		if s.lists() {
			listed = i
		}
		learn(known, s, i)
	}
	for _, k := range known {
		l := t.lives[k.Path]
		k.Cleared = k.Step <= cleared
		if l == nil || l.kindAt(n) != memstore.KindFile {
			k.Gone = true
		} else {
			k.Stale = l.versions[l.at(n)].step > k.Step
		}
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b Seen) int { return strings.Compare(a.Path, b.Path) })
	return list, listed
}

// shows reports whether the agent got an answer that it can have read.
func (s *Step) shows() bool {
	return s.Result != nil && !s.Result.IsError && !isCleared(s.Result.Text)
}

func (s *Step) lists() bool {
	return s.Family == Memory && s.shows() && outcomeOf(memstore.CmdView, s.Result.Text, false).kind == "list"
}

// learn notes what a step tells the agent of files.
func learn(known map[string]Seen, s *Step, n int) {
	if !s.shows() || s.Verdict == NotReplayable {
		return
	}
	if s.Family == Files {
		if fileTool(s.Tool) == toolRead {
			_, whole := s.before()
			see(known, s.Path, n, !whole)
			return
		}
		wrote(known, s.Path, n, fileTool(s.Tool) == toolWrite)
		return
	}
	cmd, err := commandOf(s.Call)
	if err != nil {
		return
	}
	at := clean(cmd.Path)
	switch cmd.Name {
	case memstore.CmdView:
		if !s.lists() {
			see(known, at, n, cmd.ViewRange != nil)
		}
	case memstore.CmdCreate:
		wrote(known, at, n, true)
	case memstore.CmdStrReplace, memstore.CmdInsert:
		wrote(known, at, n, false)
	case memstore.CmdDelete, memstore.CmdRename:
		from, to := at, ""
		if cmd.Name == memstore.CmdRename {
			from, to = clean(cmd.OldPath), clean(cmd.NewPath)
		}
		for p, k := range known {
			if p != from && !strings.HasPrefix(p, from+"/") {
				continue
			}
			delete(known, p)
			if to != "" {
				k.Path, k.Step = to+p[len(from):], n
				known[k.Path] = k
			}
		}
	}
}

// clean is an agent path as the lives have it.
func clean(agentPath string) string {
	name, err := memstore.ParsePath(agentPath)
	if err != nil {
		return agentPath
	}
	return memstore.AgentPath(name)
}

func see(known map[string]Seen, at string, n int, part bool) {
	k, ok := known[at]
	known[at] = Seen{Path: at, Step: n, Part: part && (!ok || k.Part)}
}

// wrote notes a file that the agent wrote whole, or changed: then it knows the rest if it did before.
func wrote(known map[string]Seen, at string, n int, whole bool) {
	k, ok := known[at]
	known[at] = Seen{Path: at, Step: n, Wrote: true, Part: !whole && (!ok || k.Part)}
}
