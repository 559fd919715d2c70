package transfer

import (
	"context"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// facts visits what the journal of the store has of its notes, if there is one.
func (p *Place) facts(ctx context.Context, visit func(past.Fact) bool) error {
	switch {
	case p.Record != nil:
		return p.Record.Facts(ctx, visit)
	case p.Facts != nil:
		return p.Facts(ctx, visit)
	}
	return nil
}

// verify carries over which notes the user verified: those whose text arrived unchanged. The journal at the destination dates that no
// earlier than it has the text.
func (r *run) verify(ctx context.Context) error {
	arrived := map[string]memstore.Digest{}
	for i := range r.arrived {
		if one := &r.arrived[i]; one.Kind == memstore.KindFile && one.Act != Merge && one.Arrives == one.Digest {
			arrived[one.Path] = one.Digest
		}
	}
	if len(arrived) == 0 {
		return nil
	}
	at := map[string]time.Time{}
	if err := r.From.facts(ctx, func(f past.Fact) bool {
		if sum, ok := arrived[f.Path]; ok && sum == f.Digest && f.Stands() {
			at[f.Path] = f.Verified
		}
		return true
	}); err != nil || len(at) == 0 {
		return err
	}
	if err := r.To.facts(ctx, func(f past.Fact) bool {
		if f.Stands() { // by itself, and perhaps later
			delete(at, f.Path)
		}
		return true
	}); err != nil || len(at) == 0 {
		return err
	}
	return r.To.Record.Verify(ctx, at)
}
