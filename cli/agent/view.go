package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
)

const lsHelp = `Print the listing of a memory directory exactly as the agent gets it from view: two levels
deep, hidden items left out. Given a file, it prints what view returns for that.

Usage:
  memcurator ls [DIR] [AGENT-PATH]

DIR is the memory directory; left out: $MEMCURATOR_DIR, ./memories, ./memory/memories.
AGENT-PATH is a path as the agent writes it, /memories or below; left out: /memories.

Standard output gets the tool's text, byte for byte. On a terminal a newline follows it, and
characters that a terminal would act on are shown by name (^[ for escape, <U+202E>), tabs as
spaces. An error is the tool's own sentence, on standard error, with exit status 1.
Looking leaves no trace in the store.

Flags:
      --dir DIR       the memory directory, instead of the argument
      --identity FILE age identity file of an encrypted store
      --range A:B     of a file: its lines A to B (see: memcurator help cat)
Flags of every command: see memcurator help

Examples:
  memcurator ls ~/agent/memories
  memcurator ls ~/agent/memories /memories/projects
`

const catHelp = `Print a file exactly as the agent gets it from view, header and line numbers included.
Given a directory, it prints what view returns for that.

Usage:
  memcurator cat [DIR] [AGENT-PATH] [--range A:B]

DIR is the memory directory; left out: $MEMCURATOR_DIR, ./memories, ./memory/memories.
AGENT-PATH is a path as the agent writes it, /memories or below.

Standard output gets the tool's text, byte for byte. On a terminal a newline follows it, and
characters that a terminal would act on are shown by name (^[ for escape, <U+202E>), tabs as
spaces. An error is the tool's own sentence, on standard error, with exit status 1.
Looking leaves no trace in the store.

Flags:
      --dir DIR       the memory directory, instead of the argument
      --identity FILE age identity file of an encrypted store
      --range A:B     lines A to B, counted from 1; A: and A:-1 go to the end, :B starts at 1
Flags of every command: see memcurator help

Examples:
  memcurator cat ~/agent/memories /memories/progress.md
  memcurator cat /memories/progress.md --range 10:20
  memcurator cat --dir ./memories /memories/notes.md > seen-by-the-agent.txt
`

// LsCommand is the view of a folder.
func LsCommand(run *session.Session) *cobra.Command {
	return viewCommand(run, "ls", "listing", lsHelp)
}

// CatCommand is the view of a file.
func CatCommand(run *session.Session) *cobra.Command {
	return viewCommand(run, "cat", "file", catHelp)
}

// viewCommand makes ls and cat: the same view, with another use in mind.
func viewCommand(run *session.Session, name, what, help string) *cobra.Command {
	does := "print a " + what + " exactly as the agent gets it"
	c := &cobra.Command{
		Use:         name + " [DIR] [AGENT-PATH]",
		Short:       output.Capital(does),
		Long:        help,
		Annotations: session.HelpRow(fmt.Sprintf("%-4s [DIR] [AGENT-PATH]", name), does),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := run.Settings()
			if err != nil {
				return err
			}
			t, err := run.Target(c, args, true)
			if err != nil {
				return err
			}
			if s, err = run.ForStore(s, t.Dir); err != nil {
				return err
			}
			command := memstore.Command{Name: memstore.CmdView, Path: cmp.Or(t.AgentPath, memstore.Root)}
			if flag := c.Flags().Lookup("range"); flag.Changed {
				if command.ViewRange, err = parseRange(flag.Value.String()); err != nil {
					return err
				}
			}
			return PrintView(run, c.Context(), s, t.Opening, command, "")
		},
		ValidArgsFunction: run.CompletePaths,
	}
	session.StoreFlag(c)
	c.Flags().String("range", "", "lines A:B of a file")
	return c
}

// parseRange reads A:B into a view_range. What makes no sense as lines of this
// file is for the tool to say.
func parseRange(s string) ([]int, error) {
	from, to, ok := strings.Cut(s, ":")
	first, errFirst := strconv.Atoi(cmp.Or(from, "1"))
	last, errLast := strconv.Atoi(cmp.Or(to, "-1"))
	if !ok || errFirst != nil || errLast != nil {
		return nil, session.WrongUse("%q is no range of lines; write --range A:B, as in 10:20, 10: or :20.", s)
	}
	return []int{first, last}, nil
}

// PrintView prints what view returns. A view by a person does not count as use. A remark
// comes before it, since the tool's text does not end with a newline.
func PrintView(run *session.Session, ctx context.Context, s session.Settings, at session.Opening, c memstore.Command, remark string) error {
	store, err := run.OpenStore(at, memstore.Options{
		Dialect: s.Dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Workers: runtime.NumCPU(), ReadOnly: true,
		ViewChars: policy.NewEnforcer(nil, s.OfStore()).ViewChars,
	})
	if err != nil {
		return err
	}
	defer store.Close()
	if remark != "" {
		run.Say(remark)
	}
	if run.Env.StdoutTerminal {
		screen := &output.ScreenWriter{W: run.Out, Options: text.Options{ASCII: s.Theme.ASCII}}
		if err := store.ViewTo(ctx, screen, c); err != nil {
			return viewError(store, c, err)
		}
		_, err := screen.Write([]byte{'\n'})
		return err
	}
	return viewError(store, c, store.ViewTo(ctx, run.Out, c))
}

// viewError is the tool's own sentence for a view that failed, nil for one that did not.
func viewError(store *memstore.Store, c memstore.Command, err error) error {
	if err == nil {
		return nil
	}
	var tool *memstore.Error
	if !errors.As(err, &tool) {
		return session.OutputError(err)
	}
	return &session.ExitError{Code: session.ExitFailed, Text: memstore.ViewError(store.Dialect(), c.Path, err), Verbatim: true, Cause: err}
}
