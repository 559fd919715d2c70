package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/memstore/watch"
	"memcurator/tui"
)

// replayScreen shows transcripts in the user interface, beside their store where there is one.
func (a *app) replayScreen(c *cobra.Command, s settings, files []string, flags replayFlags) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return failed(err, "The transcript %s cannot be read: %s.", name, reason(err))
		}
	}
	dir, err := a.besideTranscripts(c, files)
	if err != nil {
		return err
	}
	ctx, away, stop := whileShown(c.Context())
	defer stop()
	o := tui.Options{Title: title(dir), CopyDir: inMemory(), Away: away, Grown: watch.Files}
	backend := memstore.NewMemory()
	if dir == "" {
		o.Title, o.Unlinked, o.ReadOnly, o.NoJournal = "no store", true, true, "no store is open"
	} else {
		if s, err = a.forStore(s, dir); err != nil {
			return err
		}
		if backend, err = a.openBackend(opening{dir: dir}); err != nil {
			return err
		}
		if !isSealed(backend) {
			o.StateDir = a.stateFolder(dir)
			o.CopyDir = o.StateDir
		}
		if a.uiJournal(dir, backend, &o); o.Journal != nil {
			defer o.Journal.Close()
		}
	}
	defer backend.Close()
	o.Replay = &tui.ReplaySource{Files: files, Format: flags.format, Folders: memoryFolders(dir), Start: func(ctx context.Context, calls []*transcript.Call) (transcript.Start, string, error) {
		start, err := a.replayStart(ctx, s, flags.from, calls)
		return start.files, start.name, err
	}}
	if c.Flags().Changed("dialect") {
		o.Replay.Dialect = &s.dialect
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(leanLimit)) // the first collections stay as late as ever
	return a.runUI(ctx, s, backend, o, nil)
}

// sessionFolder is where Claude Code keeps the sessions of a project, and its memory beside them.
var sessionFolder = regexp.MustCompile(`[\\/]\.claude[\\/]projects[\\/][^\\/]+$`)

// besideTranscripts finds the store that transcripts belong to: the one that is named, the memory
// beside the sessions of Claude Code, or the one that is usual here. "" is none.
func (a *app) besideTranscripts(c *cobra.Command, files []string) (string, error) {
	if f := c.Flags().Lookup("dir"); f.Changed {
		if f.Value.String() == "" {
			return "", wrongUse("The name of the memory directory is empty.")
		}
		return f.Value.String(), nil
	}
	for _, name := range files {
		full, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		if folder := filepath.Dir(full); sessionFolder.MatchString(folder) {
			if info, err := os.Stat(filepath.Join(folder, "memory")); err == nil && info.IsDir() {
				return filepath.Join(folder, "memory"), nil
			}
		}
	}
	dir, err := a.usualDir()
	if err != nil {
		return "", nil // the replay needs none
	}
	return dir, nil
}

// link gives the revisions in the journal of a store the calls that a transcript tells of.
func (a *app) link(ctx context.Context, dir string, calls []*transcript.Call, start transcript.Start, h transcript.Handler) error {
	backend, err := a.openBackend(opening{dir: dir})
	if err != nil {
		return err
	}
	defer func() { _ = backend.Close() }() // it was only read
	var o tui.Options
	a.uiJournal(dir, backend, &o)
	j := o.Journal
	if j == nil {
		a.say("Warning: The transcript is not linked with the journal: " + o.NoJournal + ".")
		return nil
	}
	defer func() {
		if err := j.Close(); err != nil {
			a.log.Warn("journal", "error", err)
		}
	}()
	if _, err := j.Reconcile(ctx, nil); err != nil {
		return failed(err, "The journal of %s cannot be compared with it: %s.", dir, journalReason(err))
	}
	track, err := transcript.NewTrack(start, h)
	if err != nil {
		return failed(err, "%s.", capital(err.Error()))
	}
	for _, call := range calls {
		track.Add(ctx, call)
	}
	n, err := tui.Learn(ctx, j, track)
	if err != nil {
		return failed(err, "The journal of %s cannot be written: %s.", dir, journalReason(err))
	}
	a.sayPlain(fmt.Sprintf("Changes in the journal of %s that got session, model and call: %d.", dir, n))
	return nil
}
