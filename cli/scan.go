package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/findings"
)

const scanHelp = `Find secrets in a store: keys, tokens, passwords, personal data.

Usage:
  memcurator scan [DIR]

Searches files, their names, and the older versions in the journal. Changes nothing. Each line
is a place: severity, class, id of the value, path, line and column, and the masked value;
below it are what gave the value away and its line, masked. A place in the past has its
revision. All places of one value have one id.

Once a value is found, it is searched for everywhere. Ignores dismissed values: allow dismisses a
value by its id. Add rules of your own in scrub.toml beside the configuration. scrub redacts the
values.

What can't be read is listed, and the exit status is 1, whatever was found. Binary files, pipes,
devices and links out of the store are skipped and counted.

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
			defer s.close()
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
	survey, err := surveyStore(run, c.Context(), s)
	if err != nil {
		return err
	}
	places := survey.Places()
	var p placePrinter
	if flags.json {
		p.report = &jsonReport{out: run.Out.JSONLines(), memory: s.memory, reveal: flags.reveal}
	} else {
		p.report = &textReport{out: run.Out.Lines(s.Settings), engine: s.engine, reveal: flags.reveal}
	}
	for _, place := range places {
		if err := p.print(place, survey.Group(place.ID)); err != nil {
			return err
		}
	}
	missed := unread{run: run}
	missed.skipped(survey.Skipped)
	sayLeftOut(run, survey.Skipped)
	if survey.Unsought {
		run.Say("Too many different values to search all files for each: some are found only where their context gives them away")
	}
	run.Say(p.summary(survey, missed.n))
	// Unread files outrank findings: a caller that only checks for status 3 must not mistake 0 or 3 for a complete scan.
	err = missed.end()
	if err == nil && flags.check && p.live+p.past > 0 {
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
		run.Say(fmt.Sprintf("Skipped %s (%s)", output.Counted(counts[why], "item"), why.Sentence()))
	}
}

// placePrinter prints and counts places.
type placePrinter struct {
	report     scanReport
	live, past int
	both       int // of the places in files, those also in the journal
}

func (p *placePrinter) print(place findings.Place, g *findings.Group) error {
	if place.Past {
		p.past++
	} else {
		p.live++
		if place.Recorded() {
			p.both++
		}
	}
	return p.report.place(place, g.Value(), g.Masked())
}

// where counts the places in files and in older versions.
func (p *placePrinter) where() string {
	files, also := output.Counted(p.live, "place")+" in files", ""
	if p.both > 0 {
		also = fmt.Sprintf(" (%d also in older versions)", p.both)
	}
	switch {
	case p.live == 0:
		return output.Counted(p.past, "place") + " in older versions"
	case p.past == 0:
		return files + also
	}
	return fmt.Sprintf("%s%s and at %d in older versions", files, also, p.past)
}

func (p *placePrinter) summary(s *findings.Survey, notRead int) string {
	scanned := output.Counted(s.Files, "file")
	if s.Contents > 0 {
		scanned += " and " + output.Counted(s.Contents, "older version")
	}
	sentence := "No secrets in " + scanned
	if p.live+p.past > 0 {
		sentence = fmt.Sprintf("Found secrets at %s. Scanned %s", p.where(), scanned)
	}
	if notRead > 0 {
		sentence += fmt.Sprintf(", %d not read", notRead)
	}
	if n := len(s.Groups) - s.Open(); n > 0 {
		sentence += fmt.Sprintf(". Ignored %s", output.Counted(n, "dismissed value"))
	}
	return sentence
}
