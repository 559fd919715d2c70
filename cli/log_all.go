package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// ofStore is a revision in one of several stores.
type ofStore struct {
	store string
	past.Revision
}

// logAll lists the changes of all stores by time. args may be the path of a file.
func logAll(run *session.Session, c *cobra.Command, args []string, flags logFlags) error {
	filter, err := flags.filter()
	if err != nil {
		return err
	}
	if flags.follow {
		return session.WrongUse("--follow needs one store: leave out --all")
	}
	if len(args) == 1 && session.NamesFile(args[0]) {
		if filter.Path = args[0]; !session.IsAgentPath(filter.Path) {
			filter.Path = memstore.AgentPath(filter.Path)
		}
		args = nil
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	var list []ofStore
	e := &session.Each{}
	missed := run.EachStore(c, args, e, func() error {
		found, err := logOne(run, c, flags, filter)
		list = append(list, found...)
		return err
	})
	if missed != nil && e.Failed == 0 {
		return missed
	}
	slices.SortFunc(list, func(a, b ofStore) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.store, b.store), cmp.Compare(a.Rev, b.Rev))
	})
	if flags.limit > 0 {
		list = list[max(0, len(list)-flags.limit):]
	}
	if len(list) == 0 && missed == nil {
		run.Say(nothingListed)
	}
	err = run.Paged(&session.Recorded{Settings: s}, !flags.json, func() error { return printAll(run, s, e, list, flags.json) })()
	return cmp.Or(err, missed)
}

// logOne lists what the journal of the store in work has recorded; a store without one has nothing.
func logOne(run *session.Session, c *cobra.Command, flags logFlags, filter past.Filter) (list []ofStore, err error) {
	p, err := run.Past(c, nil, false, nil)
	switch {
	case errors.Is(err, session.ErrNoJournal):
		return nil, nil
	case errors.Is(err, session.ErrSealed):
		run.Say("Encrypted, so it has no journal")
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer p.Close()
	if filter.Session, err = sessionNamed(c.Context(), p, flags.session); err == nil {
		err = p.Journal.List(c.Context(), filter, func(r past.Revision) bool {
			list = append(list, ofStore{p.Dir, r})
			return true
		})
	}
	return list, session.PastError(err)
}

// printAll prints the changes of several stores, each with its store.
func printAll(run *session.Session, s session.Settings, e *session.Each, list []ofStore, asJSON bool) error {
	wide := 0
	for _, one := range list {
		wide = max(wide, text.Width(text.Clean(session.Title(one.store))))
	}
	wide = min(wide, output.WidestPath)
	begins := "" // the row
	lines := run.Out.Painted(s, func(line string) string {
		rest, _ := strings.CutPrefix(line, begins)
		return begins + output.LogPainter(rest)
	})
	for _, one := range list {
		err := run.AtStore(e, one.store, func() error {
			if asJSON {
				return run.Out.JSONLines().Encode(one.Revision)
			}
			begins = text.Clean(session.Title(one.store)) // whole, and what is too long for the column pushes the rest
			begins += strings.Repeat(" ", max(0, wide-text.Width(begins))) + "  "
			_, err := fmt.Fprintln(lines, begins+rowOf(one.Revision))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
