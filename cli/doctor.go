package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/render/text"
)

const doctorHelp = `Check and repair the journal of a store.

Usage:
  memcurator doctor [DIR]

Without flags, reads the whole journal, compares it with every file, and prints what is wrong:
damage, paths where disk and journal disagree, unreadable paths, files left by killed programs, and
what can't be read of another program's memory. Names the command that helps. The exit status is 0
without problems of the journal, else 1.

Flags:
{flags}
Examples:
  memcurator doctor ~/agent/memories
  memcurator doctor --keep-age 90d
`

type doctorFlags struct {
	json, setAside, acceptEmpty       bool
	repair, yes                       bool
	relink, keepAge, keepSize, forget string
}

// acts reports whether the flags ask for more than a check.
func (f *doctorFlags) acts() bool {
	return f.relink != "" || f.keepAge != "" || f.keepSize != ""
}

func doctorCommand(run *session.Session) *cobra.Command {
	var flags doctorFlags
	c := &cobra.Command{
		Use: "doctor [DIR]", Short: "Check and repair the journal", Long: doctorHelp,
		RunE:              func(c *cobra.Command, args []string) error { return examine(run, c, args, flags) },
		ValidArgsFunction: session.CompleteDirs,
	}
	session.DirFlag(c)
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "print one JSON object: ok, damage, disagree, unread, uncertain, open, "+
		"revisions, bytes")
	f.BoolVar(&flags.setAside, "set-aside", false, "set a damaged journal aside; the next start begins a new one")
	f.BoolVar(&flags.acceptEmpty, "accept-empty", false, "record that all files are gone for good, and unlock the store")
	f.BoolVar(&flags.repair, "repair", false, "repair a damaged journal from its last verified copy")
	f.BoolVar(&flags.yes, "yes", false, "repair without asking")
	f.StringVar(&flags.relink, "relink", "", "take over the journal of a store that moved here from `OLD`")
	f.StringVar(&flags.forget, "forget", "", "leave a store out of lists whose folder `OLD` is gone; its journal stays")
	f.StringVar(&flags.keepAge, "keep-age", "", "drop revisions older than `AGE` (90d)")
	f.StringVar(&flags.keepSize, "keep-size", "", "drop the oldest revisions until the journal fits `SIZE` (500MB)")
	c.MarkFlagsMutuallyExclusive("relink", "forget", "set-aside", "accept-empty", "repair")
	return c
}

func examine(run *session.Session, c *cobra.Command, args []string, flags doctorFlags) error {
	if flags.forget != "" {
		if len(args) > 0 {
			return session.WrongUse("--forget names the store; drop %s", args[0])
		}
		return run.Forget(flags.forget)
	}
	p, err := run.Past(c, args, false, nil)
	ctx := c.Context()
	switch {
	case p == nil:
		return err
	case flags.repair:
		return repairJournal(run, ctx, p, err, flags.yes)
	case flags.setAside:
		return setAside(run, ctx, p, err)
	case flags.relink != "" && errors.Is(err, session.ErrNoJournal):
		return relinkJournal(run, p, flags.relink)
	case errors.Is(err, session.ErrNoJournal) && flags.acts():
		return p.NoJournal()
	case errors.Is(err, session.ErrNoJournal):
		if f := run.State().MovedFrom(p.Dir); f != nil {
			return session.Failed(nil, "No journal here yet, but there is one from when this store was at %s. "+
				"To take it over, run: %s", f.Path, run.State().RelinkCommand(f, p.Dir))
		}
		run.Say("No journal yet")
		return nil
	case errors.Is(err, past.ErrCorrupt):
		return session.Failed(err, "The journal of %s is damaged: %s. %s", p.Dir, journal.DamageText, nextStep(run, ctx, p))
	case err != nil:
		return err
	}
	if flags.relink != "" {
		p.Close()
		return relinkJournal(run, p, flags.relink)
	}
	defer p.Close()
	switch {
	case flags.acceptEmpty:
		return acceptEmpty(run, ctx, p)
	case flags.keepAge != "" || flags.keepSize != "":
		return pruneJournal(run, ctx, p, flags)
	}
	err = session.PastError(checkJournal(run, ctx, p, flags.json))
	if gone := run.Emptied(ctx, p.Journal, p.Dir); gone != nil && err != nil {
		run.Say(gone.Error())
	}
	return err
}

// healthLine is the output of doctor --json.
type healthLine struct {
	OK        bool     `json:"ok"`
	Damage    []string `json:"damage"`
	Disagree  []string `json:"disagree"`
	Unread    []string `json:"unread"`
	Uncertain []int64  `json:"uncertain"`
	Open      int      `json:"open"`
	Revisions int      `json:"revisions"`
	Bytes     int64    `json:"bytes"`
	Problems  []string `json:"problems"`
}

