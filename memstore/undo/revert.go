package undo

import (
	"bytes"
	"context"
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
	revs, err := e.record.Newest(ctx, false)
	if err != nil {
		return nil, err
	}
	return e.plan(ctx, &Plan{Command: "undo", redoable: true}, revs)
}

// PlanRedo plans to undo the newest undo, unless something was done since.
func (e *Editor) PlanRedo(ctx context.Context) (*Plan, error) {
	revs, err := e.record.Newest(ctx, true)
	if err != nil {
		return nil, err
	}
	return e.plan(ctx, &Plan{Command: "redo"}, revs)
}

// own reports whether the user made a revision: as curator, or by putting files of a replayed memory into the
// store, which is a group.
func own(r past.Revision) bool {
	return r.Actor == memstore.Curator || r.Actor == memstore.Replay && r.Group != 0
}

// PlanRevert plans to undo revisions, newest first, whoever made them. It keeps later edits of the same files. If all of them are the
// user's own, it is an undo.
func (e *Editor) PlanRevert(ctx context.Context, revs ...int64) (*Plan, error) {
	return e.plan(ctx, &Plan{Command: "revert"}, revs)
}

// PlanPutBack plans to restore what revisions have removed, regardless of who made them, under the names that it had: who picks it
// out of the trash wants it, so it is not an undo also where it is all that the user did.
func (e *Editor) PlanPutBack(ctx context.Context, revs ...int64) (*Plan, error) {
	return e.plan(ctx, &Plan{Command: "restore"}, revs)
}

