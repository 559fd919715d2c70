package act

import (
	"context"
	"errors"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// ownerStep names the job that finds out what an index says of files about to be moved.
const ownerStep = "index.step"

// Indexes is whether indexes and links follow what the user deletes and moves.
type Indexes struct {
	queue  *Queue
	answer string // config.IndexKeep or config.IndexLeave; "": not asked yet
}

// Answer returns the user's answer for the store, to be remembered; "": not asked yet.
func (x *Indexes) Answer() string {
	if x.answer == config.IndexKeep {
		return x.answer
	}
	return "" // a no counts for this run: the configuration says never
}

// Restore sets the answer of an earlier run.
func (x *Indexes) Restore(answer string) {
	if answer == config.IndexKeep {
		x.answer = answer
	}
}

// Follow reports whether indexes follow an apply, whose question says so.
func (x *Indexes) Follow() bool {
	return x.queue.Rules.Index.Value != config.IndexLeave && x.answer != config.IndexLeave
}

// ask carries out an act that something follows, once it is known whether it is to follow.
func (x *Indexes) ask(follows []upkeep.Rewrite, act func(keep bool) tea.Cmd) tea.Cmd {
	word := x.queue.Rules.Index.Value
	if word != config.IndexKeep && word != config.IndexLeave {
		word = x.answer
	}
	if len(follows) == 0 || word == config.IndexLeave || x.queue.Journal == nil {
		return act(false)
	}
	if word == config.IndexKeep {
		return act(true)
	}
	name := text.Clean(kit.PathText(follows[0].Path))
	title := "Update " + name + " when you move or delete notes?"
	if !follows[0].Index {
		title = "Update links when you move or delete notes?"
	}
	body := "Now: " + strings.TrimPrefix(text.Clean(upkeep.Said(follows)), name+": ") + "."
	answer := func(word string) func() tea.Cmd {
		return func() tea.Cmd {
			x.answer = word
			return act(word == config.IndexKeep)
		}
	}
	x.queue.shell.Open(kit.Box{
		Overlay: overlay.NewQuestion(x.queue.env, title, body).Label(keymap.Yes, "Always in this store").Label(keymap.No, "Not in this run"),
		Answers: map[keymap.ID]func() tea.Cmd{keymap.Yes: answer(config.IndexKeep), keymap.No: answer(config.IndexLeave)},
	})
	return nil
}

// Moving carries out a move of what is at a path, or with to empty its deletion, once it is known whether indexes and links follow.
func (x *Indexes) Moving(from, to string, act func(fates upkeep.Fates) tea.Cmd) tea.Cmd {
	store := x.queue.Handlers
	type found struct {
		fates   upkeep.Fates
		follows []upkeep.Rewrite
	}
	return kit.Start(x.queue.env.Jobs, kit.Job[found]{
		Owner: ownerStep, Label: "reading the index",
		Work: func(ctx context.Context, _ *kit.Progress) (f found, _ error) {
			f.fates = upkeep.Fates{}
			if fatesOf(ctx, store.Backend(), from, to, f.fates) != nil {
				return found{}, nil // the act itself says what is wrong
			}
			f.follows, _ = upkeep.Plan(ctx, store, f.fates)
			return f, nil
		},
		Done: func(f found) tea.Cmd {
			return x.ask(f.follows, func(keep bool) tea.Cmd {
				if !keep {
					return act(nil)
				}
				return act(f.fates)
			})
		},
	})
}

// fatesOf adds the fates of the files at and below a path that moves to another; "": they are deleted.
func fatesOf(ctx context.Context, b memstore.Backend, from, to string, fates upkeep.Fates) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := b.Lstat(memstore.BackendName(from))
	if err != nil {
		return err
	}
	if info.Kind != memstore.KindDir {
		fates[from] = upkeep.Fate{To: to}
		return nil
	}
	children, err := b.ReadDir(memstore.BackendName(from))
	if err != nil {
		return err
	}
	for _, c := range children {
		below := ""
		if to != "" {
			below = path.Join(to, c.Name)
		}
		if err := fatesOf(ctx, b, from+"/"+c.Name, below, fates); err != nil {
			return err
		}
	}
	return nil
}

// Follow lets indexes and links follow an act, in its group; ctx has its origin. Files that stayed, because they changed meanwhile, have
// no fate. What can't be written stays as it is: Curate proposes it.
func Follow(ctx context.Context, store *memstore.Store, origin memstore.Origin, fates upkeep.Fates) (written []upkeep.Rewrite) {
	carried := upkeep.Fates{}
	for was, fate := range fates {
		if _, err := store.Backend().Lstat(memstore.BackendName(was)); errors.Is(err, memstore.ErrNotExist) {
			carried[was] = fate
		}
	}
	list, err := upkeep.Plan(ctx, store, carried)
	if err != nil {
		return nil
	}
	origin.As = upkeep.Command
	ctx = memstore.WithOrigin(ctx, origin)
	for _, r := range list {
		if store.Apply(ctx, r.Step()) == nil {
			written = append(written, r)
		}
	}
	return written
}
