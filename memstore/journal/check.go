package journal

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"slices"

	"memcurator/memstore"
)

// Report is what a check of the journal has found.
type Report struct {
	Damage    []string // what SQLite and our own rules say, in English; empty: none
	Chain     ChainState
	Disagree  []string // agent paths where the disk is not what the journal has
	Uncertain []int64  // revisions of processes that died in the middle
	Open      int      // intents that are not settled
	Revisions int
	Baseline  bool // what was there when the journal began is read to the end
	Purge     bool // a purge was begun and not ended
}

// OK tells whether nothing is wrong.
func (r *Report) OK() bool {
	return len(r.Damage) == 0 && r.Chain.Broken == 0 && len(r.Disagree) == 0 && !r.Purge
}

// Check reads the whole database, follows the chain, and compares each file with the
// journal, byte by byte where their stamps are not sure. It changes nothing.
func (j *Journal) Check(ctx context.Context) (*Report, error) {
	db, err := j.reader()
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if r.Damage, err = damage(ctx, db); err != nil {
		return nil, failed("check", err)
	}
	if len(r.Damage) > 0 {
		return r, nil
	}
	if r.Chain, err = checkChain(db); err != nil {
		return nil, failed("check", err)
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM intent), (SELECT count(*) FROM revision),
		(SELECT count(*) FROM meta WHERE key = 'baseline')`).Scan(&r.Open, &r.Revisions, &r.Baseline)
	if err != nil {
		return nil, failed("check", err)
	}
	what, compact, err := j.PendingPurge(ctx)
	if err != nil {
		return nil, err
	}
	r.Purge = what != nil || compact
	rows, err := db.QueryContext(ctx, "SELECT rev FROM revision WHERE note = ?", string(NoteUncertain))
	if err != nil {
		return nil, failed("check", err)
	}
	defer rows.Close()
	for rows.Next() {
		var rev int64
		if err := rows.Scan(&rev); err != nil {
			return nil, failed("check", err)
		}
		r.Uncertain = append(r.Uncertain, rev)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, failed("check", err)
	}
	if j.options.Backend != nil {
		r.Disagree, err = j.disagree(ctx, r.Baseline)
	}
	return r, failed("check", err)
}

// damage asks SQLite, and looks for contents that no longer have their digest.
func damage(ctx context.Context, db *sql.DB) ([]string, error) {
	var list []string
	rows, err := db.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		if s != "ok" {
			list = append(list, s)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(list) > 0 {
		return list, err
	}
	blobs, err := db.QueryContext(ctx, "SELECT id, sum, size, codec, data FROM blob WHERE data IS NOT NULL AND sum IS NOT NULL")
	if err != nil {
		return nil, err
	}
	defer blobs.Close()
	bad := 0
	for blobs.Next() {
		var p packed
		var sum []byte
		if err := blobs.Scan(&p.id, &sum, &p.size, &p.codec, &p.data); err != nil {
			return nil, err
		}
		text, err := unpack(p.codec, p.data, p.size, nil)
		if got := memstore.Sum(text); err != nil || string(got[:]) != string(sum) {
			bad++
		}
	}
	if bad > 0 {
		list = append(list, "contents that are not what they were")
	}
	return list, blobs.Err()
}

// disagree lists the paths where disk and journal differ.
func (j *Journal) disagree(ctx context.Context, complete bool) ([]string, error) {
	r := &reconciler{j: j, ctx: ctx, report: func(Progress) {}}
	if err := r.load(); err != nil {
		return nil, err
	}
	look := memstore.New(j.options.Backend, memstore.Options{ReadOnly: true, Workers: runtime.NumCPU(), Origin: memstore.Origin{Actor: memstore.Curator}})
	snap, err := look.Scan(ctx, nil)
	if err != nil {
		return nil, err
	}
	r.compare(".", snap.Root)
	r.findGone(snap)
	r.dropImplied()
	var list []string
	for name := range r.gone {
		list = append(list, memstore.AgentPath(name))
	}
	for _, c := range r.todo {
		if c.was == nil && !complete {
			continue // not read yet
		}
		if c.was == nil || c.was.kind != c.info.Kind || !j.sameBytes(&c) {
			list = append(list, memstore.AgentPath(c.name))
		}
	}
	slices.Sort(list)
	return list, nil
}

// sameBytes tells whether a path has the digest that the journal has for it.
func (j *Journal) sameBytes(c *candidate) bool {
	var sum []byte
	db, err := j.readerNow()
	if err != nil {
		return false
	}
	if db.QueryRow("SELECT sum FROM blob WHERE id = ?", c.was.blob).Scan(&sum) != nil || len(sum) == 0 {
		return c.was.size == c.info.Size // its bytes were never read
	}
	if c.info.Kind == memstore.KindLink {
		got, err := j.linkContent(c.name)
		return err == nil && string(got.sum[:]) == string(sum)
	}
	got, _, err := j.digest(c.name)
	return err == nil && string(got[:]) == string(sum)
}
