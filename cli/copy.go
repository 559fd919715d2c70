package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/transfer"
	"memcurator/render/text"
)

const copyHelp = `Copy notes to another store.

Usage:
  memcurator copy SRC [PATH...] DST

Copies all notes, or the notes and folders PATH. Prints the plan, and asks. If DST has other text for
a note, copy names it, copies the rest, and exits with 1. The limits of DST apply, and its rules for
secrets. "memcurator undo DST" undoes the copy.

Flags:
{flags}
Examples:
  memcurator copy ./memories notes/deploy.md team ~/agent/memories
  memcurator copy --yes ~/old/memories ~/new/memories
`

const moveHelp = `Move notes to another store, for example from a project to the store of the user.

Usage:
  memcurator move SRC [PATH...] DST

Copies like "memcurator copy", then deletes from SRC each note that DST has stored unchanged. A note
stays in SRC if DST has other text, if a rule masks a value in it, or if SRC pins or locks it; move
names it and exits with 1. If something interrupts a move, run it again: it finishes. undo takes
back the act of its store: run it for SRC, then for DST.

Flags:
{flags}
Example:
  memcurator move ./memories notes/style.md ~/agent/memories
`

// flags are those that copy, move and import share.
type flags struct {
	replace, create, yes, json bool
}

func copyCommand(run *session.Session) *cobra.Command {
	return carryCommand(run, "copy", "Copy notes to another store", copyHelp, false)
}

func moveCommand(run *session.Session) *cobra.Command {
	return carryCommand(run, "move", "Move notes to another store", moveHelp, true)
}

func carryCommand(run *session.Session, name, short, help string, move bool) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: name + " SRC [PATH...] DST", Short: short, Long: help,
		RunE: func(c *cobra.Command, args []string) error { return carry(run, c, args, f, move) },
	}
	f.flags(c.Flags())
	return c
}

// flags defines the flags.
func (f *flags) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&f.replace, "replace", false, "overwrite notes in DST that have other text")
	fs.BoolVar(&f.create, "create", false, "create the directory DST if it does not exist")
	fs.BoolVar(&f.yes, "yes", false, "do not ask")
	fs.BoolVar(&f.json, "json", false, "print JSON Lines: action, path, bytes, hash, there, result, why")
}

