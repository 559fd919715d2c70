package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

const allowHelp = `Dismiss values that are not secrets, so that scan, scrub and the guard ignore them.

Usage:
  memcurator allow [DIR]                   list the dismissed values
  memcurator allow [DIR] --add ID...
  memcurator allow [DIR] --remove ID...

ID is what scan prints; its first 6 digits are enough. Only a keyed hash of the value is stored. A
dismissal applies to one value of one class in this store.

Flags:
{flags}
Example:
  memcurator allow ~/agent/memories --add 3fa4c1d2
`

type allowFlags struct {
	add, remove []string
	json        bool
}

func allowCommand(run *session.Session) *cobra.Command {
	var flags allowFlags
	c := &cobra.Command{
		Use: "allow [DIR]", Short: "Dismiss values that are not secrets", Long: allowHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openScrubbing(run, c, args, false)
			if err != nil {
				return err
			}
			defer s.Close()
			return allowValues(run, c, s, flags)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&flags.add, "add", nil, "dismiss the value with this `ID`; repeatable")
	f.StringArrayVar(&flags.remove, "remove", nil, "undo the dismissal of the value with this `ID`; repeatable")
	f.BoolVar(&flags.json, "json", false, "one JSON object per value: id, class, time, label")
	return c
}

func allowValues(run *session.Session, c *cobra.Command, s *scrubbing, flags allowFlags) error {
	changes := slices.Concat(flags.add, flags.remove)
	if len(changes) == 0 {
		return printDismissals(run, s, flags.json)
	}
	if err := areIDs(changes); err != nil {
		return err
	}
	if !s.memory.Keeps() {
		return session.Failed(nil, "Can't store dismissals: the state folder is not writable, or the store is encrypted. Nothing changed")
	}
	if err := withdraw(run, s, flags); err != nil {
		return err
	}
	return dismiss(run, c, s, flags)
}

// withdraw undoes dismissals.
func withdraw(run *session.Session, s *scrubbing, flags allowFlags) error {
	for _, id := range flags.remove {
		found := slices.DeleteFunc(s.memory.Dismissals(), func(d findings.Dismissal) bool {
			return !strings.HasPrefix(d.ID, id)
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
			run.Say(fmt.Sprintf("Reported again: %s, %s", className(s, d.Class), d.Label))
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
	survey, err := surveyStore(c.Context(), s)
	if err != nil {
		return err
	}
	for _, id := range flags.add {
		g, err := byID(survey, id)
		if err != nil {
			return err
		}
		d := findings.Dismiss(g, now)
		if err := s.memory.Dismiss(d); err != nil {
			return notKept(err)
		}
		run.Say(fmt.Sprintf("Dismissed %s, %s: %s. Undo with: %s", g.Masked(), className(s, d.Class),
			text.Count(len(g.Places), "place"), run.Command("allow --remove "+shown(d.ID), s.Dir)))
	}
	return nil
}

// className is the title of a class, for people.
func className(s *scrubbing, class string) string { return s.engine.Class(class).Title }

func notKept(err error) error {
	return session.Failed(err, "Can't store the dismissal: %s. Nothing changed", session.Reason(err))
}

// dismissalLine is a line of allow --json.
type dismissalLine struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Time  string `json:"time"`
	Label string `json:"label"`
}

func printDismissals(run *session.Session, s *scrubbing, asJSON bool) error {
	list := s.memory.Dismissals()
	rows := run.Out.Rows(s.Settings, asJSON)
	for _, d := range list {
		line := dismissalLine{ID: d.ID, Class: d.Class, Time: d.At.UTC().Format(output.JSONTime), Label: d.Label}
		if err := rows.Print(line, "%s  %-22s  %s  %s", shown(d.ID), className(s, d.Class), output.Clock(d.At), d.Label); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		run.Say("No values are dismissed")
	}
	return nil
}
