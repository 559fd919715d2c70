package cli

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
)

const lsHelp = `Print the listing exactly as the agent gets it: two levels, no hidden items. For a file, print what
view returns for it.

Usage:
  memcurator ls [DIR] [PATH] [--json]

Output and errors are the same as those of cat. --json prints every file instead, with what another program records
of it: id, kind, times, importance, links.

Flags:
{flags}
Example:
  memcurator ls ~/agent/memories projects
`

const catHelp = `Print a file exactly as the agent gets it, with header and line numbers. For a folder, print its
listing.

Usage:
  memcurator cat [DIR] PATH [--range A:B]

Standard output gets the tool's text, byte for byte. On a terminal, a newline follows and control
characters show as text (^[ for escape, <U+202E>). An error is the tool's own sentence, on standard
error, with exit status 1. An instruction file needs no DIR.

Flags:
{flags}
Examples:
  memcurator cat ~/agent/memories progress.md --range 10:20
  memcurator cat ~/src/app/CLAUDE.md
`

// lsCommand is the view of a folder.
func lsCommand(run *session.Session) *cobra.Command {
	return viewCommand(run, "ls", "[DIR] [PATH]", "Print the listing exactly as the agent gets it", lsHelp)
}

// catCommand is the view of a file.
func catCommand(run *session.Session) *cobra.Command {
	return viewCommand(run, "cat", "[DIR] PATH", "Print a file exactly as the agent gets it", catHelp)
}

// viewCommand makes ls and cat, which are the same view for different purposes.
func viewCommand(run *session.Session, name, takes, does, help string) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   name + " " + takes,
		Short: does,
		Long:  help,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := run.OpenNamed(c, args, true)
			if err != nil {
				return err
			}
			defer o.Backend.Close()
			if name == "ls" && o.ByFile() {
				o.AgentPath = "" // the store is listed
			}
			if asJSON {
				return printFiles(run, c.Context(), o)
			}
			command := memstore.Command{Name: memstore.CmdView, Path: cmp.Or(o.AgentPath, memstore.Root)}
			if flag := c.Flags().Lookup("range"); flag.Changed {
				if command.ViewRange, err = parseRange(flag.Value.String()); err != nil {
					return err
				}
			}
			return printView(run, c.Context(), o, command)
		},
	}
	if name == "ls" {
		c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines, a file each: path, bytes, modified, record")
	}
	c.Flags().String("range", "", "print lines `A:B` only; A: and A:-1 go to the end, :B starts at 1")
	return c
}

// parseRange reads A:B into a view_range. Whether the lines make sense for
// the file is for the tool to say.
func parseRange(s string) ([]int, error) {
	from, to, ok := strings.Cut(s, ":")
	first, errFirst := strconv.Atoi(cmp.Or(from, "1"))
	last, errLast := strconv.Atoi(cmp.Or(to, "-1"))
	if !ok || errFirst != nil || errLast != nil {
		return nil, session.WrongUse("Can't parse --range %q. Try 10:20, 10: or :20", s)
	}
	return []int{first, last}, nil
}

// printView prints what view returns. A person's view doesn't count as use.
func printView(run *session.Session, ctx context.Context, o session.Opened, c memstore.Command) error {
	store := memstore.New(o.Backend, memstore.Options{
		Dialect: o.Dialect, Origin: memstore.Origin{Actor: memstore.Curator}, ReadOnly: true,
		MaxViewChars: policy.NewEnforcer(nil, o.OfStore()).ViewChars(),
	})
	r := store.Do(ctx, c)
	if r.IsError {
		return viewError(store, c.Path, r.Err)
	}
	if !run.Env.StdoutTerminal {
		_, err := io.WriteString(run.Out, r.Content)
		return err
	}
	_, err := io.WriteString(&output.ScreenWriter{W: run.Out, Options: text.Options{ASCII: o.Theme.ASCII}}, r.Content+"\n")
	return err
}

// viewError is the tool's own sentence for a view that failed.
func viewError(store *memstore.Store, path string, err error) error {
	return &session.ExitError{Code: session.ExitFailed, Text: memstore.ViewError(store.Dialect(), path, err), Verbatim: true, Cause: err}
}
