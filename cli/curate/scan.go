package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/text"
)

const scanHelp = `Find secrets in a store: keys, tokens, passwords, personal data.

Usage:
  memcurator scan [DIR]

Searches files, their names, and the older versions in the journal. Changes nothing. Each line
is a place: severity, class, id of the value, path, line and column, and the masked value;
below it are what gave the value away and its line, masked. A place in the past has its
revision. All places of one value have one id.

Once a value is found, it is searched for everywhere, also where no context gives it away.
Ignores dismissed values: allow dismisses a value by its id. Add rules of your own in
scrub.toml beside the configuration. scrub redacts the values.

What can't be read (no permission, damaged, above 64 MiB, changing during the scan; a damaged or
newer journal) is listed, and the exit status is 1, whatever was found. Binary files, pipes and
devices are skipped and counted.

Flags:
{flags}
Examples:
  memcurator scan ~/agent/memories
  memcurator scan --check --json > findings.jsonl
`

type scanFlags struct {
	json, check, reveal, files  bool
	strict                      bool // what is left out by rule fails too
	list                        bool // the classes, and nothing is scanned
	rules, classes, transcripts []string
}

func ScanCommand(run *session.Session) *cobra.Command {
	var flags scanFlags
	c := &cobra.Command{
		Use: "scan [DIR]", Short: "Find secrets in a store", Long: scanHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openScrubbing(run, c, args, false, flags.rules)
			if flags.list && errors.Is(err, session.ErrNoStore) {
				return usualClassNames(run, flags)
			}
			if err != nil {
				return err
			}
			defer s.close()
			return scanStore(run, c, s, flags)
		},
		ValidArgsFunction: session.CompleteDirs,
	}
	session.StoreFlag(c)
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "one JSON object per place: path, start, end (bytes), line, column, class, rule, severity, "+
		"why, context (masked), rev (null: present), id (null: no state folder)")
	f.BoolVar(&flags.check, "check", false, "exit with 3 if any secret is found")
	f.BoolVar(&flags.reveal, "reveal", false, "show the values")
	f.BoolVar(&flags.files, "files", false, "skip the past")
	f.BoolVar(&flags.strict, "strict", false, "exit with 1 also if a file was skipped")
	f.BoolVar(&flags.list, "classes", false, "list the classes and exit")
	classFlag(c, &flags.classes)
	f.StringArrayVar(&flags.rules, "rules", nil, "`FILE`: more rules, ours or those of gitleaks; repeatable")
	f.StringArrayVar(&flags.transcripts, "transcript", nil, "`FILE`: scan a recorded conversation too, without changing it; repeatable")
	return c
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

func scanStore(run *session.Session, c *cobra.Command, s *scrubbing, flags scanFlags) error {
	if flags.list {
		return printClassNames(run, s.engine, s.Settings, flags.json)
	}
	if err := knownClasses(s.engine, flags.classes); err != nil {
		return err
	}
	survey, err := surveyStore(run, c.Context(), s, flags.files)
	if err != nil {
		return err
	}
	keep := func(class string) bool { return amongClasses(flags.classes, class) }
	p := placePrinter{run: run, engine: s.engine, memory: s.memory, flags: flags, json: run.JSONLines(), lines: run.Lines(s.Settings)}
	for _, place := range survey.Places() {
		if keep(place.Class) {
			if err := p.print(place, survey.Group(place.ID)); err != nil {
				return err
			}
		}
	}
	for _, name := range flags.transcripts {
		if err := p.transcript(c.Context(), name, keep); err != nil {
			return err
		}
	}
	missed := unread{run: run}
	missed.skipped(survey.Skipped)
	missed.n += p.cut
	leftOut := sayLeftOut(run, survey.Skipped)
	if survey.Unsought {
		run.Say("Too many different values to search all files for each: some are found only where their context gives them away")
	}
	run.Say(p.summary(survey, missed.n))
	return flags.verdict(missed.end(), leftOut, p.live+p.past+p.recorded)
}

