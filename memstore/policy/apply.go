package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/lint"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
)

// ErrNoJournal is why nothing is applied where nothing is recorded: an apply must be possible to undo.
var ErrNoJournal = errors.New("no journal, so undo is off")

// ErrUsed is why an action is skipped whose file the agent has used since it was proposed for not being used.
var ErrUsed = errors.New("the agent used it meanwhile")

// Apply is what carries out actions.
type Apply struct {
	// Store must have Journal among its recorders.
	Store   *memstore.Store
	Journal *journal.Journal
	// Report, if not nil, is called after each action, on the goroutine of Run.
	Report func(done, total int)
}

// Outcome is the result of applying actions.
type Outcome struct {
	Done    []Action
	Skipped []Skipped
	Left    []Action // not started, because the run was stopped
	Bytes   int64    // of the applied actions
	// Followed are the indexes and links that followed; LeftBehind are those that changed meanwhile or can't be written.
	Followed, LeftBehind []upkeep.Rewrite
}

// Skipped is an action that was not carried out.
type Skipped struct {
	Action
	Why error // [memstore.ErrChanged], [memstore.ErrNotExist] ...
}

// Run carries out those of the actions that change a file, in their order and as one group of the curator, which
// one undo undoes. A file that changed since the action was proposed
// is skipped. The end of ctx stops it between two actions. It stops by itself, with the error, where no further action could be
// carried out either: [ErrNoJournal] before anything is done, [memstore.ErrReadOnly], [memstore.ErrUnavailable] where the store has
// vanished, [memstore.ErrNotRecorded], [memstore.ErrNoSpace]. What it applied until then stays, and
// can be undone.
func (a Apply) Run(ctx context.Context, actions []Action) (out Outcome, err error) {
	var todo []Action
	for _, one := range actions {
		if one.Do.Changes() {
			todo = append(todo, one)
		}
	}
	if a.Journal == nil {
		out.Left = todo
		return out, ErrNoJournal
	}
	used, err := a.used(ctx, todo)
	if err != nil {
		out.Left = todo
		return out, err
	}
	group := undo.NewEditor(a.Journal, a.Store).Group(Title(todo))
	fates := upkeep.Fates{}
	defer func() { a.follow(context.WithoutCancel(ctx), group, fates, &out) }() // also after a stop
	repairs, written := repairsOf(todo), map[string]bool{}
	for i, one := range todo {
		if err := ctx.Err(); err != nil {
			out.Left = todo[i:]
			return out, err
		}
		var err error
		switch {
		case used[one.Path]:
			err = ErrUsed
		case one.Do.Rewrites() && written[one.Path]:
		case one.Do.Rewrites():
			err = a.rewrite(ctx, group, one, repairs[one.Path])
			written[one.Path] = err == nil
		default:
			err = a.carry(ctx, group, one)
		}
		switch {
		case err == nil:
			if !slices.ContainsFunc(out.Done, func(a Action) bool { return a.Path == one.Path && one.Do.Rewrites() }) {
				out.Bytes += one.Bytes
			}
			out.Done = append(out.Done, one)
			one.settle(fates)
		case ctx.Err() != nil: // while waiting for the lock: nothing changed
			out.Left = todo[i:]
			return out, ctx.Err()
		case Hopeless(err):
			out.Left = todo[i:]
			return out, err
		default:
			out.Skipped = append(out.Skipped, Skipped{one, err})
		}
		if a.Report != nil {
			a.Report(i+1, len(todo))
		}
	}
	return out, nil
}

// settle adds the fate of the note of an action that was carried out.
func (a *Action) settle(fates upkeep.Fates) {
	switch a.Do {
	case Delete:
		fates[a.Path] = upkeep.Fate{}
		if a.Found != nil && a.Kind == Duplicate && len(a.Found.Others) > 0 { // its text is in the other one
			fates[a.Path] = upkeep.Fate{To: a.Found.Others[0]}
		}
	case Archive:
		fates[a.Path] = upkeep.Fate{To: a.To}
	}
}

// Follows previews the indexes and links that an apply of actions would bring in step.
func Follows(ctx context.Context, s *memstore.Store, actions []Action) ([]upkeep.Rewrite, error) {
	fates := upkeep.Fates{}
	for i := range actions {
		actions[i].settle(fates)
	}
	return upkeep.Plan(ctx, s, fates)
}

// follow brings indexes and links in step with the actions carried out.
func (a Apply) follow(ctx context.Context, g *undo.Group, fates upkeep.Fates, out *Outcome) {
	list, err := upkeep.Plan(ctx, a.Store, fates)
	if err != nil {
		return // the store can't be read any more, which the next act reports
	}
	for _, r := range list {
		if r.Write(ctx, g) == nil {
			out.Followed = append(out.Followed, r)
		} else {
			out.LeftBehind = append(out.LeftBehind, r)
		}
	}
}

// repairsOf are the repairs by file of the actions that rewrite in place. Those of one file are written at once: each action knows the
// places in the text as it was when all of them were proposed.
func repairsOf(todo []Action) map[string][]lint.Repair {
	byPath := map[string][]lint.Repair{}
	for _, one := range todo {
		if one.Do.Rewrites() {
			byPath[one.Path] = append(byPath[one.Path], one.Found.Repairs...)
		}
	}
	return byPath
}

// used are the files that the agent has used since they were proposed for not being used: a look
// leaves the bytes as they are, and would be missed by their hash.
func (a Apply) used(ctx context.Context, todo []Action) (map[string]bool, error) {
	since := map[string]time.Time{}
	for _, one := range todo {
		if one.Key == "max_idle" {
			since[one.Path] = one.Since
		}
	}
	used := map[string]bool{}
	if len(since) == 0 {
		return used, nil
	}
	err := a.Journal.Facts(ctx, func(f past.Fact) bool {
		if at, ok := since[f.Path]; ok && f.Used.After(at) {
			used[f.Path] = true
		}
		return true
	})
	return used, err
}

// carry removes or moves a file, if it has the bytes it was proposed for.
func (a Apply) carry(ctx context.Context, g *undo.Group, one Action) error {
	if one.Hash == (memstore.Digest{}) {
		return memstore.ErrChanged // what would be deleted was not shown
	}
	if one.Do == Archive {
		return g.Move(ctx, one.Path, one.To, one.Hash)
	}
	return g.Delete(ctx, one.Path, one.Hash)
}

// rewrite carries out all repairs of a file.
func (a Apply) rewrite(ctx context.Context, g *undo.Group, one Action, repairs []lint.Repair) error {
	before, err := readText(a.Store.Backend(), one.Path, one.Hash)
	if err != nil {
		return err
	}
	return g.Write(ctx, string(one.Do), one.Path, lint.Repaired(before, repairs), one.Hash)
}

// Title says what actions do, for lists, questions and the undo: "delete 3 files, archive 1".
func Title(todo []Action) string {
	var parts []string
	for _, do := range []Do{Delete, Archive, Link, Fix} {
		n := FilesOf(todo, do)
		switch {
		case n > 0 && parts == nil:
			parts = append(parts, string(do)+" "+text.Count(n, "file"))
		case n > 0:
			parts = append(parts, fmt.Sprintf("%s %d", do, n))
		}
	}
	return strings.Join(parts, ", ")
}

// Hopeless reports whether no further action on the store could be carried out either.
func Hopeless(err error) bool {
	for _, sign := range []error{memstore.ErrReadOnly, memstore.ErrUnavailable, memstore.ErrNotRecorded, memstore.ErrNoSpace,
		memstore.ErrBusy} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return false
}
