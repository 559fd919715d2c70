package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/statedir"
)

const applyHelp = `Carry out what plan proposes: delete, archive, quarantine.

Usage:
  memcurator apply [DIR]

The plan is made anew and printed, and nothing is done before you say yes. Each file is looked at
once more: what changed since is skipped, and said. What is done is one group in the journal, and
"memcurator undo" takes all of it back; without a journal nothing is done. ctrl+c stops
between two files.

For cron: --yes asks nothing, and without a terminal and without --yes the exit status is 2 and
nothing is done. Only one apply works on a store at a time. Where the clock is half a year ahead
of all that the journal knows, --yes is not enough.

Flags:
      --dir DIR             the memory directory, instead of the argument
      --identity FILE       age identity file of an encrypted store (which has no journal)
      --yes                 do not ask
      --trust-clock         the clock is right, however far it is ahead
      --under-cap           also the smallest loss that brings a store under its caps
      --lint                also quarantine files with text that is not seen or reads as planted
      --json                one JSON object for each file: as plan, and result (done, skipped,
                            left) with why
Flags of every command: see memcurator help

Examples:
  memcurator apply ~/agent/memories
  0 4 * * *  memcurator apply --yes /home/me/agent/memories
`

type applyFlags struct {
	proposing
	yes, trustClock, json bool
}

func (a *app) applyCommand() *cobra.Command {
	var flags applyFlags
	c := &cobra.Command{
		Use: "apply [DIR]", Short: "Carry out what plan proposes", Long: applyHelp,
		RunE:              func(c *cobra.Command, args []string) error { return a.applyPlan(c, args, flags) },
		ValidArgsFunction: completeDirs,
	}
	storeFlag(c)
	f := c.Flags()
	f.BoolVar(&flags.yes, "yes", false, "do not ask")
	f.BoolVar(&flags.trustClock, "trust-clock", false, "the clock is right")
	f.BoolVar(&flags.underCap, "under-cap", false, "bring the store under its caps")
	f.BoolVar(&flags.lint, "lint", false, "also quarantine what the lint finds dangerous")
	f.BoolVar(&flags.json, "json", false, "one JSON object a line")
	return c
}

