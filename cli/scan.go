package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

const scanHelp = `Find secrets in a store: keys, tokens, passwords, personal data.

Usage:
  memcurator scan [DIR]

Searches files, their names, and the older versions in the journal. Changes nothing. Each line is a
place: severity, class, id of the value, path, line and column, and the masked value; below it are
what gave the value away and its line, masked. A place in the past has its revision.

Ignores what allow dismisses. Binary files and links out of the store are skipped and counted. What
can't be read is listed, and the exit status is 1, whatever was found.

Flags:
{flags}
Examples:
  memcurator scan ~/agent/memories
  memcurator scan --check --json > findings.jsonl
`

type scanFlags struct{ json, check, reveal bool }

func scanCommand(run *session.Session) *cobra.Command {
	var flags scanFlags
	c := &cobra.Command{
		Use: "scan [DIR]", Short: "Find secrets in a store", Long: scanHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openScrubbing(run, c, args, false)
			if err != nil {
				return err
			}
			defer s.Close()
			return scanStore(run, c, s, flags)
		},
	}
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "one JSON object per place: path, start, end (bytes), line, column, class, rule, severity, "+
		"why, context (masked), rev (null: present), id (null: no state folder)")
	f.BoolVar(&flags.check, "check", false, "exit with 3 if any secret is found")
	f.BoolVar(&flags.reveal, "reveal", false, "show the values")
	return c
}

// scanStore scans a store and prints what it has found.
func scanStore(run *session.Session, c *cobra.Command, s *scrubbing, flags scanFlags) error {
	survey, err := surveyStore(c.Context(), s)
	if err != nil {
		return err
	}
	places, rows := survey.Places(), run.Out.Rows(s.Settings, flags.json)
	past := 0
	var named []string // values in names, each with its mask
	for i := range places {
		if p := &places[i]; p.InName && !flags.reveal {
			secret := survey.Secret(p.ID)
			named = append(named, secret.Value(), secret.Masked())
		}
	}
	names := strings.NewReplacer(named...)
	for i := range places {
		if places[i].Past {
			past++
		}
		if err := printPlace(rows, s, &places[i], names, survey.Secret(places[i].ID), flags.reveal); err != nil {
			return err
		}
	}
	missed := unread{run: run}
	missed.skipped(survey.Skipped)
	sayLeftOut(run, survey.Skipped)
	if survey.Unsought {
		run.Say("Too many different values to search all files for each: some are found only where their context gives them away")
	}
	run.Say(scanSummary(survey, len(places)-past, past, missed.n))
	// Unread files outrank findings: a caller that only checks for status 3 must not mistake 0 or 3 for a complete scan.
	err = missed.end()
	if err == nil && flags.check && len(places) > 0 {
		err = &session.ExitError{Code: session.ExitPending} // the summary has already said it
	}
	return err
}

// sayLeftOut counts the files that were skipped by rule.
func sayLeftOut(run *session.Session, list []findings.Skipped) {
	counts := map[findings.Reason]int{}
	for _, s := range list {
		if s.Why.ByRule() {
			counts[s.Why]++
		}
	}
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		run.Say(fmt.Sprintf("Skipped %s (%s)", text.Count(counts[why], "item"), why.Sentence()))
	}
}

// scanSummary says what a scan found: places in files and in older versions.
func scanSummary(s *findings.Survey, live, past, notRead int) string {
	scanned := text.Count(s.Files, "file")
	if s.Contents > 0 {
		scanned += " and " + text.Count(s.Contents, "older version")
	}
	sentence := "No secrets in " + scanned
	if live+past > 0 {
		sentence = fmt.Sprintf("Found secrets at %s in files and %d in older versions. Scanned %s", text.Count(live, "place"), past, scanned)
	}
	if notRead > 0 {
		sentence += fmt.Sprintf(", %d not read", notRead)
	}
	if n := len(s.Secrets) - s.Open(); n > 0 {
		sentence += fmt.Sprintf(". Ignored %s", text.Count(n, "dismissed value"))
	}
	return sentence
}

// foundPlace is a line of scan --json.
type foundPlace struct {
	Path     string  `json:"path"`
	Start    int     `json:"start"`
	End      int     `json:"end"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Class    string  `json:"class"`
	Rule     string  `json:"rule"`
	Severity string  `json:"severity"`
	Rev      *int64  `json:"rev"`
	ID       *string `json:"id"`
	Why      string  `json:"why"`
	Context  string  `json:"context"`
	Value    *string `json:"value,omitempty"`
}

// printPlace prints a place as JSON, or for people with the evidence and its line. names masks what names of files must not show.
func printPlace(rows session.Rows, s *scrubbing, p *findings.Place, names *strings.Replacer, g *findings.Secret, reveal bool) error {
	value, path := g.Masked(), names.Replace(p.Path)
	line := foundPlace{
		Path: path, Start: p.Start, End: p.End, Line: p.Line, Column: p.Column,
		Class: p.Class, Rule: p.Rule, Severity: p.Severity.String(), Why: p.Why, Context: p.Context(value),
	}
	if s.memory.Keeps() { // without a stored key, the next run has other IDs
		line.ID = &p.ID
	}
	at := fmt.Sprintf("%s:%d:%d", path, p.Line, p.Column)
	if p.InName {
		at = path + " (in the name)"
	}
	if p.Past {
		line.Rev = &p.Rev
		at += fmt.Sprintf(" (revision %d)", p.Rev)
	}
	if reveal {
		value = g.Value()
		line.Value = &value
	}
	return rows.Print(line, "%-8s  %-22s  %s  %s  %s\n          %s\n          %s", p.Severity, className(s, p.Class), shown(p.ID), at,
		strings.ReplaceAll(value, "\n", "\\n"), p.Why, strings.TrimSpace(line.Context))
}