// verdict is the exit of a scan. Unread files outrank findings: a caller that only looks for status 3 must not take 0 or 3
// for a scan of everything.
func (f scanFlags) verdict(notRead error, leftOut, found int) error {
	switch {
	case notRead != nil:
		return notRead
	case f.strict && leftOut > 0:
		return session.Failed(nil, "Skipped %s, which --strict does not allow", output.Counted(leftOut, "file"))
	case f.check && found > 0:
		return &session.ExitError{Code: session.ExitPending, Text: "Found secrets"}
	}
	return nil
}

// knownClasses refuses names that no rule has, with the nearest one.
func knownClasses(e *scrub.Engine, names []string) error {
	var all []string
	for _, c := range e.Classes() {
		all = append(all, c.Name)
	}
	for _, name := range names {
		if slices.Contains(all, name) {
			continue
		}
		if near := config.Nearest(name, all); near != "" {
			return session.WrongUse("Unknown class %q. Did you mean %s? scan --classes lists them", name, near)
		}
		return session.WrongUse("Unknown class %q. scan --classes lists them", name)
	}
	return nil
}

// classFlag adds --class, which the shell completes with the classes of the built-in rules.
func classFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVar(into, "class", nil, "`NAME`: this class only; repeatable")
	offer := func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
		e, _ := scrub.New(scrub.Options{}) // problems are of rules of the user
		for _, class := range e.Classes() {
			names = append(names, class.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	if err := c.RegisterFlagCompletionFunc("class", offer); err != nil {
		panic(err) // the flag is not defined: a mistake in this package
	}
}

// classLine is a line of scan --classes --json.
type classLine struct {
	Class    string `json:"class"`
	Severity string `json:"severity"`
	Personal bool   `json:"personal"`
	Title    string `json:"title"`
}

// usualClassNames lists the classes of the rules that hold for stores in general.
func usualClassNames(run *session.Session, flags scanFlags) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	engine, err := run.ScrubEngine(scrub.Options{Check: true}, s, s.Config.General().Scrub, flags.rules, run.Say)
	if err != nil {
		return err
	}
	return printClassNames(run, engine, s, flags.json)
}

