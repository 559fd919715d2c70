package transfer

import (
	"context"

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

// verify carries over which notes the user verified: those whose text arrived unchanged, as of when
// the user did.
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
	what := map[string]past.Verification{}
	if err := r.From.facts(ctx, func(f past.Fact) bool {
		if sum, ok := arrived[f.Path]; ok && sum == f.Digest && f.Stands() {
			what[f.Path] = past.Verification{At: f.Verified.At, Text: sum}
		}
		return true
	}); err != nil || len(what) == 0 {
		return err
	}
	if err := r.To.facts(ctx, func(f past.Fact) bool {
		if f.Stands() { // by itself, and perhaps later
			delete(what, f.Path)
		}
		return true
	}); err != nil || len(what) == 0 {
		return err
	}
	return r.To.Record.Verify(ctx, what)
}
