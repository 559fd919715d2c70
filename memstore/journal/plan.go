package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Editor takes back and puts back: through the store's own writes, so that everything it does
// is locked, checked against what is there, and recorded as revisions of the curator.
type Editor struct {
	// Report is told after each step of a plan that is carried out; nil: nobody.
	Report func(done, total int)

	j     *Journal
	store *memstore.Store
}

// NewEditor makes an Editor. store must have j among its recorders, and its bytes must be those
// of the Backend that j was opened with.
func NewEditor(j *Journal, store *memstore.Store) *Editor { return &Editor{j: j, store: store} }

// Plan is what an undo, a revert or a restore is going to do: decided by reading alone, to be shown
// and then carried out by [Editor.Carry].
type Plan struct {
	Command   string // what the revisions are going to be called: "undo", "redo", "revert", "restore"
	Steps     []PlannedStep
	Title     string     // of the group that it takes back; "" where that has none
	Made      time.Time  // when the newest of what it takes back was done; zero: it takes nothing back
	Since     Since      // then
	Conflicts []Conflict // what cannot be done; Carry refuses while there are any
	Skipped   []Conflict // what can never be given back; Carry does the rest
	role      role
	purges    int64 // of the journal when it was made
}

// PlannedStep is one step with what it is for.
type PlannedStep struct {
	memstore.Step
	Undoes int64         // the revision that it takes back; 0: none
	Merged bool          // the file has moved on, and the step keeps what was done since
	Kept   past.Revision // of a merged step the newest edit that it keeps; its Rev is 0 where none is recorded

	folders []folderTime // of the revision that it takes back
}

// Why says what stands in the way of a step.
type Why string

// The reasons of a conflict.
const (
	WhyChanged Why = "changed"  // the file has other bytes by now, in the same lines
	WhyGone    Why = "gone"     // the file is no longer there
	WhyTaken   Why = "taken"    // something else is there by now
	WhyNotKept Why = "not kept" // the bytes are not kept
	WhyFull    Why = "full"     // the folder holds something by now
	WhySpecial Why = "special"  // a pipe, a socket or a device: there are no bytes of it
)

// Conflict is a revision that cannot be taken back as it is. Of WhyChanged there are the
// three texts, and the places where they clash, to be joined by hand.
type Conflict struct {
	Rev                int64
	Path               string // agent path, as it is now
	Why                Why
	Base, Ours, Theirs []byte // with the revision, as it is now, without the revision
	Regions            []Region
}

// ConflictError is what carrying out a plan with conflicts fails with; it is [ErrConflict].
type ConflictError struct{ Conflicts []Conflict }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: %s", e.Conflicts[0].Path, past.ErrConflict)
}
func (e *ConflictError) Unwrap() error { return past.ErrConflict }

// back says what an edit of ours takes back. It travels in the context through the store's
// writes to Begin, so that the revision they make says so too.
type back struct {
	role    role
	rev     int64  // the revision that is taken back; 0: none
	command string // what the revision calls it
}

type backKey struct{}

func takingBack(ctx context.Context) back {
	b, _ := ctx.Value(backKey{}).(back)
	return b
}

// Calling returns a context in which what the curator does to the store is recorded under the name of
// a command, as "scrub".
func Calling(ctx context.Context, command string) context.Context {
	return context.WithValue(ctx, backKey{}, back{command: command})
}

// Carry carries out a plan, its steps as one group. What is there must still be what the plan
// was decided on: where it is not, Carry stops there ([memstore.ErrChanged]), and done says how
// many steps were carried out; they can be taken back as a group. A plan of before a purge, which may hold what that
// has taken out, is [ErrPurged]. The end of ctx stops it between two steps.
func (e *Editor) Carry(ctx context.Context, p *Plan) (done int, err error) {
	if len(p.Conflicts) > 0 {
		return 0, &ConflictError{p.Conflicts}
	}
	if n, err := e.j.Purges(ctx); err != nil || n != p.purges {
		return 0, errors.Join(err, &Error{Op: p.Command, Err: past.ErrPurged})
	}
	group := ""
	if len(p.Steps) > 1 {
		last, err := e.j.Last(ctx)
		if err != nil {
			return 0, err
		}
		group = p.Command + " " + e.j.owner + " " + strconv.FormatInt(last, 10)
	}
	folders := folderKeeper{e: e, want: map[string]memstore.Stamps{}}
	defer func() {
		if done > 0 {
			folders.finish(ctx)
		}
	}()
	for _, s := range p.Steps {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		folders.before(&s)
		ctx := memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: group})
		ctx = context.WithValue(ctx, backKey{}, back{role: p.role, rev: s.Undoes, command: p.Command})
		if err := e.store.Apply(ctx, s.Step); err != nil {
			return done, err
		}
		done++
		if e.Report != nil {
			e.Report(done, len(p.Steps))
		}
	}
	return done, nil
}

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

