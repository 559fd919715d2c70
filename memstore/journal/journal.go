package journal

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/past"
)

// Options are the settings of a [Journal]. Only Backend has no default.
type Options struct {
	// Backend holds the store's bytes: what was left open by a process that died is settled by looking there, and [Journal.Sync] compares
	// with it. It is only read, and never closed here. Nil: the journal is read, and records what it is given, but compares nothing.
	Backend memstore.Backend
	// Process is the Process field of the revisions recorded here: "exec", "mcp", "ui".
	Process string
	// Look opens for reading: nothing is made, settled or recorded. A journal that is not there is an error then.
	Look bool
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Warn gets errors that did not make a call fail, and damage when it is found. Nil: they are dropped. It may be called from any
	// goroutine.
	Warn func(error)
}

func (o *Options) fill() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
}

// Journal is the record of all revisions of one store. Safe for concurrent use; several processes may have the same one open. A read sees
// all edits that this process has finished. Visitors may call the journal again, and stop a call by returning false. Errors wrap the
// sentinels of package past. No call takes or returns a path of the host: revisions are known by their numbers, bytes by their digests,
// files by their agent paths.
type Journal struct {
	options Options
	path    string           // of the database; empty: it is in memory
	lock    memstore.Backend // is locked by an edit that is open, and by a comparison; nil: opened for looking
	disk    disk
	bell    bell

	mu    sync.Mutex // guards write and what it has
	write *writer    // nil: opened for looking, or closed

	health sync.Mutex // guards damage
	damage error      // nil: none is known

	db     *sql.DB     // for reading; readers never wait for a writing transaction
	began  atomic.Bool // everything was compared once
	closed atomic.Bool
}

// opened are the journals that are open in this process; see [IsOpen].
var opened sync.Map

// Open opens, and where it is missing makes, the journal in the state folder dir. What processes that died have left open is settled by a
// look at the disk, if another writer does not hold the store now. The errors wrap [past.ErrCorrupt], [ErrVersion], [past.ErrReadOnly],
// [memstore.ErrNoSpace] and [past.ErrBusy].
func Open(dir string, o Options) (*Journal, error) {
	j := newJournal(o)
	j.path = filepath.Join(dir, fileName)
	if isLost(dir) {
		return j.register(&past.Error{Err: past.ErrCorrupt, Cause: errors.New("the file is empty or gone")})
	}
	if o.Look {
		err := j.openLook()
		return j.register(err)
	}
	if err := j.openDatabase(j.path); err != nil {
		return j.register(err)
	}
	lock, err := memstore.OpenDir(filepath.Join(dir, lockName), memstore.DirOptions{Create: true})
	if err != nil {
		return j.register(errors.Join(err, j.Close()))
	}
	j.lock = lock
	if err := j.recoverAtStart(); err != nil {
		j.options.Warn(failed(err))
	}
	return j.register(nil)
}

// isLost reports whether the database is gone or has lost all its bytes, as after a power failure: its copy shows that it had some. The
// first bytes of a new one may be in its log still.
func isLost(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, copyName)); err != nil {
		return false
	}
	info, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	_, err = os.Stat(filepath.Join(dir, fileName+logSuffix))
	return info.Size() == 0 && errors.Is(err, os.ErrNotExist)
}

func newJournal(o Options) *Journal {
	o.fill()
	return &Journal{options: o, disk: disk{backend: o.Backend}}
}

func (j *Journal) register(err error) (*Journal, error) {
	if err != nil {
		return nil, failed(err)
	}
	opened.Store(j, nil)
	return j, nil
}

// Memory is a journal without a file, for a store whose texts must not be on the disk in the clear, or which has no state folder. Close
// discards it. Opening takes a few milliseconds.
func Memory(o Options) (*Journal, error) {
	j := newJournal(o)
	j.lock = memstore.NewMemory()
	return j.register(j.openDatabase(memorySource()))
}

// Lasts reports whether the contents outlive [Journal.Close].
func (j *Journal) Lasts() bool { return j.path != "" }

// openDatabase opens the connection for writing, and those for reading beside it.
func (j *Journal) openDatabase(source string) error {
	w, err := openWriter(source)
	if err != nil {
		return err
	}
	if j.db, err = openReaders(source, false); err != nil {
		return errors.Join(err, w.close())
	}
	j.write = w
	return nil
}

