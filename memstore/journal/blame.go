package journal

import (
	"bytes"
	"context"
	"errors"
	"math"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

// blameTimeout bounds each comparison: there may be a thousand.
const blameTimeout = 50 * time.Millisecond

// Blame finds for each line of a file the revision that wrote it. rev is the state of the file that is asked for; 0: the newest.
// ErrNotThere for what is, or was, no file, ErrNotKept where its bytes are not.
func (j *Journal) Blame(ctx context.Context, agentPath string, rev int64) (*past.Blame, error) {
	if rev == 0 {
		rev = math.MaxInt64 - 1
	}
	text, err := j.textAt(ctx, agentPath, rev)
	if err != nil {
		return nil, j.failed(err)
	}
	b := &blamer{j: j, ctx: ctx, until: math.MaxInt64, out: &past.Blame{Revisions: map[int64]past.Revision{}}}
	b.begin(text)
	err = j.List(ctx, past.Filter{Path: agentPath, Follow: true, Before: rev + 1, Newest: true}, b.step)
	if b.made.Rev > 0 { // what was there before the undo that made it is not known
		b.claimAll(b.made, false)
	}
	if err == nil {
		err = b.err
	}
	return b.out, j.failed(err)
}

// textAt is the text of a file after a revision.
func (j *Journal) textAt(ctx context.Context, agentPath string, rev int64) ([]byte, error) {
	t, err := j.Tree(ctx, rev)
	if err != nil {
		return nil, err
	}
	e, there := t.Find(agentPath)
	if !there || e.Kind != memstore.KindFile || e.Digest == (memstore.Digest{}) {
		return nil, &past.Error{Err: past.ErrNotThere}
	}
	return j.Bytes(ctx, e.Side())
}

// blamer goes back through the revisions of a file. open holds, for the version that is reached,
// which line of the result each of its lines is, -1 for those that are gone later.
type blamer struct {
	j    *Journal
	ctx  context.Context
	out  *past.Blame
	text []byte
	open []int
	left int // lines of the result not claimed yet
	// until is the oldest revision of those that an undo took back whole; it and what follows it up to the undo wrote nothing.
	until int64
	// made is the revision of the last step if it made the file, as the undo of a removal does too.
	made past.Revision
	err  error
}

func (b *blamer) begin(text []byte) {
	b.text = text
	for l := range bytes.Lines(text) {
		b.open = append(b.open, len(b.open))
		b.out.Lines = append(b.out.Lines, past.Blamed{Text: l})
	}
	b.left = len(b.open)
}

// step claims the lines that a revision has written; false ends the walk.
func (b *blamer) step(r past.Revision) bool {
	b.made = past.Revision{}
	if r.Rev >= b.until {
		return true
	}
	switch r.Shape {
	case past.Renamed, past.Removed:
		return b.left > 0
	case past.Made:
		b.made = r
		return b.left > 0
	}
	if r.Undoes > 0 {
		if undone, err := b.j.Revision(b.ctx, r.Undoes); err == nil && undone.Before.Digest == r.After.Digest {
			b.until = undone.Rev
			return true
		}
	}
	before, err := b.j.Bytes(b.ctx, r.Before)
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
