package archive

import (
	"bytes"
	"context"
	"errors"
	"math"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

// blameTimeout bounds each comparison: there may be a thousand.
const blameTimeout = 50 * time.Millisecond

// Blame finds for each line of a file the revision that wrote it; one that was removed and restored by an undo is still
// that of who wrote it. rev is the state of the file that is
// asked for; 0: the newest. ErrNotThere for what is, or was, no file, ErrNotKept where its bytes are not.
func (a *Archive) Blame(ctx context.Context, agentPath string, rev int64) (*past.Blame, error) {
	db, err := a.pool.Reader()
	if err != nil {
		return nil, err
	}
	if rev == 0 {
		rev = math.MaxInt64 - 1
	}
	b := &blamer{a: a, ctx: ctx, out: &past.Blame{Path: agentPath, Revisions: map[int64]past.Revision{}}}
	var start int64
	row := db.QueryRowContext(ctx, `SELECT e.blob FROM entry e JOIN path p ON p.id = e.path
		WHERE p.name = ? AND e.kind = ? AND e.first <= ? AND (e.last IS NULL OR e.last > ?) AND e.blob IS NOT NULL`,
		memstore.BackendName(agentPath), int(memstore.KindFile), rev, rev)
	if row.Scan(&start) != nil {
		return nil, &past.Error{Op: "blame", Err: past.ErrNotThere}
	}
	text, err := content.Bytes(ctx, db, start)
	if err != nil {
		return nil, a.failed("blame", err)
	}
	b.begin(start, text)
	err = lineage(ctx, db, memstore.BackendName(agentPath), rev+1, true, func(r past.Revision) bool { return b.step(r) })
	if err == nil {
		err = b.err
	}
	return b.out, a.failed("blame", err)
}

// blamer goes back through the revisions of a file. open holds, for the version that is reached,
// which line of the result each of its lines is, -1 for those that are gone later.
type blamer struct {
	a    *Archive
	ctx  context.Context
	out  *past.Blame
	text []byte
	blob int64
	open []int
	left int // lines of the result not claimed yet
	err  error
}

func (b *blamer) begin(blob int64, text []byte) {
	b.text, b.blob = text, blob
	for l := range bytes.Lines(text) {
		b.open = append(b.open, len(b.open))
		b.out.Lines = append(b.out.Lines, past.Blamed{Text: l})
	}
	b.left = len(b.open)
}

// step claims the lines that a revision has written; false ends the walk.
func (b *blamer) step(r past.Revision) bool {
	switch r.Shape {
	case past.Renamed, past.Removed:
		return b.left > 0
	case past.Made:
		b.claimAll(r, false)
		return false
	}
	before, err := b.a.Bytes(b.ctx, r.Before)
	if errors.Is(err, past.ErrNotKept) || errors.Is(err, past.ErrNotThere) {
		b.claimAll(r, true)
		return false
	}
	if err != nil {
		b.err = err
		return false
	}
	result := diff.Lines(b.ctx, before, b.text, diff.Options{Timeout: blameTimeout})
	open := make([]int, result.ALines)
	for i := range open {
		open[i] = -1
	}
	for _, op := range result.Ops {
		switch op.Kind {
		case diff.Equal:
			copy(open[op.AStart:op.AEnd], b.open[op.BStart:op.BEnd])
		case diff.Insert:
			for _, i := range b.open[op.BStart:op.BEnd] {
				b.claim(i, r, result.Approximate)
			}
		}
	}
	b.open, b.text = open, before
	return b.left > 0
}

func (b *blamer) claim(line int, r past.Revision, unsure bool) {
	if line < 0 {
		return
	}
	b.out.Lines[line].Rev, b.out.Lines[line].Unsure = r.Rev, unsure
	b.out.Revisions[r.Rev] = r
	b.left--
}

func (b *blamer) claimAll(r past.Revision, unsure bool) {
	for _, i := range b.open {
		b.claim(i, r, unsure)
	}
}
