package journal

import (
	"context"
	"errors"
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
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM intent), (SELECT count(*) FROM revision),
		(SELECT count(*) FROM meta WHERE key = 'baseline')`).Scan(&r.Open, &r.Revisions, &r.Baseline)
	if err != nil {
		return nil, failed("check", err)
	}
	if r.Leftover, err = j.disk.leftovers(ctx, db); err != nil {
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
func (r *comparison) disagreements(complete bool) (list, unread []string, err error) {
	if err := r.load(nil); err != nil {
		return nil, nil, err
	}
	snap, err := r.scan(".")
	if err != nil {
		return nil, nil, err
	}
	r.root = snap.Root.ID
	r.walk(".", snap.Root)
	for _, name := range r.closed {
		unread = append(unread, memstore.AgentPath(name))
	}
	r.findGone()
	r.dropImplied()
	for name := range r.gone {
		list = append(list, memstore.AgentPath(name))
	}
	for _, c := range r.todo {
		if c.was == nil && !complete {
			continue // not read yet
		}
		same := false
		if c.was != nil && c.was.kind == c.info.Kind {
			var err error
			if same, err = r.sameBytes(&c); errors.Is(err, memstore.ErrPermission) {
				unread = append(unread, memstore.AgentPath(c.name))
				continue
			}
		}
		if !same {
			list = append(list, memstore.AgentPath(c.name))
		}
	}
	slices.Sort(list)
	slices.Sort(unread)
	return list, unread, nil
}

// sameBytes reports whether a path has the digest that the journal has for it. The error is that of reading it.
func (r *comparison) sameBytes(c *candidate) (bool, error) {
	var sum []byte
	db, err := r.j.pool.ReaderNow()
	if err != nil {
		return false, err
	}
	if db.QueryRow("SELECT sum FROM blob WHERE id = ?", c.was.blob).Scan(&sum) != nil || len(sum) == 0 {
		return c.was.size == c.info.Size, nil // its bytes were never read
	}
	if c.info.Kind == memstore.KindLink {
		got, err := r.j.disk.linkContent(c.name)
		return err == nil && string(got.Sum[:]) == string(sum), err
	}
	got, _, err := r.j.disk.digest(c.name)
	return err == nil && string(got[:]) == string(sum), err
}
