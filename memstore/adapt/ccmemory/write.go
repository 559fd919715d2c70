package ccmemory

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/dbfile"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

const (
	backupPrefix = "cc-memory-"
	backupSuffix = ".db"
	backupsKept  = 3
)

// step is a point of a change of the file, in their order. What goes wrong there leaves the file of before, or the new one.
type step uint8

const (
	stepGuarded step = iota
	stepRead
	stepChanged
	stepBackedUp
	stepGuardedAgain
	stepReplaced
	stepCount // how many there are
)

// at tells the tests how far a change is.
func (s *Source) at(reached step) {
	if s.reached != nil {
		s.reached(reached)
	}
}

// BackUpTo sets the folder in which the database is kept as it was before our edits; it is asked for when there is something to keep.
// Without one, nothing is changed.
func (s *Source) BackUpTo(folder func() string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backups = folder
}

// Backups are the copies of the database in the folder of [Source.BackUpTo], the newest last.
func (s *Source) Backups() []string {
	folder := s.backupFolder()
	if folder == "" {
		return nil
	}
	list, err := filepath.Glob(filepath.Join(globbed(folder), backupPrefix+"*"+backupSuffix))
	if err != nil {
		return nil
	}
	slices.Sort(list)
	return list
}

func (s *Source) backupFolder() string {
	s.mu.Lock()
	folder := s.backups
	s.mu.Unlock()
	if folder == nil {
		return ""
	}
	return folder()
}

func globbed(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// guarded refuses a change while a server of the program runs: it has the database in memory, and writes the file over.
func (s *Source) guarded() error {
	pids, err := s.servers()
	if err != nil {
		return refuse("It can't be told on this system whether a server of cc-memory runs, and it would write over the change")
	}
	switch len(pids) {
	case 0:
		return s.free()
	case 1:
		return refuse("A server of cc-memory runs (process %d) and would write over the change: stop it first", pids[0])
	}
	return refuse("Servers of cc-memory run (processes %s) and would write over the change: stop them first",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(pids), " ", ", "), "[]"))
}

// free refuses a change while any other program changes the file by SQLite's own ways: either change would be lost.
func (s *Source) free() error {
	switch use := dbfile.InUse(s.path); {
	case use.Locked && use.Process > 0:
		return refuse("Another program (process %d) has the database locked: let it end first", use.Process)
	case use.Locked:
		return refuse("Another program has the database locked: let it end first")
	case use.Journaled:
		return refuse("Another program has begun to change the database, and left %s-journal beside it: "+
			"open the database with that program first",
			filepath.Base(s.path))
	}
	return nil
}

// Write implements [adapt.Writer].
func (s *Source) Write(ctx context.Context, image *adapt.Image, e adapt.Edit) error {
	st, err := s.of(ctx, image)
	if err != nil {
		return err
	}
	return s.change(ctx, st, false, func(c *changer) error {
		c.kept = s.Backups()
		return st.apply(c, e, s.now())
	})
}

// change carries out a change of the database under its guards; with compact, the new file has no free pages. The file is that of before,
// or the new one, whenever this process ends.
func (s *Source) change(ctx context.Context, st *state, compact bool, do func(*changer) error) error {
	return s.changeTold(ctx, st, compact, do, nil)
}

// changeTold is change that announces what the memory is going to hold, unless tell is nil, and then how it ended.
func (s *Source) changeTold(ctx context.Context, st *state, compact bool, do func(*changer) error, tell announce) error {
	if st.image.ReadOnly != "" {
		return refuse("%s", st.image.ReadOnly)
	}
	if err := s.guarded(); err != nil {
		return err
	}
	s.at(stepGuarded)
	b, err := dbfile.Read(ctx, s.path)
	switch {
	case err != nil:
		return unreadable(err)
	case b.Digest != st.digest:
		return backend.ErrChanged
	case b.Logged:
		return refuse("The database has a log, which cc-memory doesn't use: another program has it open")
	}
	s.at(stepRead)
	data, err := changed(ctx, b, compact, do)
	if err != nil {
		return err
	}
	s.at(stepChanged)
	if err := s.backUp(b); err != nil {
		return err
	}
	s.at(stepBackedUp)
	if err := s.guarded(); err != nil {
		return err
	}
	s.at(stepGuardedAgain)
	end := func(error) {}
	if tell != nil {
		after := dbfile.Bytes{Data: data, Digest: dbfile.Digest(data)}
		m, err := loadMemory(ctx, after)
		if err != nil {
			return unreadable(err)
		}
		if end, err = tell(lay(m, after.Digest).image); err != nil {
			return err
		}
	}
	err = s.replace(b.Data, data)
	if end(err); err != nil {
		return err
	}
	s.at(stepReplaced)
	s.remember(data)
	return nil
}

