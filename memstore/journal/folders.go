package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Putting a name into a folder, or taking one out, changes the folder's own modification time.
// What is recorded of it here is for one purpose: that what takes an edit back leaves the
// folders as it found them before the edit. A process that dies loses no more than that.

// folderTime is the modification time of a folder right before and right after an edit.
type folderTime struct {
	name          string // "." for the store
	before, after time.Time
}

// foldersBefore looks at the folders that an edit is going to change and that stay.
func (j *Journal) foldersBefore(in *intent) {
	if j.options.Backend == nil {
		return
	}
	goes := map[string]bool{}
	for i := range in.changes {
		if c := &in.changes[i]; c.shape == past.Removed && c.kind == memstore.KindDir {
			goes[c.name] = true
		}
	}
	seen := map[string]bool{}
	for i := range in.changes {
		c := &in.changes[i]
		names := []string{c.name, c.oldName}
		if in.made == movesAside {
			names[1] = in.temp // which comes and goes in a folder of its own
		}
		for _, name := range names {
			dir := path.Dir(name)
			if name == "" || seen[dir] || goes[dir] {
				continue
			}
			seen[dir] = true
			info, err := j.options.Backend.Lstat(dir)
			for ; errors.Is(err, fs.ErrNotExist) && dir != "."; info, err = j.options.Backend.Lstat(dir) {
				dir = path.Dir(dir) // the first that is there gets the others
			}
			if err == nil && info.Kind == memstore.KindDir {
				in.folders = append(in.folders, folderTime{name: dir, before: info.ModTime})
			}
		}
	}
}

// foldersAfter looks at them again.
func (j *Journal) foldersAfter(in *intent) {
	for i := range in.folders {
		if info, err := j.options.Backend.Lstat(in.folders[i].name); err == nil {
			in.folders[i].after = info.ModTime
		}
	}
}

