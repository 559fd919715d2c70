package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/policy"
	"memcurator/render/text"
)

const planHelp = `List what your rules propose for a store now. Changes nothing.

Usage:
  memcurator plan [DIR]

Each line has the action (delete, archive or warn), the path, its size, and the reason with the
clock behind it. Pinned files are never proposed. What can't be read, the journal included, is
named, and the exit status is 1.

Flags:
{flags}
Examples:
  memcurator plan --suggest ~/agent/memories
  memcurator plan --check --json | jq .path
`

type planFlags struct {
	suggest, check, json bool
}

func planCommand(run *session.Session) *cobra.Command {
	var flags planFlags
	c := &cobra.Command{
		Use: "plan [DIR]", Short: "List what rules propose", Long: planHelp,
		RunE: func(c *cobra.Command, args []string) error {
			w, err := openCurated(run, c, args, false)
			if err != nil {
				return err
			}
			defer w.Close()
			p, err := propose(run, c.Context(), w, flags.suggest)
			if err != nil {
				return err
			}
			return showPlan(run, w, p, flags)
		},
	}
	f := c.Flags()
	suggestFlag(c, &flags.suggest)
	f.BoolVar(&flags.check, "check", false, "exit with status 3 if anything is due")
	f.BoolVar(&flags.json, "json", false, "one JSON object per line: action, path, reason, rule, bytes, hash, group, key, to, due, clock, "+
		"kind (of a suggestion); of findings severity, line, column, "+
		"start, end, others")
	return c
}

func showPlan(run *session.Session, w *curating, p *policy.Plan, flags planFlags) error {
	if err := printActions(run, w, p.Actions, flags.json); err != nil {
		return err
	}
	for _, note := range p.Notes { // what it doesn't cover
		run.Say(note)
	}
	changing, _ := p.Changing()
	files := text.Count(p.Files, "file") + ", " + memstore.FormatSize(w.Dialect, p.Bytes)
	switch {
	case len(p.Actions) == 0 && !w.ruled() && !flags.suggest:
		run.Say(fmt.Sprintf("No rules for this store (%s). Try: %s", files, run.Command("plan --suggest", w.Dir)))
	case len(p.Actions) == 0:
		run.Say(fmt.Sprintf("Nothing to curate in %s", files))
	case len(changing) > 0:
		apply := "apply"
		if flags.suggest {
			apply += " --suggest"
		}
		run.Say(fmt.Sprintf("Proposed: %s. Apply with: %s", summary(w, p), run.Command(apply, w.Dir)))
	}
	if err := planRead(run, w, p); err != nil {
		return err
	}
	if flags.check && len(p.Actions) > 0 {
		return &session.ExitError{Code: session.ExitPending, Text: fmt.Sprintf("%s due, first %s",
			text.Count(len(p.Actions), "proposal"), p.Actions[0].Path)}
	}
	return nil
}

// ruled reports whether the configuration has rules or limits for the store.
func (w *curating) ruled() bool {
	per := w.OfStore()
	return len(per.Rules) > 0 || per.Limits.Caps()
}

// planRead returns an error if the plan was made without reading everything.
func planRead(run *session.Session, w *curating, p *policy.Plan) error {
	missed := unread{run: run}
	missed.journal(w)
	for _, path := range p.Unread {
		missed.add(path, findings.Unreadable.Sentence())
	}
	return missed.end()
}

// actionLine is a line of plan --json and apply --json.
type actionLine struct {
	Action string  `json:"action"`
	Path   string  `json:"path"`
	Reason string  `json:"reason"`
	Rule   string  `json:"rule"`
	Bytes  int64   `json:"bytes"`
	Hash   *string `json:"hash"`
	Group  string  `json:"group"`
	Key    string  `json:"key"`
	To     *string `json:"to"`
	Due    *string `json:"due"`
	Clock  *string `json:"clock"`
	Kind   *string `json:"kind"` // of a suggestion; null: a rule proposes it
	*lintLine
}

// lintLine is the extra part of a line about a lint finding.
type lintLine struct {
	Severity string   `json:"severity"`
	Line     int64    `json:"line"`
	Column   int64    `json:"column"`
	Start    int64    `json:"start"`
	End      int64    `json:"end"`
	Others   []string `json:"others"`
}

func actionLineOf(a policy.Action) actionLine {
	line := actionLine{
		Action: string(a.Do), Path: a.Path, Reason: a.Reason, Rule: a.Rule.String(), Bytes: a.Bytes,
		Group: string(a.Group), Kind: output.OrNull(string(a.Kind)), Key: a.Key, To: output.OrNull(a.To), Clock: output.OrNull(string(a.Clock)),
		Hash: session.HashOrNull(a.Hash),
	}
	if !a.Due.IsZero() {
		line.Due = output.OrNull(a.Due.UTC().Format("2006-01-02T15:04:05Z"))
	}
	if f := a.Found; f != nil {
		line.lintLine = &lintLine{f.Severity.String(), f.Line, f.Column, int64(f.Start), int64(f.End), append([]string{}, f.Others...)}
	}
	return line
}

func printActions(run *session.Session, w *curating, actions []policy.Action, asJSON bool) error {
	rows := run.Out.Rows(w.Settings, asJSON)
	wide := 0
	for i := range actions {
		wide = max(wide, text.Width(output.OneLine(actions[i].Path)))
	}
	wide = min(wide, output.WidestPath)
	for _, one := range actions {
		at, reason := output.OneLine(one.Path), one.Reason
		if one.To != "" {
			reason = "-> " + one.To + "  " + reason
		}
		err := rows.Print(actionLineOf(one), "%-10s %s %7s  %s", one.Do, text.Pad(at, max(wide, text.Width(at))),
			memstore.FormatSize(w.Dialect, one.Bytes), output.OneLine(reason))
		if err != nil {
			return err
		}
	}
	return nil
}

// summary says what an apply will do: "delete 3 files, archive 1 (16.3K)".
func summary(w *curating, p *policy.Plan) string {
	changing, bytes := p.Changing()
	said := fmt.Sprintf("%s (%s)", policy.Title(changing), memstore.FormatSize(w.Dialect, bytes))
	if p.Everything() {
		said += ", every file of the store"
	}
	return said
}
