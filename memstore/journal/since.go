package journal

import (
	"context"

	"memcurator/memstore/past"
)

// Since is what happened in a store after what a plan takes back. A plan that takes nothing back has none.
type Since struct {
	Count  int           // of the revisions that are in force
	Newest past.Revision // of them; its Rev is 0 where there is none
}

// since counts what happened after revision rev. What was undone since, with its undo, is as if it had not happened.
func (j *Journal) since(ctx context.Context, rev int64) (s Since, err error) {
	db, err := j.reader()
	if err != nil {
		return s, err
	}
	var newest int64
	err = db.QueryRowContext(ctx, `SELECT count(*), coalesce(max(rev), 0) FROM revision WHERE rev > ?1 AND undone_by IS NULL
		AND NOT (role IN (?2, ?3) AND coalesce(undoes, ?1 + 1) > ?1)`, rev, int(roleUndo), int(roleRedo)).Scan(&s.Count, &newest)
	if err != nil || newest == 0 {
		return s, err
	}
	s.Newest, err = j.Revision(ctx, newest)
	return s, err
}

// keptOf is the newest edit since revision r of what now is at agentPath, which a step that takes r back keeps; its Rev is 0
// where none is recorded.
func (s *scene) keptOf(ctx context.Context, r past.Revision, agentPath string) (kept past.Revision, err error) {
	err = s.e.j.List(ctx, past.Filter{Path: agentPath, After: r.Rev, Newest: true}, func(one past.Revision) bool {
		if one.UndoneBy == 0 && !s.leaveOut[one.Rev] {
			kept = one
		}
		return kept.Rev == 0
	})
	return kept, err
}
