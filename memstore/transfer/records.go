package transfer

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// along finds what else changes at the source of a move when its notes are deleted, by their paths: records of another program refer to
// each other. A file that would go with a note, such as the transcript of an episode, moves with it.
func (t *Transfer) along(ctx context.Context, p *Plan) (map[string][]memstore.Ripple, error) {
	from, ok := t.From.Store.Backend().(memstore.Adapted)
	if !ok || !t.Move {
		return nil, nil
	}
	all := map[string][]memstore.Ripple{}
	for _, one := range p.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list, err := from.Ripples(memstore.BackendName(one.Path), "", nil)
		if err != nil {
			continue // the deletion fails, too, and then says why
		}
		all[one.Path] = list
		for _, r := range list {
			if r.After != nil {
				continue
			}
			info, err := t.From.Store.Backend().Lstat(r.Name)
			if err != nil {
				return nil, err
			}
			p.add(memstore.AgentPath(r.Name), info)
		}
	}
	p.order()
	return all, nil
}

// together keeps a note at the source if a file that would go with it can't move, and names the files that lose what they say of a note.
func (p *Plan) together(along map[string][]memstore.Ripple) {
	if len(along) == 0 {
		return
	}
	gone := map[string]bool{}
	for i := range p.Items {
		gone[p.Items[i].Path] = p.Items[i].leaves()
	}
	for i := range p.Items {
		one := &p.Items[i]
		for _, r := range along[one.Path] {
			at := memstore.AgentPath(r.Name)
			switch {
			case gone[at] || !one.leaves():
			case r.After == nil:
				one.Stays = memstore.BackendName(at) + " goes with it, and can't move"
				gone[one.Path] = false
			default:
				one.Ripples = append(one.Ripples, at)
			}
		}
	}
}

// remove deletes a note at the source. left has the digests of the notes that the move deletes: of those that this deletion changes or
// takes along, it gets the new ones; the zero digest is that of a note that is gone.
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
