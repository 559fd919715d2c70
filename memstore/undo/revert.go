package undo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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
		return nil, &past.Error{Err: past.ErrNoRevision}
	}
	return e.PlanRevert(ctx, revs...)
}

// plan plans to undo revisions.
func (e *Editor) plan(ctx context.Context, p *Plan, revs []int64) (*Plan, error) {
	p.Asked = revs
	s := e.scene(ctx, p)
	var list []past.Revision
	s.leaveOut = map[int64]bool{}
	for _, rev := range revs {
		if s.leaveOut[rev] {
			continue
		}
		s.leaveOut[rev] = true
		one, err := e.record.Revision(ctx, rev)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b past.Revision) int { return int(b.Rev - a.Rev) })
	var err error
	if p.Title, err = e.title(ctx, list); err != nil {
		return nil, err
	}
	if len(list) > 0 {
		p.Made = list[0].Time
	}
	switch {
	case p.Command == "restore": // of what was removed, not of the removal
	case p.Title != "":
		if p.Of = p.Title; list[0].Command == "revert" {
			p.Of = "the revert of " + p.Title
		}
	case len(list) > 1:
		p.Of = severalText(list)
	case len(list) == 1:
		of := list[0]
		if p.Command == "redo" { // what that had undone is done again; of a revision that was dropped meanwhile nothing is known
			of, _ = e.record.Revision(ctx, of.Undoes)
		}
		if of.Rev != 0 {
			p.Of = fmt.Sprintf("%s #%d", of.Command, of.Rev)
		}
	}
	for _, one := range list {
		s.invert(one)
	}
	return s.planned()
}

// title is the title of the group that the revisions are; "" if they are of several, or of none, or only a part of one: "delete 2 files" is
// not what one of them did.
func (e *Editor) title(ctx context.Context, list []past.Revision) (string, error) {
	if len(list) == 0 || list[0].Title == "" || slices.ContainsFunc(list, func(r past.Revision) bool { return r.Group != list[0].Group }) {
		return "", nil
	}
	all := 0
	err := e.record.List(ctx, past.Filter{Group: list[0].Group}, func(past.Revision) bool { all++; return true })
	if err != nil || all > len(list) {
		return "", err
	}
	return list[0].Title, nil
}

// invert plans to undo one revision.
func (s *scene) invert(r past.Revision) {
	at, err := s.e.record.Forward(s.ctx, r, s.leaveOut)
	s.fail(err)
	switch r.Shape {
	case past.Made:
		s.invertMade(r, at)
	case past.Edited:
		s.invertEdited(r, at)
	case past.Removed:
		s.invertRemoved(r, at)
	case past.Renamed:
		s.invertRenamed(r, at)
	}
}

func (s *scene) invertMade(r past.Revision, at string) {
	c := s.at(at)
	switch {
	case !c.exists:
		return
	case c.kind == memstore.KindDir && r.Kind == memstore.KindDir:
		if s.holdsAny(at) {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: whyFull})
			return
		}
	case c.kind != r.Kind || memstore.Sum(c.data) != r.After.Digest:
		data, _ := s.bytes(r.After)
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyChanged, Base: data, Ours: c.data})
		return
	}
	s.step(PlannedStep{Step: memstore.Step{Kind: c.kind, Path: at, Remove: true, Expect: c.sum(), Undoes: r.Rev}})
	s.dropFolders(r, at)
}

// dropFolders plans to remove the folders above a path that came with a revision, if they are empty now. at is the path today: the folders
// above it are the same ones, renamed or not.
func (s *scene) dropFolders(r past.Revision, at string) {
	for now, left := path.Dir(at), r.Folders; left > 0 && now != memstore.Root; now, left = path.Dir(now), left-1 {
		if c := s.at(now); !c.exists || c.kind != memstore.KindDir || s.holdsAny(now) {
			return
		}
		s.step(PlannedStep{Step: memstore.Step{Kind: memstore.KindDir, Path: now, Remove: true}})
	}
}

// holdsAny reports whether a folder is going to hold anything.
func (s *scene) holdsAny(dir string) bool {
	for at, c := range s.cells {
		if c.exists && strings.HasPrefix(at, dir+"/") {
			return true
		}
	}
	disk, ok := s.onDisk(dir)
	if !ok {
		return false
	}
	list, err := s.e.store.Backend().ReadDir(memstore.BackendName(disk))
	if err != nil && !memstore.IsAbsent(err) {
		s.fail(err)
	}
	for _, i := range list {
		at := dir + "/" + i.Name
		if now, ok := s.onDisk(at); ok && now == disk+"/"+i.Name && s.cells[at] == nil {
			return true
		}
	}
	return false
}

func (s *scene) invertEdited(r past.Revision, at string) {
	if before, ok := s.bytes(r.Before); ok {
		s.replace(r, at, before)
	} else {
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: whyNotKept})
	}
}