func (a *app) applyPlan(c *cobra.Command, args []string, flags applyFlags) error {
	if !flags.yes && !a.canAsk() {
		return wrongUse("There is nobody to ask, so nothing was done. Add --yes to carry the plan out, or look at it with: %s plan", program)
	}
	w, err := a.curate(c, args, true)
	if err != nil {
		return err
	}
	defer w.close()
	if w.journal == nil {
		return failed(policy.ErrNoJournal, "Nothing was done: what apply takes away must be possible to put back, and %s.", w.noRecord)
	}
	unlock, err := a.lockApply(c.Context(), w.dir)
	if err != nil {
		return err
	}
	defer unlock()
	ctx, restore := untilSignal(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	p, err := a.plan(ctx, w, flags.proposing)
	if err != nil {
		return err
	}
	a.sayDoubts(p)
	changing, _ := p.Changing()
	if len(changing) == 0 {
		a.say("Nothing is due that changes a file.")
		return nil
	}
	if err := a.confirm(w, p, changing, flags); err != nil {
		return err
	}
	return a.carryOut(ctx, w, p, changing, flags)
}

func (a *app) canAsk() bool { return a.env.StdinTerminal && a.env.StderrTerminal }

// lockApply keeps two applies, as of a slow cron job and the next one, from working on the same
// store. The lock is on the folder of its state.
func (a *app) lockApply(ctx context.Context, dir string) (unlock func(), err error) {
	state, err := statedir.For(a.stateBase(), dir)
	if err != nil {
		return nil, failed(err, "The folder for state cannot be used: %s.", journalReason(err))
	}
	b, err := memstore.OpenDir(state, memstore.DirOptions{})
	if err != nil {
		return nil, failed(err, "The folder for state cannot be used: %s.", reason(err))
	}
	ctx, cancel := context.WithTimeout(ctx, applyPatience)
	defer cancel()
	release, err := b.Lock(ctx)
	if err != nil {
		_ = b.Close()
		return nil, failed(err, "Another apply works on this store just now. Nothing was done.")
	}
	return func() { release(); _ = b.Close() }, nil
}

// applyPatience is how long one apply waits for another one.
const applyPatience = time.Second

// confirm shows what is going to be done and asks.
func (a *app) confirm(w *curating, p *policy.Plan, changing []policy.Action, flags applyFlags) error {
	doubt := len(p.Doubts) > 0 && p.Doubts[0].Ahead && !flags.trustClock
	if flags.yes && doubt {
		return failed(errNothingDone, "Nothing was done. If the clock is right, add --trust-clock.")
	}
	if flags.yes {
		if p.Everything() {
			a.say(summary(w, p) + ".")
		}
		return nil
	}
	if !flags.json {
		if err := a.printActions(w, changing, false); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(a.env.Stderr, "%s? \"%s undo\" takes it back. [y/N] ", summary(w, p), program); err != nil {
		return err
	}
	line, _ := bufio.NewReader(a.env.Stdin).ReadString('\n') // the end of the input is no
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return failed(errNothingDone, "Nothing was done.")
	}
	return nil
}

// appliedLine is a line of apply --json.
type appliedLine struct {
	actionLine
	Result string  `json:"result"`
	Why    *string `json:"why"`
}

func (a *app) carryOut(ctx context.Context, w *curating, p *policy.Plan, changing []policy.Action, flags applyFlags) error {
	store := memstore.New(w.backend, memstore.Options{
		Dialect: w.dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: []memstore.Recorder{w.journal}, Warn: a.warnOnce(),
	})
	out, runErr := policy.Apply{Store: store, Journal: w.journal, Report: a.progress()}.Run(ctx, changing)
	if err := a.printOutcome(w, out, flags); err != nil {
		return err
	}
	for _, s := range out.Skipped {
		a.say(fmt.Sprintf("%s stays as it is: %s.", s.Path, storeReason(s.Why)))
	}
	done := fmt.Sprintf("%d of %s done (%s)", len(out.Done), counted(len(changing), "action"), memstore.FormatSize(w.dialect, out.Bytes))
	switch {
	case errors.Is(runErr, context.Canceled):
		return failed(runErr, "Stopped: %s. \"%s undo\" takes back what was done.", done, program)
	case runErr != nil:
		return failed(runErr, "%s: %s. \"%s undo\" takes back what was done.", capital(storeReason(runErr)), done, program)
	}
	a.say(fmt.Sprintf("%s. Take it back with: %s undo", done, program))
	return nil
}

func (a *app) printOutcome(w *curating, out policy.Outcome, flags applyFlags) error {
	if !flags.json {
		if flags.yes {
			return a.printActions(w, out.Done, false)
		}
		return nil
	}
	lines := a.jsonLines()
	for _, one := range out.Done {
		if err := lines.Encode(appliedLine{actionLine: actionLineOf(one), Result: "done"}); err != nil {
			return err
		}
	}
	for _, s := range out.Skipped {
		if err := lines.Encode(appliedLine{actionLine: actionLineOf(s.Action), Result: "skipped", Why: orNull(storeReason(s.Why))}); err != nil {
			return err
		}
	}
	for _, one := range out.Left {
		if err := lines.Encode(appliedLine{actionLine: actionLineOf(one), Result: "left"}); err != nil {
			return err
		}
	}
	return nil
}

// progressEvery is the least time between two lines of progress.
const progressEvery = 100 * time.Millisecond

// progress shows on a terminal how far it is.
func (a *app) progress() func(done, total int) {
	if !a.env.StderrTerminal {
		return nil
	}
	last := time.Now()
	shown := false
	return func(done, total int) {
		if time.Since(last) >= progressEvery {
			last, shown = time.Now(), true
			_, _ = fmt.Fprintf(a.env.Stderr, "\r%d of %d", done, total)
		}
		if done == total && shown {
			_, _ = fmt.Fprint(a.env.Stderr, "\r")
		}
	}
}
