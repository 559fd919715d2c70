package journal

import (
	"context"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// landedAfter is how much later than a commit a file may seem to have been written that it has: the commit's time has whole seconds.
const landedAfter = time.Second

// LearnCommits lets the revisions that each commit consists of name it: those of its files, of which no earlier commit has
// anything, that were made before it. Commits come oldest first; known is the last one. It returns how many of them have revisions.
func (j *Journal) LearnCommits(ctx context.Context, list []past.Commit, known string) (groups int, err error) {
	j.Flush()
	err = j.txUntil(ctx, "learn commits", func(w *tableWriter) error {
		groups = 0
		for i := range list {
			found, err := w.land(&list[i])
			if err != nil {
				return err
			}
			if found {
				groups++
			}
		}
		return w.set(schema.MetaCommit, schema.Cut(known))
	})
	return groups, err
}

// land finds the revisions of a commit. What was found by a comparison has the time at which it was found, so its file's
// modification time counts where it is known.
func (w *tableWriter) land(c *past.Commit) (found bool, err error) {
	const which = `landed IS NULL AND path = (SELECT id FROM path WHERE name = ?) AND kind IN (?, ?)
		AND coalesce(after_mtime, CASE note WHEN 'unseen' THEN 0 ELSE time END) <= ?`
	var id int64
	for path := range c.Paths {
		args := []any{memstore.BackendName(path), int(memstore.KindFile), int(memstore.KindLink), c.Time.Add(landedAfter).UnixNano()}
		if has, err := w.Row("SELECT 1 FROM revision WHERE "+which+" LIMIT 1", args, new(int)); err != nil || !has {
			if err != nil {
				return found, err
			}
			continue
		}
		if id == 0 {
			if id, err = w.commitID(c); err != nil {
				return found, err
			}
		}
		found = true
		w.flag()
		if err := w.Do("UPDATE revision SET landed = ? WHERE "+which, append([]any{id}, args...)...); err != nil {
			return found, err
		}
	}
	return found, nil
}

// commitID returns the number of a commit, making it where it is missing.
func (w *tableWriter) commitID(c *past.Commit) (id int64, err error) {
	found, err := w.Row("SELECT id FROM git_commit WHERE hash = ?", []any{schema.Cut(c.Hash)}, &id)
	if err != nil || found {
		return id, err
	}
	return w.Insert("INSERT INTO git_commit (hash, title, time) VALUES (?, ?, ?)", schema.Cut(c.Hash), schema.Cut(c.Title), c.Time.UnixNano())
}