// changed carries out a change in a private copy.
func changed(ctx context.Context, b dbfile.Bytes, compact bool, do func(*changer) error) ([]byte, error) {
	db, err := b.Open(ctx)
	if err != nil {
		return nil, unreadable(err)
	}
	defer func() { _ = db.Close() }() // it is only memory
	if err := sound(ctx, db); err != nil {
		return nil, err
	}
	if plain, err := dbfile.Plain(ctx, db); err != nil || !plain {
		return nil, refuse("%s", whyForeign)
	}
	if _, err := db.ExecContext(ctx, "PRAGMA secure_delete = ON"); err != nil {
		return nil, unwritable(err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, unwritable(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing, once it is committed
	if err := do(&changer{ctx: ctx, tx: tx, columns: map[string][]string{}}); err != nil {
		return nil, err
	}
	if err := tx.Commit(); err != nil {
		return nil, unwritable(err)
	}
	if compact {
		if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
			return nil, unwritable(err)
		}
	}
	if err := sound(ctx, db); err != nil {
		return nil, err
	}
	data, err := dbfile.Serialize(ctx, db)
	if err != nil {
		return nil, unwritable(err)
	}
	return data, nil
}

// sound reports whether SQLite finds no damage.
func sound(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil || verdict != "ok" {
		return refuse("The database is damaged: it is not changed")
	}
	return nil
}

func unwritable(err error) error {
	var refusal *backend.Refusal
	if errors.As(err, &refusal) || errors.Is(err, context.Canceled) {
		return err
	}
	return refuse("SQLite doesn't take the change: the database is of another version, or damaged")
}

// backUp keeps the database as it is before our change, unless it is as we left it.
func (s *Source) backUp(b dbfile.Bytes) error {
	s.mu.Lock()
	ours := s.ours
	s.mu.Unlock()
	if ours.digest == b.Digest {
		return nil
	}
	folder := s.backupFolder()
	if folder == "" {
		return refuse("The database can't be backed up before it is changed: this store has no folder for its state")
	}
	name := filepath.Join(folder, backupPrefix+s.now().UTC().Format("20060102T150405.000000000")+backupSuffix)
	if err := errors.Join(os.MkdirAll(folder, 0o700), writeNew(name, b.Data)); err != nil {
		return refuse("The database can't be backed up before it is changed: the folder of this store's state can't be written")
	}
	if list := s.Backups(); len(list) > backupsKept {
		for _, old := range list[:len(list)-backupsKept] {
			_ = os.Remove(old) // the next backup tries again
		}
	}
	return nil
}

func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// replace puts the new bytes in place of the old ones, if those are still there.
func (s *Source) replace(old, data []byte) error {
	target, err := filepath.EvalSymlinks(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return backend.ErrChanged
	}
	if err != nil {
		return backend.ErrUnavailable
	}
	in, err := dir.Open(filepath.Dir(target), dir.Options{})
	if err != nil {
		return err
	}
	err = in.ReplaceVia(filepath.Base(target), backend.NewTempName(), old, data)
	return errors.Join(err, in.Close())
}

// overwrite is what we wrote last, to see whether a server writes it over.
type overwrite struct {
	digest string
	at     time.Time
	data   []byte
}

func (s *Source) remember(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ours = overwrite{digest: dbfile.Digest(data), at: s.now(), data: bytes.Clone(data)}
}
