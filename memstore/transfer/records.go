package transfer

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// remove deletes a note at the source. left has the digests of the notes that the move deletes. Records of another program refer to each
// other: of notes that this deletion changes or takes along, left gets the new digests, the zero digest for one that is gone.
func (r *run) remove(ctx context.Context, i *Item, left map[string]memstore.Digest) error {
	expect := left[i.Path]
	if expect == (memstore.Digest{}) {
		return nil
	}
	var along []memstore.Ripple
	if from, ok := r.From.Store.Backend().(memstore.Adapted); ok {
		along, _ = from.Ripples(memstore.BackendName(i.Path), "", nil) // if it fails, so does the deletion
	}
	if err := r.outOf.Put(ctx, past.CmdMove, memstore.Step{Path: i.Path, Remove: true, Expect: &expect}); err != nil {
		return err
	}
	for _, also := range along {
		at := memstore.AgentPath(also.Name)
		switch was, leaves := left[at]; {
		case !leaves || was != memstore.Sum(also.Before): // it stays, or was edited meanwhile
		case also.After == nil:
			left[at] = memstore.Digest{}
		default:
			left[at] = memstore.Sum(also.After)
		}
	}
	return nil
}
