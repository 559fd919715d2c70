package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore/journal/backup"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// Lost is the cause of an error that says [ErrCorrupt] when revisions counted by the proof are missing.
type Lost struct {
	Had int64 // the number of the newest revision that there was
	Has int64 // the number of the newest one now; 0: none remains
}

// Error is the end of a sentence.
func (l *Lost) Error() string {
	switch {
	case l.Has == 0 && l.Had < 2:
		return "its contents are gone"
	case l.Has == 0:
		return fmt.Sprintf("its revisions up to %d are gone", l.Had)
	case l.Has+1 == l.Had:
		return fmt.Sprintf("its revision %d is gone", l.Had)
	}
	return fmt.Sprintf("its revisions from %d to %d are gone", l.Has+1, l.Had)
}

// Unwrap: what has lost revisions is damaged.
func (l *Lost) Unwrap() error { return past.ErrCorrupt }

// DamageText describes what is wrong with a damaged journal, as the end of a sentence.
func DamageText(err error) string {
	var lost *Lost
	if errors.As(err, &lost) {
		return lost.Error()
	}
	return "its database is corrupt"
}

// opened are the journals that are open in this process. An error of SQLite does not name its database, so each is a suspect.
var opened sync.Map

// suspectAll lets every journal of the process find out whether it is the damaged one.
func suspectAll() {
	opened.Range(func(j, _ any) bool {
		j.(*Journal).health.suspect()
		return true
	})
}

// health is what is known about damage to a journal. Safe for concurrent use.
type health struct {
	j      *Journal
	mu     sync.Mutex
	err    error // nil: no damage is known
	closed bool
	cancel context.CancelFunc // of the check under way; nil: none
	done   sync.WaitGroup     // of the same
}

// close stops the check, which uses connections of the journal.
func (h *health) close() {
	h.mu.Lock()
	h.closed = true
	if h.cancel != nil {
		h.cancel()
	}
	h.mu.Unlock()
	h.done.Wait()
}

// Health returns an error that wraps [ErrCorrupt] once the journal was found to be damaged, by any call or by the check of a
// copy; nil until then. A damaged journal is not written to: edits of the agent continue unrecorded, and what needs the record is
// refused.
func (j *Journal) Health() error {
	j.health.mu.Lock()
	defer j.health.mu.Unlock()
	return j.health.err
}

// spoiled notes damage, and says so once.
func (h *health) spoiled(err error) {
	h.mu.Lock()
	first := h.err == nil
	if first {
		h.err = &past.Error{Op: "check", Err: past.ErrCorrupt, Cause: err}
		err = h.err
	}
	h.mu.Unlock()
	if first {
		h.j.bell.Wake()
	}
	if first && h.j.options.Damaged != nil {
		h.j.options.Damaged(err)
	}
}

// suspect checks the whole journal in the background, after a call has met damage in some journal.
func (h *health) suspect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cancel != nil || h.closed || h.err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.cancel = cancel
	h.done.Go(func() {
		defer cancel()
		if err := h.damaged(ctx); err != nil {
			h.spoiled(err)
		}
		h.mu.Lock()
		h.cancel = nil
		h.mu.Unlock()
	})
}

// damaged reads the whole journal and returns what is wrong with it. A journal that cannot be read now, because it is being
// closed or another process holds it, is not damaged: the next error checks again.
func (h *health) damaged(ctx context.Context) error {
	db, err := h.j.pool.ReaderNow()
	if err != nil {
		return nil
	}
	list, err := backup.Damage(ctx, db)
	switch {
	case len(list) > 0:
		return errors.New(list[0])
	case sentinelOf(err) == past.ErrCorrupt:
		return err
	}
	return nil
}

// lookOver is the check at a start, cheap whatever the size. In one transaction it compares the journal with its proof and follows
// the first, the last and one more path through every tree of the database.
func lookOver(conn *sql.Conn, had sidecar.Proof) error {
	q, err := conn.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = q.Rollback() }() // it only reads
	return lookOverIn(context.Background(), q, had)
}

func lookOverIn(ctx context.Context, q *sql.Tx, had sidecar.Proof) error {
	if had.ID != "" {
		var id string
		var last int64
		err := q.QueryRowContext(ctx, proofQuery).Scan(&id, &last)
		switch {
		case err != nil:
			return err
		case id != had.ID:
			return &Lost{Had: had.Last}
		case last < had.Last:
			return &Lost{Had: had.Last, Has: last}
		}
	}
	return database.LookOver(ctx, q)
}

// proofEvery is how often, at most, the proof is written while edits come.
const proofEvery = 10 * time.Second

// Exists reports whether the state folder dir has a journal, or had one.
func Exists(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, sidecar.Database)); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err == nil
	}
	_, had := sidecar.ReadProof(dir)
	return had
}

// prover keeps the proof of a journal up to date. Safe for concurrent use.
type prover struct {
	j  *Journal
	mu sync.Mutex // guards what follows; taken before Journal.mu
	sidecar.Proof
	at time.Time // when it was written
}

// write rewrites the proof where revisions have come since. A journal from before there were proofs gets its id.
func (p *prover) write() {
	if !p.j.Lasts() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = time.Now()
	next, err := p.prepare()
	if err == nil && next != (sidecar.Proof{}) {
		if err = sidecar.WriteProof(filepath.Dir(p.j.path), next); err == nil {
			p.Proof = next
		}
	}
	if err != nil && !errors.Is(err, past.ErrClosed) && !errors.Is(err, past.ErrCorrupt) {
		p.j.options.Warn(failed("prove", err))
	}
}

// prepare flushes the journal and returns the proof of it; the zero proof where the one on disk is current.
func (p *prover) prepare() (next sidecar.Proof, err error) {
	db, err := p.j.pool.ReaderNow()
	if err != nil {
		return next, err
	}
	if err := db.QueryRow(proofQuery).Scan(&next.ID, &next.Last); err != nil {
		return next, err
	}
	if next.ID != "" && next.ID == p.ID && next.Last == p.Last {
		return sidecar.Proof{}, nil
	}
	err = p.j.tx("prove", true, func(w *tableWriter) error {
		if _, err := w.Row(proofQuery, nil, &next.ID, &next.Last); err != nil {
			return err
		}
		if _, err := w.Row("SELECT count(*) FROM revision", nil, &next.Revisions); err != nil {
			return err
		}
		if next.ID == "" {
			next.ID = rand.Text()
		}
		return w.set(schema.MetaID, next.ID) // a write, so that the end of the transaction flushes
	})
	return next, err
}

// proofQuery reads the id of a journal, "" where it has none yet, and the highest number that a revision ever had.
const proofQuery = `SELECT coalesce((SELECT value FROM meta WHERE key = 'id'), ''),
	coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'revision'), 0)`

// soon is write for the settler, which comes often.
func (p *prover) soon() {
	p.mu.Lock()
	due := time.Since(p.at) >= proofEvery
	p.mu.Unlock()
	if due {
		p.write()
	}
}
