package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// intent is an edit between its announcement and its settlement.
type intent struct {
	id    int64
	pid   int
	owner string // the Journal that announced it
	group string // of memstore.Origin
	maker
	changes []change
	texts   [][2][]byte // of our own edits: the bytes of both sides, for counting lines
	reason  error       // why it is not carried out
	temp    string      // the temporary name that it uses, relative to the store; "" for none
	made    int         // folders above the path of its first change that it makes
	settled int         // of its changes, how many have their revisions; those in changes follow them
	total   int         // of its changes; 0: as many as changes has
}

// Begin implements [memstore.Recorder]. Before it returns, the bytes of both sides and the planned
// changes are in the database: if the process is killed later, the next one settles
// them. For edits of the curator they are on the disk too, so that a power cut between
// the record and the act cannot lose what the act destroys.
// The func that it returns does not wait for the disk.
func (j *Journal) Begin(_ context.Context, e *memstore.Edit) (func(error), error) {
	in, sides, err := j.announce(e)
	if err != nil {
		return nil, failed("begin", err)
	}
	if in.actor == memstore.Curator && j.settler != nil {
		if err = errors.Join(j.exhausted(), j.settler.check()); err != nil {
			return nil, failed("begin", err)
		}
	}
	durable := in.actor == memstore.Curator
	if err := j.tx("begin", durable, func(w *tableWriter) error {
		if err := w.keepFolders(j.options.Backend, in); err != nil {
			return err
		}
		return w.open(in, sides)
	}); err != nil {
		return nil, err
	}
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			if in.reason = err; err != nil {
				j.withdraw(in)
				return
			}
			// It still has its turn, so what is there now is its result.
			for i := range in.changes {
				in.changes[i].stamp = j.disk.stampAt(&in.changes[i])
			}
			j.settler.add(in)
		})
	}, nil
}

// stepChanges is how many changes of an edit one transaction writes, so that no other process waits for the database any
// longer than for these: some 20 ms for small files. It bounds the revisions of a transaction too.
const stepChanges = 250

// sides are the contents of a change before they have numbers.
type sides struct{ before, after *content.Content }

// announce takes an edit apart, without the database.
func (j *Journal) announce(e *memstore.Edit) (*intent, []sides, error) {
	origin := cutOrigin(e.Origin)
	in := &intent{
		pid: os.Getpid(), owner: j.owner, group: origin.Group,
		maker: maker{
			time: e.Time, actor: cmp.Or(origin.Actor, memstore.Agent), command: cmp.Or(origin.As, schema.Cut(e.Command.Name)),
			session: origin.Session, model: origin.Model, tool: origin.ToolUseID, process: j.options.Process,
			role: roleOf(origin),
		},
	}
	if in.made = e.Made; e.Temp != "" {
		in.temp = memstore.BackendName(e.Temp)
	}
	if e.Time.IsZero() {
		in.time = j.options.Now()
	}
	list := make([]sides, 0, len(e.Changes))
	for i := range e.Changes {
		c, s, err := j.disk.take(e, &e.Changes[i])
		if err != nil {
			return nil, nil, err
		}
		c.undoes = origin.Undoes
		in.changes = append(in.changes, c)
		list = append(list, s)
		in.texts = append(in.texts, [2][]byte{s.before.Text(), s.after.Text()})
	}
	return in, list, nil
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
func (w *tableWriter) putSides(in *intent, list []sides) (err error) {
	for i := range in.changes {
		c := &in.changes[i]
		if c.before, err = w.blobs.Put(list[i].before, 0); err != nil {
			return err
		}
		if c.after = c.before; list[i].after != list[i].before {
			if c.after, err = w.blobs.Put(list[i].after, c.before); err != nil {
				return err
			}
		}
	}
	return nil
}

// open writes an intent with its changes and their contents.
func (w *tableWriter) open(in *intent, list []sides) error {
	id, err := w.Insert(`INSERT INTO intent (id, time, actor, command, session, model, tool, process, pid, owner, grp, role, temp, made)
		VALUES (max(?, (SELECT coalesce(max(id), 0) + 1 FROM intent)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		time.Now().UnixNano(), in.time.UnixNano(), string(in.actor), in.command, schema.Text(in.session), schema.Text(in.model),
		schema.Text(in.tool), schema.Text(in.process), in.pid, in.owner, schema.Text(in.group),
		int(in.role), schema.Text(in.temp), schema.Optional(int64(in.made)))
	if err != nil {
		return err
	}
	in.id = id
	if err := w.putSides(in, list); err != nil {
		return err
	}
	for n := range in.changes {
		c := &in.changes[n]
		var mode any
		if c.hasMode {
			mode = int64(c.beforeMode)
		}
		if err := w.Do(`INSERT INTO intent_change (intent, n, kind, shape, path, old_path, before, after, size, before_mode, before_mtime, undoes)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, in.id, n, int64(c.kind), int(c.shape), c.name, schema.Text(c.oldName),
			schema.Optional(c.before), schema.Optional(c.after), c.size, mode, schema.Nanos(c.beforeTime), schema.Optional(c.undoes)); err != nil {
			return err
		}
	}
	return nil
}

