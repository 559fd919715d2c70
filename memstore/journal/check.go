package journal

import (
	"context"
	"errors"
	"path"
	"slices"

	"memcurator/memstore"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/past"
)

// Check reads the whole database and compares each file with the journal, byte by byte where their stamps are not sure. It changes nothing.
func (j *Journal) Check(ctx context.Context) (*past.Report, error) {
	db, err := j.pool.Reader()
	if err != nil {
		return nil, err
	}
	r := &past.Report{}
	if r.Damage, err = damageIn(ctx, db); err != nil {
		return nil, failed("check", err)
	}
	if len(r.Damage) > 0 {
		return r, nil
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM revision WHERE open IS NOT NULL), (SELECT count(*) FROM revision WHERE open IS NULL),
		(SELECT count(*) FROM meta WHERE key = 'baseline')`).Scan(&r.Open, &r.Revisions, &r.Baseline)
	if err != nil {
		return nil, failed("check", err)
	}
	what, compact, err := j.PendingPurge(ctx)
	if err != nil {
		return nil, err
	}
	r.Purge = what != nil || compact
	r.Uncertain, err = database.List[int64](db.QueryContext(ctx, "SELECT rev FROM revision WHERE note = ?", string(past.NoteUncertain)))
	if err != nil {
		return nil, failed("check", err)
	}
	if j.options.Backend != nil {
		r.Disagree, r.Unread, err = (&comparison{j: j, ctx: ctx}).disagreements(r.Baseline)
	}
	return r, failed("check", err)
}

// disagreements lists the paths where disk and journal differ, and those that could not be compared. complete: everything was
// read at the beginning.
func (c *comparison) disagreements(complete bool) (list, unread []string, err error) {
	snap, err := c.scan(".")
	if err != nil {
		return nil, nil, err
	}
	c.root, c.trees = snap.Root.ID, []branch{{".", snap.Root}}
	if err := c.look(); err != nil {
		return nil, nil, err
	}
	c.impliedLast()
	for _, name := range c.closed {
		unread = append(unread, memstore.AgentPath(name))
	}
	for name := range c.gone {
		list = append(list, memstore.AgentPath(name))
	}
	implied := map[string]bool{}
	for i := range c.todo {
		t := &c.todo[i]
		was := c.known[t.name]
		for dir := path.Dir(t.name); dir != "." && was == nil; dir = path.Dir(dir) {
			implied[dir] = true
		}
		if was == nil && (!complete || implied[t.name]) {
			continue // not read yet, or named by what is in it
		}
		same := was != nil && was.kind == t.info.Kind && t.info.Kind == memstore.KindDir
		if was != nil && was.kind == t.info.Kind && !same {
			var err error
			if same, err = c.sameBytes(t, was); errors.Is(err, memstore.ErrPermission) {
				unread = append(unread, memstore.AgentPath(t.name))
				continue
			}
		}
		if !same {
			list = append(list, memstore.AgentPath(t.name))
		}
	}
	slices.Sort(list)
	slices.Sort(unread)
	return list, unread, nil
}

// sameBytes reports whether a path has the digest that the journal has for it. The error is that of reading it.
func (c *comparison) sameBytes(t *candidate, was *entry) (bool, error) {
	var sum []byte
	db, err := c.j.pool.ReaderNow()
	if err != nil {
		return false, err
	}
	if db.QueryRow("SELECT sum FROM blob WHERE id = ?", was.blob).Scan(&sum) != nil || len(sum) == 0 {
		return was.size == t.info.Size, nil // its bytes were never read
	}
	if t.info.Kind == memstore.KindLink {
		got, err := c.j.disk.linkContent(t.name)
		return err == nil && string(got.Sum[:]) == string(sum), err
	}
	got, _, err := c.j.disk.digest(t.name)
	return err == nil && string(got[:]) == string(sum), err
}