// keepFolders writes the folder times of an edit; rev is its last revision, which is taken back first.
func (w *writer) keepFolders(rev int64, list []folderTime) error {
	for _, f := range list {
		if f.after.IsZero() {
			continue
		}
		var id int64
		if f.name != "." {
			var err error
			if id, err = w.pathID(f.name); err != nil {
				return err
			}
		}
		if err := w.do("INSERT OR REPLACE INTO folder_time (rev, path, before, after) VALUES (?, ?, ?, ?)",
			rev, id, f.before.UnixNano(), f.after.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// foldersOf reads the folder times of a revision.
func (j *Journal) foldersOf(ctx context.Context, rev int64) ([]folderTime, error) {
	db, err := j.reader()
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, "SELECT coalesce(p.name, '.'), f.before, f.after FROM folder_time f LEFT JOIN path p ON p.id = f.path WHERE f.rev = ?", rev)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []folderTime
	for rows.Next() {
		var f folderTime
		var before, after int64
		if err := rows.Scan(&f.name, &before, &after); err != nil {
			return nil, err
		}
		f.before, f.after = unixTime(before), unixTime(after)
		list = append(list, f)
	}
	return list, rows.Err()
}

// folderStamps is what a folder of the tree at a revision had besides what it held. Its time is known
// where it was removed, whole, right after.
func (j *Journal) folderStamps(ctx context.Context, e past.Entry, at int64) (to memstore.Stamps, err error) {
	to.Mode = e.Mode
	db, err := j.reader()
	if err != nil {
		return to, err
	}
	var mode, mtime sql.NullInt64
	err = db.QueryRowContext(ctx, `SELECT r.before_mode, r.before_mtime FROM revision r JOIN path p ON p.id = r.path
		WHERE p.name = ?1 AND r.shape = ?2 AND r.rev > ?3
		AND NOT EXISTS (SELECT 1 FROM revision b WHERE b.rev > ?3 AND b.rev < coalesce(r.grp, r.rev) AND b.shape <> ?2) ORDER BY r.rev LIMIT 1`,
		nameOf(e.Path), int(past.Removed), at).Scan(&mode, &mtime)
	if errors.Is(err, sql.ErrNoRows) {
		return to, nil
	}
	if mode.Valid {
		to.Mode = fs.FileMode(mode.Int64)
	}
	to.ModTime = timeOf(mtime)
	return to, err
}

// folderKeeper gives folders their stamps back at the end of a plan: what the steps put into
// them would change their times again, and a mode that forbids writing would forbid the steps.
type folderKeeper struct {
	e    *Editor
	want map[string]memstore.Stamps // by name; no time: something else has touched the folder, which keeps the one it has
}

// before is called with each step before it is carried out.
func (k *folderKeeper) before(s *PlannedStep) {
	name := nameOf(s.Path)
	for _, f := range s.folders {
		k.goBack(f)
	}
	switch {
	case s.OldPath != "":
		old, now := nameOf(s.OldPath), map[string]memstore.Stamps{}
		for at, to := range k.want {
			if at == old || inside(at, old) {
				at = moved(at, old, name)
			}
			now[at] = to
		}
		k.want = now
	case s.Remove:
		delete(k.want, name)
	case s.Kind == memstore.KindDir:
		k.want[name] = s.Stamps
		s.Stamps = memstore.Stamps{}
	}
}

// goBack follows the time of a folder back over one revision, as long as nothing else has touched it.
func (k *folderKeeper) goBack(f folderTime) {
	to, known := k.want[f.name]
	if !known {
		info, err := k.e.store.Backend().Lstat(f.name)
		if err != nil || info.Kind != memstore.KindDir {
			return
		}
		to.ModTime = info.ModTime
	}
	if to.ModTime.Equal(f.after) {
		to.ModTime = f.before
	} else {
		to.ModTime = time.Time{}
	}
	k.want[f.name] = to
}

// finish gives the folders their stamps, what a folder holds before the folder, and corrects what the
// steps have recorded of them, so that taking the plan back finds them as they are.
func (k *folderKeeper) finish(ctx context.Context) {
	names := make([]string, 0, len(k.want))
	for name, to := range k.want {
		if to != (memstore.Stamps{}) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(strings.Count(b, "/")-strings.Count(a, "/"), strings.Compare(a, b))
	})
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockPatience)
	defer cancel()
	for _, name := range names {
		if err := k.e.store.Restamp(ctx, memstore.AgentPath(name), k.want[name]); err != nil {
			delete(k.want, name)
			if noPath(err) {
				continue // the plan was stopped before it came back
			}
			k.e.j.options.Warn(failed("folders", err))
		}
	}
	k.e.j.Flush()
	if len(names) == 0 {
		return
	}
	err := k.e.j.tx("folders", false, func(w *writer) error {
		for name, to := range k.want {
			if err := w.restampFolder(name, to); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		k.e.j.options.Warn(err)
	}
}

// restampFolder corrects what the newest revisions say of a folder that got its stamps after them.
func (w *writer) restampFolder(name string, to memstore.Stamps) error {
	var id int64
	if name != "." {
		e, err := w.current(name)
		if err != nil || e == nil {
			return err
		}
		id = e.path
		var mode any
		if to.Mode != 0 {
			mode = int64(to.Mode.Perm())
		}
		if err := w.do("UPDATE entry SET mode = coalesce(?, mode), mtime = coalesce(?, mtime) WHERE id = ?", mode, nanos(to.ModTime), e.id); err != nil {
			return err
		}
		if err := w.do(`UPDATE revision SET after_mode = coalesce(?, after_mode), after_mtime = coalesce(?, after_mtime)
			WHERE path = ? AND rev = (SELECT first FROM entry WHERE id = ?)`, mode, nanos(to.ModTime), id, e.id); err != nil {
			return err
		}
	}
	if to.ModTime.IsZero() {
		return nil
	}
	return w.do("UPDATE folder_time SET after = ?1 WHERE path = ?2 AND rev = (SELECT max(rev) FROM folder_time WHERE path = ?2)", to.ModTime.UnixNano(), id)
}
