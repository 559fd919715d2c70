package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore"
)

// Options are the settings of a [Journal]. Only Backend has no default.
type Options struct {
	// Backend holds the store's bytes: what was left open by a process that died is
	// settled by looking there, and reconciling compares with it. It is only read, and never closed here.
	// Nil: the journal is read, and records what it is given, but compares nothing.
	Backend memstore.Backend
	// Process is what revisions say about who recorded them: "exec", "mcp", "ui".
	Process string
	// Look opens for reading: nothing is made, settled or recorded. A journal that is
	// not there is [ErrNone].
	Look bool
	// Later: a journal that is not there yet is made in the background, which flushes to the disk
	// several times; who uses it first waits for that, and gets its error.
	Later bool
	// MaxFile is the largest file, in bytes, that is kept when nobody asked for its deletion; 0: 16 MiB.
	MaxFile int64
	// MaxBaseline is how many bytes of what was there when the journal began are kept; 0: 1 GiB.
	MaxBaseline int64
	// Resembles names the command that an edit is most like which nobody has seen, by the whole texts before and
	// after, below 1 MiB each; "" and nil: "edit". It depends on nothing else, and is called in transactions.
	Resembles func(before, after []byte) string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Warn is told what went wrong beside a call that itself went on. Nil: dropped. It may be
	// called from any goroutine.
	Warn func(error)
}

