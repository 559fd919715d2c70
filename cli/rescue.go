package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/discover"
)

// lookFor limits the search for stores.
const lookFor = 5 * time.Second

// stranded is a store whose project is gone, and where its notes may belong.
type stranded struct {
	discover.Found
	homes []discover.Home
}

// findStranded finds the stranded stores of this machine, and their homes; dir, unless empty, is the only one of interest.
func findStranded(run *session.Session, ctx context.Context, s session.Settings, dir string) (list []stranded) {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	reader := run.Overview(s)
	m := reader.Machine
	all := m.Find(ctx, reader.Named)
	for _, f := range all {
		if f.Stranded && f.Files > 0 && (dir == "" || samePlace(f.Dir, dir)) {
			list = append(list, stranded{f, m.Homes(ctx, f, all)})
		}
	}
	return list
}

func samePlace(a, b string) bool {
	for _, p := range []*string{&a, &b} {
		if full, err := filepath.Abs(*p); err == nil {
			*p = full
		}
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	return a == b
}

// rescue lists stranded stores, or moves the notes of one to the project that they belong to.
func rescue(run *session.Session, c *cobra.Command, args []string, f flags) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	if len(args) > 1 {
		return session.WrongUse("--rescue finds DST. To name it: %s move SRC DST", session.Program)
	}
	dir := ""
	if len(args) == 1 {
		dir = args[0]
	}
	list := findStranded(run, c.Context(), s, dir)
	if dir == "" {
		return printStranded(run, s, list, f.json)
	}
	if len(list) == 0 {
		return session.Failed(nil, "%s isn't a stranded store. The stranded ones: %s move --rescue", dir, session.Program)
	}
	homes := list[0].homes
	switch {
	case len(homes) == 0:
		return session.Failed(nil, "No project matches %s. Choose a store: %s move %s DST", strandedWhere(&list[0]), session.Program,
			session.Typed(dir))
	case !homes[0].Certain && len(homes) > 1:
		if err := printStranded(run, s, list, f.json); err != nil {
			return err
		}
		return session.Failed(nil, "%s. Choose one: %s move --create %s DST", output.Counted(len(homes), "place"), session.Program,
			session.Typed(dir))
	}
	home := homes[0]
	if !home.Certain && !f.dryRun && (f.yes || !run.CanAsk()) {
		return session.Failed(nil, "%s may belong to %s: %s. To move it there: %s move --yes%s %s %s",
			session.Title(dir), session.Title(home.Root), home.Why, session.Program,
			map[bool]string{true: " --create"}[home.Missing], session.Typed(dir), session.Typed(home.Store))
	}
	run.Say(fmt.Sprintf("%s %s %s: %s", session.Title(dir), belongs(home), session.Title(home.Root), home.Why))
	f.create = f.create || home.Missing
	return carry(run, c, []string{dir, home.Store}, f)
}

// belongs says how certain a home is.
func belongs(h discover.Home) string {
	if h.Certain {
		return "belongs to"
	}
	return "may belong to"
}

// strandedWhere is the project of a stranded store, for a message.
func strandedWhere(s *stranded) string {
	if s.Root != "" {
		return session.Title(s.Root)
	}
	return session.Title(s.Dir)
}

// strandedLine is a line of move --rescue --json; the keys are a contract. A store without a home has one line with nulls.
type strandedLine struct {
	Store   string  `json:"store"`
	Agent   *string `json:"agent"`
	Project *string `json:"project"`
	Files   int     `json:"files"`
	Bytes   int64   `json:"bytes"`
	To      *string `json:"to"`
	Root    *string `json:"root"`
	Missing bool    `json:"missing"`
	Certain bool    `json:"certain"`
	Why     *string `json:"why"`
}

func printStranded(run *session.Session, s session.Settings, list []stranded, asJSON bool) error {
	if len(list) == 0 {
		run.Say("No stranded stores")
		return nil
	}
	slices.SortFunc(list, func(a, b stranded) int { return b.Newest.Compare(a.Newest) })
	out, lines := run.Out.Lines(s), run.Out.JSONLines()
	for i := range list {
		one := &list[i]
		l := strandedLine{Store: one.Dir, Agent: output.OrNull(one.Agent), Project: output.OrNull(one.Root), Files: one.Files, Bytes: one.Bytes}
		if !asJSON {
			if _, err := fmt.Fprintf(out, "%s  %s, of %s\n", output.OneLine(session.Title(one.Dir)), output.Counted(one.Files, "file"),
				output.OneLine(strandedWhere(one))); err != nil {
				return err
			}
		}
		for _, h := range one.homes {
			l.To, l.Root, l.Missing, l.Certain, l.Why = &h.Store, &h.Root, h.Missing, h.Certain, &h.Why
			var err error
			if asJSON {
				err = lines.Encode(l)
			} else {
				_, err = fmt.Fprintf(out, "  %s %s: %s\n", belongs(h), output.OneLine(session.Title(h.Store)), h.Why)
			}
			if err != nil {
				return err
			}
		}
		if len(one.homes) > 0 {
			continue
		}
		var err error
		if asJSON {
			err = lines.Encode(l)
		} else {
			_, err = fmt.Fprintln(out, "  no project matches")
		}
		if err != nil {
			return err
		}
	}
	if asJSON {
		return nil
	}
	if at := slices.IndexFunc(list, func(s stranded) bool { return len(s.homes) > 0 }); at >= 0 {
		run.Say(fmt.Sprintf("Rescue one: %s move --rescue %s", session.Program, session.Typed(list[at].Dir)))
		return nil
	}
	run.Say(fmt.Sprintf("To move the notes to a store of your choice: %s move %s DST", session.Program, session.Typed(list[0].Dir)))
	return nil
}
