package journal

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// announced is an edit between its announcement and its end. Its revisions are in the database, but open: readers pass over them.
type announced struct {
	maker
	group   string // of memstore.Origin
	changes []change
	sides   []sides
}

// sides are the contents of a change before they have numbers, and what is at its name, the old one of a rename.
type sides struct {
	before, after *content
	info          memstore.Info
}

// Begin implements [memstore.Recorder]. Before it returns, the revisions with the bytes of both sides are in the database, marked as
// open, and the journal's lock is held until the edit has ended. So an open revision that the next holder of the lock finds is of a
// process that died, and [Journal.recover] finds out from the disk whether it was carried out. Edits of the curator are on the disk when
// it returns, so that a power cut between the record and the act cannot lose what the act destroys.
func (j *Journal) Begin(ctx context.Context, e *memstore.Edit) (func(error), error) {
	if j.lock == nil {
		return nil, &past.Error{Err: past.ErrReadOnly}
	}
	in, err := j.announce(e)
	if err != nil {
		return nil, j.failed(err)
	}
	unlock, err := j.lock.Lock(context.WithoutCancel(ctx)) // the edit has its turn and goes on, so it is recorded
	if err != nil {
		return nil, j.failed(err)
	}
	err = j.tx(context.WithoutCancel(ctx), in.actor == memstore.Curator, func(w *writer) {
		j.recover(w)
		j.catchUp(w, in)
		w.open(in)
	})
	if err != nil {
		unlock()
		return nil, err
	}
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			err = j.end(in, err)
			unlock()
			if err != nil && !errors.Is(err, past.ErrCorrupt) { // damage was told when it was found
				j.options.Warn(err) // what stays open is settled by the next writer, who asks the disk
			}
		})
	}, nil
}

// end closes the revisions of an edit that was carried out, or deletes them with their contents: what the store refused can hold a secret
// that no file and no revision has. Of several changes, some may have been carried out before one failed, as another program wrote into a folder
// that is removed: the disk says which.
func (j *Journal) end(in *announced, reason error) error {
	for i := range in.changes {
		in.changes[i].stamp = j.disk.stampAt(&in.changes[i])
	}
	return j.tx(context.Background(), false, func(w *writer) {
		for i := range in.changes {
			c := &in.changes[i]
			done, sure := reason == nil, true
			if !done && len(in.changes) > 1 {
				done, sure = j.disk.looksDone(w, c)
			}
			if done && sure {
				w.finish(&in.maker, c)
			} else {
				w.withdraw(c.rev)
			}
		}
	})
}

// announce takes an edit apart, without the database.
func (j *Journal) announce(e *memstore.Edit) (*announced, error) {
	origin := cutOrigin(e.Origin)
	in := &announced{
		group: origin.Group,
		maker: maker{
			time: e.Time, actor: cmp.Or(origin.Actor, memstore.Agent), command: cmp.Or(origin.As, cut(e.Command.Name)),
			session: origin.Session, model: origin.Model, tool: origin.ToolUseID, process: j.options.Process,
		},
	}
	if e.Time.IsZero() {
		in.time = j.options.Now()
	}
	for i := range e.Changes {
		c, s, err := j.disk.take(e, &e.Changes[i])
		if err != nil {
			return nil, err
		}
		c.undoes = e.Changes[i].Undoes
		c.added, c.removed = count(s.before.text(), s.after.text())
		in.changes, in.sides = append(in.changes, c), append(in.sides, s)
	}
	return in, nil
}

// take reads one change of an edit.
func (d *disk) take(e *memstore.Edit, c *memstore.Change) (change, sides, error) {
	out := change{kind: c.Kind, name: memstore.BackendName(c.Path), shape: shapeOf(e, c)}
	if c.OldPath != "" {
		out.oldName = memstore.BackendName(c.OldPath)
	}
	var s sides
	var err error
	must := e.Origin.Actor == memstore.Curator && out.shape != past.Renamed
	if s.before, err = d.read(c.Before, must); err != nil {
		return out, s, err
	}
	at := cmp.Or(out.oldName, out.name)
	if c.Kind == memstore.KindLink && (out.shape == past.Renamed || out.shape == past.Removed) {
		s.before = d.linkAt(at)
	}
	if out.shape == past.Renamed {
		s.after = s.before
	} else if s.after, err = d.read(c.After, false); err != nil {
		return out, s, err
	}
	if s.after != nil {
		out.size = s.after.size
	}
	if b := d.backend; b != nil && out.shape != past.Made {
		if s.info, err = b.Lstat(at); err == nil {
			out.beforeMode, out.beforeTime = s.info.Mode.Perm(), s.info.ModTime
		}
	}
	s.info.Kind = c.Kind // another program may be putting something else there
	return out, s, nil
}

