package journal

import (
	"bytes"
	"context"
	"path"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

// PlanUndo plans to take back the newest group of the user's that is in force, across
// restarts: of the curator, or of what was put into the store from a replay. ErrNothing where there is none.
func (e *Editor) PlanUndo(ctx context.Context) (*Plan, error) {
	return e.planNewest(ctx, "undo", roleUndo, "role = 0 AND undone_by IS NULL")
}

// PlanRedo plans to take back the newest undo, unless something was done since.
func (e *Editor) PlanRedo(ctx context.Context) (*Plan, error) {
	return e.planNewest(ctx, "redo", roleRedo, `role = 1 AND undone_by IS NULL
		AND rev > (SELECT max(coalesce((SELECT max(rev) FROM revision WHERE actor = 'curator' AND role = 0), 0),
			coalesce((SELECT max(rev) FROM revision INDEXED BY revision_grp WHERE grp IS NOT NULL AND actor = 'replay'), 0)))`)
}

// own tells a revision that the user made: as curator, or by putting files of a replayed memory into the
// store, which is a group.
func own(r past.Revision) bool {
	return r.Actor == memstore.Curator || r.Actor == memstore.Replay && r.Group != 0
}

// planNewest plans to take back the newest group of the curator with a revision that
// fits, and of it those revisions that do.
func (e *Editor) planNewest(ctx context.Context, command string, r role, where string) (*Plan, error) {
	db, err := e.j.reader()
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `WITH fit AS (SELECT rev, coalesce(grp, rev) AS g FROM revision WHERE actor = 'curator' AND `+where+`
		UNION ALL SELECT rev, grp FROM revision INDEXED BY revision_grp WHERE grp IS NOT NULL AND actor = 'replay' AND `+where+`)
		SELECT rev FROM fit WHERE g = (SELECT g FROM fit ORDER BY rev DESC LIMIT 1)`)
	if err != nil {
		return nil, failed(command, err)
	}
	defer rows.Close()
	var revs []int64
	for rows.Next() {
		var rev int64
		if err := rows.Scan(&rev); err != nil {
			return nil, failed(command, err)
		}
		revs = append(revs, rev)
	}
	if err := rows.Err(); err != nil {
		return nil, failed(command, err)
	}
	if len(revs) == 0 {
		return nil, &Error{Op: command, Err: past.ErrNothing}
	}
	return e.plan(ctx, command, r, revs)
}

// PlanRevert plans to take back revisions, whoever made them, the newest first. What was done to the
// same files since is kept. All of them being the user's own, it is an undo.
func (e *Editor) PlanRevert(ctx context.Context, revs ...int64) (*Plan, error) {
	return e.plan(ctx, "revert", roleDo, revs)
}

// PlanPutBack plans to restore what revisions have removed, whoever made them, under the names that it had: who picks it
// out of the trash wants it, so it is not an undo also where it is all that the user did.
func (e *Editor) PlanPutBack(ctx context.Context, revs ...int64) (*Plan, error) {
	return e.plan(ctx, "restore", roleDo, revs)
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
		g, err := e.j.GroupOf(ctx, group)
		if err != nil || g.Revisions-g.Undone > n {
			return err == nil, err
		}
	}
	return false, nil
}

// PlanGroup is PlanRevert of a group, by the number that Revision.Group has.
func (e *Editor) PlanGroup(ctx context.Context, group int64) (*Plan, error) {
	var revs []int64
	if err := e.j.List(ctx, past.Filter{Group: group}, func(r past.Revision) bool {
		revs = append(revs, r.Rev)
		return true
	}); err != nil {
		return nil, err
	}
	if len(revs) == 0 {
		return nil, &Error{Op: "revert", Err: past.ErrNoRevision}
	}
	return e.PlanRevert(ctx, revs...)
}

