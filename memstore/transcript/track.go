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
	lives map[string]*life // by agent path
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
	t.steps = append(t.steps, s)
	t.total.Add(s)
	for _, f := range t.replay.before.found {
		step := 0
		for at := path.Dir(f.name); at != "." && at != "/"; at = path.Dir(at) {
			l := t.life(memstore.AgentPath(at))
			if n := len(l.versions); n > 0 && l.versions[n-1].from != "" {
				step = max(step, l.versions[n-1].step) // a call has moved its folder
			}
			l.found(version{step: step, kind: memstore.KindDir})
		}
		t.life(memstore.AgentPath(f.name)).found(version{step: step, kind: f.kind, data: f.data, unknown: f.unknown})
	}
	for _, m := range s.touched {
		t.noteAgent(len(t.steps), m.path, m.from)
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
			t.life(memstore.AgentPath(at)).put(version{step: step, kind: memstore.KindDir})
		}
	}
	t.note(step, name, from)
}

// note records a change of a name in the memory. from is the agent path that it had before.
func (t *Track) note(step int, name, from string) {
	below := map[string]bool{}
	t.look(step, name, memstore.AgentPath(name), from, below)
	root := memstore.AgentPath(name)
	for p, l := range t.lives {
		if (p == root || strings.HasPrefix(p, root+"/")) && !below[p] {
			l.put(version{step: step})
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
		t.life(agentPath).put(version{step: step, kind: memstore.KindDir})
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
			t.life(agentPath).put(version{step, memstore.KindFile, data, from, t.replay.before.unknown[name] != 0})
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