// replace plans to take a revision back to other bytes than it made, keeping later edits.
func (s *scene) replace(r past.Revision, at string, wanted []byte) {
	c := s.at(at)
	switch {
	case !c.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyGone, Theirs: wanted})
		return
	case c.kind != r.Kind:
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyTaken, Theirs: wanted})
		return
	case bytes.Equal(c.data, wanted):
		return // nothing to change
	}
	step := PlannedStep{Step: memstore.Step{Kind: c.kind, Path: at, Data: wanted, Expect: c.sum(),
		Stamps: memstore.Stamps{ModTime: r.Before.ModTime}, Undoes: r.Rev}}
	if r.Before.Mode != r.After.Mode && r.After.Mode != 0 {
		step.Mode = r.Before.Mode // another program has put another file there
	}
	if memstore.Sum(c.data) != r.After.Digest {
		base, ok := s.bytes(r.After)
		clash := false
		if ok && !text.Binary(base) && !text.Binary(c.data) && !text.Binary(wanted) {
			step.Data, step.Merged = Merge(s.ctx, base, c.data, wanted)
			step.ModTime, clash = time.Time{}, !step.Merged
		}
		if !step.Merged {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyChanged, Base: base, Ours: c.data, Theirs: wanted, Lines: clash})
			return
		}
		if bytes.Equal(step.Data, c.data) {
			return
		}
	}
	s.step(step)
}

func (s *scene) invertRemoved(r past.Revision, at string) {
	var before []byte
	if r.Kind != memstore.KindDir {
		var ok bool
		if before, ok = s.bytes(r.Before); !ok {
			s.skip(r, at, whyNotKept)
			return
		}
	}
	switch c := s.at(at); {
	case !c.exists:
		s.step(PlannedStep{Step: memstore.Step{Kind: r.Kind, Path: at, Data: before, Stamps: stampsOf(r.Kind, r.Before.Stamps()), Undoes: r.Rev}})
	case c.kind != r.Kind || !bytes.Equal(c.data, before):
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyTaken, Ours: c.data, Theirs: before})
	}
}

func (s *scene) invertRenamed(r past.Revision, at string) {
	if at == r.OldPath {
		return // it was moved back
	}
	c, there := s.at(at), s.at(r.OldPath)
	switch {
	case !c.exists && there.exists: // nothing to change
	case !c.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyGone})
	case there.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: r.OldPath, Why: WhyTaken})
	default:
		s.step(PlannedStep{Step: memstore.Step{Kind: c.kind, Path: r.OldPath, OldPath: at, Expect: c.sum(), Undoes: r.Rev}})
		s.dropFolders(r, at)
	}
}

// severalText names several changes without a title: "delete of 8 files". Folders go with what they hold.
func severalText(list []past.Revision) string {
	files, what := slices.DeleteFunc(slices.Clone(list), func(r past.Revision) bool { return r.Kind == memstore.KindDir }), "file"
	if len(files) == 0 {
		files, what = list, "folder"
	}
	command := files[0].Command
	// What a redo takes back are undos: which act is done again, their commands do not say.
	if command == "undo" || slices.ContainsFunc(files, func(r past.Revision) bool { return r.Command != command }) {
		return text.Count(len(files), "change")
	}
	return command + " of " + text.Count(past.Paths(files), what)
}

// hunkTitle is the title of an act that reverts a hunk, from 1, of a revision.
const hunkTitle = "hunk %d of #%d"

// RevertedHunk returns which hunk, as in [Editor.PlanHunk], of which revision r reverted and still does; false: none.
func RevertedHunk(r past.Revision) (hunk int, rev int64, ok bool) {
	n, _ := fmt.Sscanf(r.Title, hunkTitle, &hunk, &rev)
	return hunk - 1, rev, n == 2 && r.Command == "revert" && r.UndoneBy == 0
}

// PlanHunk plans to undo one block of changed lines of an edit. Its number counts from 0 as diff.Hunks splits the edit without context.
func (e *Editor) PlanHunk(ctx context.Context, rev int64, number int) (*Plan, error) {
	s := e.scene(ctx, &Plan{Command: "revert", Asked: []int64{rev}, Hunk: true})
	r, err := e.record.Revision(ctx, rev)
	if err != nil {
		return nil, err
	}
	before, okBefore := s.bytes(r.Before)
	after, okAfter := s.bytes(r.After)
	if s.err == nil && (r.Shape != past.Edited || !okBefore || !okAfter) {
		return nil, &past.Error{Err: past.ErrNotKept}
	}
	wanted, ok := withoutHunk(ctx, before, after, number)
	if s.err == nil && !ok {
		return nil, &past.Error{Err: past.ErrNoRevision}
	}
	at, err := e.record.Forward(ctx, r, nil)
	s.fail(err)
	s.replace(r, at, wanted)
	s.plan.Title = fmt.Sprintf(hunkTitle, number+1, rev)
	s.plan.Of = s.plan.Title
	for i := range s.plan.Steps {
		s.plan.Steps[i].Undoes = 0 // what is left of the revision is in force
	}
	return s.planned()
}
