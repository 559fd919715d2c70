package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
)

const allowHelp = `Dismiss values that are not secrets, so that scan, scrub and the guard ignore them.

Usage:
  memcurator allow [DIR]
  memcurator allow [DIR] --add ID... [--in PATH] [--for TIME] [--label TEXT]
  memcurator allow [DIR] --remove ID... [--in PATH]

Without --add and --remove, lists the dismissed values: id, class, time, scope and label. Name
a value by the id that scan prints (the first digits are enough). Only a keyed hash of
the value is stored.

A dismissal applies to one value of one class in this store: in all files, or with --in in one
file; for good, or with --for for a time, after which the value counts again.

Flags:
{flags}
Examples:
  memcurator scan ~/agent/memories
  memcurator allow ~/agent/memories --add 3fa4c1d2 --label "key of the test stand"
  memcurator allow ~/agent/memories --add 3fa4c1d2 --in notes/setup.md --for 30d
`

type allowFlags struct {
	add, remove, rules []string
	in                 string // as typed; "": all files
	lasts              string // how long; "": for good
	label              string
	json               bool
}

func allowCommand(run *session.Session) *cobra.Command {
	var flags allowFlags
	c := &cobra.Command{
		Use: "allow [DIR]", Short: "Dismiss values that are not secrets", Long: allowHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openScrubbing(run, c, args, false, flags.rules)
			if err != nil {
				return err
			}
			defer s.close()
			return allowValues(run, c, s, flags)
		},
		ValidArgsFunction: session.CompleteDirs,
	}
	session.DirFlag(c)
	f := c.Flags()
	f.StringArrayVar(&flags.add, "add", nil, "`ID`: dismiss this value; repeatable")
	f.StringArrayVar(&flags.remove, "remove", nil, "`ID`: undo its dismissal; repeatable")
	f.StringVar(&flags.in, "in", "", "`PATH`: in this file only: /memories/notes/a.md or notes/a.md")
	f.StringVar(&flags.lasts, "for", "", "`TIME`: ask again after this time: 24h, 30d, 8w")
	f.StringVar(&flags.label, "label", "", "`TEXT`: a name for the value; by default the first place where it was found")
	f.StringArrayVar(&flags.rules, "rules", nil, "`FILE`: more rules, as for scan; repeatable")
	f.BoolVar(&flags.json, "json", false, "one JSON object per value: id, class, time, label, path (null: all files), until (null: for "+
		"good)")
	return c
}

func allowValues(run *session.Session, c *cobra.Command, s *scrubbing, flags allowFlags) error {
	if err := areIDs(append(slices.Clone(flags.add), flags.remove...)); err != nil {
		return err
	}
	if len(flags.add) == 0 && flags.lasts != "" || len(flags.add)+len(flags.remove) == 0 && flags.in != "" {
		return session.WrongUse("--in and --for narrow a dismissal. Name the value with --add ID")
	}
	if !s.memory.Keeps() && len(flags.add)+len(flags.remove) > 0 {
		return session.Failed(nil, "Can't store dismissals: the state folder is not writable, or the store is encrypted. Nothing changed")
	}
	if err := withdraw(run, s, flags); err != nil {
		return err
	}
	if err := dismiss(run, c, s, flags); err != nil {
		return err
	}
	if len(flags.add)+len(flags.remove) > 0 {
		return nil
	}
	return printDismissals(run, s, flags.json)
}

// file is the agent path of --in; "" for all files.
func (f *allowFlags) file() string {
	switch {
	case f.in == "":
		return ""
	case session.IsAgentPath(f.in):
		return path.Clean(f.in)
	}
	return memstore.AgentPath(path.Clean(strings.TrimPrefix(f.in, "./")))
}

