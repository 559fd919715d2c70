package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
)

const doctorHelp = `Check the journal of a store, and look after it.

Usage:
  memcurator doctor [DIR]

Without flags it reads the whole journal, compares each file with it, and prints what is wrong: a
damaged database, a broken hash chain, paths where disk and journal disagree. Exit status 0 where
nothing is wrong, 1 otherwise. Paths that other programs changed are recorded by the next start of
exec, mcp or the user interface, and agree after it.

Flags:
      --dir DIR           the memory directory, instead of the argument
      --json              one JSON object: ok, damage, disagree, uncertain, open, revisions, chain,
                          broken, bytes
      --relink OLD        the store was at OLD and moved: take its journal over
      --chain on|off      begin or end the hash chain, which makes tampering visible
      --keep-age 90d      take out revisions that are older; pinned ones stay
      --keep-size 500MB   take out the oldest until the rest has room
      --export FILE       write the journal as JSON Lines, with all texts (-: standard output)
      --import FILE       read an export into a journal that is empty
      --set-aside         put a damaged journal aside, so that a new one can begin
Flags of every command: see memcurator help

Examples:
  memcurator doctor ~/agent/memories
  memcurator doctor --keep-age 90d
`

type doctorFlags struct {
	json, setAside                                       bool
	relink, chain, keepAge, keepSize, exportTo, importOf string
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
	f.BoolVar(&flags.setAside, "set-aside", false, "put a damaged journal aside")
	f.StringVar(&flags.relink, "relink", "", "where the store was")
	f.StringVar(&flags.chain, "chain", "", "on or off")
	f.StringVar(&flags.keepAge, "keep-age", "", "how old revisions may be")
	f.StringVar(&flags.keepSize, "keep-size", "", "how much they may take")
	f.StringVar(&flags.exportTo, "export", "", "a file")
	f.StringVar(&flags.importOf, "import", "", "a file")
	complete(c, "chain", "on", "off")
	c.MarkFlagsMutuallyExclusive("relink", "chain", "export", "import", "set-aside")
	return c
}

func (a *app) doctor(c *cobra.Command, args []string, flags doctorFlags) error {
	p, err := a.past(c, args, false, nil)
	ctx := c.Context()
	switch {
	case p == nil:
		return err
	case flags.setAside:
		return a.setAside(ctx, p, err)
	case flags.relink != "" && errors.Is(err, errNoJournal):
		return a.relink(p, flags.relink)
	case flags.importOf != "" && (err == nil || errors.Is(err, errNoJournal)):
		if p.journal != nil {
			p.close()
		}
		return a.importJournal(ctx, p, flags.importOf)
	case errors.Is(err, errNoJournal):
		a.say("Nothing was recorded yet.")
		return nil
	case err != nil:
		return err
	}
	defer p.close()
	switch {
	case flags.relink != "":
		return failed(nil, "The store %s has a journal of its own; only one without can take over another.", p.dir)
	case flags.chain != "":
		return a.setChain(p, flags.chain)
	case flags.exportTo != "":
		return a.exportJournal(ctx, p, flags.exportTo)
	case flags.keepAge != "" || flags.keepSize != "":
		return a.prune(ctx, p, flags)
	}
	return pastError(a.checkJournal(ctx, p, flags.json))
}

// healthLine is what doctor --json prints.
type healthLine struct {
	OK        bool     `json:"ok"`
	Damage    []string `json:"damage"`
	Disagree  []string `json:"disagree"`
	Uncertain []int64  `json:"uncertain"`
	Open      int      `json:"open"`
	Revisions int      `json:"revisions"`
	Chain     bool     `json:"chain"`
	Broken    int64    `json:"broken"`
	Bytes     int64    `json:"bytes"`
}

