package curate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/render/text"
)

const doctorHelp = `Check the journal of a store, and look after it.

Usage:
  memcurator doctor [DIR]

Without flags it reads the whole journal, compares each file with it, and prints what is wrong: a
damaged database, a broken hash chain, paths where disk and journal disagree or that cannot be
read, and leftovers of killed programs that no start can remove. It names the command that helps.
Exit status 0 where nothing is wrong, 1 otherwise. Paths that other programs changed are recorded by
the next start of exec, mcp or the user interface, and agree after it.

Flags:
      --dir DIR           the memory directory, instead of the argument
      --json              one JSON object: ok, damage, disagree, unread, leftover, uncertain, open,
                          revisions, chain, broken, bytes
      --relink OLD        the store was at OLD and moved: take its journal over
      --chain on|off      begin or end the hash chain, which makes tampering visible
      --keep-age 90d      drop revisions that are older; pinned ones stay
      --keep-size 500MB   drop the oldest revisions until the rest fits
      --export FILE       write the journal as JSON Lines, with all texts (-: standard output)
      --import FILE       read an export into a journal that is empty
      --accept-empty      all files of the store are gone for good: record that, and use it again
      --repair            repair a damaged journal from its last verified copy; asks first
      --yes               repair without asking
      --set-aside         set a damaged journal aside; the next start begins a new one
Flags of every command: see memcurator help

Examples:
  memcurator doctor ~/agent/memories
  memcurator doctor --keep-age 90d
`

type doctorFlags struct {
	json, setAside, acceptEmpty                          bool
	repair, yes                                          bool
	relink, chain, keepAge, keepSize, exportTo, importOf string
}

// acts reports whether there is more to do than to check.
func (f *doctorFlags) acts() bool {
	return f.relink != "" || f.chain != "" || f.keepAge != "" || f.keepSize != "" || f.exportTo != ""
}

func DoctorCommand(run *session.Session) *cobra.Command {
	var flags doctorFlags
	c := &cobra.Command{
		Use: "doctor [DIR]", Short: "Check the journal of a store", Long: doctorHelp,
		Annotations:       session.HelpRow("doctor [DIR]", "check the journal of a store; replay FILE: transcripts, run again"),
		RunE:              func(c *cobra.Command, args []string) error { return examine(run, c, args, flags) },
		ValidArgsFunction: session.CompleteDirs,
	}
	session.DirFlag(c)
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "one JSON object")
	f.BoolVar(&flags.setAside, "set-aside", false, "set a damaged journal aside")
	f.BoolVar(&flags.acceptEmpty, "accept-empty", false, "record that the files are gone")
	f.BoolVar(&flags.repair, "repair", false, "repair a damaged journal from its last verified copy")
	f.BoolVar(&flags.yes, "yes", false, "do not ask")
	f.StringVar(&flags.relink, "relink", "", "where the store was")
	f.StringVar(&flags.chain, "chain", "", "on or off")
	f.StringVar(&flags.keepAge, "keep-age", "", "how old revisions may be")
	f.StringVar(&flags.keepSize, "keep-size", "", "how much they may take")
	f.StringVar(&flags.exportTo, "export", "", "a file")
	f.StringVar(&flags.importOf, "import", "", "a file")
	session.Complete(c, "chain", "on", "off")
	c.MarkFlagsMutuallyExclusive("relink", "chain", "export", "import", "set-aside", "accept-empty", "repair")
	return c
}

func examine(run *session.Session, c *cobra.Command, args []string, flags doctorFlags) error {
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
	case flags.importOf != "" && (err == nil || errors.Is(err, session.ErrNoJournal)):
		if p.Journal != nil {
			p.Close()
		}
		return importJournal(run, ctx, p, flags.importOf)
	case errors.Is(err, session.ErrNoJournal) && flags.acts():
		return p.NoJournal()
	case errors.Is(err, session.ErrNoJournal):
		if f := run.MovedFrom(p.Dir); f != nil {
			return session.Failed(nil, "Nothing is recorded here yet, but this store was at %s before, and its journal is still kept "+
				"under that path. To take it over, run: %s", f.Path, run.RelinkCommand(f, p.Dir))
		}
		run.Say("Nothing was recorded yet.")
		return nil
	case errors.Is(err, past.ErrCorrupt):
		return session.Failed(err, "The journal of %s is damaged: %s. %s", p.Dir, journal.DamageText(err), nextStep(run, ctx, p))
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
	case flags.chain != "":
		return setChain(ctx, p, flags.chain)
	case flags.exportTo != "":
		return exportJournal(run, ctx, p, flags.exportTo)
	case flags.keepAge != "" || flags.keepSize != "":
		return pruneJournal(run, ctx, p, flags)
	}
	err = session.PastError(checkJournal(run, ctx, p, flags.json))
	if gone := run.Emptied(ctx, p.Journal, p.Dir); gone != nil && err != nil {
		run.Say(gone.Error())
	}
	return err
}

