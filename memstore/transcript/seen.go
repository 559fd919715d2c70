package transcript

import (
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/transcript/format"
)

// Seen is what the agent knows about a path.
type Seen struct {
	Path    string
	Step    int  // at which it saw or wrote it last
	Part    bool // it saw some lines of it
	Wrote   bool // it knows it because it wrote it
	Stale   bool // it was changed since, by another session or from outside
	Gone    bool // it no longer exists
	Lost    int  // the step after which its result was cleared: the agent no longer sees it; 0: none
	Cleared bool // unspecified results were cleared since: the agent may no longer see it
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
		b.Step, b.Steps = number[b.after], nil
		for _, c := range b.calls {
			if n := number[c]; n > 0 {
				b.Steps = append(b.Steps, n)
			}
		}
		slices.Sort(b.Steps)
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
	from, cleared, lost := t.forgotten(who.Session, n)
	known, told := map[string]Seen{}, map[string]Seen{}
	for i := from + 1; i <= n; i++ {
		s := &t.steps[i-1]
		if s.Session != who.Session || s.Side != who.Side {
			continue
		}
		if lost[i] != (forgetting{}) {
			learn(told, s, i)
			if !lost[i].inputs && s.writes() {
				learn(known, s, i) // it still sees what it wrote
			}
			continue
		}
		if s.lists {
			listed = i
		}
		if len(lost) > 0 {
			learn(told, s, i)
		}
		learn(known, s, i)
	}
	for p, k := range told {
		if _, ok := known[p]; !ok {
			k.Lost = lost[k.Step].after
			known[p] = k
		}
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

// forgetting says after which step the result of a call was cleared, and whether its input was too.
type forgetting struct {
	after  int
	inputs bool
}

// forgotten is what is out of the sight of a session's agent at step n: all up to step from, single steps,
// and perhaps what is up to step cleared, where it is not told which.
func (t *Track) forgotten(session string, n int) (from, cleared int, lost map[int]forgetting) {
	lost = map[int]forgetting{}
	for _, b := range t.marks {
		if b.Session != session || b.Step >= n {
			continue
		}
		switch {
		case b.Kind == compaction:
			from = b.Step
		case !b.Exact:
			cleared = b.Step
		}
		for _, step := range b.Steps {
			if lost[step].after == 0 {
				lost[step] = forgetting{after: max(b.Step, 1), inputs: b.Inputs}
			}
		}
	}
	return from, cleared, lost
}

// LostAfter is the step after which the result of step n was cleared from its conversation; 0: it was not,
// or it is not told.
func (t *Track) LostAfter(n int) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, b := range t.marks {
		if slices.Contains(b.Steps, n) {
			return b.Step
		}
	}
	return 0
}

// writes reports a call that changes a file.
func (s *Step) writes() bool {
	if s.Family == Files {
		return format.FileTool(s.Tool) != format.Reads
	}
	if s.Family == Shell {
		return s.Verdict != NotReplayable && !s.reads
	}
	return s.Family == Memory && s.Op() != memstore.CmdView
}

// failed reports whether what was recorded says that the call failed.
func (s *Step) failed() bool {
	return s.Result.IsError || s.Family == Memory && s.Result.Failed()
}

// shows reports whether the agent got an answer that it can have read.
func (s *Step) shows() bool {
	return s.Result != nil && !s.failed() && !isCleared(s.Result.Text)
}

// learn records what a step shows the agent about files.
func learn(known map[string]Seen, s *Step, n int) {
	if !s.shown || s.Verdict == NotReplayable {
		return
	}
	if s.Family == Files {
		if format.FileTool(s.Tool) == format.Reads {
			see(known, s.Path, n, !s.whole)
			return
		}
		for _, t := range s.touched {
			wrote(known, t.path, n, format.FileTool(s.Tool) == format.Writes)
		}
		return
	}
	if s.Family == Shell && s.reads {
		see(known, s.Path, n, !s.whole)
		return
	}
	if s.Family == Shell {
		for _, t := range s.touched {
			wrote(known, t.path, n, false)
		}
		return
	}
	cmd := s.short
	if s.bad {
		return
	}
	at := cmd.Path
	switch cmd.Name {
	case memstore.CmdView:
		if !s.lists {
			see(known, at, n, cmd.ViewRange != nil)
		}
	case memstore.CmdCreate:
		wrote(known, at, n, true)
	case memstore.CmdStrReplace, memstore.CmdInsert:
		wrote(known, at, n, false)
	case memstore.CmdDelete, memstore.CmdRename:
		from, to := at, ""
		if cmd.Name == memstore.CmdRename {
			from, to = cmd.OldPath, cmd.NewPath
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
