package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// announced is an edit between its announcement and its end. Its revisions are in the database, but open: readers pass over them.
type announced struct {
	maker
	group   string // of memstore.Origin
	changes []change
	sides   []sides
	folders []string // above the path of the first change, that are made for it, the topmost first
	temp    string   // the temporary name that it uses, relative to the store; "" for none
}

// sides are the contents of a change before they have numbers.
type sides struct{ before, after *content.Content }

// Begin implements [memstore.Recorder]. Before it returns, the revisions with the bytes of both sides are in the database, marked as
// open, and the journal's lock is held until the edit has ended. So an open revision that the next holder of the lock finds is of a
// process that died, and [Journal.recover] finds out from the disk whether it was carried out. Edits of the curator are on the disk when
// it returns, so that a power cut between the record and the act cannot lose what the act destroys.
func (j *Journal) Begin(ctx context.Context, e *memstore.Edit) (func(error), error) {
	in, err := j.announce(e)
	if err != nil {
		return nil, failed("begin", err)
	}
	unlock, err := j.lock.Lock(context.WithoutCancel(ctx)) // the edit has its turn and goes on, so it is recorded
	if err != nil {
		return nil, failed("begin", err)
	}
	err = j.tx("begin", in.actor == memstore.Curator, func(w *tableWriter) error {
		if err := j.recover(w); err != nil {
			return err
		}
		if err := w.keepFolders(j.options.Backend, in); err != nil {
			return err
		}
		return w.open(in)
	})
	if err != nil {
		unlock()
		return nil, err
	}
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			defer unlock()
			if err := j.end(in, err); err != nil {
				j.options.Warn(err) // it stays open: the next writer asks the disk
			}
		})
	}, nil
}

