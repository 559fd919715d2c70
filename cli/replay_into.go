package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// intoFlags say where to write the files of a replayed memory.
type intoFlags struct {
	dir string
	yes bool
}

func (f *intoFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dir, "into", "", "write the files as they are then into the live store `DIR`; asks first, "+
		"and records them with the actor replay")
	c.Flags().BoolVar(&f.yes, "yes", false, "with --into: don't ask")
}

// check refuses impossible combinations before anything is read.
func (f *intoFlags) check(run *session.Session) error {
	switch {
	case f.dir == "" && f.yes:
		return session.WrongUse("--yes needs --into DIR")
	case f.dir == "":
		return nil
	}
	return run.CanConfirm(f.yes, "write into "+f.dir)
}

// putInto writes files of a replayed memory into a live store, after asking, with replay as the actor.
func putInto(run *session.Session, c *cobra.Command, s session.Settings, track *transcript.Track, n int, f intoFlags) error {
	if f.dir == "" {
		return nil
	}
	store, err := run.Edit(c.Context(), session.Opening{Dir: f.dir}, c.Name(), s, memstore.Origin{}, true)
	if err != nil {
		return err
	}
	defer store.Close()
	list, err := track.Restores(store.Backend(), n)
	if err != nil {
		return session.Failed(err, "Can't read %s: %s", f.dir, session.Reason(err))
	}
	sayUnknown(run, track, n)
	if len(list) == 0 {
		run.Say("Nothing to write into " + f.dir + ": it has the files as they are then")
		return nil
	}
	for _, r := range list {
		does := "create "
		if r.Replaces {
			does = "replace"
		}
		run.SayPlain(fmt.Sprintf("%s %s  %d bytes", does, r.Path, len(r.Data)))
	}
	written := map[string][]byte{}
	for _, r := range list {
		written[r.Path] = r.Data
	}
	if err := bringBack(run, store.Backend(), written); err != nil {
		return err
	}
	if err := run.Confirm(f.yes, "Write %d files into %s? undo reverts it", len(list), f.dir); err != nil {
		return err
	}
	done := 0
	for _, r := range list {
		if result := r.Put(c.Context(), store.Store); result.IsError {
			run.SayPlain(r.Path + ": " + result.Content)
			continue
		}
		done++
	}
	run.SayPlain(fmt.Sprintf("Wrote %d of %d files into %s as actor replay; undo reverts them", done, len(list), f.dir))
	if done < len(list) {
		return session.Failed(session.ErrNothingDone, "Can't write %d files", len(list)-done)
	}
	return nil
}
