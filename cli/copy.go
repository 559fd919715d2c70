package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/transfer"
)

const copyHelp = `Copy notes to another store.

Usage:
  memcurator copy SRC... DST

SRC is a store, or notes and folders in one; DST is a store. Notes keep their paths and times.
Another program's memory is a store, too: SRC can be FILE/person/Ann.md, and DST FILE.

Prints the plan, then asks. Overwrites nothing: if DST has other text for a note, copy skips the
note, names it, copies the rest, and exits with 1. --replace
overwrites. The rules of DST apply: limits and secrets. The plan names the secrets that would
arrive, and what the agent of DST does to notes by itself. "memcurator undo DST" undoes the copy.

Flags:
{flags}
Examples:
  memcurator copy ./memories/notes/deploy.md ./memories/team ~/agent/memories
  memcurator copy --yes ~/old/memories ~/new/memories
`

const moveHelp = `Move notes to another store, for example from a project to the store of the user.

Usage:
  memcurator move SRC... DST

SRC is a store, or notes and folders in one; DST is a store. Notes keep their paths and times.

Copies like "memcurator copy", then deletes from SRC each note that DST has stored unchanged. A note
stays in SRC if DST has other text, if a rule masks a value in it, or if SRC pins or locks it; move
names it and exits with 1. If something interrupts a move, run it again: it finishes.

Indexes such as MEMORY.md are notes like any other; "memcurator plan --suggest" lists what they miss
afterwards. A record of another program loses its relations, as when it is deleted.

The move is one act in the journal of each store; undo takes back the act of its store.

Flags:
{flags}
Examples:
  memcurator move ./memories/notes/style.md ~/agent/memories
  memcurator move --yes ~/.claude/projects/-old-name/memory ~/.claude/projects/-new-name/memory
`

type flags struct {
	move                       bool
	replace, create, yes, json bool
}

func copyCommand(run *session.Session) *cobra.Command {
	return command(run, "copy", "Copy notes to another store", copyHelp, false)
}

func moveCommand(run *session.Session) *cobra.Command {
	return command(run, "move", "Move notes to another store", moveHelp, true)
}

func command(run *session.Session, name, short, help string, move bool) *cobra.Command {
	f := flags{move: move}
	c := &cobra.Command{
		Use: name + " SRC... DST", Short: short, Long: help,
		RunE: func(c *cobra.Command, args []string) error {
			return carry(run, c, args, f)
		},
	}
	fs := c.Flags()
	f.flags(fs)
	return c
}

// flags defines the flags that copy, move and import share.
func (f *flags) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&f.replace, "replace", false, "overwrite notes in DST that have other text")
	fs.BoolVar(&f.create, "create", false, "create the directory DST if it does not exist")
	fs.BoolVar(&f.yes, "yes", false, "do not ask")
	fs.BoolVar(&f.json, "json", false, "print JSON Lines: action, path, bytes, hash, there, result, why, notes, secrets")
}

