package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

func (a *app) doctorCommand() *cobra.Command {
	var flags doctorFlags
	c := &cobra.Command{
		Use: "doctor [DIR]", Short: "Check the journal of a store", Long: doctorHelp,
		RunE:              func(c *cobra.Command, args []string) error { return a.doctor(c, args, flags) },
		ValidArgsFunction: completeDirs,
	}
	dirFlag(c)
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
	complete(c, "chain", "on", "off")
	c.MarkFlagsMutuallyExclusive("relink", "chain", "export", "import", "set-aside", "accept-empty", "repair")
	return c
}

func (a *app) doctor(c *cobra.Command, args []string, flags doctorFlags) error {
	p, err := a.past(c, args, false, nil)
	ctx := c.Context()
	switch {
	case p == nil:
		return err
	case flags.repair:
		return a.repair(ctx, p, err, flags.yes)
	case flags.setAside:
		return a.setAside(ctx, p, err)
	case flags.relink != "" && errors.Is(err, errNoJournal):
		return a.relink(p, flags.relink)
	case flags.importOf != "" && (err == nil || errors.Is(err, errNoJournal)):
		if p.journal != nil {
			p.close()
		}
		return a.importJournal(ctx, p, flags.importOf)
	case errors.Is(err, errNoJournal) && flags.acts():
		return p.noJournal()
	case errors.Is(err, errNoJournal):
		if f := a.movedFrom(p.dir); f != nil {
			return failed(nil, "Nothing is recorded here yet, but this store was at %s before, and its journal is still kept under that path. To take it over, run: %s", f.Path, a.relinkCommand(f, p.dir))
		}
		a.say("Nothing was recorded yet.")
		return nil
	case errors.Is(err, past.ErrCorrupt):
		return failed(err, "The journal of %s is damaged: %s. %s", p.dir, damageOf(err), a.nextStep(ctx, p))
	case err != nil:
		return err
	}
	if flags.relink != "" {
		p.close()
		return a.relink(p, flags.relink)
	}
	defer p.close()
	switch {
	case flags.acceptEmpty:
		return a.acceptEmpty(ctx, p)
	case flags.chain != "":
		return a.setChain(p, flags.chain)
	case flags.exportTo != "":
		return a.exportJournal(ctx, p, flags.exportTo)
	case flags.keepAge != "" || flags.keepSize != "":
		return a.prune(ctx, p, flags)
	}
	err = pastError(a.checkJournal(ctx, p, flags.json))
	if gone := a.emptied(ctx, p.journal, p.dir); gone != nil && err != nil {
		a.say(gone.Error())
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

func (a *app) checkJournal(ctx context.Context, p *journaledStore, asJSON bool) error {
	r, err := p.journal.Check(ctx)
	if err != nil {
		return err
	}
	size, _, contents, err := p.journal.Size(ctx)
	if err != nil && len(r.Damage) == 0 {
		return err
	}
	if asJSON {
		err = a.jsonLines().Encode(healthLine{
			OK: r.OK(), Damage: append([]string{}, r.Damage...), Disagree: append([]string{}, r.Disagree...), Unread: append([]string{}, r.Unread...),
			Leftover:  append([]string{}, r.Leftover...),
			Uncertain: append([]int64{}, r.Uncertain...), Open: r.Open, Revisions: r.Revisions, Chain: r.Chain.On, Broken: r.Chain.Broken, Bytes: size,
		})
	} else {
		a.printHealth(a.lines(p.settings), r, memstore.FormatSize(p.dialect, size), contents)
	}
	if err == nil && len(r.Damage) > 0 {
		return failed(nil, "The journal of %s is damaged. %s", p.dir, a.nextStep(ctx, p))
	}
	if f := a.movedFrom(p.dir); f != nil {
		a.say(fmt.Sprintf("This store was at %s before, and this journal does not contain what was recorded there. To take over the old journal, run: %s", f.Path, a.relinkCommand(f, p.dir)))
	}
	if err == nil && !r.OK() {
		return failed(nil, "The check of the journal of %s found problems; they are listed above.", p.dir)
	}
	return err
}

func (a *app) printHealth(out io.Writer, r *journal.Report, size string, contents int) {
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
		fmt.Fprintf(out, "clock      was far from %s, the newest revision then: nothing is dropped by age until %s doctor --keep-age confirms the clock\n", r.Doubt.UTC().Format(time.DateOnly), program)
	}
	if r.Purge {
		fmt.Fprintf(out, "purge      was begun and not ended; %s scrub --resume carries on with it\n", program)
	}
	if r.OK() {
		fmt.Fprintln(out, "Nothing is wrong.")
	}
}

func (a *app) setChain(p *journaledStore, value string) error {
	if value != "on" && value != "off" {
		return wrongUse("%q is no value for --chain; the values are on and off.", value)
	}
	return pastError(p.journal.SetChain(value == "on"))
}

func (a *app) prune(ctx context.Context, p *journaledStore, flags doctorFlags) error {
	var keep journal.Keep
	var ok bool
	if flags.keepAge != "" {
		if keep.Age, ok = config.ParseDuration(flags.keepAge); !ok || keep.Age <= 0 {
			return wrongUse("%q is no age; write 30d or 8w.", flags.keepAge)
		}
	}
	if flags.keepSize != "" {
		if keep.Bytes, ok = config.ParseSize(flags.keepSize); !ok || keep.Bytes <= 0 {
			return wrongUse("%q is no size; write 500MB or a number of bytes.", flags.keepSize)
		}
	}
	done, err := p.journal.Prune(ctx, keep)
	if err != nil {
		return pastError(err)
	}
	_, err = fmt.Fprintf(a.out, "Took out %d revisions, %s.\n", done.Revisions, memstore.FormatSize(p.dialect, done.Bytes))
	return err
}

func (a *app) exportJournal(ctx context.Context, p *journaledStore, file string) error {
	if file == "-" {
		return pastError(p.journal.Export(ctx, a.out))
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return failed(err, "The file %s cannot be made: %s.", file, reason(err))
	}
	err = p.journal.Export(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(file)
		return failed(err, "The file %s cannot be written: %s.", file, reason(err))
	}
	if err := findings.NoteOutside(a.stateFolder(p.dir), findings.Export, file); err != nil {
		a.say("Warning: A purge will not know of this export, which holds all texts: " + reason(err) + ".")
	}
	return nil
}

func (a *app) importJournal(ctx context.Context, p *journaledStore, file string) error {
	in := a.env.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return failed(err, "The file %s cannot be read: %s.", file, reason(err))
		}
		defer f.Close()
		in = f
	}
	j, err := a.openJournal(p.dir, journal.Options{Process: "cli"})
	if err != nil {
		return failed(err, "The journal of %s cannot be opened: %s.", p.dir, journalReason(err))
	}
	defer j.Close()
	n, err := j.Import(ctx, in)
	switch {
	case errors.Is(err, journal.ErrNotEmpty):
		return failed(err, "The journal of %s is not empty.", p.dir)
	case errors.Is(err, journal.ErrFormat):
		detail := ""
		if c := cause(err); c != nil {
			detail = " (" + c.Error() + ")"
		}
		return failed(err, "%s is no export of a journal%s. Nothing was read.", file, detail)
	case err != nil:
		return pastError(err)
	}
	_, err = fmt.Fprintf(a.out, "Read %d revisions.\n", n)
	return err
}