// shapeOf is what a change of a command does to its path.
func shapeOf(e *memstore.Edit, c *memstore.Change) past.Shape {
	switch {
	case c.OldPath != "":
		return past.Renamed
	case c.After != nil && c.Before != nil:
		return past.Edited
	case c.After != nil:
		return past.Made
	case c.Before == nil && c.Kind == memstore.KindDir && e.Command.Name == memstore.CmdCreate:
		return past.Made
	}
	return past.Removed
}

// read reads one side. must means that the curator is about to destroy it: it is kept,
// or the act fails.
func (d *disk) read(c *memstore.Content, must bool) (*content, error) {
	if c == nil {
		return nil, nil
	}
	if c.Size() > maxFile && !must {
		out := &content{size: c.Size(), why: whyTooBig}
		if sum, err := c.Digest(); err == nil {
			out.sum = sum
		}
		return out, nil
	}
	data, err := c.Bytes()
	if err != nil && must {
		return nil, err
	}
	if err != nil {
		return &content{size: c.Size(), why: whyNotRead}, nil
	}
	sum, _ := c.Digest() // the bytes are there, so it cannot fail
	return &content{sum: sum, size: int64(len(data)), data: data}, nil
}

// putSides stores the contents of the changes of an edit.
func (w *writer) putSides(in *announced) {
	for i := range in.changes {
		c, s := &in.changes[i], in.sides[i]
		c.before = w.put(s.before, 0, nil)
		if c.after = c.before; s.after != s.before {
			c.after = w.put(s.after, c.before, s.before.text())
		}
	}
}

// open inserts the open revisions of an edit.
func (w *writer) open(in *announced) {
	w.putSides(in)
	if in.group != "" {
		w.row("SELECT id FROM grp WHERE name = ?", []any{in.group}, &in.maker.group)
	}
	for i := range in.changes {
		c := &in.changes[i]
		c.rev = w.insert(&in.maker, c, true)
		if in.maker.group == 0 && (in.group != "" || len(in.changes) > 1) {
			w.openGroup(&in.maker, in.group, c.rev)
		}
	}
}

// openGroup lets a group, which may have a name, begin with the revision rev.
func (w *writer) openGroup(m *maker, name string, rev int64) {
	m.group = rev
	if name != "" {
		w.do("INSERT INTO grp (name, id) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET id = excluded.id", name, rev)
	}
	w.do("UPDATE revision SET grp = ? WHERE rev = ?", rev, rev)
}

// withdraw deletes an open revision, with those of its contents that nothing else names.
func (w *writer) withdraw(rev int64) {
	contents := values[int64](w, `SELECT before FROM revision WHERE rev = ?1 AND before IS NOT NULL
		UNION SELECT after FROM revision WHERE rev = ?1 AND after IS NOT NULL ORDER BY 1 DESC`, rev) // a delta before its base
	w.do("DELETE FROM revision WHERE rev = ?", rev)
	w.do("UPDATE grp SET id = 0 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM revision WHERE grp = ?1)", rev)
	for _, id := range contents {
		w.do("DELETE FROM blob WHERE id = ? AND NOT EXISTS (SELECT 1 FROM blob d WHERE d.base = blob.id) AND "+unused, id)
	}
}

// cutOrigin is an origin as it enters the journal.
func cutOrigin(o memstore.Origin) memstore.Origin {
	o.Actor = memstore.Actor(cut(string(o.Actor)))
	for _, s := range []*string{&o.Session, &o.Model, &o.ToolUseID, &o.Group, &o.As} {
		*s = cut(*s)
	}
	return o
}