func carry(run *session.Session, c *cobra.Command, args []string, f flags) error {
	if len(args) < 2 || c.Flags().Changed("dir") {
		return session.WrongUse("%s takes two arguments or more, and no --dir: %s", c.Name(), c.Use)
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	from, paths, err := sources(run, args[:len(args)-1])
	if err != nil {
		return err
	}
	to, err := run.Locator().Name(args[len(args)-1])
	if err != nil {
		return err
	}
	if !f.yes && !run.CanAsk() {
		return session.NotAsked(c.Name())
	}
	ctx, restore := session.UntilSignal(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	b, err := openTwo(ctx, run, s, from, to, transferOptions{Move: f.move, Create: f.create})
	if err != nil {
		return err
	}
	defer b.Close()
	b.Paths, b.Replace, b.Report = paths, f.replace, run.Progress()
	t := &transferring{run: run, twoStores: b, flags: f, from: from, to: to, settings: s}
	return t.do(ctx)
}

// sources reads the arguments before DST, which are in one store, and the agent paths in it; no paths mean all of it.
func sources(run *session.Session, words []string) (from session.Named, paths []string, err error) {
	whole := false
	for n, word := range words {
		one, err := run.Locator().Name(word)
		if err != nil {
			return from, nil, err
		}
		if n == 0 {
			from = one
		} else if one.Real != from.Real {
			return from, nil, session.WrongUse("%s and %s are in different stores. Name notes of one store at a time", words[0], word)
		}
		whole = whole || one.Path == ""
		paths = append(paths, one.Path)
	}
	if whole {
		paths = nil
	}
	return from, paths, nil
}

// transferring is a run of copy or move.
type transferring struct {
	flags
	*twoStores
	run      *session.Session
	settings session.Settings
	from, to session.Named
	imports  bool // from a bundle
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
	writes, bytes := p.Count(transfer.Copy, transfer.Replace)
	todo := writes
	if t.move {
		todo = p.Leaves()
	}
	if todo == 0 && writes == 0 {
		if err := t.print(p); err != nil {
			return err
		}
		if stay, _ := p.Count(transfer.Conflict, transfer.Skip); stay == 0 {
			t.run.Say("Nothing to " + t.verb())
		}
		return t.stays(p)
	}
	if !t.yes && !t.json {
		if err := t.print(p); err != nil {
			return err
		}
	}
	t.warn(p)
	if !t.yes {
		if err := t.run.Confirm("%s %s (%s) to %s? undo reverts it", t.capital(), output.Counted(max(writes, todo), "note"),
			memstore.FormatSize(memstore.Docs, bytes), session.Place(t.to.Dir)); err != nil {
			return err
		}
	}
	out, runErr := t.Carry(ctx, p)
	if err := t.printOutcome(out); err != nil {
		return err
	}
	return t.sayDone(p, out, runErr)
}

// warn names the secrets that would travel, and what the agent of DST does to notes by itself.
func (t *transferring) warn(p *transfer.Plan) {
	for _, warning := range t.Warnings(p) {
		t.run.Say("Warning: " + output.OneLine(warning))
	}
}

func (t *transferring) capital() string {
	switch {
	case t.move:
		return "Move"
	case t.imports:
		return "Import"
	}
	return "Copy"
}

func (t *transferring) verb() string { return strings.ToLower(t.capital()) }

// line is a line of copy --json and move --json; the keys are a contract.
type line struct {
	Action string  `json:"action"`
	Path   string  `json:"path"`
	Bytes  int64   `json:"bytes"`
	Hash   *string `json:"hash"`
	There  *string `json:"there"`
	Result *string `json:"result"`
	Why    *string `json:"why"`
	Notes  *string `json:"notes"`

	Secrets []secretLine `json:"secrets"`
}

// secretLine is a secret that travels with a note, without its value.
type secretLine struct {
	Line     int    `json:"line"`
	Class    string `json:"class"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
}

// result is the outcome for one note, empty in a dry run.
type result string

const (
	planned       result = ""
	done          result = "done"
	kept          result = "kept"    // of a move: copied, and still in SRC
	resultSkipped result = "skipped" // not transferred
	resultLeft    result = "left"    // not started
)

func (t *transferring) line(i *transfer.Item, r result, why string) line {
	l := line{Action: t.action(i), Path: i.Path, Bytes: i.Bytes, Result: output.OrNull(string(r)), Why: output.OrNull(why),
		Notes: output.OrNull(i.Notes), Hash: session.HashOrNull(i.Digest), Secrets: []secretLine{}}
	for _, s := range i.Secrets {
		l.Secrets = append(l.Secrets, secretLine{s.Line, s.Class, s.Rule, s.Severity})
	}
	if i.There != nil {
		l.There = output.OrNull(i.There.String())
	}
	return l
}

func (t *transferring) action(i *transfer.Item) string {
	if i.Act == transfer.Copy {
		return t.verb()
	}
	return string(i.Act)
}

// print lists a plan.
func (t *transferring) print(p *transfer.Plan) error {
	for n := range p.Items {
		i := &p.Items[n]
		why := i.Why
		if why == "" && t.move {
			why = i.Stays
		}
		if err := t.printItem(i, planned, why); err != nil {
			return err
		}
	}
	return nil
}

func (t *transferring) printItem(i *transfer.Item, r result, why string) error {
	if t.json {
		return t.run.Out.JSONLines().Encode(t.line(i, r, why))
	}
	word := t.action(i)
	switch {
	case r == kept || r == resultLeft:
		word = string(r)
	case r == resultSkipped && i.Writes():
		word = string(transfer.Skip)
	}
	row := fmt.Sprintf("%-8s  %7s  %s", word, memstore.FormatSize(memstore.Docs, i.Bytes), output.OneLine(memstore.BackendName(i.Path)))
	if why != "" {
		row += ": " + why
	}
	if secrets := i.SecretsText(); secrets != "" && r != resultSkipped {
		row += "; " + secrets
	}
	_, err := fmt.Fprintln(t.run.Out.Lines(t.settings), row)
	return err
}

// printOutcome lists the outcome. If the plan was printed for the question, only what went otherwise follows.
func (t *transferring) printOutcome(out transfer.Outcome) error {
	asked := !t.yes && !t.json
	for n := range out.Done {
		if !asked {
			if err := t.printItem(&out.Done[n], done, ""); err != nil {
				return err
			}
		}
	}
	for _, list := range []struct {
		items []transfer.Failed
		as    result
	}{{out.Kept, kept}, {out.Skipped, resultSkipped}} {
		for n := range list.items {
			one := &list.items[n]
			if asked && one.Err == nil {
				continue
			}
			if err := t.printItem(&one.Item, list.as, one.Why()); err != nil {
				return err
			}
		}
	}
	for n := range out.Left {
		if err := t.printItem(&out.Left[n], resultLeft, ""); err != nil {
			return err
		}
	}
	return nil
}

// stays is the error for notes that can't be transferred as planned; nil if all can.
func (t *transferring) stays(p *transfer.Plan) error {
	conflicts, _ := p.Count(transfer.Conflict)
	skips, _ := p.Count(transfer.Skip)
	switch {
	case conflicts > 0 && t.replace:
		return session.Failed(session.ErrNothingDone, "%s can't be replaced in %s", output.Counted(conflicts, "note"), session.Place(t.to.Dir))
	case conflicts > 0:
		return session.Failed(session.ErrNothingDone, "%s in %s. To overwrite: --replace",
			output.Counted(conflicts, "conflict"), session.Place(t.to.Dir))
	case skips > 0:
		return session.Failed(session.ErrNothingDone, "Skipped %s", output.Counted(skips, "note"))
	}
	return nil
}

// sayDone says how much changed, and how to undo it.
func (t *transferring) sayDone(p *transfer.Plan, out transfer.Outcome, runErr error) error {
	did := map[string]string{"Copy": "Copied", "Move": "Moved", "Import": "Imported"}[t.capital()]
	said := did + " nothing"
	if len(out.Done)+len(out.Kept) > 0 {
		said = fmt.Sprintf("%s %s (%s) to %s", did, output.Counted(len(out.Done), "note"),
			memstore.FormatSize(memstore.Docs, out.Bytes), session.Place(t.to.Dir))
	}
	if back := t.back(out); back != "" {
		said += ". Undo with: " + back
	}
	unplanned := len(out.Kept) + len(out.Left)
	for n := range out.Skipped {
		if out.Skipped[n].Err != nil {
			unplanned++
		}
	}
	switch {
	case errors.Is(runErr, context.Canceled):
		return session.Failed(runErr, "Stopped. %s", said)
	case runErr != nil:
		return session.Failed(runErr, "%s. %s", output.Capital(transferReason(runErr)), said)
	}
	if unplanned > 0 {
		t.run.Say(said)
		if len(out.Kept) > 0 {
			return session.Failed(session.ErrNothingDone, "Copied but not deleted from %s: %s", session.Place(t.from.Dir),
				output.Counted(unplanned, "note"))
		}
		return session.Failed(session.ErrNothingDone, "Skipped %s", output.Counted(unplanned, "note"))
	}
	if len(out.Done) > 0 {
		t.run.Say(said)
	}
	return t.stays(p)
}

// back are the commands that undo the transfer: each store takes back its own act, first the one that lost the notes.
func (t *transferring) back(out transfer.Outcome) string {
	var undos []string
	for n, at := range []session.Named{t.from, t.to} {
		if len(out.Revisions[n]) > 0 {
			undos = append(undos, fmt.Sprintf("%s undo %s%s", session.Program, t.run.State().Words(), session.Typed(at.Dir)))
		}
	}
	return strings.Join(undos, " && ")
}
