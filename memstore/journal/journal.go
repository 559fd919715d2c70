package journal

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/journal/archive"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// Options are the settings of a [Journal]. Only Backend has no default.
type Options struct {
	// Backend holds the store's bytes: what was left open by a process that died is
	// settled by looking there, and reconciling compares with it. It is only read, and never closed here.
	// Nil: the journal is read, and records what it is given, but compares nothing.
	Backend memstore.Backend
	// Process is the Process field of the revisions recorded here: "exec", "mcp", "ui".
	Process string
	// Look opens for reading: nothing is made, settled or recorded. A journal that is
	// not there is [errNone].
	Look bool
	// Later: a journal that is not there yet is made in the background, which flushes to the disk
	// several times; the first call waits for that, and returns its error.
	Later bool
	// MaxFile is the largest file, in bytes, that is kept, unless the curator deletes it; 0: 16 MiB.
	MaxFile int64
	// MaxBaseline is how many bytes of what was there when the journal began are kept; 0: 1 GiB.
	MaxBaseline int64
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Warn gets errors that did not make a call fail. Nil: they are dropped. It may be
	// called from any goroutine.
	Warn func(error)
	// Damaged is called once if the journal, which was sound when it was opened, turns out to be damaged: see
	// [Journal.Health]. It may be nil, and may be called from any goroutine.
	Damaged func(error)
	// Wake signals writes to a file until ctx is done, then closes the channel: it wakes [Journal.Follow] when other processes
	// record something. Nil: Follow polls a few times a second instead.
	Wake func(ctx context.Context, file string) (<-chan struct{}, error)
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

// reading is what a Journal takes its reading methods from.
type reading = archive.Archive

// Journal is the record of all revisions of one store. Safe for concurrent use; several
// processes may have the same one open.
type Journal struct {
	*reading                // what is recorded
	pool     *database.Pool // of its connections
	path     string         // of the database; empty: it is in memory
	memory   string         // the source of a database in memory; empty: it is a file
	options  Options
	disk     disk
	lock     memstore.Backend // is locked by an edit that is open, and by a comparison; nil: opened for looking
	views    views
	pruner   pruner
	bell     *sidecar.Bell
	health   health
	opening  opening

	mu    sync.Mutex   // guards what follows
	write *tableWriter // nil: opened for looking, or closed
}

var (
	_ past.Log     = (*Journal)(nil)
	_ past.Syncer  = (*Journal)(nil)
	_ past.Learner = (*Journal)(nil)
)

// Open opens, and where it is missing makes, the journal in the state folder dir.
// What processes that died have left open is settled by a look at the disk, if another
// writer does not hold the store now. The errors wrap [ErrCorrupt], [ErrVersion],
// [ErrReadOnly], [ErrFull], [ErrBusy] and, for looking only, [errNone].
func Open(dir string, o Options) (*Journal, error) {
	o.fill()
	j := &Journal{path: filepath.Join(dir, fileName), options: o}
	j.pool = database.NewPool(j.views.write)
	j.reading = archive.New(j.pool, failed)
	j.adopt()
	j.disk = disk{backend: o.Backend, maxFile: o.MaxFile}
	j.bell = sidecar.NewBell(j.path)
	fresh := o.Later && !o.Look && isFresh(j.path)
	open := j.opening.open
	if fresh {
		open = j.opening.openLater
	}
	if err := open(); err != nil {
		return nil, failed("open", err)
	}
	opened.Store(j, nil)
	if o.Look {
		return j, nil
	}
	lock, err := memstore.OpenDir(filepath.Join(dir, lockName), memstore.DirOptions{Create: true})
	if err != nil {
		return nil, errors.Join(failed("open", err), j.Close())
	}
	j.lock = lock
	if fresh {
		return j, nil // nothing was left open in it
	}
	if err := j.recoverAtStart(); err != nil {
		o.Warn(failed("recover", err))
	}
	return j, nil
}

// recoverAtStart settles what a process that died has left, so that readers see it before the next edit comes.
func (j *Journal) recoverAtStart() error {
	db, err := j.pool.ReaderNow()
	if err != nil {
		return err
	}
	var open bool
	if err := db.QueryRow("SELECT EXISTS (SELECT 1 FROM revision WHERE open IS NOT NULL)").Scan(&open); err != nil || !open {
		return err
	}
	if b := j.options.Backend; b != nil {
		if _, err := b.Lstat("."); err != nil {
			return nil // the store is away: whoever writes to it next knows more
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	return j.turn(ctx, "recover", false, func(*tableWriter) error { return nil })
}

// lockPatience is how long a start waits for the turn among the writers.
const lockPatience = 2 * time.Second

// adopt makes the journal known to its parts.
func (j *Journal) adopt() {
	j.opening.j, j.health.j, j.pruner.j, j.views.j = j, j, j, j
}

// memoryBytes bounds the memory of the stored past and, uncompressed, of what the store held when the journal began.
const memoryBytes = 32 << 20

// Memory is a journal without a file, for a store whose texts must not be on the disk in the clear, or which has no state
// folder. Close discards it. It keeps the newest 32 MiB of its past, packed. Opening takes a few milliseconds.
func Memory(o Options) (*Journal, error) {
	if o.MaxBaseline == 0 {
		o.MaxBaseline = memoryBytes
	}
	o.fill()
	j := &Journal{memory: database.MemorySource(), options: o}
	j.bell, j.lock = &sidecar.Bell{}, memstore.NewMemory()
	j.pool = database.NewPool(j.views.write)
	j.reading = archive.New(j.pool, failed)
	j.adopt()
	j.disk = disk{backend: o.Backend, maxFile: o.MaxFile}
	if err := j.opening.open(); err != nil {
		return nil, failed("open", err)
	}
	j.pruner.keep(memoryBytes)
	return j, nil
}

// Lasts reports whether the contents outlive [Journal.Close].
func (j *Journal) Lasts() bool { return j.memory == "" }

// isFresh reports whether path has no journal yet.
func isFresh(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist) || (err == nil && info.Size() == 0)
}

// opening is the part of a journal that finds its file, or makes it, and opens it.
type opening struct {
	j *Journal
}

// openLater makes the journal in the background and holds all locks until that is done. What does not let
// its file be made is returned immediately.
func (o *opening) openLater() error {
	w, err := openFile(o.j.path)
	if err != nil {
		return err
	}
	o.j.mu.Lock()
	unlock := o.j.pool.Hold()
	go func() {
		defer o.j.mu.Unlock()
		defer unlock()
		err := w.prepare()
		if err == nil {
			err = o.use(w)
		} else {
			err = errors.Join(err, w.Close())
		}
		if err != nil {
			o.j.write, o.j.pool.Unmade = nil, failed("open", err)
			o.j.options.Warn(o.j.pool.Unmade)
		}
	}()
	return nil
}

func (o *opening) open() error {
	if o.j.options.Look {
		return o.openLook()
	}
	w, err := openWriter(cmp.Or(o.j.memory, o.j.path))
	if err != nil {
		return err
	}
	return o.use(w)
}

// use takes over a connection for writing, and opens those for reading beside it.
func (o *opening) use(w *tableWriter) error {
	if err := o.j.pool.Use(w.Path); err != nil {
		return errors.Join(err, w.Close())
	}
	o.j.write = w
	return nil
}

func (o *opening) openLook() error {
	info, err := os.Stat(o.j.path)
	if errors.Is(err, os.ErrNotExist) || (err == nil && info.Size() == 0) {
		return &past.Error{Op: "open", Err: errNone, Cause: err}
	}
	if err != nil {
		return err
	}
	lone := !database.CanWrite(o.j.path)
	db, err := database.OpenReaders(o.j.path, lone)
	if err != nil {
		return err
	}
	version, err := database.Version(db)
	switch {
	case err != nil:
	case version == 0:
		err = &past.Error{Op: "open", Err: errNone}
	case version != schema.Current:
		err = &past.Error{Op: "open", Err: ErrVersion}
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	o.j.pool.Adopt(db)
	return nil
}

// Close closes the files. A process that exits before it returns loses no edit.
func (j *Journal) Close() error {
	j.views.write()
	j.bell.Close()
	j.pruner.close()
	opened.Delete(j)
	j.health.close()
	err := j.pool.Close()
	if j.lock != nil {
		err = errors.Join(err, j.lock.Close())
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write != nil {
		err = errors.Join(err, j.write.Close())
		j.write = nil
	}
	return failed("close", err)
}

// txUntil is tx that fails, and records nothing, if ctx ends before it commits: recording the rename of a
// folder with 100,000 files takes seconds.
func (j *Journal) txUntil(ctx context.Context, op string, f func(w *tableWriter) error) error {
	return j.within(ctx, op, false, f)
}

// tx runs f in a writing transaction.
func (j *Journal) tx(op string, durable bool, f func(w *tableWriter) error) error {
	return j.within(context.Background(), op, durable, f)
}

// within is tx until ctx ends.
func (j *Journal) within(ctx context.Context, op string, durable bool, f func(w *tableWriter) error) error {
	if err := j.Health(); err != nil {
		return err
	}
	rings, stored, err := j.commit(ctx, op, durable, f)
	if rings {
		j.bell.Ring()
	}
	j.pruner.grown(stored)
	return err
}

// commit is tx without the bell; rings means that followers may be waiting for what it committed, stored is how many bytes of contents
// this Journal has stored so far.
func (j *Journal) commit(ctx context.Context, op string, durable bool, f func(w *tableWriter) error) (rings bool, stored int64, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.write == nil && j.options.Look:
		return false, 0, &past.Error{Op: op, Err: past.ErrReadOnly}
	case j.pool.Unmade != nil:
		return false, 0, j.pool.Unmade
	case j.write == nil:
		return false, 0, &past.Error{Op: op, Err: past.ErrClosed}
	}
	err = j.write.tx(ctx, durable, func() error { return f(j.write) })
	return err == nil && j.write.rings, j.write.blobs.Stored, failed(op, err)
}

// turn runs f in a transaction, in the store's turn among our writers and with the journal's lock: none of our own edits is in progress,
// and what a process that died has left is settled. The lock of the store comes first, as in an edit.
func (j *Journal) turn(ctx context.Context, op string, durable bool, f func(w *tableWriter) error) error {
	return j.disk.locked(ctx, func() error {
		unlock, err := j.lock.Lock(ctx)
		if err != nil {
			return failed(op, err)
		}
		defer unlock()
		return j.within(ctx, op, durable, func(w *tableWriter) error {
			if err := j.recover(w); err != nil {
				return err
			}
			return f(w)
		})
	})
}

// locked runs f in the store's turn among our writers.
func (d *disk) locked(ctx context.Context, f func() error) error {
	if d.backend == nil {
		return f()
	}
	wait, cancel := context.WithTimeout(ctx, backend.LockPatience)
	defer cancel()
	unlock, err := d.backend.Lock(wait)
	if err != nil {
		return err
	}
	defer unlock()
	return f()
}
