package journal

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore/past"
)

// proofName is the file in the state folder that proves that there was a journal. Without it, a journal that is missing or empty
// would look like a new one.
const proofName = "journal.proof"

// proof is what that file holds. It is written only once the revisions that it counts have reached the disk: after a power cut
// the journal has at least those. It may be some seconds behind.
type proof struct {
	ID        string `json:"id"`        // of the journal, as its meta table has it
	Last      int64  `json:"last"`      // the highest number that a revision ever had
	Revisions int64  `json:"revisions"` // that were there
}

// proofSize is the size of the file in bytes: one write puts it in place, whole, also where the process is killed.
const proofSize = 256

// proofEvery is how often, at most, the proof is written while edits come.
const proofEvery = 10 * time.Second

// readProof reads the proof in a state folder; ok is false if there is none, or a power cut has damaged it.
func readProof(dir string) (p proof, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, proofName))
	if err != nil || len(data) > proofSize {
		return p, false
	}
	line, sum, found := bytes.Cut(bytes.TrimRight(data, "\n "), []byte{'\t'})
	if !found || string(sum) != checksum(line) || json.Unmarshal(line, &p) != nil || p.ID == "" {
		return proof{}, false
	}
	return p, true
}

func checksum(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// writeProof puts the proof into a state folder.
func writeProof(dir string, p proof) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	text := append(append(line, '\t'), checksum(line)...)
	text = append(append(text, bytes.Repeat([]byte{' '}, max(0, proofSize-1-len(text)))...), '\n')
	f, err := os.OpenFile(filepath.Join(dir, proofName), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return errors.Join(err, f.Close())
}

// Exists reports whether the state folder dir has a journal, or had one.
func Exists(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, fileName)); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err == nil
	}
	_, had := readProof(dir)
	return had
}

// metaID is the meta key of the random name that distinguishes this journal from all others.
const metaID = "id"

// prover keeps the proof of a journal up to date. Safe for concurrent use.
type prover struct {
	j  *Journal
	mu sync.Mutex // guards what follows; taken before Journal.mu
	proof
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
	if err == nil && next != (proof{}) {
		if err = writeProof(filepath.Dir(p.j.path), next); err == nil {
			p.proof = next
		}
	}
	if err != nil && !errors.Is(err, past.ErrClosed) && !errors.Is(err, past.ErrCorrupt) {
		p.j.options.Warn(failed("prove", err))
	}
}

// prepare flushes the journal and returns the proof of it; the zero proof where the one on disk is current.
func (p *prover) prepare() (next proof, err error) {
	db, err := p.j.readerNow()
	if err != nil {
		return next, err
	}
	if err := db.QueryRow(proofQuery).Scan(&next.ID, &next.Last); err != nil {
		return next, err
	}
	if next.ID != "" && next.ID == p.ID && next.Last == p.Last {
		return proof{}, nil
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
