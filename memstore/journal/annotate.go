package journal

import (
	"context"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// MarkRead marks revisions as read, or as unread again.
func (j *Journal) MarkRead(ctx context.Context, read bool, revs ...int64) error {
	return j.txUntil(ctx, "mark", func(w *tableWriter) error {
		w.flag()
		for _, rev := range revs {
			if err := w.Do("UPDATE revision SET unread = ? WHERE rev = ?", !read, rev); err != nil {
				return err
			}
		}
		return nil
	})
}

// MarkAllRead marks every revision up to rev as read.
func (j *Journal) MarkAllRead(ctx context.Context, rev int64) error {
	return j.txUntil(ctx, "mark", func(w *tableWriter) error {
		w.flag()
		return w.Do("UPDATE revision SET unread = 0 WHERE unread = 1 AND rev <= ?", rev)
	})
}

// OpenGroup keeps the title of a group of edits; its number comes with the first revision. A group that has one keeps its title: more
// edits join it.
func (j *Journal) OpenGroup(ctx context.Context, name, title string) error {
	return j.txUntil(ctx, "group", func(w *tableWriter) error {
		return w.Do(`INSERT INTO grp (name, id, title) VALUES (?, 0, ?)
			ON CONFLICT (name) DO UPDATE SET title = excluded.title WHERE id = 0`, schema.Cut(name), schema.Cut(title))
	})
}

// RenameGroup replaces the title of a group, by its name: less was done than it says.
func (j *Journal) RenameGroup(ctx context.Context, name, title string) error {
	return j.txUntil(ctx, "group", func(w *tableWriter) error {
		return w.Do("UPDATE grp SET title = ? WHERE name = ?", schema.Cut(title), schema.Cut(name))
	})
}

// How far the times of a call and of the revision it made may be apart: the transcript has the time at
// which the call was asked for, the journal the one at which the change was seen.
const (
	toldBefore = time.Minute
	toldAfter  = 10 * time.Minute
)

// Learn gives revisions the session, the model, the call and the turn found in a transcript: each such change the
// revision with the id of the call, else the first that made the path what was told, at about that time, or that was
// found later by comparing with the disk. What a revision has already stays. It returns how many got something. Actor and
// command stay what they were recorded as.
func (j *Journal) Learn(ctx context.Context, list []past.Told) (learned int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	err = j.txUntil(ctx, "learn", func(w *tableWriter) error {
		for _, t := range list {
			found, err := w.learn(t)
			if err != nil {
				return err
			}
			if found {
				learned++
			}
		}
		return nil
	})
	return learned, err
}

// learn finds the revision of a told change. One without a call is it by its bytes and its time, one with the
// same call by that.
func (w *tableWriter) learn(t past.Told) (found bool, err error) {
	t.Origin = cutOrigin(t.Origin)
	var after any
	if t.After != nil {
		after = t.After[:]
	}
	var rev int64
	found, err = w.Row(`SELECT r.rev FROM revision r JOIN path p ON p.id = r.path LEFT JOIN blob b ON b.id = r.after
		WHERE p.name = ?1 AND r.kind = ?2 AND r.role = 0 AND r.actor IN ('external', 'agent')
		AND (b.sum IS ?3) AND (r.after IS NULL) = (?3 IS NULL)
		AND (r.tool = ?6 AND (r.turn IS NULL OR r.model IS NULL AND ?7 IS NOT NULL)
			OR r.tool IS NULL AND (r.session IS NULL OR r.session = ?8) AND r.time >= ?4 AND (r.time <= ?5 OR r.note = 'unseen'))
		ORDER BY r.tool IS NULL, r.rev LIMIT 1`,
		[]any{memstore.BackendName(t.Path), int(memstore.KindFile), after, t.At.Add(-toldBefore).UnixNano(), t.At.Add(toldAfter).UnixNano(),
			schema.Text(t.Origin.ToolUseID), schema.Text(t.Origin.Model), schema.Text(t.Origin.Session)}, &rev)
	if err != nil || !found {
		return false, err
	}
	w.flag()
	return true, w.Do(`UPDATE revision SET session = coalesce(session, ?), model = coalesce(model, ?), tool = coalesce(tool, ?),
		turn = coalesce(turn, ?)
		WHERE rev = ?`, schema.Text(t.Origin.Session), schema.Text(t.Origin.Model), schema.Text(t.Origin.ToolUseID), t.Turn, rev)
}

// LearnUses takes the agent's views of paths from a transcript, by agent path. Told again they count
// once: a path has as many views as the source with the most.
func (j *Journal) LearnUses(ctx context.Context, uses map[string]past.Use) error {
	if len(uses) == 0 {
		return nil
	}
	return j.txUntil(ctx, "learn uses", func(w *tableWriter) error {
		number := w.pathID
		if purges, _, err := w.purges(); err != nil {
			return err
		} else if purges > 0 {
			number = w.knownPath
		}
		for path, u := range uses {
			id, err := number(memstore.BackendName(path))
			if err != nil {
				return err
			}
			if id == 0 {
				continue
			}
			if err := w.Do(`INSERT INTO access (path, views, last, session) VALUES (?, ?, ?, ?)
				ON CONFLICT (path) DO UPDATE SET views = max(views, excluded.views),
				session = CASE WHEN excluded.last > last THEN excluded.session ELSE session END, last = max(last, excluded.last)`,
				id, u.Views, u.Last.UnixNano(), schema.Text(schema.Cut(u.Session))); err != nil {
				return err
			}
		}
		return nil
	})
}

// landedAfter is how much later than a commit a file may seem to have been written that it has: the commit's time has whole seconds.
const landedAfter = time.Second

// LearnCommits lets the revisions that each commit consists of name it: those of its files, of which no earlier commit has
// anything, that were made before it. Commits come oldest first; known is the last one. It returns how many of them have revisions.
func (j *Journal) LearnCommits(ctx context.Context, list []past.Commit, known string) (groups int, err error) {
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