func checkJournal(run *session.Session, ctx context.Context, p *session.Recorded, asJSON bool) error {
	r, err := p.Journal.Check(ctx)
	if err != nil {
		return err
	}
	size, _, contents, err := p.Journal.Size(ctx)
	if err != nil && len(r.Damage) == 0 {
		return err
	}
	var troubles []string
	if t, ok := p.Backend.(backend.Troubled); ok {
		var unread error
		if troubles, unread = t.Troubles(); unread != nil {
			return session.Failed(unread, "Can't read %s: %s", p.Dir, session.StoreReason(err))
		}
	}
	if asJSON {
		err = run.Out.JSONLines().Encode(healthLine{
			OK: r.OK(), Damage: append([]string{}, r.Damage...), Disagree: append([]string{}, r.Disagree...),
			Unread:    append([]string{}, r.Unread...),
			Uncertain: append([]int64{}, r.Uncertain...), Open: r.Open, Revisions: r.Revisions,
			Bytes: size, Problems: append([]string{}, troubles...),
		})
	} else {
		printHealth(run, run.Out.Lines(p.Settings), r, memstore.FormatSize(p.Dialect, size), contents, troubles)
	}
	if err == nil && len(r.Damage) > 0 {
		return session.Failed(nil, "The journal of %s is damaged. %s", p.Dir, nextStep(run, ctx, p))
	}
	if f := run.State().MovedFrom(p.Dir); f != nil {
		run.Say(fmt.Sprintf("This store was at %s before and has a journal there too. To take that over, run: %s",
			f.Path, run.State().RelinkCommand(f, p.Dir)))
	}
	if err == nil && !r.OK() {
		return session.Failed(nil, "Found problems in the journal of %s, listed above", p.Dir)
	}
	return err
}

func printHealth(run *session.Session, out io.Writer, r *past.Report, size string, contents int, troubles []string) {
	fmt.Fprintf(out, "revisions  %d, with %d contents, %s\n", r.Revisions, contents, size)
	for _, d := range r.Damage {
		fmt.Fprintf(out, "damaged    %s\n", text.Clean(d))
	}
	for _, path := range r.Disagree {
		fmt.Fprintf(out, "disagrees  %s\n", text.Clean(path))
	}
	for _, path := range r.Unread {
		fmt.Fprintf(out, "not read   %s\n", text.Clean(path))
	}
	for _, rev := range r.Uncertain {
		fmt.Fprintf(out, "uncertain  revision %d: its process died while writing it\n", rev)
	}
	if r.Open > 0 {
		fmt.Fprintf(out, "open       %d unfinished edits\n", r.Open)
	}
	if !r.Baseline {
		fmt.Fprintln(out, "beginning  still reading what was there before the journal")
	}
	if r.Purge {
		fmt.Fprintf(out, "purge      stopped early; %s scrub --resume resumes it\n", session.Program)
	}
	for _, t := range troubles {
		fmt.Fprintf(out, "memory     %s\n", text.Clean(t))
	}
	if r.OK() && len(troubles) == 0 {
		fmt.Fprintln(out, "OK, no problems found")
	}
}

func pruneJournal(run *session.Session, ctx context.Context, p *session.Recorded, flags doctorFlags) error {
	var keep past.Keep
	var ok bool
	if flags.keepAge != "" {
		if keep.Age, ok = config.ParseDuration(flags.keepAge); !ok || keep.Age <= 0 {
			return session.WrongUse("Can't parse the age %q. Try 30d or 8w", flags.keepAge)
		}
	}
	if flags.keepSize != "" {
		if keep.Bytes, ok = config.ParseSize(flags.keepSize); !ok || keep.Bytes <= 0 {
			return session.WrongUse("Can't parse the size %q. Try 500MB", flags.keepSize)
		}
	}
	done, err := p.Journal.Prune(ctx, keep)
	if err != nil {
		return session.PastError(err)
	}
	_, err = fmt.Fprintf(run.Out, "Dropped %d revisions, %s\n", done.Revisions, memstore.FormatSize(p.Dialect, done.Bytes))
	return err
}

// relinkJournal attaches the journal of a moved store to its new place.
func relinkJournal(run *session.Session, p *session.Recorded, old string) error {
	from, to, aside, err := statedir.Relink(run.State().Base, old, p.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return session.Failed(err, "No journal of a store at %s", old)
	case errors.Is(err, os.ErrExist):
		return session.Failed(err, "The store %s has its own journal, in %s, and is not the directory that was at %s", p.Dir, to, old)
	case err != nil:
		return session.Failed(err, "Can't take over the journal of %s: %s", old, session.Reason(err))
	}
	if aside != "" {
		run.Say("Set the journal that was here aside in " + aside)
	}
	_, err = fmt.Fprintf(run.Out, "%s is now %s\n", from, to)
	return err
}