// printClassNames lists the classes of the rules of an engine.
func printClassNames(run *session.Session, engine *scrub.Engine, s session.Settings, asJSON bool) error {
	out, lines := run.JSONLines(), run.Lines(s)
	for _, c := range engine.Classes() {
		var err error
		if asJSON {
			err = out.Encode(classLine{c.Name, c.Severity.String(), c.Personal, c.Title})
		} else {
			_, err = fmt.Fprintf(lines, "%-8s  %-20s  %s\n", c.Severity, c.Name, c.Title)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sayLeftOut says how many files were skipped by rule.
func sayLeftOut(run *session.Session, list []findings.Skipped) (n int) {
	counts := map[findings.Reason]int{}
	for _, s := range list {
		if s.Why.ByRule() {
			counts[s.Why]++
			n++
		}
	}
	if binary := counts[findings.Binary]; binary > 0 {
		run.Say("Skipped " + output.Counted(binary, "binary file") + ".")
	}
	if other := counts[findings.NotRegular]; other > 0 {
		run.Say(fmt.Sprintf("Skipped %d %s", other, text.Plural(other, "pipe, socket or device", "pipes, sockets or devices")))
	}
	return n
}

// placePrinter prints places and counts them.
type placePrinter struct {
	run                  *session.Session
	engine               *scrub.Engine
	memory               *findings.Memory
	flags                scanFlags
	json                 interface{ Encode(any) error }
	lines                io.Writer
	live, past, recorded int
	history              int // places that the journal holds, with those that files have too
	cut                  int // transcripts that were not scanned to their ends
}

func (p *placePrinter) print(place findings.Place, g *findings.Group) error {
	if place.Past {
		p.past++
	} else {
		p.live++
	}
	if place.Recorded() {
		p.history++
	}
	return p.one(place, g.Value(), g.Masked())
}

func (p *placePrinter) one(place findings.Place, value, masked string) error {
	if p.flags.json {
		line := foundPlace{
			Path: place.Path, Start: place.Start, End: place.End, Line: place.Line, Column: place.Column,
			Class: place.Class, Rule: place.Rule, Severity: place.Severity.String(), Why: place.Why,
			Context: place.Context(masked),
		}
		if p.memory.Keeps() { // without a key that is kept the next run has another id
			line.ID = &place.ID
		}
		if place.Past {
			line.Rev = &place.Rev
		}
		if p.flags.reveal {
			line.Value = &value
		}
		return p.json.Encode(line)
	}
	at := fmt.Sprintf("%s:%d:%d", place.Path, place.Line, place.Column)
	if place.InName {
		at = place.Path + " (in the name)"
	}
	switch {
	case place.Past && place.Rev > 0:
		at += fmt.Sprintf(" (revision %d)", place.Rev)
	case place.Past:
		at += " (before the first revision)"
	}
	if p.flags.reveal {
		masked = strings.ReplaceAll(value, "\n", "\\n")
	}
	_, err := fmt.Fprintf(p.lines, "%-8s  %-22s  %s  %s  %s\n          %s\n", place.Severity,
		p.engine.Class(place.Class).Title, place.ID[:min(len(place.ID), shownDigits)],
		at, masked, place.Why)
	if context := strings.TrimSpace(place.Context(masked)); err == nil && !place.InName && context != masked {
		_, err = fmt.Fprintf(p.lines, "          %s\n", context)
	}
	return err
}

// transcript scans a recorded conversation.
func (p *placePrinter) transcript(ctx context.Context, name string, keep func(string) bool) error {
	e := p.engine
	text, err := readTranscript(name)
	if err != nil {
		return err
	}
	report, err := e.Scan(ctx, "transcript.jsonl", text)
	if err != nil {
		return session.Failed(err, "Stopped")
	}
	if report.Truncated {
		p.cut++
		p.run.Say(fmt.Sprintf("Scanned only part of %s: too many findings for one report", name))
	}
	line, at, lineStart := 1, 0, 0
	for i, f := range report.Findings {
		if n := bytes.Count(text[at:f.Start], []byte{'\n'}); n > 0 {
			line += n
			lineStart = bytes.LastIndexByte(text[:f.Start], '\n') + 1
		}
		at = f.Start
		value := e.Plain("transcript.jsonl", text, f)
		if !keep(f.Class) || p.memory.Dismissed(f.Class, value, "") {
			continue
		}
		p.recorded++
		place := findings.Place{
			Path: name, Start: f.Start, End: f.End, Line: line, Column: f.Start - lineStart + 1,
			Class: f.Class, Rule: f.Rule, Severity: f.Severity, Why: e.Why(f), ID: p.memory.ID(value),
		}
		place.Before, place.After = findings.OnLine(text, report.Findings, i)
		if err := p.one(place, value, findings.Mask(f.Class, value)); err != nil {
			return err
		}
	}
	return nil
}

func (p *placePrinter) summary(s *findings.Survey, notRead int) string {
	scanned := output.Counted(s.Files, "file")
	if s.Contents > 0 {
		scanned += " and " + output.Counted(s.Contents, "older version")
	}
	sentence := "No secrets in " + scanned
	if p.live+p.past > 0 {
		sentence = fmt.Sprintf("Found secrets at %s in files and at %d in history. Scanned %s", output.Counted(p.live, "place"), p.history,
			scanned)
	}
	if notRead > 0 {
		sentence += fmt.Sprintf(", %d not read", notRead)
	}
	if p.recorded > 0 {
		sentence += fmt.Sprintf(". %d more in transcripts, which are never rewritten: change those keys and passwords", p.recorded)
	}
	if n := len(s.Groups) - s.Open(); n > 0 {
		sentence += fmt.Sprintf(". Ignored %s", output.Counted(n, "dismissed value"))
	}
	return sentence
}