// withdraw undoes dismissals.
func withdraw(run *session.Session, s *scrubbing, flags allowFlags) error {
	for _, id := range flags.remove {
		found := slices.DeleteFunc(s.memory.Dismissals(), func(d findings.Dismissal) bool {
			return !strings.HasPrefix(d.ID, id) || flags.in != "" && d.Path != flags.file()
		})
		if len(found) == 0 {
			return session.Failed(nil, "No dismissed value has the id %s. List them: %s allow", id, session.Program)
		}
		if slices.ContainsFunc(found, func(d findings.Dismissal) bool { return d.ID != found[0].ID }) {
			return manyIDs(id)
		}
		if err := s.memory.Withdraw(found...); err != nil {
			return notKept(err)
		}
		for _, d := range found {
			run.Say(fmt.Sprintf("Counts again: %s, %s%s", className(s, d.Class), d.Label, scopeText(d)))
		}
	}
	return nil
}

// dismiss dismisses values found by a scan.
func dismiss(run *session.Session, c *cobra.Command, s *scrubbing, flags allowFlags) error {
	if len(flags.add) == 0 {
		return nil
	}
	now := time.Now()
	var until time.Time
	if flags.lasts != "" {
		lasts, ok := config.ParseDuration(flags.lasts)
		if !ok {
			return session.WrongUse("Can't parse --for %q. Try 24h, 30d or 8w", flags.lasts)
		}
		until = now.Add(lasts)
	}
	survey, err := surveyStore(run, c.Context(), s, false)
	if err != nil {
		return err
	}
	for _, id := range flags.add {
		g, err := byID(survey, id)
		if err != nil {
			return err
		}
		places := slices.Concat(g.Places, g.Exempt)
		d := findings.Dismiss(g, now)
		d.Path, d.Until, d.Label = flags.file(), until, cmp.Or(flags.label, d.Label)
		if d.Path != "" {
			places = slices.DeleteFunc(places, func(p findings.Place) bool { return p.Path != d.Path })
			if len(places) == 0 {
				return session.Failed(nil, "%s does not hold the value %s. Nothing changed", d.Path, id)
			}
		}
		if err := s.memory.Dismiss(d); err != nil {
			return notKept(err)
		}
		run.Say(fmt.Sprintf("Dismissed %s, %s%s: %s. Undo: %s allow --remove %s", g.Masked(), className(s, d.Class), scopeText(d),
			output.Counted(len(places), "place"), session.Program, d.ID[:min(len(d.ID), shownDigits)]))
	}
	return nil
}

// className is the title of a class, for people.
func className(s *scrubbing, class string) string { return s.engine.Class(class).Title }

// scopeText describes the scope of a dismissal; "" if it applies everywhere and for good.
func scopeText(d findings.Dismissal) (text string) {
	if d.Path != "" {
		text = ", in " + d.Path
	}
	if !d.Until.IsZero() {
		text += ", until " + output.Clock(d.Until)
	}
	return text
}

func notKept(err error) error {
	if errors.Is(err, findings.ErrTooMany) {
		return session.Failed(err, "Too many values are dismissed. Turn off the class in the configuration instead. Nothing changed")
	}
	return session.Failed(err, "Can't store the dismissal: %s. Nothing changed", session.Reason(err))
}

// dismissalLine is a line of allow --json.
type dismissalLine struct {
	ID    string  `json:"id"`
	Class string  `json:"class"`
	Time  string  `json:"time"`
	Label string  `json:"label"`
	Path  *string `json:"path"`
	Until *string `json:"until"`
}

func printDismissals(run *session.Session, s *scrubbing, asJSON bool) error {
	list := s.memory.Dismissals()
	out, lines := run.Out.JSONLines(), run.Out.Lines(s.Settings)
	for _, d := range list {
		var err error
		if asJSON {
			line := dismissalLine{ID: d.ID, Class: d.Class, Time: d.At.UTC().Format(output.JSONTime), Label: d.Label, Path: output.OrNull(d.Path),
				Until: output.TimeOrNull(d.Until)}
			err = out.Encode(line)
		} else {
			_, err = fmt.Fprintf(lines, "%s  %-22s  %s  %s%s\n", d.ID[:min(len(d.ID), shownDigits)],
				className(s, d.Class), output.Clock(d.At), d.Label,
				scopeText(d))
		}
		if err != nil {
			return err
		}
	}
	if len(list) == 0 {
		run.Say("No values are dismissed")
	}
	return nil
}