// healthLine is what doctor --json prints.
type healthLine struct {
	OK        bool     `json:"ok"`
	Damage    []string `json:"damage"`
	Disagree  []string `json:"disagree"`
	Unread    []string `json:"unread"`
	Leftover  []string `json:"leftover"`
	Uncertain []int64  `json:"uncertain"`
	Open      int      `json:"open"`
	Revisions int      `json:"revisions"`
	Chain     bool     `json:"chain"`
	Broken    int64    `json:"broken"`
	Bytes     int64    `json:"bytes"`
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
	if asJSON {
		err = run.JSONLines().Encode(healthLine{
			OK: r.OK(), Damage: append([]string{}, r.Damage...), Disagree: append([]string{}, r.Disagree...),
			Unread:    append([]string{}, r.Unread...),
			Leftover:  append([]string{}, r.Leftover...),
			Uncertain: append([]int64{}, r.Uncertain...), Open: r.Open, Revisions: r.Revisions, Chain: r.Chain.On, Broken: r.Chain.Broken,
			Bytes: size,
		})
	} else {
		printHealth(run, run.Lines(p.Settings), r, memstore.FormatSize(p.Dialect, size), contents)
	}
	if err == nil && len(r.Damage) > 0 {
		return session.Failed(nil, "The journal of %s is damaged. %s", p.Dir, nextStep(run, ctx, p))
	}
	if f := run.MovedFrom(p.Dir); f != nil {
		run.Say(fmt.Sprintf("This store was at %s before, and this journal does not contain what was recorded there. To take over "+
			"the old journal, run: %s", f.Path, run.RelinkCommand(f, p.Dir)))
	}
	if err == nil && !r.OK() {
		return session.Failed(nil, "The check of the journal of %s found problems; they are listed above.", p.Dir)
	}
	return err
}

func printHealth(run *session.Session, out io.Writer, r *past.Report, size string, contents int) {
	fmt.Fprintf(out, "revisions  %d, with %d contents, %s\n", r.Revisions, contents, size)
	for _, d := range r.Damage {
		fmt.Fprintf(out, "damaged    %s\n", text.Clean(d))
	}
	switch {
	case r.Chain.Broken != 0:
		fmt.Fprintf(out, "chain      broken at revision %d: it, or one before it, was changed\n", r.Chain.Broken)
	case r.Chain.On:
		fmt.Fprintf(out, "chain      %d links hold\n", r.Chain.Links)
	}
	for _, path := range r.Disagree {
		fmt.Fprintf(out, "disagrees  %s\n", text.Clean(path))
	}
	for _, path := range r.Unread {
		fmt.Fprintf(out, "not read   %s\n", text.Clean(path))
	}
	for _, path := range r.Leftover {
		fmt.Fprintf(out, "left over  %s\n", text.Clean(path))
	}
	if len(r.Leftover) > 0 {
		fmt.Fprintln(out, "Killed programs left these, and they could not be removed. Each start tries again: "+
			"lift what protects them (permissions, an immutable file, a mount), or remove them yourself.")
	}
	for _, rev := range r.Uncertain {
		fmt.Fprintf(out, "uncertain  revision %d: its process died while it wrote\n", rev)
	}
	if r.Open > 0 {
		fmt.Fprintf(out, "open       %d edits are not settled yet\n", r.Open)
	}
	if !r.Baseline {
		fmt.Fprintln(out, "beginning  what was there before the journal is not read to the end yet")
	}
	if !r.Doubt.IsZero() {
		fmt.Fprintf(out, "clock      was far from %s, the newest revision then: nothing is dropped by age until %s doctor --keep-age "+
			"confirms the clock\n", r.Doubt.UTC().Format(time.DateOnly), session.Program)
	}
	if r.Purge {
		fmt.Fprintf(out, "purge      was begun and not ended; %s scrub --resume carries on with it\n", session.Program)
	}
	if r.OK() {
		fmt.Fprintln(out, "Nothing is wrong.")
	}
}

