package cli

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

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

// viewCommand makes ls and cat: the same view, with another use in mind.
func (a *app) viewCommand(name, what, help string) *cobra.Command {
	c := &cobra.Command{
		Use:   name + " [DIR] [AGENT-PATH]",
		Short: "Print a " + what + " exactly as the agent gets it",
		Long:  help,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := a.settings()
			if err != nil {
				return err
			}
			t, err := a.target(c, args, true)
			if err != nil {
				return err
			}
			if s, err = a.forStore(s, t.dir); err != nil {
				return err
			}
			command := memstore.Command{Name: memstore.CmdView, Path: cmp.Or(t.agentPath, memstore.Root)}
			if flag := c.Flags().Lookup("range"); flag.Changed {
				if command.ViewRange, err = parseRange(flag.Value.String()); err != nil {
					return err
				}
			}
			return a.printView(c.Context(), s, t.opening, command, "")
		},
		ValidArgsFunction: a.completePaths,
	}
	storeFlag(c)
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
		return nil, wrongUse("%q is no range of lines; write --range A:B, as in 10:20, 10: or :20.", s)
	}
	return []int{first, last}, nil
}

// printView prints what view returns. A person looks: nothing counts as use. A remark
// comes before it, since the tool's text does not end with a newline.
func (a *app) printView(ctx context.Context, s settings, at opening, c memstore.Command, remark string) error {
	store, err := a.openStore(at, memstore.Options{
		Dialect: s.dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Workers: runtime.NumCPU(), ReadOnly: true,
		ViewChars: policy.NewEnforcer(nil, s.ofStore()).ViewChars,
	})
	if err != nil {
		return err
	}
	defer store.Close()
	if remark != "" {
		a.say(remark)
	}
	if a.env.StdoutTerminal {
		screen := &screenWriter{w: a.out, options: text.Options{ASCII: s.theme.ASCII}}
		if err := store.ViewTo(ctx, screen, c); err != nil {
			return viewError(store, c, err)
		}
		_, err := screen.Write([]byte{'\n'})
		return err
	}
	return viewError(store, c, store.ViewTo(ctx, a.out, c))
}

// viewError is the tool's own sentence for a view that failed, nil for one that did not.
func viewError(store *memstore.Store, c memstore.Command, err error) error {
	if err == nil {
		return nil
	}
	var tool *memstore.Error
	if !errors.As(err, &tool) {
		return outputError(err)
	}
	return &exitError{code: exitFailed, text: memstore.ViewError(store.Dialect(), c.Path, err), verbatim: true, cause: err}
}
