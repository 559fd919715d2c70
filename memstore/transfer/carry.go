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

// run is a plan being carried out.
type run struct {
	*Transfer
	out   Outcome
	into  *undo.Group // at the destination
	outOf *undo.Group // at the source
}

// Carry carries out a plan. It skips a note that changed since the plan was made. The end of ctx stops it between two notes. It also stops,
// with the error, if no further note could be transferred either: a store without space, a read-only one, one that has
// vanished, a journal that can't record. What it did until then stays, and can be undone.
func (t *Transfer) Carry(ctx context.Context, p *Plan) (Outcome, error) {
	r := &run{Transfer: t, out: Outcome{Items: slices.Clone(p.Items)}}
	for n := range r.out.Items {
		i := &r.out.Items[n]
		if i.Result = Left; i.Act == Conflict || i.Act == Skip {
			i.Result = Skipped
		}
	}
	if t.To.Record == nil || t.Move && t.From.Record == nil {
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
	err := r.copyAll(ctx)
	if t.Move {
		err = errors.Join(err, r.deleteArrived(ctx, err))
	}
	r.out.Changed = [2]bool{r.outOf != nil && r.outOf.Acts() > 0, r.into.Acts() > 0}
	return r.out, err
}

// copyAll writes the notes at the destination.
func (r *run) copyAll(ctx context.Context) error {
	for n := range r.out.Items {
		i := &r.out.Items[n]
		if i.Act == Same {
			i.Result = Done
		}
		if !i.Writes() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		err := r.copy(ctx, *i)
		switch {
		case err == nil:
			i.Result = Done
			r.out.Bytes += i.Bytes
		case ctx.Err() != nil || policy.Hopeless(err):
			return errors.Join(ctx.Err(), err)
		default:
			i.Result, i.Why = Skipped, reason(err)
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
	step := memstore.Step{Kind: i.Kind, Path: i.Path, Data: data, Stamps: i.stamps, Expect: i.There}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
	if step, _, err = r.To.Store.Guarded(ctx, step); err != nil {
		return err
	}
	if to, ok := r.To.Store.Backend().(memstore.Adapted); ok { // it makes records of notes
		if step.Data, err = to.Form(memstore.BackendName(i.Path), step.Data); err != nil {
			return err
		}
	}
	return r.into.Put(ctx, r.verb(), step)
}

// arrivedWhole reads a note at the destination, whose write has been flushed, and compares it with that of the source.
func (r *run) arrivedWhole(i Item) error {
	data, err := r.read(r.To, i.Path)
	if err == nil && memstore.Sum(data) != i.Digest {
		err = errDiffers
	}
	return err
}

// deleteArrived deletes at the source what has arrived. After a failure it still deletes what arrived before, unless ctx has ended.
func (r *run) deleteArrived(ctx context.Context, failed error) error {
	var stopped error
	folders := map[string]bool{}
	for n := range r.out.Items {
		i := &r.out.Items[n]
		if i.Result != Done {
			continue
		}
		err := stopped
		switch {
		case err != nil:
		case ctx.Err() != nil:
			err = ctx.Err()
		default:
			if err = r.arrivedWhole(*i); err == nil {
				err = r.outOf.Put(ctx, past.CmdMove, memstore.Step{Path: i.Path, Remove: true, Expect: &i.Digest})
			}
		}
		if err != nil {
			i.Result, i.Why = Kept, reason(err)
			if policy.Hopeless(err) {
				stopped = err
			}
			continue
		}
		for dir := path.Dir(i.Path); dir != memstore.Root && len(dir) > len(memstore.Root); dir = path.Dir(dir) {
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
