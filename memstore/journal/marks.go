package journal

import (
	"context"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// MarkRead marks revisions as read, or as unread again.
func (j *Journal) MarkRead(ctx context.Context, read bool, revs ...int64) error {
	return j.tx(ctx, false, func(w *writer) {
		w.flag()
		for _, rev := range revs {
			w.do("UPDATE revision SET unread = ? WHERE rev = ?", !read, rev)
		}
	})
}

// MarkAllRead marks every revision up to rev as read.
func (j *Journal) MarkAllRead(ctx context.Context, rev int64) error {
	return j.tx(ctx, false, func(w *writer) {
		w.flag()
		w.do("UPDATE revision SET unread = 0 WHERE unread = 1 AND rev <= ?", rev)
	})
}

// OpenGroup keeps the title of a new group of edits; its number comes with the first revision.
func (j *Journal) OpenGroup(ctx context.Context, name, title string) error {
	return j.tx(ctx, false, func(w *writer) {
		w.do("INSERT INTO grp (name, id, title) VALUES (?, 0, ?)", cut(name), cut(title))
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
	err = j.tx(ctx, false, func(w *writer) {
		for _, t := range list {
			if w.learn(t) {
				learned++
			}
		}
	})
	return learned, err
}

// learn finds the revision of a told change. One without a call is it by its bytes and its time, one with the
// same call by that.
func (w *writer) learn(t past.Told) (found bool) {
	t.Origin = cutOrigin(t.Origin)
	var after any
	if t.After != nil {
		after = t.After[:]
	}
	var rev int64
	found = w.row(`SELECT r.rev FROM revision r LEFT JOIN blob b ON b.id = r.after
		WHERE r.open IS NULL AND r.path = ?1 AND r.kind = ?2 AND r.actor IN ('external', 'agent')
		AND (b.sum IS ?3) AND (r.after IS NULL) = (?3 IS NULL)
		AND (r.tool = ?6 AND (r.turn IS NULL OR r.model IS NULL AND ?7 IS NOT NULL)
			OR r.tool IS NULL AND (r.session IS NULL OR r.session = ?8) AND r.time >= ?4 AND (r.time <= ?5 OR r.note = 'unseen'))
		ORDER BY r.tool IS NULL, r.rev LIMIT 1`,
		[]any{memstore.BackendName(t.Path), int(memstore.KindFile), after, t.At.Add(-toldBefore).UnixNano(), t.At.Add(toldAfter).UnixNano(),
			null(t.Origin.ToolUseID), null(t.Origin.Model), null(t.Origin.Session)}, &rev)
	if !found {
		return false
	}
	w.flag()
	w.do(`UPDATE revision SET session = coalesce(session, ?), model = coalesce(model, ?), tool = coalesce(tool, ?),
		turn = coalesce(turn, ?)
		WHERE rev = ?`, null(t.Origin.Session), null(t.Origin.Model), null(t.Origin.ToolUseID), t.Turn, rev)
	return true
}