// relink takes over the state of a store that moved.
func (a *app) relink(p *journaledStore, old string) error {
	from, to, aside, err := statedir.Relink(a.stateBase(), old, p.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return failed(err, "There is no journal for a store at %s.", old)
	case errors.Is(err, os.ErrExist):
		return failed(err, "The store %s already has its own journal, in %s, and is not the directory that was at %s.", p.dir, to, old)
	case err != nil:
		return failed(err, "The journal of %s cannot be taken over: %s.", old, reason(err))
	}
	if aside != "" {
		a.say("The journal that this store had here is set aside in " + aside + ".")
	}
	_, err = fmt.Fprintf(a.out, "%s is now %s.\n", from, to)
	return err
}

// nextStep is a sentence with the command to run on a damaged journal: --repair where a verified copy exists, else --set-aside.
func (a *app) nextStep(ctx context.Context, p *journaledStore) string {
	if state, err := statedir.Path(a.stateBase(), p.dir); err == nil {
		if _, ok := journal.FindRemedy(ctx, state); ok {
			return fmt.Sprintf("To repair it from its last verified copy, run: %s doctor --repair %s%s", program, a.stateWords(), shellQuoted(p.dir))
		}
	}
	return fmt.Sprintf("To set it aside and begin a new one, run: %s doctor --set-aside %s%s", program, a.stateWords(), shellQuoted(p.dir))
}

