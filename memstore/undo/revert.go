package undo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// PlanUndo plans to undo the user's newest group that is in force, across restarts: an act of the curator, or
// what was put into the store from a replay. [past.ErrNothing] if there is none.
func (e *Editor) PlanUndo(ctx context.Context) (*Plan, error) {
	var first *Plan
	for before := int64(0); ; {
		revs, err := e.record.Newest(ctx, false, before)
		if first != nil && errors.Is(err, past.ErrNothing) {
			return first, nil
		}
		if err != nil {
			return nil, err
		}
		p, err := e.plan(ctx, &Plan{Command: "undo"}, revs)
		if err != nil || len(p.Steps)+len(p.Conflicts)+len(p.Skipped) > 0 {
			return p, err
		}
		// Others have taken it back already: the undo is of the group before.
		first, before = cmp.Or(first, p), slices.Min(revs)
	}
}

// PlanRedo plans to undo the newest undo, unless something was done since.
func (e *Editor) PlanRedo(ctx context.Context) (*Plan, error) {
	revs, err := e.record.Newest(ctx, true, 0)
	if err != nil {
		return nil, err
	}
	return e.plan(ctx, &Plan{Command: "redo"}, revs)
}

// PlanRevert plans to undo revisions, newest first, whoever made them. It keeps later edits of the same files.
func (e *Editor) PlanRevert(ctx context.Context, revs ...int64) (*Plan, error) {
	return e.plan(ctx, &Plan{Command: "revert"}, revs)
}

// PlanPutBack plans to restore what revisions have removed, regardless of who made them, under the names that it had: who picks it
// out of the trash wants it, so it is not an undo also where it is all that the user did.
func (e *Editor) PlanPutBack(ctx context.Context, revs ...int64) (*Plan, error) {
	return e.plan(ctx, &Plan{Command: "restore"}, revs)
}

// PlanGroup is PlanRevert of a group, by the number that Revision.Group has.
func (e *Editor) PlanGroup(ctx context.Context, group int64) (*Plan, error) {
	var revs []int64
	if err := e.record.List(ctx, past.Filter{Group: group}, func(r past.Revision) bool {
		revs = append(revs, r.Rev)
		return true
	}); err != nil {
		return nil, err
	}
	if len(revs) == 0 {
		return nil, &past.Error{Op: "revert", Err: past.ErrNoRevision}
	}
	return e.PlanRevert(ctx, revs...)
}

// plan plans to undo revisions.
func (e *Editor) plan(ctx context.Context, p *Plan, revs []int64) (_ *Plan, err error) {
	p.Asked = revs
	s, err := e.scene(ctx, p)
	if err != nil {
		return nil, err
	}
	var list []past.Revision
	s.leaveOut = map[int64]bool{}
	for _, rev := range revs {
		one, err := e.record.Revision(ctx, rev)
		if err != nil {
			return nil, err
		}
		if !s.leaveOut[rev] {
			list = append(list, one)
		}
		s.leaveOut[rev] = true
	}
	slices.SortFunc(list, func(a, b past.Revision) int { return int(b.Rev - a.Rev) })
	p.Title = title(list)
	if len(list) > 0 {
		p.Made = list[0].Time
	}
	for _, one := range list {
		if err := s.invert(ctx, one); err != nil {
			return nil, past.Failed(p.Command, err)
		}
	}
	return p, nil
}

// title is the title of the group that all of the revisions are of; "" if there are several, or none.
func title(list []past.Revision) string {
	if len(list) == 0 || slices.ContainsFunc(list, func(r past.Revision) bool { return r.Group != list[0].Group }) {
		return ""
	}
	return list[0].Title
}

// invert plans to undo one revision.
func (s *scene) invert(ctx context.Context, r past.Revision) error {
	at, err := s.e.record.Forward(ctx, r, s.leaveOut)
	if err != nil {
		return err
	}
	switch r.Shape {
	case past.Made:
		return s.invertMade(ctx, r, at)
	case past.Edited:
		return s.invertEdited(ctx, r, at)
	case past.Removed:
		return s.invertRemoved(ctx, r, at)
	}
	return s.invertRenamed(r, at)
}

func (s *scene) invertMade(ctx context.Context, r past.Revision, at string) error {
	c, err := s.at(at)
	if err != nil || !c.exists {
		return err
	}
	step := PlannedStep{Step: memstore.Step{Kind: c.kind, Path: at, Remove: true, Expect: c.sum()}, Undoes: r.Rev}
	if c.kind == memstore.KindDir && r.Kind == memstore.KindDir {
		full, err := s.holdsAny(at)
		if full {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: whyFull})
		}
		if full || err != nil {
			return err
		}
	} else if c.kind != r.Kind || memstore.Sum(c.data) != r.After.Digest {
		data, _, err := s.bytes(ctx, r.After)
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyChanged, Base: data, Ours: c.data})
		return err
	}
	s.step(step)
	return s.dropFolders(r, at)
}

// dropFolders plans to remove the folders above a path that came with a revision, if they are empty now. at is the path today: the folders
// above it are the same ones, renamed or not.
func (s *scene) dropFolders(r past.Revision, at string) error {
	for now, left := path.Dir(at), r.Folders; left > 0 && now != memstore.Root; now, left = path.Dir(now), left-1 {
		c, err := s.at(now)
		if err != nil || !c.exists || c.kind != memstore.KindDir {
			return err
		}
		if full, err := s.holdsAny(now); full || err != nil {
			return err
		}
		s.step(PlannedStep{Step: memstore.Step{Kind: memstore.KindDir, Path: now, Remove: true}})
	}
	return nil
}