// nextStep returns a sentence with the command for a damaged journal: --repair if a verified copy exists, else --set-aside.
func nextStep(run *session.Session, ctx context.Context, p *session.Recorded) string {
	if state, err := statedir.Path(run.State().Base, p.Dir); err == nil {
		if _, ok := journal.FindRemedy(ctx, state); ok {
			return fmt.Sprintf("Next: %s doctor --repair %s%s", session.Program, run.State().Words(),
				session.Typed(p.Dir))
		}
	}
	return fmt.Sprintf("Next: %s doctor --set-aside %s%s", session.Program, run.State().Words(),
		session.Typed(p.Dir))
}

// isDamaged reports whether a journal, which it closes, is damaged; openErr is the error of opening it.
func isDamaged(p *session.Recorded, ctx context.Context, openErr error) bool {
	if p.Journal == nil {
		return errors.Is(openErr, past.ErrCorrupt)
	}
	defer p.Close()
	r, err := p.Journal.Check(ctx)
	return errors.Is(err, past.ErrCorrupt) || err == nil && len(r.Damage) > 0
}

// repairJournal replaces a damaged journal with its last verified copy.
func repairJournal(run *session.Session, ctx context.Context, p *session.Recorded, openErr error, yes bool) error {
	if !isDamaged(p, ctx, openErr) {
		if openErr == nil {
			run.Say("Nothing to repair: the journal of " + p.Dir + " is not damaged")
			return nil
		}
		return session.Failed(openErr, "Nothing to repair: the journal of %s is not damaged", p.Dir)
	}
	state, err := statedir.Path(run.State().Base, p.Dir)
	if err != nil {
		return session.Failed(err, "Can't find the journal: %s", session.JournalReason(err))
	}
	r, ok := journal.FindRemedy(ctx, state)
	if !ok {
		return session.Failed(nil, "No verified copy of the journal of %s. %s", p.Dir, nextStep(run, ctx, p))
	}
	run.Say(fmt.Sprintf("The last verified copy is of %s and ends at revision %d. Later revisions are lost; the files keep their changes, "+
		"recorded again as external", r.Copy.Time.Format("2006-01-02 15:04"), r.Last))
	if !yes {
		if !run.Env.StdinTerminal {
			return session.NotAsked("repair")
		}
		if err := run.Confirm("Repair the journal from this copy?"); err != nil {
			return err
		}
	}
	aside, err := journal.Repair(ctx, state, r)
	if errors.Is(err, past.ErrBusy) {
		return session.Failed(err, "The journal of %s is open in another program. Close that first", p.Dir)
	}
	if err != nil {
		return session.Failed(err, "Can't repair the journal of %s: %s", p.Dir, session.Reason(err))
	}
	kept := "The damaged one was empty"
	if aside != "" {
		kept = fmt.Sprintf("The damaged one is now %s", aside)
	}
	if _, err = fmt.Fprintf(run.Out, "Repaired the journal up to revision %d. %s\n", r.Last, kept); err != nil {
		return err
	}
	return recordSinceCopy(run, ctx, p)
}

// recordSinceCopy records what the files have but the copy lacks. It leaves an empty store alone: the next command
// will report that.
func recordSinceCopy(run *session.Session, ctx context.Context, p *session.Recorded) error {
	if err := run.OpenPast(p); err != nil {
		return err
	}
	defer p.Close()
	if run.Emptied(ctx, p.Journal, p.Dir) != nil {
		return nil
	}
	progress, err := p.Journal.Reconcile(ctx, nil)
	if err == nil && progress.Revisions > 0 {
		run.Say(fmt.Sprintf("Recorded what changed in %s since: %s", p.Dir, output.Counted(progress.Revisions, "revision")))
	}
	return session.PastError(err)
}

// setAside renames a damaged journal.
func setAside(run *session.Session, ctx context.Context, p *session.Recorded, openErr error) error {
	if !isDamaged(p, ctx, openErr) {
		return session.Failed(openErr, "Nothing to set aside: the journal of %s is not damaged", p.Dir)
	}
	state, err := statedir.Path(run.State().Base, p.Dir)
	if err != nil {
		return session.Failed(err, "Can't find the journal: %s", session.JournalReason(err))
	}
	aside, err := journal.SetAside(state)
	if errors.Is(err, past.ErrBusy) {
		return session.Failed(err, "The journal of %s is open in another program. Close that first", p.Dir)
	}
	if err != nil {
		return session.Failed(err, "Can't set the journal of %s aside: %s", p.Dir, session.Reason(err))
	}
	if aside == "" {
		_, err = fmt.Fprintln(run.Out, "The old journal was empty. The next start begins a new one")
		return err
	}
	_, err = fmt.Fprintf(run.Out, "Set the damaged journal aside as %s. The next start begins a new one\n", aside)
	return err
}