func (j *Journal) openLook() error {
	info, err := os.Stat(j.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return &past.Error{Err: errNone, Cause: err}
	}
	if err != nil {
		return err
	}
	db, err := openReaders(j.path, !canWrite(j.path))
	if err != nil {
		return err
	}
	var version int
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	switch {
	case err != nil:
	case version == 0:
		err = &past.Error{Err: errNone}
	case version != schemaVersion:
		err = &past.Error{Err: ErrVersion}
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	j.db = db
	return nil
}

// lockPatience is how long a start waits for the turn among the writers.
const lockPatience = 2 * time.Second

// recoverAtStart settles what a process that died has left, so that readers see it before the next edit comes.
func (j *Journal) recoverAtStart() error {
	var open bool
	if err := j.db.QueryRow("SELECT EXISTS (SELECT 1 FROM revision WHERE open IS NOT NULL)").Scan(&open); err != nil || !open {
		return err
	}
	if b := j.options.Backend; b != nil {
		if _, err := b.Lstat("."); err != nil {
			return nil // the store is away: whoever writes to it next knows more
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	return j.turn(ctx, false, func(*writer) {})
}

// closePatience is how long closing waits for connections in use.
const closePatience = 100 * time.Millisecond

// Close closes the files. A process that exits before it returns loses nothing.
func (j *Journal) Close() error {
	j.closed.Store(true)
	j.bell.ring()
	opened.Delete(j)
	var err error
	if j.db != nil {
		err = j.db.Close()
		// A query that was canceled returns its connection a moment later. Closing the last one checkpoints the log.
		for end := time.Now().Add(closePatience); j.db.Stats().OpenConnections > 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	}
	if j.lock != nil {
		err = errors.Join(err, j.lock.Close())
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write != nil {
		err = errors.Join(err, j.write.close())
		j.write = nil
	}
	return failed(err)
}

// failed wraps an error with its sentinel, and notes damage.
func (j *Journal) failed(err error) error {
	if err != nil && j.closed.Load() {
		return &past.Error{Err: past.ErrClosed, Cause: err}
	}
	err = failed(err)
	if errors.Is(err, past.ErrCorrupt) {
		j.spoiled(err)
	}
	return err
}

// DamageText says what is wrong with a damaged journal, as the end of a sentence.
const DamageText = "its database is corrupt"

// Health returns an error that wraps [past.ErrCorrupt] once any call has found the journal to be damaged; nil until then. A damaged journal
// is not written to: edits of the agent continue unrecorded, and what needs the record is refused.
func (j *Journal) Health() error {
	j.health.Lock()
	defer j.health.Unlock()
	return j.damage
}

// spoiled notes damage, and says so once.
func (j *Journal) spoiled(err error) {
	j.health.Lock()
	first := j.damage == nil
	if first {
		j.damage = &past.Error{Err: past.ErrCorrupt, Cause: err}
		err = j.damage
	}
	j.health.Unlock()
	if first {
		j.bell.ring()
		j.options.Warn(err)
	}
}

// tx runs f in a writing transaction. It fails, and records nothing, if ctx ends before it commits: recording the rename of a folder with
// 100,000 files takes a second. For durable see [writer.tx].
func (j *Journal) tx(ctx context.Context, durable bool, f func(w *writer)) error {
	if err := j.Health(); err != nil {
		return err
	}
	err := j.commit(ctx, durable, f)
	j.bell.ring()
	return j.failed(err)
}

// commit is tx without its consequences, which may call the journal again.
func (j *Journal) commit(ctx context.Context, durable bool, f func(w *writer)) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.write == nil && j.options.Look:
		return &past.Error{Err: past.ErrReadOnly}
	case j.write == nil:
		return &past.Error{Err: past.ErrClosed}
	}
	return j.write.tx(ctx, durable, func() { f(j.write) })
}

// turn runs f in a transaction, in the store's turn among our writers and with the journal's lock: none of our own edits is in progress,
// and what a process that died has left is settled. The lock of the store comes first, as in an edit.
func (j *Journal) turn(ctx context.Context, durable bool, f func(w *writer)) error {
	if j.lock == nil {
		return &past.Error{Err: past.ErrReadOnly}
	}
	if b := j.options.Backend; b != nil {
		wait, cancel := context.WithTimeout(ctx, backend.LockPatience)
		defer cancel()
		unlock, err := b.Lock(wait)
		if err != nil {
			return failed(err)
		}
		defer unlock()
	}
	unlock, err := j.lock.Lock(ctx)
	if err != nil {
		return failed(err)
	}
	defer unlock()
	return j.tx(ctx, durable, func(w *writer) {
		j.recover(w)
		f(w)
	})
}
