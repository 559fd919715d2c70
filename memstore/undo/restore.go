package undo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Restore is what to restore.
type Restore struct {
	Path string // agent path of a file or a folder; that of the store is all of it
	// At is the revision whose state is restored, 0 for the beginning of the record. Nil: the last one that differs from
	// the present, which for something removed is the one before the removal.
	At *int64
	// As is the agent path to put it at, where nothing may be; "": Path.
	As string
}

// PlanRestore plans to put a file or a folder back. Files that are there and have the
// bytes already stay; of a folder, what came since stays too. [past.ErrNotThere] where nothing was at the path then,
// [memstore.ErrExist] where something is at As.
func (e *Editor) PlanRestore(ctx context.Context, r Restore) (*Plan, error) {
	s := e.scene(ctx, &Plan{Command: "restore"})
	if r.At == nil {
		last, err := e.lastDifferent(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		r.At = &last
	}
	tree, err := e.record.Tree(ctx, *r.At)
	if err != nil {
		return nil, err
	}
	list := tree.Below(r.Path)
	if r.Path != memstore.Root {
		top, ok := tree.Find(r.Path)
		if !ok {
			return nil, &past.Error{Err: past.ErrNotThere}
		}
		list = append([]past.Entry{top}, list...)
		if r.As != "" && s.at(r.As).exists {
			return nil, fmt.Errorf("%s: %w", r.As, memstore.ErrExist)
		}
	}
	for _, entry := range list {
		if r.Path == memstore.Root && memstore.InGit(entry.Path) {
			continue
		}
		s.restore(entry, cmp.Or(r.As, r.Path)+strings.TrimPrefix(entry.Path, r.Path), r)
	}
	return s.planned()
}

// lastDifferent is the newest revision at which the path was otherwise than now.
func (e *Editor) lastDifferent(ctx context.Context, agentPath string) (int64, error) {
	var newest, last past.Revision
	err := e.record.List(ctx, past.Filter{Path: agentPath, Newest: true}, func(r past.Revision) bool {
		switch {
		case newest.Rev == 0:
			newest = r
		case newest.Group != 0 && r.Group != newest.Group, newest.Group == 0 && !goesWith(r, last, newest):
			return false
		}
		last = r
		return true
	})
	switch {
	case err != nil:
		return 0, err
	case newest.Rev == 0:
		return 0, &past.Error{Err: past.ErrNotThere, Cause: fmt.Errorf("no revision of %s", memstore.BackendName(agentPath))}
	case newest.Group != 0:
		return newest.Group - 1, nil // of a folder that was removed with what it held, it begins with the files
	}
	return last.Rev - 1, nil
}

// removalPause is how long another program that removes a folder takes at most between two paths.
const removalPause = 2 * time.Second

// goesWith reports whether r, of something in a folder, is the removal that came before the removal next, and both
// are part of the folder's own: what other programs do is in no group.
func goesWith(r, next, folder past.Revision) bool {
	return folder.Kind == memstore.KindDir && folder.Shape == past.Removed && r.Shape == past.Removed && r.Group == 0 &&
		r.Actor == folder.Actor && strings.HasPrefix(r.Path, folder.Path+"/") && next.Time.Sub(r.Time) <= removalPause
}

// restore plans to put one entry at a path.
func (s *scene) restore(e past.Entry, to string, r Restore) {
	c := s.at(to)
	if e.Kind == memstore.KindDir {
		if !c.exists {
			s.step(PlannedStep{Step: memstore.Step{Kind: e.Kind, Path: to, Stamps: stampsOf(e.Kind, e.Side().Stamps())}})
		}
		return
	}
	same := c.exists && c.kind == e.Kind
	if same && e.Digest != (memstore.Digest{}) && memstore.Sum(c.data) == e.Digest {
		return
	}
	data, ok := s.bytes(e.Side())
	switch {
	case !ok && e.Path != r.Path:
		s.skip(past.Revision{Rev: *r.At}, to, whyNotKept)
		return
	case !ok:
		s.conflict(Conflict{Rev: *r.At, Path: to, Why: whyNotKept})
		return
	case same && bytes.Equal(c.data, data):
		return
	case c.exists && (c.kind != e.Kind || e.Kind == memstore.KindLink):
		s.conflict(Conflict{Rev: *r.At, Path: to, Why: WhyTaken, Ours: c.data, Theirs: data})
		return
	}
	step := memstore.Step{Kind: e.Kind, Path: to, Data: data, Stamps: memstore.Stamps{Mode: e.Mode, ModTime: e.ModTime}}
	if c.exists {
		step.Expect = c.sum()
	}
	s.step(PlannedStep{Step: step})
}

// stampsOf are the stamps that an entry gets back. A folder gets its mode, but its owner can write into it, since what it held follows; its
// time is that of the last step in it.
func stampsOf(kind memstore.Kind, was memstore.Stamps) memstore.Stamps {
	if kind != memstore.KindDir {
		return was
	}
	if was.Mode == 0 {
		return memstore.Stamps{}
	}
	return memstore.Stamps{Mode: was.Mode | 0o700}
}
