package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

// Opener opens a store with its journal for edits, by its directory, until the function that it returns is called.
type Opener func(ctx context.Context, dir string) (Place, func(), error)

// Both is an undo or a redo in one store, with the other half of it if the act is a move: each store has its half of a move in its own
// journal.
type Both struct {
	Here  *undo.Plan
	There *undo.Plan // nil: nothing is to be done in another store, or nothing can be
	Dir   string     // of the other store; "" if it was another act
	Title string     // names the other store in messages
	// Left is what stays in the other store because it can't be changed, as a sentence without a full stop; "": nothing.
	Left string
	// Stays means that Left is for good: what was edited later stays in the other store, and nothing remains to be finished.
	Stays bool

	open  Opener
	at    Place
	close func()
	// gets means that the store at hand gets the notes, and the other one loses them.
	gets bool
}

// Elsewhere is the error of an undo or a redo that the other store of a move prevents. Its text is for people, without a full stop.
type Elsewhere struct {
	text string
	err  error
}

func (e *Elsewhere) Error() string { return e.text }
func (e *Elsewhere) Unwrap() error { return e.err }

// PlanBoth adds to a plan what it means for the other store of a move. If that store can't be changed, the plan is carried out without it
// as long as no file is lost by that, and what has later edits there stays: else the error is [Elsewhere]. The caller closes the result.
func PlanBoth(ctx context.Context, p *undo.Plan, open Opener) (*Both, error) {
	b := &Both{Here: p, open: open, close: func() {}}
	move, ok := moved(p.Act)
	if !ok || p.Command != "undo" && p.Command != "redo" {
		return b, nil
	}
	b.Title, b.Dir, b.gets = move.Store, untitled(move.Store), move.To == (p.Command == "undo")
	err := b.plan(ctx)
	if err == nil || ctx.Err() != nil {
		return b, errors.Join(err, ctx.Err())
	}
	b.Close()
	if stop, is := errors.AsType[*Elsewhere](err); is {
		return nil, stop
	}
	if !b.gets && len(p.Steps) > 0 {
		return nil, b.stopped("Can't "+p.Command+" the move without "+b.Title+": "+b.why(err)+". Nothing changed", err)
	}
	b.Left = text.Clean(b.without(err))
	return b, nil
}

func (b *Both) stopped(said string, err error) error { return &Elsewhere{text.Clean(said), err} }

// why says why the other store can't be changed.
func (b *Both) why(err error) string {
	switch _, gone := os.Stat(b.Dir); {
	case memstore.IsAbsent(gone):
		return "it is gone"
	case errors.Is(err, ErrNoJournal):
		return "it has no journal"
	case errors.Is(err, past.ErrNotThere):
		return "its journal doesn't have the move"
	}
	return cmp.Or(memstore.Reason(err), "it can't be opened")
}

// without says that only the store at hand has changed.
func (b *Both) without(err error) string {
	did := "undone"
	if b.Here.Command == "redo" {
		did = "redone"
	}
	return "Not " + did + " in " + b.Title + ": " + b.why(err)
}

// moved reads what a group says of a move; ok is false for other groups.
func moved(g past.GroupInfo) (move past.Transfer, ok bool) {
	move, ok = past.ParseTransfer(g.Title)
	return move, ok && move.Verb == past.CmdMove && deletes(g.Name) > 0
}

// plan plans what the other store still needs.
func (b *Both) plan(ctx context.Context) (err error) {
	if err = b.reopen(ctx); err != nil {
		return err
	}
	g, _, err := groupNamed(ctx, &b.at, b.Here.Act)
	if err != nil {
		return err
	}
	if g.Group == 0 { // a move that was interrupted, or the journal is a new one
		if !b.gets && b.lacks() {
			return past.ErrNotThere
		}
		return nil
	}
	there, err := b.at.editor().PlanRest(ctx, b.Here.Command, g.Group)
	if err != nil || len(there.Steps)+len(there.Conflicts) == 0 {
		return err
	}
	if len(there.Conflicts) > 0 {
		c := there.Conflicts[0]
		said := memstore.BackendName(c.Path) + " in " + b.Title + " " + c.Text()
		if !b.gets {
			return b.stopped(said+". Nothing changed. Rename it there, then "+b.Here.Command+" again", past.ErrConflict)
		}
		b.Stays, b.Left = true, text.Clean(stays(said, len(there.Conflicts)))
		if there.Conflicts = nil; len(there.Steps) == 0 {
			return nil
		}
	}
	b.There = there
	return nil
}

// stays says what an undo of a move leaves where the move brought it, since that has later edits. The files are restored where they came
// from, so that both texts are kept.
func stays(said string, files int) string {
	switch {
	case files == 2:
		said += " and stays, as does 1 more"
	case files > 2:
		said += fmt.Sprintf(" and stays, as do %d more", files-1)
	default:
		said += " and stays"
	}
	return said
}

// lacks reports whether a file that the plan deletes is not in the other store.
func (b *Both) lacks() bool {
	for _, s := range b.Here.Steps {
		if !s.Remove || s.Kind == memstore.KindDir {
			continue
		}
		if _, err := b.at.Store.Backend().Lstat(memstore.BackendName(s.Path)); memstore.IsAbsent(err) {
			return true
		}
	}
	return false
}