func (e *Editor) plan(ctx context.Context, command string, r role, revs []int64) (_ *Plan, err error) {
	p := &Plan{Command: command, role: r}
	s, err := e.scene(ctx, p)
	if err != nil {
		return nil, err
	}
	var list []past.Revision
	users := true
	s.leaveOut = map[int64]bool{}
	for _, rev := range revs {
		one, err := e.j.Revision(ctx, rev)
		if err != nil {
			return nil, err
		}
		users = users && own(one)
		if !s.leaveOut[rev] {
			list = append(list, one)
		}
		s.leaveOut[rev] = true
	}
	if users && r == roleDo && command == "revert" {
		p.role = roleUndo
		part, err := e.isPart(ctx, list)
		if err != nil {
			return nil, err
		}
		if !part { // who picks some of what was done as one wants just those
			p.Command = "undo"
		}
	}
	slices.SortFunc(list, func(a, b past.Revision) int { return int(b.Rev - a.Rev) })
	if p.Title, err = e.titleOf(ctx, list); err != nil {
		return nil, err
	}
	if len(list) > 0 {
		p.Made = list[0].Time
		if p.Since, err = e.j.since(ctx, list[0].Rev); err != nil {
			return nil, failed(command, err)
		}
	}
	for _, one := range list {
		from := len(p.Steps)
		if err := s.invert(ctx, one); err != nil {
			return nil, failed(command, err)
		}
		if len(p.Steps) > from {
			if p.Steps[from].folders, err = e.j.foldersOf(ctx, one.Rev); err != nil {
				return nil, failed(command, err)
			}
		}
	}
	return p, nil
}

// titleOf is the title of the group that all of the revisions are of.
func (e *Editor) titleOf(ctx context.Context, list []past.Revision) (string, error) {
	if len(list) == 0 || list[0].Group == 0 || slices.ContainsFunc(list, func(r past.Revision) bool { return r.Group != list[0].Group }) {
		return "", nil
	}
	g, err := e.j.GroupOf(ctx, list[0].Group)
	return g.Title, err
}

// invert plans to take back one revision.
func (s *scene) invert(ctx context.Context, r past.Revision) error {
	db, err := s.e.j.reader()
	if err != nil {
		return err
	}
	name, err := forward(ctx, db, nameOf(r.Path), r.Rev, r.Shape == past.Removed, s.leaveOut)
	if err != nil {
		return err
	}
	switch r.Shape {
	case past.Made:
		return s.invertMade(ctx, r, name)
	case past.Edited:
		return s.invertEdited(ctx, r, name)
	case past.Removed:
		return s.invertRemoved(ctx, r, name)
	}
	return s.invertRenamed(ctx, r, name)
}

func (s *scene) invertMade(ctx context.Context, r past.Revision, name string) error {
	c, err := s.at(name)
	if err != nil || !c.exists {
		return err
	}
	step := PlannedStep{Step: memstore.Step{Kind: c.kind, Path: memstore.AgentPath(name), Remove: true, Expect: c.sum()}, Undoes: r.Rev}
	if c.kind == memstore.KindDir && r.Kind == memstore.KindDir {
		full, err := s.holdsAny(name)
		if full {
			s.conflict(Conflict{Rev: r.Rev, Path: memstore.AgentPath(name), Why: WhyFull})
		}
		if full || err != nil {
			return err
		}
	} else if c.kind != r.Kind || memstore.Sum(c.data) != r.After.Digest {
		data, _, err := s.bytes(ctx, r.After)
		s.conflict(Conflict{Rev: r.Rev, Path: memstore.AgentPath(name), Why: WhyChanged, Base: data, Ours: c.data})
		return err
	}
	s.step(step)
	return s.dropFolders(ctx, r, name)
}

