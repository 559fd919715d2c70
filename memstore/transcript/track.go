package transcript

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"memcurator/memstore"
)

// Track is a replay carried out, with the memory after every step at hand: what is kept of a file
// is what each step changed of it, so that any moment is a look-up and not a replay from the
// start. Steps are numbered from 1; moment 0 is the start. [Track.Add] is for one goroutine at a
// time, everything else is safe beside it.
type Track struct {
	replay *Replay

	mu    sync.RWMutex // guards all below
	steps []Step
	told  []*Call          // the calls that the steps were made from, as the reader has them
	lives map[string]*life // by agent path
	marks []Boundary       // by step
	total Total
}

// NewTrack begins a track with files, answered as handler.
func NewTrack(start Start, handler Handler) (*Track, error) {
	p, err := NewReplay(start, handler)
	if err != nil {
		return nil, err
	}
	t := &Track{replay: p, lives: map[string]*life{}}
	t.note(0, ".", "")
	return t, nil
}

// Handler is how the recording is answered.
func (t *Track) Handler() Handler { return t.replay.handler }

// Add runs the next call. A step keeps a copy: the reader may learn the result later.
func (t *Track) Add(ctx context.Context, told *Call) {
	own := *told
	c := &own
	s := t.replay.Step(ctx, c)
	if s.Verdict == Identical {
		s.Ours = nil // it is what was recorded
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps, t.told = append(t.steps, s), append(t.told, told)
	t.total.Add(s)
	if s.Verdict == NotReplayable && c.Family != Memory {
		return
	}
	n := len(t.steps)
	if c.Family != Memory {
		for _, m := range s.touched {
			t.noteAgent(n, m.path, m.from)
		}
		return
	}
	switch cmd := s.short; {
	case s.bad || cmd.Name == memstore.CmdView && !s.Verdict.Diverges():
	case cmd.Name == memstore.CmdRename:
		t.noteAgent(n, cmd.NewPath, cmd.OldPath)
		t.noteAgent(n, cmd.OldPath, "")
	default:
		t.noteAgent(n, cmd.Path, "")
	}
}

// Len is the number of steps.
func (t *Track) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.steps)
}

// Steps are the steps so far; not to be changed.
func (t *Track) Steps() []Step {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clip(t.steps)
}

// Total is what the steps came to.
func (t *Track) Total() Total {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.total.clone()
}

// noteAgent records changes of an agent path and what is below it.
func (t *Track) noteAgent(step int, agentPath, from string) {
	name, err := memstore.ParsePath(agentPath)
	if err != nil {
		return // nothing can have become of it
	}
	if from != "" {
		if old, err := memstore.ParsePath(from); err == nil {
			from = memstore.AgentPath(old)
		}
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if info, err := t.replay.backend.Lstat(at); err == nil && info.Kind == memstore.KindDir {
			t.life(memstore.AgentPath(at)).folder(step)
		}
	}
	t.note(step, name, from)
}

// note records a change of a name in the memory. from is the agent path that it had before.
func (t *Track) note(step int, name, from string) {
	below := map[string]bool{}
	t.look(step, name, memstore.AgentPath(name), from, below)
	if own := memstore.AgentPath(name); len(below) == 1 && t.lives[own] != nil && below[own] && t.lives[own].alwaysFile() {
		return
	}
	root := memstore.AgentPath(name)
	for p, l := range t.lives {
		if (p == root || strings.HasPrefix(p, root+"/")) && !below[p] {
			l.end(step)
		}
	}
}

func (t *Track) look(step int, name, agentPath, from string, below map[string]bool) {
	info, err := t.replay.backend.Lstat(name)
	if err != nil {
		return
	}
	below[agentPath] = true
	switch info.Kind {
	case memstore.KindDir:
		t.life(agentPath).folder(step)
		entries, _ := t.replay.backend.ReadDir(name) // it is there
		for _, e := range entries {
			inner := from
			if inner != "" {
				inner += "/" + e.Name
			}
			t.look(step, path.Join(name, e.Name), agentPath+"/"+e.Name, inner, below)
		}
	case memstore.KindFile:
		if data, err := t.replay.content(name); err == nil {
			t.life(agentPath).file(step, data, from, t.replay.unknown[name] != 0)
		}
	}
}

func (t *Track) life(agentPath string) *life {
	l := t.lives[agentPath]
	if l == nil {
		l = &life{}
		t.lives[agentPath] = l
	}
	return l
}

// fill writes the memory after step n into a backend that is empty.
func (t *Track) fill(b memstore.Backend, n int) error {
	names := make([]string, 0, len(t.lives))
	for p := range t.lives {
		names = append(names, p)
	}
	slices.Sort(names)
	for _, p := range names {
		l := t.lives[p]
		i := l.at(n)
		name, err := memstore.ParsePath(p)
		if i < 0 || err != nil || name == "." {
			continue
		}
		switch l.versions[i].kind {
		case memstore.KindDir:
			if m, ok := b.(interface{ MakeFolder(string) error }); ok {
				err = m.MakeFolder(name)
			}
		case memstore.KindFile:
			err = b.Create(name, l.content(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Memory is the memory after step n, in a backend of the caller's own.
func (t *Track) Memory(n int) (memstore.Backend, error) {
	b := memstore.NewMemory()
	t.mu.RLock()
	defer t.mu.RUnlock()
	return b, t.fill(b, n)
}
