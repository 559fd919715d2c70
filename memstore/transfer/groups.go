package transfer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// earlierRevisions bounds the search for the other half of a move in a journal.
const earlierRevisions = 5000

// newName names the groups of a run in both journals. Of a move it holds how many notes it deletes: not 0.
func newName(deletes int) string { return fmt.Sprintf("transfer %s %d", rand.Text(), deletes) }

// deletes is the number in the name of the groups of a move; 0 in other names.
func deletes(name string) (n int) {
	var random string
	_, _ = fmt.Sscanf(name, "transfer %s %d", &random, &n) // 0 if it isn't there
	return n
}

// begin opens the groups of a run.
func (r *run) begin(p *Plan) {
	name := newName(p.Leaves())
	r.into = r.To.editor().NamedGroup(name, r.title(p, (*Item).Writes, r.came()))
	if r.Move {
		r.outOf = r.From.editor().NamedGroup(name, r.title(p, (*Item).leaves, r.went()))
	}
}

// came and went say in the titles of groups where the other store is.
func (t *Transfer) came() string { return "from " + t.From.Title }
func (t *Transfer) went() string { return "to " + t.To.Title }

// newestGroup is the newest act of the user in a store; the zero group if there is none.
func newestGroup(ctx context.Context, p *Place) (past.GroupInfo, error) {
	revs, err := p.Record.Newest(ctx, false)
	if errors.Is(err, past.ErrNothing) {
		return past.GroupInfo{}, nil
	}
	if err != nil {
		return past.GroupInfo{}, err
	}
	rev, err := p.Record.Revision(ctx, revs[0])
	if err != nil || rev.Group == 0 {
		return past.GroupInfo{}, err
	}
	return p.Record.GroupOf(ctx, rev.Group)
}

// groupNamed finds the other half of a group, and how many notes it deleted; the zero group if the journal doesn't have it.
func groupNamed(ctx context.Context, p *Place, half past.GroupInfo) (g past.GroupInfo, deleted int, err error) {
	var groups []int64
	f := past.Filter{Actors: []memstore.Actor{memstore.Curator}, Since: half.Time.Add(-time.Minute), Limit: earlierRevisions}
	if err = p.Record.List(ctx, f, func(rev past.Revision) bool {
		if n := len(groups); rev.Group != 0 && (n == 0 || groups[n-1] != rev.Group) {
			groups = append(groups, rev.Group)
		}
		return true
	}); err != nil {
		return g, 0, err
	}
	for _, group := range groups {
		one, err := p.Record.GroupOf(ctx, group)
		if err != nil {
			return g, 0, err
		}
		if one.Name == half.Name {
			g = one
			break
		}
	}
	if g.Group == 0 {
		return g, 0, nil
	}
	err = p.Record.List(ctx, past.Filter{Group: g.Group}, func(rev past.Revision) bool {
		if rev.Kind != memstore.KindDir && rev.Before.Exists && !rev.After.Exists && rev.OldPath == "" {
			deleted++
		}
		return true
	})
	return g, deleted, err
}