// dropFolders plans to remove the folders above name that were not there before the revision,
// where nothing is left in them.
func (s *scene) dropFolders(ctx context.Context, r past.Revision, name string) error {
	db, err := s.e.j.reader()
	if err != nil {
		return err
	}
	then, now := parents(nameOf(r.Path)), parents(name) // the last ones are the same folder, renamed or not
	for len(then) > 0 && len(now) > 0 {
		var was bool
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM entry e JOIN path p ON p.id = e.path
			WHERE p.name = ?1 AND e.kind = ?2 AND e.first < ?3 AND (e.last IS NULL OR e.last >= ?3))`,
			then[len(then)-1], int(memstore.KindDir), r.Rev).Scan(&was); err != nil {
			return err
		}
		dir := now[len(now)-1]
		c, err := s.at(dir)
		if err != nil || was || !c.exists || c.kind != memstore.KindDir {
			return err
		}
		if full, err := s.holdsAny(dir); full || err != nil {
			return err
		}
		s.step(PlannedStep{Step: memstore.Step{Kind: memstore.KindDir, Path: memstore.AgentPath(dir), Remove: true}})
		then, now = then[:len(then)-1], now[:len(now)-1]
	}
	return nil
}

// holdsAny tells whether a folder is going to hold anything.
func (s *scene) holdsAny(name string) (bool, error) {
	for at, c := range s.cells {
		if c.exists && inside(at, name) {
			return true, nil
		}
	}
	disk, ok := s.onDisk(name)
	if !ok {
		return false, nil
	}
	list, err := s.e.store.Backend().ReadDir(disk)
	if err != nil && !noPath(err) {
		return false, err
	}
	for _, i := range list {
		at := path.Join(name, i.Name)
		if now, ok := s.onDisk(at); ok && now == path.Join(disk, i.Name) && s.cells[at] == nil {
			return true, nil
		}
	}
	return false, nil
}

func (s *scene) invertEdited(ctx context.Context, r past.Revision, name string) error {
	before, ok, err := s.bytes(ctx, r.Before)
	if err != nil {
		return err
	}
	if !ok {
		s.conflict(Conflict{Rev: r.Rev, Path: memstore.AgentPath(name), Why: WhyNotKept})
		return nil
	}
	return s.replace(ctx, r, name, before)
}

// replace plans to take a revision back to other bytes than it made, keeping what was done since.
func (s *scene) replace(ctx context.Context, r past.Revision, name string, wanted []byte) error {
	at := memstore.AgentPath(name)
	c, err := s.at(name)
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
		return nil // it is so already
	}
	step := PlannedStep{Step: memstore.Step{Kind: c.kind, Path: at, Data: wanted, Expect: c.sum(), Stamps: memstore.Stamps{ModTime: r.Before.ModTime}}, Undoes: r.Rev}
	if r.Before.Mode != r.After.Mode && r.After.Mode != 0 {
		step.Mode = r.Before.Mode // another program has put another file there
	}
	if memstore.Sum(c.data) != r.After.Digest {
		base, ok, err := s.bytes(ctx, r.After)
		if err != nil {
			return err
		}
		var regions []Region
		if ok && isText(base) && isText(c.data) && isText(wanted) {
			step.Data, regions = Merge(ctx, base, c.data, wanted)
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

// isText tells whether lines mean anything in data.
func isText(data []byte) bool { return bytes.IndexByte(data, 0) < 0 }

func (s *scene) invertRemoved(ctx context.Context, r past.Revision, name string) error {
	at := memstore.AgentPath(name)
	c, err := s.at(name)
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
			s.skip(r, at, WhyNotKept)
			return nil
		}
	}
	if c.exists {
		if c.kind != r.Kind || !bytes.Equal(c.data, before) {
			s.conflict(Conflict{Rev: r.Rev, Path: at, Why: WhyTaken, Ours: c.data, Theirs: before})
		}
		return nil
	}
	stamps := r.Before.Stamps()
	if stamps.AccessTime, err = s.e.j.accessTime(ctx, r.Rev); err != nil {
		return err
	}
	s.step(PlannedStep{Step: memstore.Step{Kind: r.Kind, Path: at, Data: before, Stamps: stamps}, Undoes: r.Rev})
	return nil
}

func (s *scene) invertRenamed(ctx context.Context, r past.Revision, name string) error {
	old := nameOf(r.OldPath)
	c, err := s.at(name)
	if err != nil {
		return err
	}
	there, err := s.at(old)
	switch {
	case err != nil:
		return err
	case !c.exists && there.exists:
		return nil // it is so already
	case !c.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: memstore.AgentPath(name), Why: WhyGone})
		return nil
	case there.exists:
		s.conflict(Conflict{Rev: r.Rev, Path: r.OldPath, Why: WhyTaken})
		return nil
	}
	s.step(PlannedStep{Step: memstore.Step{Kind: c.kind, Path: r.OldPath, OldPath: memstore.AgentPath(name), Expect: c.sum()}, Undoes: r.Rev})
	return s.dropFolders(ctx, r, name)
}

// PlanHunk plans to take back one hunk of an edit. Hunks count from 0 as diff.Hunks groups them with o.
func (e *Editor) PlanHunk(ctx context.Context, rev int64, hunk int, o diff.Options) (*Plan, error) {
	p := &Plan{Command: "revert"}
	s, err := e.scene(ctx, p)
	if err != nil {
		return nil, err
	}
	r, err := e.j.Revision(ctx, rev)
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
		return nil, &Error{Op: "revert", Err: past.ErrNotKept}
	}
	wanted, ok := WithoutHunk(ctx, before, after, hunk, o)
	if !ok {
		return nil, &Error{Op: "revert", Err: past.ErrNoRevision}
	}
	db, err := e.j.reader()
	if err != nil {
		return nil, err
	}
	name, err := forward(ctx, db, nameOf(r.Path), r.Rev, false, nil)
	if err == nil {
		err = s.replace(ctx, r, name, wanted)
	}
	for i := range p.Steps {
		p.Steps[i].Undoes = 0 // what is left of the revision is in force
	}
	return p, failed("revert", err)
}
