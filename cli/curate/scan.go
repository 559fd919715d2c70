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

const scanHelp = `Find sensitive values in a store: keys, tokens, passwords, personal data.

Usage:
  memcurator scan [DIR]

Looks through the files, their names, and the older versions that the journal keeps. It leaves
no trace in the store and changes nothing. Each line is a place: how bad it is, the class, the
id of the value, path, line and column, and the value, masked. A place in the past says its
revision. Places of one value have one id.

A value that was found anywhere is sought everywhere: it counts where nothing names it, too.
What was judged harmless is left out: allow does that by the id. Own rules: scrub.toml beside
the configuration. scrub takes the values out.

What cannot be read (rights, damage, a file that keeps changing or has more than 64 MiB, a journal
that is damaged or newer) is named, and the exit status is 1, whatever was found. Binary files,
pipes and devices are skipped by rule and counted.

Flags:
      --dir DIR           the memory directory, instead of the argument
      --identity FILE     age identity file of an encrypted store (may be repeated)
      --json              one JSON object a place: path, start, end (bytes), line, column,
                          class, rule, severity, rev (null: as it is now), id (null: none
                          can be kept)
      --check             exit with 3 if there is any
      --strict            exit with 1 also if a file was skipped by rule
      --reveal            show the values
      --files             leave the past out
      --class NAME        this class only (may be repeated)
      --classes           list the classes that are looked for, and scan nothing
      --rules FILE        more rules, ours or those of gitleaks (may be repeated)
      --transcript FILE   look through a recorded conversation too (may be repeated); such
                          files are only read
Flags of every command: see memcurator help

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
		Use: "scan [DIR]", Short: "Find sensitive values in a store", Long: scanHelp,
		Annotations: session.HelpRow("scan [DIR]", "find keys, passwords, personal data; scrub: take out; allow: not these"),
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
	f.BoolVar(&flags.json, "json", false, "one JSON object a place")
	f.BoolVar(&flags.check, "check", false, "exit with 3 if there is any")
	f.BoolVar(&flags.reveal, "reveal", false, "show the values")
	f.BoolVar(&flags.files, "files", false, "leave the past out")
	f.BoolVar(&flags.strict, "strict", false, "exit with 1 also if a file was skipped by rule")
	f.BoolVar(&flags.list, "classes", false, "list the classes")
	classFlag(c, &flags.classes)
	f.StringArrayVar(&flags.rules, "rules", nil, "a file of rules")
	f.StringArrayVar(&flags.transcripts, "transcript", nil, "a recorded conversation")
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
	p := placePrinter{run: run, memory: s.memory, flags: flags, json: run.JSONLines(), lines: run.Lines(s.Settings)}
	for _, place := range survey.Places() {
		if keep(place.Class) {
			if err := p.print(place, survey.Group(place.ID)); err != nil {
				return err
			}
		}
	}
	for _, name := range flags.transcripts {
		if err := p.transcript(c.Context(), s.engine, name, keep); err != nil {
			return err
		}
	}
	missed := unread{run: run}
	missed.skipped(survey.Skipped)
	missed.n += p.cut
	leftOut := sayLeftOut(run, survey.Skipped)
	if survey.Unsought {
		run.Say("There are too many different values to seek each of them in all files: some are found only where something names them.")
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
		return session.Failed(nil, "%s skipped by rule, which --strict does not allow.",
			output.Capital(output.Counted(leftOut, "file")+text.Plural(leftOut, " was", " were")))
	case f.check && found > 0:
		return &session.ExitError{Code: session.ExitPending, Text: "There are sensitive values."}
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
			return session.WrongUse("%q is no class. Did you mean %s? scan --classes lists them.", name, near)
		}
		return session.WrongUse("%q is no class. scan --classes lists them.", name)
	}
	return nil
}

// classFlag adds --class, which the shell completes with the classes of the built-in rules.
func classFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVar(into, "class", nil, "a class")
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
	switch binary := counts[findings.Binary]; {
	case binary == 1:
		run.Say("1 binary file was skipped.")
	case binary > 1:
		run.Say(fmt.Sprintf("%d binary files were skipped.", binary))
	}
	switch other := counts[findings.NotRegular]; {
	case other == 1:
		run.Say("1 pipe, socket or device was skipped.")
	case other > 1:
		run.Say(fmt.Sprintf("%d pipes, sockets or devices were skipped.", other))
	}
	return n
}

// placePrinter prints places and counts them.
type placePrinter struct {
	run                  *session.Session
	memory               *findings.Memory
	flags                scanFlags
	json                 interface{ Encode(any) error }
	lines                io.Writer
	live, past, recorded int
	cut                  int // transcripts that were not scanned to their ends
}

func (p *placePrinter) print(place findings.Place, g *findings.Group) error {
	if place.Past {
		p.past++
	} else {
		p.live++
	}
	return p.one(place, g.Value(), g.Masked())
}

func (p *placePrinter) one(place findings.Place, value, masked string) error {
	if p.flags.json {
		line := foundPlace{
			Path: place.Path, Start: place.Start, End: place.End, Line: place.Line, Column: place.Column,
			Class: place.Class, Rule: place.Rule, Severity: place.Severity.String(),
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
		at = place.Path + " (its name)"
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
	_, err := fmt.Fprintf(p.lines, "%-8s  %-20s  %s  %s  %s\n", place.Severity, place.Class, place.ID[:min(len(place.ID), shownDigits)],
		at, masked)
	return err
}

// transcript looks through a recorded conversation.
func (p *placePrinter) transcript(ctx context.Context, e *scrub.Engine, name string, keep func(string) bool) error {
	text, err := readTranscript(name)
	if err != nil {
		return err
	}
	report, err := e.Scan(ctx, "transcript.jsonl", text)
	if err != nil {
		return session.Failed(err, "Ended by a signal.")
	}
	if report.Truncated {
		p.cut++
		p.run.Say(fmt.Sprintf("%s was not scanned to its end: it holds more findings than one report shows.", name))
	}
	line, at, lineStart := 1, 0, 0
	for _, f := range report.Findings {
		if n := bytes.Count(text[at:f.Start], []byte{'\n'}); n > 0 {
			line += n
			lineStart = bytes.LastIndexByte(text[:f.Start], '\n') + 1
		}
		at = f.Start
		value := e.Plain("transcript.jsonl", text, f)
		if !keep(f.Class) || p.memory.Allowed(f.Class, value) {
			continue
		}
		p.recorded++
		place := findings.Place{
			Path: name, Start: f.Start, End: f.End, Line: line, Column: f.Start - lineStart + 1,
			Class: f.Class, Rule: f.Rule, Severity: f.Severity, ID: p.memory.ID(value),
		}
		if err := p.one(place, value, findings.Mask(value)); err != nil {
			return err
		}
	}
	return nil
}

func (p *placePrinter) summary(s *findings.Survey, notRead int) string {
	sentence := fmt.Sprintf("%s in files, %d more in the past; %s scanned", output.Counted(p.live, "sensitive value"), p.past,
		output.Counted(s.Files, "file"))
	if notRead > 0 {
		sentence += fmt.Sprintf(", %d not read", notRead)
	}
	sentence += "."
	if p.recorded > 0 {
		sentence += fmt.Sprintf(" %d in transcripts, which are never rewritten: change those keys and passwords where they are used.", p.recorded)
	}
	if n := len(s.Groups) - s.Open(); n > 0 {
		sentence += fmt.Sprintf(" %s judged harmless: left out.", output.Counted(n, "value"))
	}
	return sentence
}
