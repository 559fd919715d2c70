package cli

import (
	"cmp"
	"errors"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/mcpserver"
)

const mcpHelp = `Serve the memory tool to clients of the Model Context Protocol, on standard input and output.

Usage:
  memcurator mcp [DIR] [flags]

An MCP client starts this command. It offers the tool memory, with the handlers of exec, and the
prompt memory_protocol. A failed command is a result with isError. Several clients and the terminal
UI can share a directory. The exit status is 0 at the end of the input; SIGINT and SIGTERM stop
after the current call, with 1.

Flags:
{flags}
Example, in the configuration of a client:
  {"mcpServers": {"memory": {"command": "memcurator", "args": ["mcp", "/home/me/memories"]}}}
`

func mcpCommand(run *session.Session) *cobra.Command {
	var flags execFlags
	c := &cobra.Command{
		Use:   "mcp [DIR]",
		Short: "Serve the memory tool to MCP clients",
		Long:  mcpHelp,
		RunE: func(c *cobra.Command, args []string) error {
			return serveMCP(run, c, args, flags)
		},
	}
	flags.add(c)
	return c
}

func serveMCP(run *session.Session, c *cobra.Command, args []string, flags execFlags) error {
	store, end, err := agentStore(run, c, args, flags)
	if err != nil {
		return err
	}
	defer end()
	if run.Env.StdinTerminal {
		run.Say("An MCP client starts this command and talks to it. ctrl+d stops it")
	}
	// If the client goes away, the write fails, rather than a signal killing the process during a command.
	signal.Ignore(syscall.SIGPIPE)
	ctx, restore := session.UntilStopped(c.Context())
	defer restore()

	var name func(client string) string
	if flags.session == "" {
		began := time.Now().Format("20060102-150405")
		name = func(client string) string { return sessionName(client) + "-" + began }
	}
	err = mcpserver.Serve(ctx, store, mcpserver.Options{
		Version: moduleVersion(), NameSession: name,
	}, run.Env.Stdin, run.Out.JSONOut())
	switch {
	case err == nil:
		return nil
	case run.Out.Err != nil:
		return session.OutputError(run.Out.Err)
	case errors.Is(err, mcpserver.ErrStopped):
		return session.Failed(err, "Stopped by a signal before the end of the input")
	}
	return session.Failed(err, "Can't read the input: %s", session.Reason(err))
}

// sessionName is the name of a client as the beginning of the ID of a session.
func sessionName(client string) string {
	name := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return '-'
	}, client)
	return cmp.Or(name[:min(len(name), 40)], "mcp")
}