// scene is the store as it is going to be after the steps planned so far.
type scene struct {
	e     *Editor
	cells map[string]*cell
	moves [][2]string // of the steps, from and to
	plan  *Plan
	// leaveOut are the revisions that the plan takes back.
	leaveOut map[int64]bool
}

// onDisk is the name under which what is going to be at name lies now, before the steps; ok is false
// where a step moves it away. What steps write is in cells and has no such name.
func (s *scene) onDisk(name string) (now string, ok bool) {
	for _, m := range slices.Backward(s.moves) {
		switch from, to := m[0], m[1]; {
		case name == to || inside(name, to):
			name = moved(name, to, from)
		case name == from || inside(name, from):
			return "", false
		}
	}
	return name, true
}

// scene begins a plan, before anything is read for it.
func (e *Editor) scene(ctx context.Context, p *Plan) (_ *scene, err error) {
	p.purges, err = e.j.Purges(ctx)
	return &scene{e: e, cells: map[string]*cell{}, plan: p}, err
}

// at looks at a path.
func (s *scene) at(name string) (*cell, error) {
	if c := s.cells[name]; c != nil {
		return c, nil
	}
	b := s.e.store.Backend()
	c := &cell{}
	disk, ok := s.onDisk(name)
	info, err := b.Lstat(disk)
	switch {
	case !ok, noPath(err):
	case err != nil:
		return nil, err
	default:
		c.exists, c.kind = true, info.Kind
		var got *content
		if info.Kind == memstore.KindFile {
			got, err = readWhole(b, disk)
		} else if info.Kind == memstore.KindLink {
			var to string
			to, err = b.Readlink(disk)
			got = &content{data: []byte(to)}
		}
		if err != nil {
			return nil, err
		}
		if got != nil {
			c.data = got.data
		}
	}
	s.cells[name] = c
	return c, nil
}

// step plans a step and brings the scene up to it.
func (s *scene) step(p PlannedStep) {
	name := nameOf(p.Path)
	switch {
	case p.OldPath != "":
		old := nameOf(p.OldPath)
		for at, c := range s.cells {
			if at == old || inside(at, old) {
				s.cells[moved(at, old, name)] = c
				s.cells[at] = &cell{}
			}
		}
		s.moves = append(s.moves, [2]string{old, name})
		s.cells[old] = &cell{}
		if s.cells[name] == nil {
			s.cells[name] = &cell{exists: true, kind: p.Kind}
		}
	case p.Remove:
		s.cells[name] = &cell{}
	default:
		s.cells[name] = &cell{exists: true, kind: p.Kind, data: p.Data}
	}
	s.plan.Steps = append(s.plan.Steps, p)
}

// skip leaves out what can never be given back, so that it does not stand in the way of the rest.
func (s *scene) skip(r past.Revision, at string, why Why) {
	s.plan.Skipped = append(s.plan.Skipped, Conflict{Rev: r.Rev, Path: at, Why: why})
}

func (s *scene) conflict(c Conflict) { s.plan.Conflicts = append(s.plan.Conflicts, c) }

// bytes reads one side of a revision; ok is false where they are not kept.
func (s *scene) bytes(ctx context.Context, side past.Side) (data []byte, ok bool, err error) {
	data, err = s.e.j.Bytes(ctx, side)
	if errors.Is(err, past.ErrNotKept) || errors.Is(err, past.ErrNotThere) {
		return nil, false, nil
	}
	return data, err == nil, err
}