func setChain(ctx context.Context, p *session.Recorded, value string) error {
	if value != "on" && value != "off" {
		return session.WrongUse("%q is no value for --chain; the values are on and off.", value)
	}
	return session.PastError(p.Journal.SetChain(ctx, value == "on"))
}

func pruneJournal(run *session.Session, ctx context.Context, p *session.Recorded, flags doctorFlags) error {
	var keep past.Keep
	var ok bool
	if flags.keepAge != "" {
		if keep.Age, ok = config.ParseDuration(flags.keepAge); !ok || keep.Age <= 0 {
			return session.WrongUse("%q is no age; write 30d or 8w.", flags.keepAge)
		}
	}
	if flags.keepSize != "" {
		if keep.Bytes, ok = config.ParseSize(flags.keepSize); !ok || keep.Bytes <= 0 {
			return session.WrongUse("%q is no size; write 500MB or a number of bytes.", flags.keepSize)
		}
	}
	done, err := p.Journal.Prune(ctx, keep)
	if err != nil {
		return session.PastError(err)
	}
	_, err = fmt.Fprintf(run.Out, "Took out %d revisions, %s.\n", done.Revisions, memstore.FormatSize(p.Dialect, done.Bytes))
	return err
}

func exportJournal(run *session.Session, ctx context.Context, p *session.Recorded, file string) error {
	if file == "-" {
		return session.PastError(p.Journal.Export(ctx, run.Out))
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return session.Failed(err, "The file %s cannot be made: %s.", file, session.Reason(err))
	}
	err = p.Journal.Export(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(file)
		return session.Failed(err, "The file %s cannot be written: %s.", file, session.Reason(err))
	}
	if err := findings.NoteOutside(run.StateFolder(p.Dir), findings.Export, file); err != nil {
		run.Say("Warning: A purge will not know of this export, which holds all texts: " + session.Reason(err) + ".")
	}
	return nil
}

func importJournal(run *session.Session, ctx context.Context, p *session.Recorded, file string) error {
	in := run.Env.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return session.Failed(err, "The file %s cannot be read: %s.", file, session.Reason(err))
		}
		defer f.Close()
		in = f
	}
	j, err := run.OpenJournal(p.Dir, journal.Options{Process: "cli"})
	if err != nil {
		return session.Failed(err, "The journal of %s cannot be opened: %s.", p.Dir, session.JournalReason(err))
	}
	defer j.Close()
	n, err := j.Import(ctx, in)
	switch {
	case errors.Is(err, journal.ErrNotEmpty):
		return session.Failed(err, "The journal of %s is not empty.", p.Dir)
	case errors.Is(err, journal.ErrFormat):
		detail := ""
		if c := session.Cause(err); c != nil {
			detail = " (" + c.Error() + ")"
		}
		return session.Failed(err, "%s is no export of a journal%s. Nothing was read.", file, detail)
	case err != nil:
		return session.PastError(err)
	}
	_, err = fmt.Fprintf(run.Out, "Read %d revisions.\n", n)
	return err
}

// relinkJournal takes over the state of a store that moved.
func relinkJournal(run *session.Session, p *session.Recorded, old string) error {
	from, to, aside, err := statedir.Relink(run.StateBase(), old, p.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return session.Failed(err, "There is no journal for a store at %s.", old)
	case errors.Is(err, os.ErrExist):
		return session.Failed(err, "The store %s already has its own journal, in %s, and is not the directory that was at %s.", p.Dir, to, old)
	case err != nil:
		return session.Failed(err, "The journal of %s cannot be taken over: %s.", old, session.Reason(err))
	}
	if aside != "" {
		run.Say("The journal that this store had here is set aside in " + aside + ".")
	}
	_, err = fmt.Fprintf(run.Out, "%s is now %s.\n", from, to)
	return err
}

// nextStep is a sentence with the command to run on a damaged journal: --repair where a verified copy exists, else --set-aside.
func nextStep(run *session.Session, ctx context.Context, p *session.Recorded) string {
	if state, err := statedir.Path(run.StateBase(), p.Dir); err == nil {
		if _, ok := journal.FindRemedy(ctx, state); ok {
			return fmt.Sprintf("To repair it from its last verified copy, run: %s doctor --repair %s%s", session.Program, run.StateWords(),
				output.ShellQuoted(p.Dir))
		}
	}
	return fmt.Sprintf("To set it aside and begin a new one, run: %s doctor --set-aside %s%s", session.Program, run.StateWords(),
		output.ShellQuoted(p.Dir))
}