// end closes the revisions of an edit that was carried out, or deletes them with their contents: what the store refused can hold a secret
// that no file and no revision has.
func (j *Journal) end(in *announced, reason error) error {
	for i := range in.changes {
		in.changes[i].stamp = j.disk.stampAt(&in.changes[i])
	}
	return j.tx("end", false, func(w *tableWriter) error {
		for i := range in.changes {
			var err error
			if reason == nil {
				err = w.finish(&in.maker, &in.changes[i])
			} else {
				err = w.withdraw(in.changes[i].rev)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// announce takes an edit apart, without the database.
func (j *Journal) announce(e *memstore.Edit) (*announced, error) {
	origin := cutOrigin(e.Origin)
	in := &announced{
		group: origin.Group,
		maker: maker{
			time: e.Time, actor: cmp.Or(origin.Actor, memstore.Agent), command: cmp.Or(origin.As, schema.Cut(e.Command.Name)),
			session: origin.Session, model: origin.Model, tool: origin.ToolUseID, process: j.options.Process,
			role: roleOf(origin),
		},
	}
	if e.Temp != "" {
		in.temp = memstore.BackendName(e.Temp)
	}
	if e.Time.IsZero() {
		in.time = j.options.Now()
	}
	for i := range e.Changes {
		c, s, err := j.disk.take(e, &e.Changes[i])
		if err != nil {
			return nil, err
		}
		c.undoes = origin.Undoes
		c.added, c.removed = count(s.before.Text(), s.after.Text())
		in.changes, in.sides = append(in.changes, c), append(in.sides, s)
	}
	if e.Made > 0 && len(in.changes) > 0 {
		above := pathname.Parents(in.changes[0].name)
		in.folders = above[max(0, len(above)-e.Made):]
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
	if s.before, err = d.contentOf(c.Before, must); err != nil {
		return out, s, err
	}
	at := cmp.Or(out.oldName, out.name)
	if out.shape == past.Made && c.Kind == memstore.KindDir && d.backend != nil {
		if info, err := d.backend.Lstat(at); err == nil && info.Kind == memstore.KindDir {
			out.shape = past.Removed // a rename took the last file out of it
		}
	}
	if c.Kind == memstore.KindLink && (out.shape == past.Renamed || out.shape == past.Removed) {
		s.before = d.linkAt(at)
	}
	if out.shape == past.Renamed {
		s.after = s.before
	} else if s.after, err = d.contentOf(c.After, false); err != nil {
		return out, s, err
	}
	if s.after != nil {
		out.size = s.after.Size
	}
	if b := d.backend; b != nil && out.shape != past.Made {
		if info, err := b.Lstat(at); err == nil {
			out.beforeMode, out.hasMode, out.beforeTime = info.Mode.Perm(), true, info.ModTime
		}
	}
	return out, s, nil
}

// shapeOf is what a change of a command does to its path. A create and a rename that fail leave folders behind
// in the dialects of the SDKs; the change of a rename that moves has an old path.
func shapeOf(e *memstore.Edit, c *memstore.Change) past.Shape {
	switch {
	case c.OldPath != "":
		return past.Renamed
	case c.After != nil && c.Before != nil:
		return past.Edited
	case c.After != nil:
		return past.Made
	case c.Before == nil && c.Kind == memstore.KindDir && (e.Command.Name == memstore.CmdCreate || e.Command.Name == memstore.CmdRename):
		return past.Made
	}
	return past.Removed
}

// contentOf reads one side. must means that the curator is about to destroy it: it is kept,
// or the act fails.
func (d *disk) contentOf(c *memstore.Content, must bool) (*content.Content, error) {
	if c == nil {
		return nil, nil
	}
	if c.Size() > d.maxFile && !must {
		out := &content.Content{Size: c.Size(), Why: content.WhyTooBig}
		if sum, err := c.Digest(); err == nil {
			out.Sum, out.Hashed = sum, true
		}
		return out, nil
	}
	data, err := c.Bytes()
	if err != nil && must {
		return nil, err
	}
	if err != nil {
		return &content.Content{Size: c.Size(), Why: content.WhyNotRead}, nil
	}
	sum, _ := c.Digest() // the bytes are there, so it cannot fail
	return &content.Content{Sum: sum, Hashed: true, Size: int64(len(data)), Data: data}, nil
}

// linkAt is the text of a link, which is its content.
func (d *disk) linkAt(name string) *content.Content {
	if d.backend == nil {
		return nil
	}
	to, err := d.backend.Readlink(name)
	if err != nil {
		return nil
	}
	return content.Of([]byte(to))
}

// putSides stores the contents of the changes of an edit.
func (w *tableWriter) putSides(in *announced) (err error) {
	for i := range in.changes {
		c, s := &in.changes[i], in.sides[i]
		if c.before, err = w.blobs.Put(s.before, 0); err != nil {
			return err
		}
		if c.after = c.before; s.after != s.before {
			if c.after, err = w.blobs.Put(s.after, c.before); err != nil {
				return err
			}
		}
	}
	return nil
}

// open inserts the open revisions of an edit, after those of other programs that it has found.
func (w *tableWriter) open(in *announced) error {
	if err := w.putSides(in); err != nil {
		return err
	}
	own := map[string]bool{}
	for i := range in.changes {
		c := &in.changes[i]
		if err := w.catchUp(&in.maker, c, own); err != nil {
			return err
		}
		own[c.name], own[c.oldName] = true, true
	}
	if in.group != "" {
		if _, err := w.Row("SELECT id FROM grp WHERE name = ?", []any{in.group}, &in.maker.group); err != nil {
			return err
		}
	}
	trace, err := json.Marshal(trace{in.temp, in.folders})
	if err != nil {
		return err
	}
	for i := range in.changes {
		c := &in.changes[i]
		if c.rev, err = w.insert(&in.maker, c, string(trace)); err != nil {
			return err
		}
		if in.maker.group == 0 && (in.group != "" || len(in.changes) > 1) {
			if err := w.openGroup(in, c.rev); err != nil {
				return err
			}
		}
	}
	return nil
}

// openGroup lets a group begin with the revision rev.
func (w *tableWriter) openGroup(in *announced, rev int64) error {
	in.maker.group = rev
	if in.group != "" {
		if err := w.Do("INSERT INTO grp (name, id) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET id = excluded.id", in.group, rev); err != nil {
			return err
		}
	}
	return w.Do("UPDATE revision SET grp = ? WHERE rev = ?", rev, rev)
}

// withdraw deletes an open revision, with those of its contents that nothing else names.
func (w *tableWriter) withdraw(rev int64) error {
	contents, err := w.IDs(`SELECT before FROM revision WHERE rev = ?1 AND before IS NOT NULL
		UNION SELECT after FROM revision WHERE rev = ?1 AND after IS NOT NULL`, rev)
	if err != nil {
		return err
	}
	return errors.Join(w.Do("DELETE FROM revision WHERE rev = ?", rev),
		w.Do("UPDATE grp SET id = 0 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM revision WHERE grp = ?1)", rev),
		w.blobs.Discard(contents))
}

// cutOrigin is an origin as it enters the journal.
func cutOrigin(o memstore.Origin) memstore.Origin {
	o.Actor = memstore.Actor(schema.Cut(string(o.Actor)))
	for _, s := range []*string{&o.Session, &o.Model, &o.ToolUseID, &o.Group, &o.As} {
		*s = schema.Cut(*s)
	}
	return o
}
