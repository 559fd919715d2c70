package cli

import (
	"context"
	"io"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
)

const execHelp = `Run memory tool calls from standard input: a memory backend for an agent loop in any language.

Usage:
  memcurator exec [DIR] [flags]

Reads one JSON value per line (up to 257 MiB): the tool's input, or the model's whole tool_use
block. Writes one line for each, at once:

  {"command":"view","path":"/memories"}  ->  {"content":"...","is_error":false}
  {"type":"tool_use",...}                ->  {"type":"tool_result",...}

A failed command and a line that isn't JSON return is_error true, and the stream goes on. The exit
status is 0 at the end of the input; SIGINT and SIGTERM stop between two commands, with 1.

Flags:
{flags}
Example:
  my-agent-loop | memcurator exec --create ./memories --session "$ID"
`

// execFlags are the flags of exec.
type execFlags struct {
	create, noJournal, readOnly bool
	session                     string
}

func execCommand(run *session.Session) *cobra.Command {
	var flags execFlags
	c := &cobra.Command{
		Use:   "exec [DIR]",
		Short: "Run memory tool calls from standard input, as JSON Lines",
		Long:  execHelp,
		RunE: func(c *cobra.Command, args []string) error {
			return serveLines(run, c, args, flags)
		},
	}
	flags.add(c)
	return c
}

// add defines the flags, including --dir.
func (flags *execFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&flags.create, "create", false, "create DIR and its missing parents (mode 0700); with --identity, encrypted")
	f.StringVar(&flags.session, "session", "", "record edits under the session `ID`")
	f.BoolVar(&flags.noJournal, "no-journal", false, "don't record edits")
	f.BoolVar(&flags.readOnly, "read-only", false, "refuse every edit")
}

func serveLines(run *session.Session, c *cobra.Command, args []string, flags execFlags) error {
	store, end, err := agentStore(run, c, args, flags)
	if err != nil {
		return err
	}
	defer end()
	server := lineServer{store: store, out: run.Out.JSONOut()}
	return server.serve(c.Context(), run.Env.Stdin)
}

// agentStore opens the store for an agent that uses exec or mcp, with its journal. end closes both.
func agentStore(run *session.Session, c *cobra.Command, args []string, flags execFlags) (store *memstore.Store, end func(), err error) {
	s, err := run.Settings()
	if err != nil {
		return nil, nil, err
	}
	t, err := run.Target(c, args, false)
	if err != nil {
		return nil, nil, err
	}
	if run.IsInstructions(t.Dir) {
		return nil, nil, session.WrongUse("%s works on notes, and %s is an instruction file. Name a directory", c.Name(), t.Dir)
	}
	e, err := run.Edit(c.Context(), t.Opening, c.Name(), s, memstore.Origin{Session: flags.session}, !flags.noJournal)
	if err != nil {
		return nil, nil, err
	}
	if flags.readOnly {
		return e.Store.Over(e.Store.Backend()), e.Close, nil
	}
	return e.Store, e.Close, nil
}

// answerWithin is how long a shutdown by signal waits for the last answer to be read.
const answerWithin = time.Second

// serve answers the lines of in until its end or a signal. It finishes the
// command in progress.
func (s *lineServer) serve(ctx context.Context, in io.Reader) error {
	// If the reader goes away, the write fails, rather than a signal killing the process during a command.
	signal.Ignore(syscall.SIGPIPE)
	ctx, restore := session.UntilStopped(ctx)
	defer restore()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- &session.PanicError{Value: r, Stack: debug.Stack()}
			}
		}()
		done <- s.lines(ctx, in)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	written := make(chan struct{}) // the last answer, or no command follows
	go func() { s.turn.Lock(); close(written) }()
	select {
	case <-written:
	case <-time.After(answerWithin): // who sent the signal may wait for the end without reading
	}
	return session.Failed(ctx.Err(), "Stopped by a signal before the end of the input")
}