// holdsAny reports whether a folder is going to hold anything.
func (s *scene) holdsAny(dir string) (bool, error) {
	for at, c := range s.cells {
		if c.exists && strings.HasPrefix(at, dir+"/") {
			return true, nil
		}
	}
	disk, ok := s.onDisk(dir)
	if !ok {
		return false, nil
	}
	list, err := s.e.store.Backend().ReadDir(memstore.BackendName(disk))
	if err != nil && !memstore.IsAbsent(err) {
		return false, err
	}
	for _, i := range list {
		at := dir + "/" + i.Name
		if now, ok := s.onDisk(at); ok && now == disk+"/"+i.Name && s.cells[at] == nil {
			return true, nil
		}
	}
	return false, nil
}

func (s *scene) invertEdited(ctx context.Context, r past.Revision, at string) error {
	before, ok, err := s.bytes(ctx, r.Before)
	if err != nil {
		return err
	}
	if !ok {
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: whyNotKept})
		return nil
	}
	return s.replace(ctx, r, at, before)
}

// replace plans to take a revision back to other bytes than it made, keeping later edits.
func (s *scene) replace(ctx context.Context, r past.Revision, at string, wanted []byte) error {
	c, err := s.at(at)
	switch {
	case err != nil:
		return err
	case !c.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyGone, Theirs: wanted})
		return nil
	case c.kind != r.Kind:
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyTaken, Theirs: wanted})
		return nil
	case bytes.Equal(c.data, wanted):
		return nil // nothing to change
	}
	step := PlannedStep{Step: memstore.Step{Kind: c.kind, Path: at, Data: wanted, Expect: c.sum(),
		Stamps: memstore.Stamps{ModTime: r.Before.ModTime}}, Undoes: r.Rev}
	if r.Before.Mode != r.After.Mode && r.After.Mode != 0 {
		step.Mode = r.Before.Mode // another program has put another file there
	}
	if memstore.Sum(c.data) != r.After.Digest {
		base, ok, err := s.bytes(ctx, r.After)
		if err != nil {
			return err
		}
		clash := false
		if ok && !text.Binary(base) && !text.Binary(c.data) && !text.Binary(wanted) {
			step.Data, step.Merged = Merge(ctx, base, c.data, wanted)
			step.ModTime, clash = time.Time{}, !step.Merged
		}
		if !step.Merged {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyChanged, Base: base, Ours: c.data, Theirs: wanted, Lines: clash})
			return nil
		}
		if bytes.Equal(step.Data, c.data) {
			return nil
		}
	}
	s.step(step)
	return nil
}

func (s *scene) invertRemoved(ctx context.Context, r past.Revision, at string) error {
	c, err := s.at(at)
	if err != nil {
		return err
	}
	if r.Kind == memstore.KindOther {
		s.skip(r, at, WhySpecial)
		return nil
	}
	var before []byte
	if r.Kind != memstore.KindDir {
		var ok bool
		if before, ok, err = s.bytes(ctx, r.Before); err != nil {
			return err
		}
		if !ok {
			s.skip(r, at, whyNotKept)
			return nil
		}
	}
	if c.exists {
		if c.kind != r.Kind || !bytes.Equal(c.data, before) {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyTaken, Ours: c.data, Theirs: before})
		}
		return nil
	}
	s.step(PlannedStep{Step: memstore.Step{Kind: r.Kind, Path: at, Data: before, Stamps: stampsOf(r.Kind, r.Before.Stamps())}, Undoes: r.Rev})
	return nil
}

func (s *scene) invertRenamed(r past.Revision, at string) error {
	if at == r.OldPath {
		return nil // it was moved back
	}
	c, err := s.at(at)
	if err != nil {
		return err
	}
	there, err := s.at(r.OldPath)
	switch {
	case err != nil:
		return err
	case !c.exists && there.exists:
		return nil // nothing to change
	case !c.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyGone})
		return nil
	case there.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: r.OldPath, Why: WhyTaken})
		return nil
	}
	s.step(PlannedStep{Step: memstore.Step{Kind: c.kind, Path: r.OldPath, OldPath: at, Expect: c.sum()}, Undoes: r.Rev})
	return s.dropFolders(r, at)
}

// PlanHunk plans to undo one block of changed lines of an edit. Its number counts from 0 as diff.Blocks splits the edit.
func (e *Editor) PlanHunk(ctx context.Context, rev int64, number int) (*Plan, error) {
	p := &Plan{Command: "revert", Asked: []int64{rev}, Hunk: true}
	s, err := e.scene(ctx, p)
	if err != nil {
		return nil, err
	}
	r, err := e.record.Revision(ctx, rev)
	if err != nil {
		return nil, err
	}
	before, okBefore, err := s.bytes(ctx, r.Before)
	if err != nil {
		return nil, err
	}
	after, okAfter, err := s.bytes(ctx, r.After)
	if err != nil {
		return nil, err
	}
	if r.Shape != past.Edited || !okBefore || !okAfter {
		return nil, &past.Error{Op: "revert", Err: past.ErrNotKept}
	}
	wanted, ok := withoutHunk(ctx, before, after, number)
	if !ok {
		return nil, &past.Error{Op: "revert", Err: past.ErrNoRevision}
	}
	at, err := e.record.Forward(ctx, r, nil)
	if err == nil {
		err = s.replace(ctx, r, at, wanted)
	}
	for i := range p.Steps {
		p.Steps[i].Undoes = 0 // what is left of the revision is in force
	}
	return p, past.Failed("revert", err)
}