// withdraw deletes an intent that was not carried out, with its text. It does so before the edit
// releases its turn: an intent still open after that was carried out, or its process died.
func (j *Journal) withdraw(in *intent) {
	if err := j.tx("withdraw", false, func(w *tableWriter) error { return w.discard(in.id) }); err != nil {
		j.options.Warn(err)
		j.settler.add(in) // to be dropped later
	}
}

func (w *tableWriter) drop(id int64) error {
	return errors.Join(w.Do("DELETE FROM intent_change WHERE intent = ?", id), w.Do("DELETE FROM intent WHERE id = ?", id))
}

// discard drops an intent that was not carried out, or not in full, with the contents that nothing else names: what the store refused
// can hold a secret that no file and no revision has.
func (w *tableWriter) discard(id int64) error {
	contents, err := w.IDs(`SELECT before FROM intent_change WHERE intent = ?1 AND before IS NOT NULL
		UNION SELECT after FROM intent_change WHERE intent = ?1 AND after IS NOT NULL`, id)
	if err != nil {
		return err
	}
	return errors.Join(w.drop(id), w.blobs.Discard(contents))
}

// openBefore lists the open intents up to id, oldest first, without their texts. Of each it has the changes of one step.
func (w *tableWriter) openBefore(id int64) ([]*intent, error) {
	return scanIntents(w.Query(openIntents+` WHERE i.id <= ? AND c.n >= i.settled AND c.n < i.settled + ?
		ORDER BY i.id, c.n`, id, stepChanges))
}

const openIntents = `SELECT i.id, i.time, i.actor, i.command, i.session, i.model, i.tool, i.process, i.pid, i.owner, i.grp,
	i.role, i.temp, i.made,
	i.settled, i.first, (SELECT max(n) + 1 FROM intent_change WHERE intent = i.id), c.kind, c.shape, c.path, c.old_path,
		c.before, c.after, c.size, c.before_mode, c.before_mtime, c.undoes
	FROM intent i JOIN intent_change c ON c.intent = i.id`

func scanIntents(rows *sql.Rows, err error) ([]*intent, error) {
	var list []*intent
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		in, err := scanIntent(row)
		if n := len(list); n > 0 && list[n-1].id == in.id {
			list[n-1].changes = append(list[n-1].changes, in.changes...)
		} else {
			list = append(list, in)
		}
		return err
	})
	return list, err
}

func scanIntent(rows *sql.Rows) (*intent, error) {
	var in intent
	var c change
	var at int64
	var session, model, tool, process, group, old, temp sql.NullString
	var before, after, mode, mtime, undoes, made, first sql.NullInt64
	err := rows.Scan(&in.id, &at, &in.actor, &in.command, &session, &model, &tool, &process, &in.pid, &in.owner, &group, &in.role,
		&temp, &made,
		&in.settled, &first, &in.total, &c.kind, &c.shape, &c.name, &old, &before, &after, &c.size, &mode, &mtime, &undoes)
	in.time = schema.Time(at)
	in.temp, in.made, in.maker.group = temp.String, int(made.Int64), first.Int64
	in.session, in.model, in.tool, in.process, in.group = session.String, model.String, tool.String, process.String, group.String
	c.oldName, c.before, c.after, c.undoes = old.String, before.Int64, after.Int64, undoes.Int64
	c.beforeMode, c.hasMode = schema.ModeOf(mode)
	c.beforeTime = schema.TimeOf(mtime)
	in.changes = []change{c}
	return &in, err
}

// cutOrigin is an origin as it enters the journal.
func cutOrigin(o memstore.Origin) memstore.Origin {
	o.Actor = memstore.Actor(schema.Cut(string(o.Actor)))
	for _, s := range []*string{&o.Session, &o.Model, &o.ToolUseID, &o.Group, &o.As} {
		*s = schema.Cut(*s)
	}
	return o
}
