package journal

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"memcurator/memstore"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// Putting a name into a folder, or taking one out, changes the folder's own modification time.
// What is recorded of it here is for one purpose: that what takes an edit back leaves the
// folders as it found them before the edit. A process that dies loses only that.

// foldersBefore reads the times of the folders that an edit will change and that stay.
func (d *disk) foldersBefore(in *intent) {
	if d.backend == nil {
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
			info, err := d.backend.Lstat(dir)
			for ; errors.Is(err, fs.ErrNotExist) && dir != "."; info, err = d.backend.Lstat(dir) {
				dir = path.Dir(dir) // the first that is there gets the others
			}
			if err == nil && info.Kind == memstore.KindDir {
				in.folders = append(in.folders, past.FolderTime{Path: memstore.AgentPath(dir), Before: info.ModTime})
			}
		}
	}
}

// foldersAfter reads them again.
func (d *disk) foldersAfter(in *intent) {
	for i := range in.folders {
		if info, err := d.backend.Lstat(memstore.BackendName(in.folders[i].Path)); err == nil {
			in.folders[i].After = info.ModTime
		}
	}
}

// keepFolders writes the folder times of an edit; rev is its last revision, which is undone first.
func (w *tableWriter) keepFolders(rev int64, list []past.FolderTime) error {
	for _, f := range list {
		if f.After.IsZero() {
			continue
		}
		var id int64
		if name := memstore.BackendName(f.Path); name != "." {
			var err error
			if id, err = w.pathID(name); err != nil {
				return err
			}
		}
		if err := w.Do("INSERT OR REPLACE INTO folder_time (rev, path, before, after) VALUES (?, ?, ?, ?)",
			rev, id, f.Before.UnixNano(), f.After.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// SetFolderStamps corrects what the newest revisions say of folders, by agent path, that got their stamps after them.
func (j *Journal) SetFolderStamps(ctx context.Context, to map[string]memstore.Stamps) error {
	j.Flush()
	if len(to) == 0 {
		return nil
	}
	return j.txUntil(ctx, "folders", func(w *tableWriter) error {
		for path, stamps := range to {
			if err := w.entries.restampFolder(memstore.BackendName(path), stamps); err != nil {
				return err
			}
		}
		return nil
	})
}

// restampFolder corrects what the newest revisions say of a folder that got its stamps after them.
func (t *entries) restampFolder(name string, to memstore.Stamps) error {
	var id int64
	if name != "." {
		e, err := t.current(name)
		if err != nil || e == nil {
			return err
		}
		id = e.path
		var mode any
		if to.Mode != 0 {
			mode = int64(to.Mode.Perm())
		}
		if err := t.w.Do("UPDATE entry SET mode = coalesce(?, mode), mtime = coalesce(?, mtime) WHERE id = ?", mode, schema.Nanos(to.ModTime),
			e.id); err != nil {
			return err
		}
		if err := t.w.Do(`UPDATE revision SET after_mode = coalesce(?, after_mode), after_mtime = coalesce(?, after_mtime)
			WHERE path = ? AND rev = (SELECT first FROM entry WHERE id = ?)`, mode, schema.Nanos(to.ModTime), id, e.id); err != nil {
			return err
		}
	}
	if to.ModTime.IsZero() {
		return nil
	}
	return t.w.Do("UPDATE folder_time SET after = ?1 WHERE path = ?2 AND rev = (SELECT max(rev) FROM folder_time WHERE path = ?2)",
		to.ModTime.UnixNano(), id)
}
