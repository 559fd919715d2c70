package curate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/findings"
)

const allowHelp = `Judge values harmless, so that scan, scrub and the guard leave them alone from then on.

Usage:
  memcurator allow [DIR]
  memcurator allow [DIR] --add ID... [--label TEXT]
  memcurator allow [DIR] --remove ID...

Without --add and --remove it lists what was judged harmless: the id, the class, when, and the
label. A value is named by its id, as scan prints it (the first digits will do), so that it
stands neither in a command line nor in the history of a shell. What is kept is that id, a
hash with a key that lies in the state folder: the value cannot be read from it.

A judgement is about one value as a value of its class, at all its places, in this store. The
user interface makes the same ones.

Flags:
      --dir DIR           the memory directory, instead of the argument
      --add ID            judge this value harmless (may be repeated)
      --remove ID         judge it so no longer (may be repeated)
      --label TEXT        what you know it by; else the first place where it stands
      --rules FILE        more rules, as for scan (may be repeated)
      --json              one JSON object a value: id, class, time, label
Flags of every command: see memcurator help

Examples:
  memcurator scan ~/agent/memories
  memcurator allow ~/agent/memories --add 3fa4c1d2 --label "key of the test stand"
`

type allowFlags struct {
	add, remove, rules []string
	label              string
	json               bool
}

func AllowCommand(run *session.Session) *cobra.Command {
	var flags allowFlags
	c := &cobra.Command{
		Use: "allow [DIR]", Short: "Judge sensitive values harmless", Long: allowHelp,
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
	f.StringArrayVar(&flags.add, "add", nil, "an id")
	f.StringArrayVar(&flags.remove, "remove", nil, "an id")
	f.StringVar(&flags.label, "label", "", "what you know it by")
	f.StringArrayVar(&flags.rules, "rules", nil, "a file of rules")
	f.BoolVar(&flags.json, "json", false, "one JSON object a value")
	return c
}

func allowValues(run *session.Session, c *cobra.Command, s *scrubbing, flags allowFlags) error {
	if err := areIDs(append(slices.Clone(flags.add), flags.remove...)); err != nil {
		return err
	}
	if !s.memory.Keeps() && len(flags.add)+len(flags.remove) > 0 {
		return session.Failed(nil, "Nothing was done: it cannot be kept in the state folder, or the store is encrypted.")
	}
	if err := disallow(run, s, flags.remove); err != nil {
		return err
	}
	if err := allowFound(run, c, s, flags); err != nil {
		return err
	}
	if len(flags.add)+len(flags.remove) > 0 {
		return nil
	}
	return printHarmless(run, s, flags.json)
}

// disallow forgets judgements.
func disallow(run *session.Session, s *scrubbing, ids []string) error {
	for _, id := range ids {
		found := slices.DeleteFunc(s.memory.Harmless(), func(h findings.Harmless) bool { return !strings.HasPrefix(h.ID, id) })
		if len(found) == 0 {
			return session.Failed(nil, "No value with the id %s was judged harmless; allow without --remove lists those that were.", id)
		}
		if slices.ContainsFunc(found, func(h findings.Harmless) bool { return h.ID != found[0].ID }) {
			return session.WrongUse("%s is the beginning of more than one id: give more digits.", id)
		}
		for _, h := range found {
			if err := s.memory.Disallow(h.Class, h.ID); err != nil {
				return notKept(err)
			}
			run.Say(fmt.Sprintf("Counts again: %s, %s.", h.Class, h.Label))
		}
	}
	return nil
}

// allowFound judges values harmless that a scan finds.
func allowFound(run *session.Session, c *cobra.Command, s *scrubbing, flags allowFlags) error {
	if len(flags.add) == 0 {
		return nil
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
		h := findings.HarmlessOf(g, time.Now())
		h.Label = cmp.Or(flags.label, h.Label)
		if err := s.memory.Allow(h); err != nil {
			return notKept(err)
		}
		run.Say(fmt.Sprintf("Harmless from now on: %s, %s, %s.", h.Class, g.Masked(), output.Counted(len(g.Places), "place")))
	}
	return nil
}

func notKept(err error) error {
	if errors.Is(err, findings.ErrTooMany) {
		return session.Failed(err, "Nothing was done: too many values are judged harmless one by one. Turn the class off in the configuration.")
	}
	return session.Failed(err, "Nothing was done: it cannot be kept in the state folder (%s).", session.Reason(err))
}

// harmlessLine is a line of allow --json.
type harmlessLine struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Time  string `json:"time"`
	Label string `json:"label"`
}

func printHarmless(run *session.Session, s *scrubbing, asJSON bool) error {
	list := s.memory.Harmless()
	out, lines := run.JSONLines(), run.Lines(s.Settings)
	for _, h := range list {
		var err error
		if asJSON {
			err = out.Encode(harmlessLine{h.ID, h.Class, h.At.UTC().Format(output.JSONTime), h.Label})
		} else {
			_, err = fmt.Fprintf(lines, "%s  %-20s  %s  %s\n", h.ID[:min(len(h.ID), shownDigits)], h.Class, output.Clock(h.At), h.Label)
		}
		if err != nil {
			return err
		}
	}
	if len(list) == 0 {
		run.Say("No value is judged harmless.")
	}
	return nil
}
