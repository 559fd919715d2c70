package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

func (a *app) allowCommand() *cobra.Command {
	var flags allowFlags
	c := &cobra.Command{
		Use: "allow [DIR]", Short: "Judge sensitive values harmless", Long: allowHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := a.scrubbing(c, args, false, flags.rules)
			if err != nil {
				return err
			}
			defer s.close()
			return a.allow(c, s, flags)
		},
		ValidArgsFunction: completeDirs,
	}
	dirFlag(c)
	f := c.Flags()
	f.StringArrayVar(&flags.add, "add", nil, "an id")
	f.StringArrayVar(&flags.remove, "remove", nil, "an id")
	f.StringVar(&flags.label, "label", "", "what you know it by")
	f.StringArrayVar(&flags.rules, "rules", nil, "a file of rules")
	f.BoolVar(&flags.json, "json", false, "one JSON object a value")
	return c
}

func (a *app) allow(c *cobra.Command, s *scrubbing, flags allowFlags) error {
	if err := areIDs(append(slices.Clone(flags.add), flags.remove...)); err != nil {
		return err
	}
	if !s.memory.Keeps() && len(flags.add)+len(flags.remove) > 0 {
		return failed(nil, "Nothing was done: it cannot be kept in the state folder, or the store is encrypted.")
	}
	if err := a.disallow(s, flags.remove); err != nil {
		return err
	}
	if err := a.allowFound(c, s, flags); err != nil {
		return err
	}
	if len(flags.add)+len(flags.remove) > 0 {
		return nil
	}
	return a.printHarmless(s, flags.json)
}

// disallow forgets judgements.
func (a *app) disallow(s *scrubbing, ids []string) error {
	for _, id := range ids {
		found := slices.DeleteFunc(s.memory.Harmless(), func(h findings.Harmless) bool { return !strings.HasPrefix(h.ID, id) })
		if len(found) == 0 {
			return failed(nil, "No value with the id %s was judged harmless; allow without --remove lists those that were.", id)
		}
		if slices.ContainsFunc(found, func(h findings.Harmless) bool { return h.ID != found[0].ID }) {
			return wrongUse("%s is the beginning of more than one id: give more digits.", id)
		}
		for _, h := range found {
			if err := s.memory.Disallow(h.Class, h.ID); err != nil {
				return notKept(err)
			}
			a.say(fmt.Sprintf("Counts again: %s, %s.", h.Class, h.Label))
		}
	}
	return nil
}

// allowFound judges values harmless that a scan finds.
func (a *app) allowFound(c *cobra.Command, s *scrubbing, flags allowFlags) error {
	if len(flags.add) == 0 {
		return nil
	}
	survey, err := a.survey(c.Context(), s, false)
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
		a.say(fmt.Sprintf("Harmless from now on: %s, %s, %s.", h.Class, g.Masked(), counted(len(g.Places), "place")))
	}
	return nil
}

func notKept(err error) error {
	if errors.Is(err, findings.ErrTooMany) {
		return failed(err, "Nothing was done: too many values are judged harmless one by one. Turn the class off in the configuration.")
	}
	return failed(err, "Nothing was done: it cannot be kept in the state folder (%s).", reason(err))
}

// harmlessLine is a line of allow --json.
type harmlessLine struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Time  string `json:"time"`
	Label string `json:"label"`
}

func (a *app) printHarmless(s *scrubbing, asJSON bool) error {
	list := s.memory.Harmless()
	out, lines := a.jsonLines(), a.lines(s.settings)
	for _, h := range list {
		var err error
		if asJSON {
			err = out.Encode(harmlessLine{h.ID, h.Class, h.At.UTC().Format(jsonTime), h.Label})
		} else {
			_, err = fmt.Fprintf(lines, "%s  %-20s  %s  %s\n", h.ID[:min(len(h.ID), shownDigits)], h.Class, clock(h.At), h.Label)
		}
		if err != nil {
			return err
		}
	}
	if len(list) == 0 {
		a.say("No value is judged harmless.")
	}
	return nil
}
