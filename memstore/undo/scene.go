package undo

import (
	"context"
	"errors"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// cell is what is at a path, on disk or after the steps planned so far.
type cell struct {
	exists bool
	kind   memstore.Kind
	data   []byte
}

func (c *cell) sum() *memstore.Digest {
	if c.kind == memstore.KindDir {
		return nil
	}
	d := memstore.Sum(c.data)
	return &d
}

// scene is the store as it is going to be after the steps planned so far. All paths are agent paths. A plan is decided by reading alone,
// so the first error stays, and the plan fails with it when all is decided.
type scene struct {
	e     *Editor
	ctx   context.Context
	err   error
	cells map[string]*cell
	moves [][2]string // of the steps, from and to
	plan  *Plan
	// leaveOut are the revisions that the plan undoes.
	leaveOut map[int64]bool
}

// scene begins a plan, before anything is read for it.
func (e *Editor) scene(ctx context.Context, p *Plan) *scene {
	s := &scene{e: e, ctx: ctx, cells: map[string]*cell{}, plan: p}
	now, err := e.record.State(ctx)
	p.purges, s.err = now.Purges, err
	return s
}

// fail notes an error, unless there is one.
func (s *scene) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// planned is the plan, when all is decided.
func (s *scene) planned() (*Plan, error) {
	if s.err != nil {
		return nil, past.Failed(s.err)
	}
	return s.plan, nil
}

// onDisk is where the file that will be at path is now, before the steps; ok is false if a step moves it
// away. What steps write is in cells and not on the disk yet.
func (s *scene) onDisk(path string) (now string, ok bool) {
	for _, m := range slices.Backward(s.moves) {
		from, to := m[0], m[1]
		if was, came := past.Moved(path, to, from); came {
			path = was
		} else if _, left := past.Moved(path, from, to); left {
			return "", false
		}
	}
	return path, true
}

// at returns what is at a path.
func (s *scene) at(path string) *cell {
	if c := s.cells[path]; c != nil {
		return c
	}
	c := &cell{}
	if disk, ok := s.onDisk(path); ok {
		s.fail(c.read(s.e.store.Backend(), memstore.BackendName(disk)))
	}
	s.cells[path] = c
	return c
}

// read fills a cell from the disk.
func (c *cell) read(b memstore.Backend, name string) error {
	info, err := b.Lstat(name)
	if memstore.IsAbsent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	c.exists, c.kind = true, info.Kind
	switch info.Kind {
	case memstore.KindFile:
		c.data, err = memstore.ReadFile(b, name, memstore.Look, largest)
	case memstore.KindLink:
		var to string
		to, err = b.Readlink(name)
		c.data = []byte(to)
	}
	return err
}

// largest is the largest file, in bytes, that is undone or restored in memory.
const largest = 256 << 20

// step plans a step and brings the scene up to it.
func (s *scene) step(p PlannedStep) {
	switch {
	case p.OldPath != "":
		for at, c := range s.cells {
			if now, ok := past.Moved(at, p.OldPath, p.Path); ok {
				s.cells[now] = c
				s.cells[at] = &cell{}
			}
		}
		s.moves = append(s.moves, [2]string{p.OldPath, p.Path})
		s.cells[p.OldPath] = &cell{}
		if s.cells[p.Path] == nil {
			s.cells[p.Path] = &cell{exists: true, kind: p.Kind}
		}
	case p.Remove:
		s.cells[p.Path] = &cell{}
	default:
		s.cells[p.Path] = &cell{exists: true, kind: p.Kind, data: p.Data}
	}
	s.plan.Steps = append(s.plan.Steps, p)
}

// skip leaves out what can never be restored, so that it does not block the rest.
func (s *scene) skip(r past.Revision, at string, why Why) {
	s.plan.Skipped = append(s.plan.Skipped, Conflict{Rev: r.Rev, Path: at, Why: why})
}

func (s *scene) conflict(c Conflict) { s.plan.Conflicts = append(s.plan.Conflicts, c) }

// bytes reads one side of a revision; ok is false where they are not kept.
func (s *scene) bytes(side past.Side) (data []byte, ok bool) {
	data, err := s.e.record.Bytes(s.ctx, side)
	if errors.Is(err, past.ErrNotKept) || errors.Is(err, past.ErrNotThere) {
		return nil, false
	}
	s.fail(err)
	return data, err == nil
}