// isPart reports whether revisions are of groups of which others are in force.
func (e *Editor) isPart(ctx context.Context, list []past.Revision) (bool, error) {
	of := map[int64]int{}
	for _, r := range list {
		if r.Group != 0 && r.UndoneBy == 0 {
			of[r.Group]++
		}
	}
	for group, n := range of {
		g, err := e.record.GroupOf(ctx, group)
		if err != nil || g.Revisions-g.Undone > n {
			return err == nil, err
		}
	}
	return false, nil
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

// PlanRest plans to undo, or to redo, as much of a group of the user as isn't undone, or redone, yet. The plan has no steps if nothing is
// left.
func (e *Editor) PlanRest(ctx context.Context, command string, group int64) (*Plan, error) {
	list, err := past.Revisions(ctx, e.record, past.Filter{Group: group})
	if err != nil {
		return nil, err
	}
	var revs []int64
	seen := map[int64]bool{}
	for _, r := range list {
		switch {
		case command == "undo" && r.UndoneBy == 0:
			revs = append(revs, r.Rev)
		case command == "redo" && r.UndoneBy != 0 && r.UndoneBy != r.Rev:
			if revs, err = e.undosWith(ctx, r.UndoneBy, seen, revs); err != nil {
				return nil, err
			}
		}
	}
	p, err := e.planWith(ctx, &Plan{Command: command, redoable: command == "undo"}, revs, func(s *scene) error {
		for _, r := range list { // an undo may have been killed before it removed the folders of a file
			if command == "undo" && r.UndoneBy != 0 && r.Shape == past.Made && r.Kind != memstore.KindDir {
				if err := s.dropFolders(ctx, r, r.Path); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.act = list
	if err := e.setAct(ctx, p, list); err != nil {
		return nil, err
	}
	if p.Made.IsZero() {
		p.Made = p.Act.Time
	}
	return p, nil
}

// undosWith adds an undo, and what is in force of the group that it is in: an undo has steps that undo no revision, too.
func (e *Editor) undosWith(ctx context.Context, rev int64, seen map[int64]bool, revs []int64) ([]int64, error) {
	add := func(r past.Revision) bool {
		if !seen[r.Rev] && r.UndoneBy == 0 {
			seen[r.Rev], revs = true, append(revs, r.Rev)
		}
		return true
	}
	r, err := e.record.Revision(ctx, rev)
	if err != nil || r.Group == 0 || seen[rev] {
		add(r)
		return revs, err
	}
	return revs, e.record.List(ctx, past.Filter{Group: r.Group}, add)
}

func (e *Editor) plan(ctx context.Context, p *Plan, revs []int64) (*Plan, error) {
	return e.planWith(ctx, p, revs, func(*scene) error { return nil })
}

// planWith plans to undo revisions, and then what else there is to do.
func (e *Editor) planWith(ctx context.Context, p *Plan, revs []int64, then func(*scene) error) (_ *Plan, err error) {
	p.Asked = revs
	s, err := e.scene(ctx, p)
	if err != nil {
		return nil, err
	}
	var list []past.Revision
	users := true
	s.leaveOut = map[int64]bool{}
	for _, rev := range revs {
		one, err := e.record.Revision(ctx, rev)
		if err != nil {
			return nil, err
		}
		users = users && own(one)
		if !s.leaveOut[rev] {
			list = append(list, one)
		}
		s.leaveOut[rev] = true
	}
	if users && p.Command == "revert" {
		p.redoable = true
		part, err := e.isPart(ctx, list)
		if err != nil {
			return nil, err
		}
		if !part { // picking a part of a group means just that part
			p.Command = "undo"
		}
	}
	slices.SortFunc(list, func(a, b past.Revision) int { return int(b.Rev - a.Rev) })
	if err := e.setAct(ctx, p, list); err != nil {
		return nil, err
	}
	if len(list) > 0 {
		if err := e.findAct(ctx, p, list); err != nil {
			return nil, err
		}
		p.Made = list[0].Time
		if p.Since, err = e.record.Since(ctx, list[0].Rev, pathsOf(list)); err != nil {
			return nil, err
		}
	}
	for _, one := range list {
		if err := s.invert(ctx, one); err != nil {
			return nil, past.Failed(p.Command, err)
		}
	}
	return p, past.Failed(p.Command, then(s))
}

// pathsOf lists the agent paths of revisions, those before a rename included.
func pathsOf(list []past.Revision) (paths []string) {
	for _, r := range list {
		paths = append(paths, r.Path)
		if r.OldPath != "" {
			paths = append(paths, r.OldPath)
		}
	}
	return paths
}

// setAct notes the group that all of the revisions are of.
func (e *Editor) setAct(ctx context.Context, p *Plan, list []past.Revision) (err error) {
	p.Act, p.Title = past.GroupInfo{}, ""
	if len(list) == 0 || list[0].Group == 0 || slices.ContainsFunc(list, func(r past.Revision) bool { return r.Group != list[0].Group }) {
		return nil
	}
	p.Act, err = e.record.GroupOf(ctx, list[0].Group)
	p.Title = p.Act.Title
	return err
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
	return s.invertRenamed(ctx, r, at)
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
	return s.dropFolders(ctx, r, at)
}

// dropFolders plans to remove the folders above a path that were not there before the revision,
// if they are empty now.
func (s *scene) dropFolders(ctx context.Context, r past.Revision, at string) error {
	// The folders above both paths are the same ones, renamed or not.
	for then, now := path.Dir(r.Path), path.Dir(at); then != memstore.Root && now != memstore.Root; then, now = path.Dir(then), path.Dir(now) {
		was, err := s.e.record.HadFolder(ctx, then, r.Rev)
		if err != nil {
			return err
		}
		c, err := s.at(now)
		if err != nil || was || !c.exists || c.kind != memstore.KindDir {
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
		var regions []region
		if ok && !text.Binary(base) && !text.Binary(c.data) && !text.Binary(wanted) {
			step.Data, regions = mergeTexts(ctx, base, c.data, wanted)
			step.Merged, step.ModTime = true, time.Time{}
			if step.Kept, err = s.keptOf(ctx, r, at); err != nil {
				return err
			}
		}
		if !step.Merged || len(regions) > 0 {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyChanged, Base: base, Ours: c.data, Theirs: wanted, Regions: regions})
			return nil
		}
		if bytes.Equal(step.Data, c.data) {
			return nil
		}
	}
	s.step(step)
	return nil
}

// keptOf is the newest edit since revision r of what now is at this path, which a step that takes r back keeps; its Rev is 0
// where none is recorded.
func (s *scene) keptOf(ctx context.Context, r past.Revision, at string) (kept past.Revision, err error) {
	err = s.e.record.List(ctx, past.Filter{Path: at, After: r.Rev, Newest: true}, func(one past.Revision) bool {
		if one.UndoneBy == 0 && !s.leaveOut[one.Rev] {
			kept = one
		}
		return kept.Rev == 0
	})
	return kept, err
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

func (s *scene) invertRenamed(ctx context.Context, r past.Revision, at string) error {
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
	return s.dropFolders(ctx, r, at)
}

// PlanHunks plans to undo blocks of changed lines of an edit as one act. Their numbers ascend and count from 0 as diff.Blocks splits
// the edit.
func (e *Editor) PlanHunks(ctx context.Context, rev int64, numbers []int) (*Plan, error) {
	p := &Plan{Command: "revert", Asked: []int64{rev}, Hunks: numbers}
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
	wanted, ok := withoutHunks(ctx, before, after, numbers)
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