// isDamaged reports whether a journal, which it closes, is damaged; openErr is how its opening failed.
func isDamaged(p *session.Recorded, ctx context.Context, openErr error) bool {
	if p.Journal == nil {
		return errors.Is(openErr, past.ErrCorrupt)
	}
	defer p.Close()
	r, err := p.Journal.Check(ctx)
	return errors.Is(err, past.ErrCorrupt) || err == nil && len(r.Damage) > 0
}

// repairJournal puts the last verified copy in the place of a journal that is damaged.
func repairJournal(run *session.Session, ctx context.Context, p *session.Recorded, openErr error, yes bool) error {
	if !isDamaged(p, ctx, openErr) {
		return session.Failed(openErr, "The journal of %s is not damaged; there is nothing to repair.", p.Dir)
	}
	state, err := statedir.Path(run.StateBase(), p.Dir)
	if err != nil {
		return session.Failed(err, "The journal cannot be found: %s.", session.JournalReason(err))
	}
	r, ok := journal.FindRemedy(ctx, state)
	if !ok {
		return session.Failed(nil, "There is no verified copy of the journal of %s. %s", p.Dir, nextStep(run, ctx, p))
	}
	lost := "No known revision is lost."
	if r.Read > r.Last {
		lost = fmt.Sprintf("The damaged journal can be read up to revision %d; that is kept too. ", r.Read) + lost
	}
	if r.Had > r.Read {
		lost = strings.TrimSuffix(lost, "No known revision is lost.") +
			fmt.Sprintf("Revisions after %d, up to %d, are lost; what they changed in the files is recorded again, as external.", r.Read, r.Had)
	}
	run.Say(fmt.Sprintf("The last verified copy was made on %s and ends at revision %d. %s", r.Copy.Time.Format("2006-01-02 15:04"),
		r.Last, lost))
	if !yes {
		if !run.Env.StdinTerminal {
			return session.WrongUse("Nothing was done: --repair asks first. To repair without the question, add --yes.")
		}
		if err := run.Confirm("Repair the journal from this copy?"); err != nil {
			return err
		}
	}
	aside, last, err := journal.Repair(ctx, state, r)
	if errors.Is(err, past.ErrBusy) {
		return session.Failed(err, "The journal of %s is open in another program; close that first.", p.Dir)
	}
	if err != nil {
		return session.Failed(err, "The journal of %s cannot be repaired: %s.", p.Dir, session.Reason(err))
	}
	kept := "Nothing was left of the damaged one."
	if aside != "" {
		kept = fmt.Sprintf("The damaged one is set aside as %s.", aside)
	}
	if _, err = fmt.Fprintf(run.Out, "The journal is repaired up to revision %d. %s\n", last, kept); err != nil {
		return err
	}
	return recordSinceCopy(run, ctx, p)
}

// recordSinceCopy records what the files and the open intents have that is not in the copy. A store that is empty is
// left as it is: the next command says so.
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
		run.Say(fmt.Sprintf("What the files of %s have since is recorded: %s.", p.Dir, output.Counted(progress.Revisions, "revision")))
	}
	return session.PastError(err)
}

// setAside renames a journal that is damaged.
func setAside(run *session.Session, ctx context.Context, p *session.Recorded, openErr error) error {
	if !isDamaged(p, ctx, openErr) {
		return session.Failed(openErr, "The journal of %s is not damaged; nothing was set aside.", p.Dir)
	}
	state, err := statedir.Path(run.StateBase(), p.Dir)
	if err != nil {
		return session.Failed(err, "The journal cannot be found: %s.", session.JournalReason(err))
	}
	aside, err := journal.SetAside(state)
	if errors.Is(err, past.ErrBusy) {
		return session.Failed(err, "The journal of %s is open in another program; close that first.", p.Dir)
	}
	if err != nil {
		return session.Failed(err, "The journal of %s cannot be set aside: %s.", p.Dir, session.Reason(err))
	}
	if aside == "" {
		_, err = fmt.Fprintln(run.Out, "Nothing was left of the old journal. The next start begins a new one.")
		return err
	}
	_, err = fmt.Fprintf(run.Out, "The damaged journal is set aside as %s. The next start begins a new one.\n", aside)
	return err
}