// reopen opens the other store, unless it is open.
func (b *Both) reopen(ctx context.Context) (err error) {
	if b.at.Store != nil {
		return nil
	}
	if b.open == nil {
		return errors.New("no other stores in this session")
	}
	if b.at, b.close, err = b.open(ctx, b.Dir); err != nil {
		b.at, b.close = Place{}, func() {}
		return err
	}
	return nil
}

// Close closes the other store. The plan can still be carried out: that opens the store again.
func (b *Both) Close() {
	b.close()
	b.at, b.close = Place{}, func() {}
}

// Backend is that of the other store while it is open.
func (b *Both) Backend() memstore.Backend { return b.at.Store.Backend() }

// Steps is how many steps there are in both stores.
func (b *Both) Steps() int {
	if b.There == nil {
		return len(b.Here.Steps)
	}
	return len(b.Here.Steps) + len(b.There.Steps)
}

// Carry carries out the plan in both stores. The store that gets the notes comes first, so that they are always in one of them; an undo
// that is interrupted is finished by the next one, in either store. done is how many steps were carried out in the store at hand.
func (b *Both) Carry(ctx context.Context, e *undo.Editor) (done int, err error) {
	if b.There == nil {
		return e.Carry(ctx, b.Here)
	}
	if !b.gets {
		if err := b.carryThere(ctx); err != nil {
			return 0, err
		}
		return e.Carry(ctx, b.Here)
	}
	if done, err = e.Carry(ctx, b.Here); err != nil {
		return done, err
	}
	if err := b.carryThere(ctx); err != nil {
		if len(b.Here.Steps) == 0 || ctx.Err() != nil {
			return done, err
		}
		b.Left, b.Stays, b.There = err.Error(), false, nil
	}
	return done, nil
}

func (b *Both) carryThere(ctx context.Context) error {
	err := b.reopen(ctx)
	done := 0
	if err == nil {
		done, err = b.at.editor().Carry(ctx, b.There)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), err)
	case b.at.Store == nil:
		return b.stopped(b.without(err), err)
	}
	at := memstore.BackendName(b.There.Steps[min(done, len(b.There.Steps)-1)].Path)
	return b.stopped("Stopped at "+at+" in "+b.Title+": "+cmp.Or(memstore.Reason(err), "it can't be changed"), err)
}

// PlanLast plans to undo or to redo the user's last act in a store, across restarts. An undo or a redo of a move that reached only one of
// the stores is the last act until it is finished, as long as it can be.
func PlanLast(ctx context.Context, e *undo.Editor, r undo.Record, command string, open Opener) (*undo.Plan, error) {
	if command == "redo" {
		p, err := e.PlanRedo(ctx)
		if !errors.Is(err, past.ErrNothing) {
			return p, err
		}
		if rest, other := planUnfinished(ctx, e, r, command, open); rest != nil || other != nil {
			return rest, other
		}
		return nil, err
	}
	if rest, err := planUnfinished(ctx, e, r, command, open); rest != nil || err != nil {
		return rest, err
	}
	return e.PlanUndo(ctx)
}

// planUnfinished plans the rest of an undo or a redo of a move that reached only one of the stores; nil if there is none.
func planUnfinished(ctx context.Context, e *undo.Editor, r undo.Record, command string, open Opener) (*undo.Plan, error) {
	group, err := lastGroup(ctx, r, command)
	if err != nil || group == 0 {
		return nil, err
	}
	p, err := e.PlanRest(ctx, command, group)
	if err != nil || len(p.Conflicts) > 0 {
		return nil, err
	}
	b, err := PlanBoth(ctx, p, open)
	if err != nil {
		return nil, ctx.Err() // what remains can wait; another act may be undone
	}
	defer b.Close()
	if b.Steps() == 0 {
		return nil, nil
	}
	return p, nil
}

// lastGroup is the group that the newest undo of a store was of, or, for a redo, the newest group that is in force; 0: there is none.
func lastGroup(ctx context.Context, r undo.Record, command string) (int64, error) {
	revs, err := r.Newest(ctx, command == "undo")
	if errors.Is(err, past.ErrNothing) {
		return 0, nil
	}
	for _, rev := range revs {
		one, err := r.Revision(ctx, rev)
		if err == nil && command == "undo" && one.Undoes != 0 {
			one, err = r.Revision(ctx, one.Undoes)
		}
		switch {
		case errors.Is(err, past.ErrNoRevision): // removed by the retention
			return 0, nil
		case err != nil:
			return 0, err
		case one.Group == 0 || command == "undo" && one.Rev == rev:
			continue
		}
		g, err := r.GroupOf(ctx, one.Group)
		if _, is := moved(g); !is || err != nil {
			return 0, err
		}
		return g.Group, nil
	}
	return 0, err
}

// untitled is the directory that a title names, with a tilde for the home folder.
func untitled(title string) string {
	if rest, short := text.CutTilde(title); short {
		if home, err := os.UserHomeDir(); err == nil && home != "" {
			return filepath.Join(home, rest)
		}
	}
	return title
}
