package transfer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Bounds of the search for an interrupted move.
const (
	earlierNotes     = 100  // of the plan
	earlierRevisions = 5000 // in the journal of the source
)

// newName names the groups of a run in both journals. Of a move it holds how many notes it deletes, which tells a finished one from one
// that was interrupted.
func newName(deletes int) string { return fmt.Sprintf("transfer %s %d", rand.Text(), deletes) }

// deletes is the number in the name of the groups of a move; 0 in other names.
func deletes(name string) (n int) {
	var random string
	_, _ = fmt.Sscanf(name, "transfer %s %d", &random, &n) // 0 if it isn't there
	return n
}

// begin opens the groups of a run: those of the interrupted move that it finishes, or new ones.
func (r *run) begin(ctx context.Context, p *Plan) {
	name, err := r.interrupted(ctx, p)
	if r.out.Resumed = err == nil && name != ""; !r.out.Resumed {
		name = newName(p.Leaves())
	}
	r.into = r.To.editor().NamedGroup(name, r.title(p, (*Item).Writes, r.came()))
	if r.Move {
		r.outOf = r.From.editor().NamedGroup(name, r.title(p, (*Item).leaves, r.went()))
	}
}

// came and went say in the titles of groups where the other store is.
func (t *Transfer) came() string { return "from " + t.From.Title }
func (t *Transfer) went() string { return "to " + t.To.Title }

// interrupted finds the move that this one finishes, by the name of its groups; "" if there is none. It is the newest act at the
// destination, wrote a note there that the source still has, deleted fewer notes than planned, and none of it is undone.
func (r *run) interrupted(ctx context.Context, p *Plan) (name string, err error) {
	if !r.Move {
		return "", nil
	}
	there, err := newestGroup(ctx, &r.To)
	if err != nil || deletes(there.Name) == 0 || there.Undone > 0 || !strings.HasSuffix(there.Title, " from "+r.From.Title) {
		return "", err
	}
	if wrote, err := r.wrote(ctx, p, there.Group); !wrote || err != nil {
		return "", err
	}
	here, deleted, err := groupNamed(ctx, &r.From, there)
	if err != nil || here.Group == 0 {
		return there.Name, err
	}
	newest, err := newestGroup(ctx, &r.From)
	if err != nil || newest.Group != here.Group || here.Undone > 0 || deleted >= deletes(here.Name) {
		return "", err
	}
	return there.Name, nil
}

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

// wrote reports whether a group at the destination wrote one of the notes that are there already.
func (r *run) wrote(ctx context.Context, p *Plan, group int64) (found bool, err error) {
	asked := 0
	for i := range p.Items {
		if one := &p.Items[i]; one.Act == Same && one.leaves() && asked < earlierNotes {
			asked++
			err = r.To.Record.List(ctx, past.Filter{Path: one.Path, Exact: true, Newest: true, Limit: 1}, func(rev past.Revision) bool {
				found = rev.Group == group
				return false
			})
			if found || err != nil {
				break
			}
		}
	}
	return found, err
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
