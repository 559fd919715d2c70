package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/render/text"
)

const doctorHelp = `Check and repair the journal of a store.

Usage:
  memcurator doctor [DIR]

Without flags, reads the whole journal, prints what is wrong, and names the command that helps. The
exit status is 0 without problems of the journal, else 1.

Flags:
{flags}
`

type doctorFlags struct {
	json, acceptEmpty, repair, yes bool
	relink                         string
}

func doctorCommand(run *session.Session) *cobra.Command {
	var flags doctorFlags
	c := &cobra.Command{
		Use: "doctor [DIR]", Short: "Check and repair the journal", Long: doctorHelp,
		RunE: func(c *cobra.Command, args []string) error { return examine(run, c, args, flags) },
	}
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "print one JSON object: ok, damage, uncertain, open, revisions, bytes")
	f.BoolVar(&flags.acceptEmpty, "accept-empty", false, "record that all files are gone for good, and unlock the store")
	f.BoolVar(&flags.repair, "repair", false, "repair a damaged journal from its last verified copy; without one, begin a new journal")
	f.BoolVar(&flags.yes, "yes", false, "repair without asking")
	f.StringVar(&flags.relink, "relink", "", "take over the journal of a store that moved here from `OLD`")
	c.MarkFlagsMutuallyExclusive("relink", "accept-empty", "repair")
	return c
}

func examine(run *session.Session, c *cobra.Command, args []string, flags doctorFlags) error {
	p, err := run.Past(c, args, false, nil)
	if err != nil {
		return err
	}
	if flags.relink != "" {
		return relinkJournal(run, p, flags.relink)
	}
	ctx := c.Context()
	err = run.OpenPast(p)
	switch {
	case flags.repair:
		return repairJournal(run, ctx, p, err, flags.yes)
	case errors.Is(err, session.ErrNoJournal):
		run.Say("No journal yet. If the store moved here, take its journal over: " + run.Command("doctor --relink OLD", p.Dir))
		return nil
	case errors.Is(err, past.ErrCorrupt):
		return session.Failed(err, "The journal of %s is damaged: %s. Next: %s", p.Dir, journal.DamageText,
			run.Command("doctor --repair", p.Dir))
	case err != nil:
		return err
	}
	defer p.Close()
	if flags.acceptEmpty {
		return acceptEmpty(run, ctx, p)
	}
	err = checkJournal(run, ctx, p, flags.json)
	if gone := run.Emptied(ctx, p.Journal, p.Dir); gone != nil {
		if err == nil {
			return gone
		}
		run.Say(gone.Error())
	}
	return err
}

// healthLine is the output of doctor --json.
type healthLine struct {
	OK        bool     `json:"ok"`
	Damage    []string `json:"damage"`
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
	var troubles []string
	if t, ok := p.Backend.(backend.Adapted); ok {
		var unread error
		if troubles, unread = t.Troubles(); unread != nil {
			return session.Failed(unread, "Can't read %s: %s", p.Dir, session.StoreReason(unread))
		}
	}
	if asJSON {
		err = run.Out.JSONLines().Encode(healthLine{
			OK: r.OK(), Damage: append([]string{}, r.Damage...),
			Uncertain: append([]int64{}, r.Uncertain...), Open: r.Open, Revisions: r.Revisions,
			Bytes: r.Bytes, Problems: append([]string{}, troubles...),
		})
	} else {
		printHealth(run.Out.Lines(p.Settings), r, memstore.FormatSize(p.Dialect, r.Bytes), troubles)
	}
	for _, left := range run.State().LeftEdits(p.Dir) {
		run.Say("An edit left its text in " + session.Place(left) + ". Delete it when you don't need it any more")
	}
	if err == nil && len(r.Damage) > 0 {
		return session.Failed(nil, "The journal of %s is damaged. Next: %s", p.Dir, run.Command("doctor --repair", p.Dir))
	}
	if err == nil && !r.OK() {
		return session.Failed(nil, "Found problems in the journal of %s, listed above", p.Dir)
	}
	return err
}

func printHealth(out io.Writer, r *past.Report, size string, troubles []string) {
	if len(r.Damage) == 0 { // else nothing was counted
		fmt.Fprintf(out, "revisions  %d, with %s, %s\n", r.Revisions, text.Count(r.Contents, "stored text"), size)
	}
	for _, d := range r.Damage {
		fmt.Fprintf(out, "damaged    %s\n", text.Clean(d))
	}
	for _, rev := range r.Uncertain {
		fmt.Fprintf(out, "uncertain  revision %d: its process died while writing it\n", rev)
	}
	if r.Open > 0 {
		fmt.Fprintf(out, "open       %d unfinished edits\n", r.Open)
	}
	for _, t := range troubles {
		fmt.Fprintf(out, "memory     %s\n", text.Clean(t))
	}
	if r.OK() && len(troubles) == 0 {
		fmt.Fprintln(out, "OK, no problems found")
	}
}

// relinkJournal attaches the journal of a moved store to its new place.
func relinkJournal(run *session.Session, p *session.Recorded, old string) error {
	from, to, aside, err := statedir.Relink(run.State().Base, old, p.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return session.Failed(err, "No journal of a store at %s", old)
	case errors.Is(err, os.ErrExist):
		return session.Failed(err, "The store %s has this journal already, in %s", p.Dir, to)
	case err != nil:
		return session.Failed(err, "Can't take over the journal of %s: %s", old, session.Reason(err))
	}
	if aside != "" {
		run.Say("Set what was recorded here aside in " + aside)
	}
	_, err = fmt.Fprintf(run.Out, "%s is now %s\n", from, to)
	return err
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

// repairJournal replaces a damaged journal with its last verified copy, or with a new one.
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
	last, hasCopy := journal.LastCopy(ctx, state)
	from, done := "Begin a new journal?", "Began a new journal"
	if hasCopy {
		run.Say(fmt.Sprintf("The last verified copy is of %s and ends at revision %d. Later revisions are lost; the files keep their changes, "+
			"recorded again as external", last.Time.Format("2006-01-02 15:04"), last.Last))
		from, done = "Repair the journal from this copy?", fmt.Sprintf("Repaired the journal up to revision %d", last.Last)
	} else {
		run.Say("There is no verified copy of the journal. Older changes can no longer be undone; the files stay as they are")
	}
	if err := run.CanConfirm(yes, "repair"); err != nil {
		return err
	}
	if err := run.Confirm(yes, "%s", from); err != nil {
		return err
	}
	aside, err := journal.Repair(state, hasCopy)
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
	_, err = fmt.Fprintf(run.Out, "%s. %s\n", done, kept)
	return err
}