func (o *Options) fill() {
	if o.MaxFile == 0 {
		o.MaxFile = 16 << 20
	}
	if o.MaxBaseline == 0 {
		o.MaxBaseline = 1 << 30
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
}

// Journal is the record of all revisions of one store. Safe for concurrent use; several
// processes may have the same one open.
type Journal struct {
	path    string
	owner   string // tells this Journal from others on the same file
	options Options
	pool    reading
	settler *settler // nil: opened for looking
	endings endings
	views   views
	index   treeIndex

	mu     sync.Mutex // guards what follows
	write  *writer    // nil: opened for looking, or closed
	unmade error      // why it could not be made in the background; held by pool.mu too
}

// reading are the connections for reading. They have a lock of their own, so that nobody
// who only reads waits for a transaction that writes.
type reading struct {
	mu sync.RWMutex
	db *sql.DB // nil: closed
}

// Open opens, and where it is missing makes, the journal in the state folder dir.
// What processes that died have left open is settled by a look at the disk, if another
// writer does not hold the store just now. The errors wrap [ErrCorrupt], [ErrNewer],
// [ErrReadOnly], [ErrFull], [ErrBusy] and, for looking only, [ErrNone].
func Open(dir string, o Options) (*Journal, error) {
	o.fill()
	j := &Journal{path: filepath.Join(dir, FileName), options: o}
	fresh := o.Later && !o.Look && j.isFresh()
	var err error
	if fresh {
		err = j.openLater()
	} else {
		err = j.open()
	}
	if err != nil {
		return nil, failed("open", err)
	}
	if o.Look {
		return j, nil
	}
	j.owner = rand.Text()
	living.Store(j.owner, nil)
	j.endings.path = endingsFile(j.path, os.Getpid(), j.owner)
	j.settler = startSettler(j)
	if fresh {
		return j, nil // nothing was left open in it
	}
	if err := j.settleLeft(); err != nil {
		o.Warn(failed("settle", err))
	}
	j.sweepEndings()
	return j, nil
}

// isFresh tells whether there is no journal yet.
func (j *Journal) isFresh() bool {
	info, err := os.Stat(j.path)
	return errors.Is(err, os.ErrNotExist) || (err == nil && info.Size() == 0)
}

// openLater opens in the background and holds all locks until that is done. What does not let
// a file be made is told at once.
func (j *Journal) openLater() error {
	if err := touch(j.path); err != nil {
		return err
	}
	j.mu.Lock()
	j.pool.mu.Lock()
	go func() {
		defer j.mu.Unlock()
		defer j.pool.mu.Unlock()
		if err := j.open(); err != nil {
			j.write, j.unmade = nil, failed("open", err)
			j.options.Warn(j.unmade)
		}
	}()
	return nil
}

func (j *Journal) open() error {
	if j.options.Look {
		return j.openLook()
	}
	var err error
	if j.write, err = openWriter(j.path); err != nil {
		return err
	}
	j.write.resembles = j.options.Resembles
	if j.pool.db, err = openReaders(j.path, false); err != nil {
		return errors.Join(err, j.write.close())
	}
	return nil
}

func (j *Journal) openLook() error {
	info, err := os.Stat(j.path)
	if errors.Is(err, os.ErrNotExist) || (err == nil && info.Size() == 0) {
		return &Error{Op: "open", Err: ErrNone, Cause: err}
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_RDWR, 0)
	if err == nil {
		_ = f.Close()
	}
	lone := err != nil
	db, err := openReaders(j.path, lone)
	if err != nil {
		return err
	}
	version, err := versionOf(db)
	switch {
	case err != nil:
	case version > schemaVersion:
		err = &Error{Op: "open", Err: ErrNewer}
	case version == 0:
		err = &Error{Op: "open", Err: ErrNone}
	case version < schemaVersion && lone:
		err = &Error{Op: "open", Err: ErrOlder}
	case version < schemaVersion:
		err = bringUp(j.path)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	j.pool.db = db
	return nil
}

func versionOf(db *sql.DB) (version int, err error) {
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	return version, err
}

// bringUp adds to a journal of an older version what reading needs.
func bringUp(path string) error {
	w, err := openWriter(path)
	if err != nil {
		return err
	}
	return w.close()
}

// Close settles what has ended, writes what is not written yet and frees the files. A process that
// ends before it has returned loses nothing: the next start does the rest.
func (j *Journal) Close() error {
	if j.settler != nil {
		j.settler.stop()
		living.Delete(j.owner)
	}
	j.pool.mu.Lock()
	db := j.pool.db
	j.pool.db = nil
	j.pool.mu.Unlock()
	var err error
	if db != nil {
		err = db.Close()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write != nil {
		err = errors.Join(err, j.write.close())
		j.write = nil
	}
	return failed("close", err)
}

// txUntil is tx that fails, and records nothing, when ctx ends meanwhile: one that follows the rename of a
// folder with 100,000 files takes seconds.
func (j *Journal) txUntil(ctx context.Context, op string, f func(w *writer) error) error {
	return j.tx(op, false, func(w *writer) error {
		w.until = ctx
		return f(w)
	})
}

// tx runs f in a writing transaction.
func (j *Journal) tx(op string, durable bool, f func(w *writer) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.write == nil && j.options.Look:
		return &Error{Op: op, Err: ErrReadOnly}
	case j.unmade != nil:
		return j.unmade
	case j.write == nil:
		return &Error{Op: op, Err: ErrClosed}
	}
	return failed(op, j.write.tx(durable, func() error { return f(j.write) }))
}

// flushLog returns when everything recorded so far has reached the disk. Others may record meanwhile.
func (j *Journal) flushLog() error {
	j.mu.Lock()
	w := j.write
	j.mu.Unlock()
	if w == nil {
		return nil // closing has written it back
	}
	return w.flush()
}

// checkpoint writes the log back into the database where it has grown. It does so on a
// connection for reading, so that no edit waits meanwhile; only where edits come so fast that the log
// never gets empty they wait. The log's file does not shrink: it is written again from its beginning,
// which is why its frames are counted and not its bytes.
func (j *Journal) checkpoint() {
	if info, err := os.Stat(j.path + "-wal"); err != nil || info.Size() < walPages*4096 {
		return
	}
	db, err := j.readerNow()
	if err != nil {
		return // closed: closing writes it back
	}
	logged, done, err := walFrames(db, "PRAGMA wal_checkpoint(NOOP)")
	if err == nil && logged-done >= walPages {
		logged, done, err = walFrames(db, "PRAGMA wal_checkpoint(PASSIVE)")
		if err == nil && logged >= walMost && logged > done {
			j.mu.Lock()
			_, _, err = walFrames(db, "PRAGMA wal_checkpoint(PASSIVE)")
			j.mu.Unlock()
		}
	}
	if err != nil {
		j.options.Warn(failed("checkpoint", err))
	}
}

// walFrames runs a checkpoint; logged are the frames of the log, done those of them that
// are in the database.
func walFrames(db *sql.DB, checkpoint string) (logged, done int, err error) {
	var busy int
	err = db.QueryRow(checkpoint).Scan(&busy, &logged, &done)
	return logged, done, err
}

// reader is a connection pool for reading that sees everything recorded so far.
func (j *Journal) reader() (*sql.DB, error) {
	j.Flush()
	return j.readerNow()
}

// readerNow is reader without waiting for what is not settled yet.
func (j *Journal) readerNow() (*sql.DB, error) {
	j.pool.mu.RLock()
	defer j.pool.mu.RUnlock()
	if j.pool.db == nil && j.unmade != nil {
		return nil, j.unmade
	}
	if j.pool.db == nil {
		return nil, &Error{Op: "read", Err: ErrClosed}
	}
	return j.pool.db, nil
}

// Flush waits until the edits that have ended are settled.
func (j *Journal) Flush() {
	if j.settler != nil {
		j.settler.flush()
	}
}

// lockPatience is how long settling and comparing wait for the turn among the writers.
const lockPatience = 2 * time.Second

// locked runs f in the store's turn among our writers, so that no edit of ours is
// under way meanwhile.
func (j *Journal) locked(ctx context.Context, f func() error) error {
	return j.lockedFor(ctx, lockPatience, f)
}

// lockedFor is locked that waits for the turn for so long.
func (j *Journal) lockedFor(ctx context.Context, patience time.Duration, f func() error) error {
	if j.options.Backend == nil {
		return f()
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	unlock, err := j.options.Backend.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return f()
}
