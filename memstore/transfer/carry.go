package transfer

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

// Outcome is the result of carrying out a plan.
type Outcome struct {
	Done    []Item   // arrived; of a move also deleted at the source
	Kept    []Failed // of a move: at the destination, and still at the source
	Skipped []Failed // not transferred
	Left    []Item   // not started, because the run was stopped
	Bytes   int64    // of Done and Kept
	// Revisions are those of the run in the journals of the source and of the destination; none if nothing changed there.
	Revisions [2][]int64
}

// Failed is an item that was not carried out as planned.
type Failed struct {
	Item
	Err error // nil: the item says why
}

// Why is the reason, as the end of a sentence.
func (f *Failed) Why() string {
	if f.Err == nil {
		if f.Stays != "" && f.Act != Skip && f.Act != Conflict {
			return f.Stays
		}
		return f.Item.Why
	}
	switch {
	case errors.Is(f.Err, memstore.ErrRefused):
		return refusal(f.Err)
	case errors.Is(f.Err, errDiffers):
		return errDiffers.Error()
	}
	return reason(f.Err)
}

// run is a plan being carried out.
type run struct {
	*Transfer
	out     Outcome
	arrived []Item
	into    *undo.Group // at the destination
	outOf   *undo.Group // at the source
}

// Carry carries out a plan. It skips a note that changed since the plan was made. The end of ctx stops it between two notes. It also stops,
// with the error, if no further note could be transferred either: a store without space, a read-only one, one that has
// vanished, a journal that can't record. What it did until then stays, and can be undone.
func (t *Transfer) Carry(ctx context.Context, p *Plan) (Outcome, error) {
	r := &run{Transfer: t}
	if t.To.Record == nil || t.Move && t.From.Record == nil {
		r.out.Left = p.Items
		return r.out, ErrNoJournal
	}
	verb := t.verb()
	if t.Import {
		verb = "import"
	}
	r.into = r.To.editor().Group(text.Clean(verb + " from " + t.From.Title))
	if r.Move {
		r.outOf = r.From.editor().Group(text.Clean(verb + " to " + t.To.Title))
	}
	err := r.copyAll(ctx, p)
	if t.Move {
		err = errors.Join(err, r.deleteArrived(ctx, err))
	} else {
		r.out.Done = r.arrived
	}
	if r.into.Acts() > 0 {
		r.out.Revisions[1] = newest(ctx, &r.To)
	}
	if r.outOf != nil && r.outOf.Acts() > 0 {
		r.out.Revisions[0] = newest(ctx, &r.From)
	}
	return r.out, err
}

// copyAll writes the notes at the destination.
func (r *run) copyAll(ctx context.Context, p *Plan) error {
	for n, one := range p.Items {
		switch {
		case one.Act == Same:
			r.arrived = append(r.arrived, one)
			continue
		case !one.Writes():
			r.out.Skipped = append(r.out.Skipped, Failed{one, nil})
			continue
		}
		if err := ctx.Err(); err != nil {
			r.out.Left = append(r.out.Left, p.Items[n:]...)
			return err
		}
		err := r.copy(ctx, one)
		switch {
		case err == nil:
			r.arrived = append(r.arrived, one)
			r.out.Bytes += one.Bytes
		case ctx.Err() != nil || policy.Hopeless(err):
			r.out.Left = append(r.out.Left, p.Items[n:]...)
			return errors.Join(ctx.Err(), err)
		default:
			r.out.Skipped = append(r.out.Skipped, Failed{one, err})
		}
	}
	return nil
}

// copy writes one note.
func (r *run) copy(ctx context.Context, i Item) error {
	data, err := r.read(r.From, i.Path)
	if err != nil {
		return err
	}
	if memstore.Sum(data) != i.Digest {
		return memstore.ErrChanged
	}
	step := i.step(data)
	step.Expect = i.There
	if step, _, err = r.To.Store.Guarded(curating(ctx), step); err != nil {
		return err
	}
	if memstore.Sum(step.Data) != i.Arrives { // the rules are others than those of the plan
		return memstore.ErrChanged
	}
	return r.into.Put(ctx, r.verb(), step)
}

// arrivedWhole reads a note at the destination, whose write has been flushed, and compares it with what was to arrive.
func (r *run) arrivedWhole(i Item) error {
	data, err := r.read(r.To, i.Path)
	if err == nil && memstore.Sum(data) != i.Arrives {
		err = errDiffers
	}
	return err
}

// deleteArrived deletes at the source what has arrived. After a failure it still deletes what arrived before, unless ctx has ended.
func (r *run) deleteArrived(ctx context.Context, failed error) error {
	var stopped error
	folders := map[string]bool{}
	for _, one := range r.arrived {
		err := stopped
		switch {
		case err != nil:
		case ctx.Err() != nil:
			err = ctx.Err()
		case one.Stays != "":
			r.out.Kept = append(r.out.Kept, Failed{one, nil})
			continue
		default:
			if err = r.arrivedWhole(one); err == nil {
				err = r.outOf.Put(ctx, past.CmdMove, memstore.Step{Path: one.Path, Remove: true, Expect: &one.Digest})
			}
		}
		if err != nil {
			r.out.Kept = append(r.out.Kept, Failed{one, err})
			if policy.Hopeless(err) {
				stopped = err
			}
			continue
		}
		r.out.Done = append(r.out.Done, one)
		for dir := path.Dir(one.Path); dir != memstore.Root && len(dir) > len(memstore.Root); dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	r.removeEmpty(ctx, folders)
	if failed != nil {
		return nil // it is reported already
	}
	return stopped
}

// removeEmpty removes the folders that the move has emptied, the innermost first.
func (r *run) removeEmpty(ctx context.Context, folders map[string]bool) {
	var list []string
	for dir := range folders {
		list = append(list, dir)
	}
	slices.SortFunc(list, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, dir := range list {
		entries, err := r.From.Store.Backend().ReadDir(memstore.BackendName(dir))
		if err != nil || len(entries) > 0 {
			continue
		}
		if err := r.outOf.RemoveFolder(ctx, dir); err != nil {
			return // an empty folder that stays harms nothing
		}
	}
}

// newest are the user's newest revisions in a store, which are those of the group that was just carried out.
func newest(ctx context.Context, p *Place) []int64 {
	revs, err := p.Record.Newest(context.WithoutCancel(ctx), false, 0)
	if err != nil {
		return nil // the act itself is recorded
	}
	return revs
}