func carry(run *session.Session, c *cobra.Command, args []string, f flags, move bool) error {
	if len(args) < 2 || c.Flags().Changed("dir") {
		return session.WrongUse("%s takes two arguments or more, and no --dir: %s", c.Name(), c.Use)
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	from, err := run.Name(args[0], false)
	if err != nil {
		return err
	}
	to, err := run.Name(args[len(args)-1], f.create)
	if err != nil {
		return err
	}
	if err := run.CanConfirm(f.yes, c.Name()); err != nil {
		return err
	}
	ctx, restore := session.UntilStopped(c.Context())
	defer restore()
	if config.Within(to.Dir, from.Dir) || config.Within(from.Dir, to.Dir) {
		return session.WrongUse("%s and %s are the same store, or one is inside the other", from.Dir, to.Dir)
	}
	t := &transferring{run: run, flags: f, from: from, to: to, settings: s,
		Transfer: transfer.Transfer{Move: move, Replace: f.replace, Paths: pathsIn(from, args[1:len(args)-1])}}
	defer t.close()
	if t.To, err = t.open(ctx, to, true); err != nil {
		return err
	}
	if t.From, err = t.open(ctx, from, move); err != nil {
		return err
	}
	return t.do(ctx)
}

// pathsIn reads the arguments between SRC and DST as agent paths; none mean the whole store, or the file by which it was named.
func pathsIn(from session.Target, words []string) (paths []string) {
	for _, word := range words {
		if !session.IsAgentPath(word) {
			word = memstore.AgentPath(word)
		}
		paths = append(paths, word)
	}
	if len(paths) == 0 && from.AgentPath != "" {
		paths = []string{from.AgentPath}
	}
	return paths
}

// transferring is a run of copy, move or import, with the stores that it opened.
type transferring struct {
	flags
	transfer.Transfer
	run      *session.Session
	settings session.Settings
	from, to session.Target
	closers  []func()
}

func (t *transferring) do(ctx context.Context) error {
	p, err := t.Plan(ctx)
	if err != nil {
		for _, at := range t.Paths {
			if _, gone := t.From.Store.Backend().Lstat(memstore.BackendName(at)); memstore.IsAbsent(gone) {
				return session.Failed(err, "No note %s in %s", output.OneLine(memstore.BackendName(at)), session.Place(t.from.Dir))
			}
		}
		return session.Failed(err, "Can't read %s: %s", session.Place(t.from.Dir), session.StoreReason(err))
	}
	todo, bytes := p.Count(transfer.Copy, transfer.Replace)
	if same, _ := p.Count(transfer.Same); t.Move {
		todo += same
	}
	asks := !t.yes && !t.json
	if todo == 0 || asks {
		for n := range p.Items {
			if err := t.printItem(&p.Items[n]); err != nil {
				return err
			}
		}
	}
	conflicts, _ := p.Count(transfer.Conflict)
	skips, _ := p.Count(transfer.Skip)
	if todo == 0 {
		if conflicts+skips == 0 {
			t.run.Say("Nothing to " + strings.ToLower(t.verb()))
		}
		return t.stays(0, conflicts, conflicts+skips)
	}
	if err := t.run.Confirm(t.yes, "%s %s (%s) to %s? undo reverts it", t.verb(), text.Count(todo, "note"),
		memstore.FormatSize(memstore.Docs, bytes), session.Place(t.to.Dir)); err != nil {
		return err
	}
	out, runErr := t.Carry(ctx, p)
	for n := range out.Items {
		i := &out.Items[n]
		if asks && (i.Result == transfer.Done || i.Result == transfer.Skipped && !i.Writes()) {
			continue // it went as the plan said
		}
		if err := t.printItem(i); err != nil {
			return err
		}
	}
	if err := t.sayDone(out, runErr); err != nil {
		return err
	}
	return t.stays(out.Count(transfer.Kept), conflicts, out.Count(transfer.Kept, transfer.Skipped, transfer.Left))
}

// verb is what is done, as the beginning of a sentence.
func (t *transferring) verb() string {
	switch {
	case t.Move:
		return "Move"
	case t.Import:
		return "Import"
	}
	return "Copy"
}

// line is a line of copy --json and move --json; the keys are a contract.
type line struct {
	Action string  `json:"action"`
	Path   string  `json:"path"`
	Bytes  int64   `json:"bytes"`
	Hash   *string `json:"hash"`
	There  *string `json:"there"`
	Result *string `json:"result"` // done, kept (of a move: copied, and still in SRC), skipped, left (not started); null: planned
	Why    *string `json:"why"`
}

// printItem prints a note of a plan, or of its outcome.
func (t *transferring) printItem(i *transfer.Item) error {
	action := string(i.Act)
	if i.Act == transfer.Copy {
		action = strings.ToLower(t.verb())
	}
	l := line{Action: action, Path: i.Path, Bytes: i.Bytes, Result: output.OrNull(string(i.Result)), Why: output.OrNull(i.Why),
		Hash: session.HashOrNull(i.Digest)}
	if i.There != nil {
		l.There = output.OrNull(i.There.String())
	}
	switch {
	case i.Result == transfer.Kept || i.Result == transfer.Left:
		action = string(i.Result)
	case i.Result == transfer.Skipped && i.Writes():
		action = string(transfer.Skip)
	}
	row := fmt.Sprintf("%-8s  %7s  %s", action, memstore.FormatSize(memstore.Docs, i.Bytes), output.OneLine(memstore.BackendName(i.Path)))
	if i.Why != "" {
		row += ": " + i.Why
	}
	return t.run.Out.Rows(t.settings, t.json).Print(l, "%s", row)
}

// stays is the error for notes that were not transferred, or are still at the source of a move; nil if there are none.
func (t *transferring) stays(kept, conflicts, all int) error {
	switch {
	case kept > 0:
		return session.Failed(nil, "Copied but not deleted from %s: %s", session.Place(t.from.Dir),
			text.Count(all, "note"))
	case conflicts > 0 && !t.replace:
		return session.Failed(nil, "%s in %s. To overwrite: --replace",
			text.Count(conflicts, "conflict"), session.Place(t.to.Dir))
	case all > 0:
		return session.Failed(nil, "Skipped %s", text.Count(all, "note"))
	}
	return nil
}

// sayDone says how much changed, and how to undo it: each store takes back its own act, first the one that lost the notes.
func (t *transferring) sayDone(out transfer.Outcome, runErr error) error {
	did := map[string]string{"Copy": "Copied", "Move": "Moved", "Import": "Imported"}[t.verb()]
	said := did + " nothing"
	if out.Count(transfer.Done, transfer.Kept) > 0 {
		said = fmt.Sprintf("%s %s (%s) to %s", did, text.Count(out.Count(transfer.Done), "note"),
			memstore.FormatSize(memstore.Docs, out.Bytes), session.Place(t.to.Dir))
	}
	var undos []string
	for n, at := range []session.Target{t.from, t.to} {
		if out.Changed[n] {
			undos = append(undos, t.run.Command("undo", at.Dir))
		}
	}
	if len(undos) > 0 {
		said += ". Undo with: " + strings.Join(undos, " && ")
	}
	switch {
	case errors.Is(runErr, context.Canceled):
		return session.Failed(runErr, "Stopped. %s", said)
	case errors.Is(runErr, transfer.ErrNoJournal):
		return session.Failed(runErr, "%s. %s", output.Capital(runErr.Error()), said)
	case runErr != nil:
		return session.Failed(runErr, "%s. %s", output.Capital(session.StoreReason(runErr)), said)
	}
	t.run.Say(said)
	return nil
}
