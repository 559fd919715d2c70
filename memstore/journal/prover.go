package journal

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

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

// metaID is the meta key of the random name that distinguishes this journal from all others.
const metaID = "id"

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
	db, err := p.j.readerNow()
	if err != nil {
		return next, err
	}
	if err := db.QueryRow(proofQuery).Scan(&next.ID, &next.Last); err != nil {
		return next, err
	}
	if next.ID != "" && next.ID == p.ID && next.Last == p.Last {
		return sidecar.Proof{}, nil
	}
	err = p.j.tx("prove", true, func(w *writer) error {
		if _, err := w.row(proofQuery, nil, &next.ID, &next.Last); err != nil {
			return err
		}
		if _, err := w.row("SELECT count(*) FROM revision", nil, &next.Revisions); err != nil {
			return err
		}
		if next.ID == "" {
			next.ID = rand.Text()
		}
		return w.set(metaID, next.ID) // a write, so that the end of the transaction flushes
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
