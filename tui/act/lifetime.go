package act

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// cmdLifetime is the command name of a revision that changes how long a note lives.
const cmdLifetime = "ttl"

// lifetimeMost bounds the notes whose front matter is changed, in bytes.
const lifetimeMost = 16 << 20

// relived is the outcome of a change of lifetimes.
type relived struct {
	done    []string
	until   time.Time // of the last one; zero for good
	skipped string    // the first that was not changed
	why     error
}

// Live changes how long notes live, as one act.
func (q *Queue) Live(paths []string, l policy.Lifetime) tea.Cmd {
	if q.Blocked() {
		return nil
	}
	if len(paths) == 0 {
		q.shell.Tell(kit.Info, "No note here that expires")
		return nil
	}
	name := kit.CountGrouped(len(paths), "note")
	if len(paths) == 1 {
		name = kit.PathText(paths[0])
	}
	store, j, now := q.Handlers, q.Journal, q.env.Now()
	return Do(q, Edit[relived]{
		Label: "changing lifetimes",
		Work: func(ctx context.Context, _ *kit.Progress) (out relived, err error) {
			write := func(at string, after []byte, before memstore.Digest) error {
				ctx := memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, As: cmdLifetime})
				return store.Apply(ctx, memstore.Step{Kind: memstore.KindFile, Path: at, Data: after, Expect: &before})
			}
			if j != nil {
				group := undo.NewEditor(j, store).Group("change how long to keep " + name)
				write = func(at string, after []byte, before memstore.Digest) error {
					return group.Write(ctx, cmdLifetime, at, after, before)
				}
			}
			for _, at := range paths {
				until, err := relive(store.Backend(), at, l, now, write)
				switch {
				case ctx.Err() != nil:
					return out, ctx.Err()
				case err == nil:
					out.done, out.until = append(out.done, at), until
				case out.skipped == "":
					out.skipped, out.why = at, err
				}
			}
			return out, nil
		},
		Done: func(out relived) tea.Cmd {
			q.toldLifetimes(out, len(paths))
			return nil
		},
	})
}

// relive writes how long one note lives.
func relive(b memstore.Backend, at string, l policy.Lifetime, now time.Time,
	write func(at string, after []byte, before memstore.Digest) error,
) (time.Time, error) {
	before, err := memstore.ReadFile(b, memstore.BackendName(at), memstore.Look, lifetimeMost)
	if err != nil {
		return time.Time{}, err
	}
	after, until, err := l.Set(before, now)
	if err != nil {
		return until, reason(err.Error())
	}
	if f, ok := b.(backend.Former); ok { // or the journal would record what the program makes of it as an external change
		if after, err = f.Form(memstore.BackendName(at), before, after); err != nil {
			return until, err
		}
	}
	return until, write(at, after, memstore.Sum(before))
}

// toldLifetimes says what changed, and why something didn't.
func (q *Queue) toldLifetimes(out relived, of int) {
	if len(out.done) == 0 {
		q.shell.Tell(kit.Warn, "Can't change how long to keep "+text.Clean(kit.PathText(out.skipped))+": "+lifetimeReason(out.why))
		return
	}
	name, expires := text.Clean(kit.PathText(out.done[0])), " expires "
	if len(out.done) > 1 {
		name, expires = kit.CountGrouped(len(out.done), "note"), " expire "
	}
	if len(out.done) < of {
		name = kit.Number(len(out.done)) + " of " + kit.CountGrouped(of, "note")
	}
	said := name + expires + kit.When(out.until, q.env.Now())
	switch {
	case out.until.IsZero():
		said = "Keeps " + name + " for good"
	}
	if key := q.UndoKey(); key != "" {
		said += ". " + key + " undoes"
	}
	if out.skipped != "" {
		q.shell.Tell(kit.Warn, said+". Skipped "+text.Clean(kit.PathText(out.skipped))+": "+lifetimeReason(out.why))
		return
	}
	q.shell.Tell(kit.Info, said)
}

// lifetimeReason is why a note was not changed.
func lifetimeReason(err error) string {
	var why reason
	if errors.As(err, &why) {
		return why.Error()
	}
	return Reason(err)
}