// isDamaged reports whether a journal, which it closes, is damaged; openErr is how its opening failed.
func (p *journaledStore) isDamaged(ctx context.Context, openErr error) bool {
	if p.journal == nil {
		return errors.Is(openErr, past.ErrCorrupt)
	}
	defer p.close()
	r, err := p.journal.Check(ctx)
	return errors.Is(err, past.ErrCorrupt) || err == nil && len(r.Damage) > 0
}

// repair puts the last verified copy in the place of a journal that is damaged.
func (a *app) repair(ctx context.Context, p *journaledStore, openErr error, yes bool) error {
	if !p.isDamaged(ctx, openErr) {
		return failed(openErr, "The journal of %s is not damaged; there is nothing to repair.", p.dir)
	}
	state, err := statedir.Path(a.stateBase(), p.dir)
	if err != nil {
		return failed(err, "The journal cannot be found: %s.", journalReason(err))
	}
	r, ok := journal.FindRemedy(ctx, state)
	if !ok {
		return failed(nil, "There is no verified copy of the journal of %s. %s", p.dir, a.nextStep(ctx, p))
	}
	lost := "No known revision is lost."
	if r.Read > r.Last {
		lost = fmt.Sprintf("The damaged journal can be read up to revision %d; that is kept too. ", r.Read) + lost
	}
	if r.Had > r.Read {
		lost = strings.TrimSuffix(lost, "No known revision is lost.") +
			fmt.Sprintf("Revisions after %d, up to %d, are lost; what they changed in the files is recorded again, as external.", r.Read, r.Had)
	}
	a.say(fmt.Sprintf("The last verified copy was made on %s and ends at revision %d. %s", r.Copy.Time.Format("2006-01-02 15:04"), r.Last, lost))
	if !yes {
		if !a.env.StdinTerminal {
			return wrongUse("Nothing was done: --repair asks first. To repair without the question, add --yes.")
		}
		if _, err := fmt.Fprint(a.env.Stderr, "Repair the journal from this copy? [y/N] "); err != nil {
			return err
		}
		line, _ := bufio.NewReader(a.env.Stdin).ReadString('\n') // the end of the input is no
		if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
			return failed(errNothingDone, "Nothing was done.")
		}
	}
	aside, last, err := journal.Repair(ctx, state, r)
	if errors.Is(err, past.ErrBusy) {
		return failed(err, "The journal of %s is open in another program; close that first.", p.dir)
	}
	if err != nil {
		return failed(err, "The journal of %s cannot be repaired: %s.", p.dir, reason(err))
	}
	kept := "Nothing was left of the damaged one."
	if aside != "" {
		kept = fmt.Sprintf("The damaged one is set aside as %s.", aside)
	}
	if _, err = fmt.Fprintf(a.out, "The journal is repaired up to revision %d. %s\n", last, kept); err != nil {
		return err
	}
	return a.recordSinceCopy(ctx, p)
}

// recordSinceCopy records what the files and the open intents have that is not in the copy. A store that is empty is
// left as it is: the next command says so.
func (a *app) recordSinceCopy(ctx context.Context, p *journaledStore) error {
	if err := a.openPast(p); err != nil {
		return err
	}
	defer p.close()
	if a.emptied(ctx, p.journal, p.dir) != nil {
		return nil
	}
	progress, err := p.journal.Reconcile(ctx, nil)
	if err == nil && progress.Revisions > 0 {
		a.say(fmt.Sprintf("What the files of %s have since is recorded: %s.", p.dir, counted(progress.Revisions, "revision")))
	}
	return pastError(err)
}

// setAside renames a journal that is damaged.
func (a *app) setAside(ctx context.Context, p *journaledStore, openErr error) error {
	if !p.isDamaged(ctx, openErr) {
		return failed(openErr, "The journal of %s is not damaged; nothing was set aside.", p.dir)
	}
	state, err := statedir.Path(a.stateBase(), p.dir)
	if err != nil {
		return failed(err, "The journal cannot be found: %s.", journalReason(err))
	}
	aside, err := journal.SetAside(state)
	if errors.Is(err, past.ErrBusy) {
		return failed(err, "The journal of %s is open in another program; close that first.", p.dir)
	}
	if err != nil {
		return failed(err, "The journal of %s cannot be set aside: %s.", p.dir, reason(err))
	}
	if aside == "" {
		_, err = fmt.Fprintln(a.out, "Nothing was left of the old journal. The next start begins a new one.")
		return err
	}
	_, err = fmt.Fprintf(a.out, "The damaged journal is set aside as %s. The next start begins a new one.\n", aside)
	return err
}