func (a *app) checkJournal(ctx context.Context, p *past, asJSON bool) error {
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
			OK: r.OK(), Damage: append([]string{}, r.Damage...), Disagree: append([]string{}, r.Disagree...),
			Uncertain: append([]int64{}, r.Uncertain...), Open: r.Open, Revisions: r.Revisions, Chain: r.Chain.On, Broken: r.Chain.Broken, Bytes: size,
		})
	} else {
		a.printHealth(a.lines(p.settings), r, size, contents)
	}
	if err == nil && !r.OK() {
		return failed(nil, "The journal of %s needs a look.", p.dir)
	}
	return err
}

func (a *app) printHealth(out io.Writer, r *journal.Report, size int64, contents int) {
	fmt.Fprintf(out, "revisions  %d, with %d contents, %s\n", r.Revisions, contents, config.FormatSize(size))
	for _, d := range r.Damage {
		fmt.Fprintf(out, "damaged    %s\n", d)
	}
	switch {
	case r.Chain.Broken != 0:
		fmt.Fprintf(out, "chain      broken at revision %d: it, or one before it, was changed\n", r.Chain.Broken)
	case r.Chain.On:
		fmt.Fprintf(out, "chain      %d links hold\n", r.Chain.Links)
	}
	for _, path := range r.Disagree {
		fmt.Fprintf(out, "disagrees  %s\n", path)
	}
	for _, rev := range r.Uncertain {
		fmt.Fprintf(out, "uncertain  revision %d: its process died meanwhile\n", rev)
	}
	if r.Open > 0 {
		fmt.Fprintf(out, "open       %d edits are not settled yet\n", r.Open)
	}
	if !r.Baseline {
		fmt.Fprintln(out, "beginning  what was there before the journal is not read to the end yet")
	}
	if r.Purge {
		fmt.Fprintf(out, "purge      was begun and not ended; %s scrub --resume carries on with it\n", program)
	}
	if r.OK() {
		fmt.Fprintln(out, "Nothing is wrong.")
	}
}

func (a *app) setChain(p *past, value string) error {
	if value != "on" && value != "off" {
		return wrongUse("%q is no value for --chain; the values are on and off.", value)
	}
	return pastError(p.journal.SetChain(value == "on"))
}

func (a *app) prune(ctx context.Context, p *past, flags doctorFlags) error {
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
	_, err = fmt.Fprintf(a.out, "Took out %d revisions, %s.\n", done.Revisions, config.FormatSize(done.Bytes))
	return err
}

func (a *app) exportJournal(ctx context.Context, p *past, file string) error {
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

func (a *app) importJournal(ctx context.Context, p *past, file string) error {
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
func (a *app) relink(p *past, old string) error {
	from, to, err := statedir.Relink(a.stateBase(), old, p.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return failed(err, "There is no journal of a store at %s.", old)
	case errors.Is(err, os.ErrExist):
		return failed(err, "The store %s has state of its own already, in %s.", p.dir, to)
	case err != nil:
		return failed(err, "The journal of %s cannot be taken over: %s.", old, reason(err))
	}
	_, err = fmt.Fprintf(a.out, "%s is now %s.\n", from, to)
	return err
}

// setAside renames a journal that is damaged.
func (a *app) setAside(ctx context.Context, p *past, openErr error) error {
	damaged := errors.Is(openErr, journal.ErrCorrupt)
	if p.journal != nil {
		r, err := p.journal.Check(ctx)
		damaged = errors.Is(err, journal.ErrCorrupt) || err == nil && len(r.Damage) > 0
		p.close()
	}
	if !damaged {
		return failed(openErr, "The journal of %s is not damaged; nothing is put aside.", p.dir)
	}
	state, err := statedir.Path(a.stateBase(), p.dir)
	if err != nil {
		return failed(err, "The journal cannot be found: %s.", journalReason(err))
	}
	file := filepath.Join(state, journal.FileName)
	aside := file + journal.AsideMark + time.Now().Format("20060102-150405")
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(file+end, aside+end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return failed(err, "%s cannot be put aside: %s.", file+end, reason(err))
		}
	}
	_, err = fmt.Fprintf(a.out, "The old journal is %s. The next start begins a new one.\n", aside)
	return err
}
