package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
)

// putInto writes files of a replayed memory into a live store, after asking, with replay as the actor.
func putInto(run *session.Session, c *cobra.Command, s session.Settings, track *transcript.Track, n int, f replayFlags) error {
	if f.into == "" {
		return nil
	}
	store, err := run.Edit(c.Context(), session.Opening{Dir: f.into}, c.Name(), s, memstore.Origin{}, true)
	if err != nil {
		return err
	}
	defer store.Close()
	list, err := track.Restores(store.Backend(), n)
	if err != nil {
		return session.Failed(err, "Can't read %s: %s", f.into, session.Reason(err))
	}
	sayUnknown(run, track, n)
	if len(list) == 0 {
		run.Say("Nothing to write into " + f.into + ": it has the files as they are then")
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
	if err := run.Confirm(f.yes, "Write %d files into %s? undo reverts it", len(list), f.into); err != nil {
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
	run.SayPlain(fmt.Sprintf("Wrote %d of %d files into %s as actor replay. Undo with: %s", done, len(list), f.into, run.Command("undo", f.into)))
	if done < len(list) {
		return session.Failed(nil, "Can't write %d files", len(list)-done)
	}
	return nil
}

// sayUnknown lists the files that no call has shown, which are written nowhere.
func sayUnknown(run *session.Session, track *transcript.Track, n int) {
	var list []string
	for _, f := range track.Files(n) {
		if f.Unknown {
			list = append(list, f.Path)
		}
	}
	if len(list) > 0 {
		run.SayPlain(text.Clean("Skipped, no call shows what is in them: " + strings.Join(list, ", ")))
	}
}
