package cli

import (
	"context"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/cli/tty"
	"memcurator/memstore/memtest"
)

const conformanceHelp = `Test any memory tool implementation against the tool's rules.

Usage:
  memcurator conformance 'COMMAND' [flags]

The shell (sh -c; cmd /c on Windows) runs COMMAND once per vector, with the path of a fresh store
appended. COMMAND reads one tool input per line from standard input, answers each with one line,
{"content":"...","is_error":false}, and exits with status 0 at the end of the input.

A vector is a small tree, a few commands, the expected answers and the expected tree. COMMAND runs
with an empty configuration ($MEMCURATOR_CONFIG), its own state folder, and the dialect in
$MEMCURATOR_DIALECT.

Failures are printed with the rule they break; the last line is PASSED/TOTAL. The exit status is 0
if all pass, else 1. Vectors that this system can't hold (links, names that differ only in case)
are skipped and not counted.

Dialects: {dialect forms}

Flags:
{flags}
Examples:
  memcurator conformance 'memcurator exec'
  memcurator conformance 'python3 my_memory.py' --run 'docs/(view|insert)/'
  memcurator conformance 'node tool.mjs' --dialect typescript --json
`

type conformanceFlags struct {
	run     string
	json    bool
	timeout time.Duration
}

func conformanceCommand(run *session.Session) *cobra.Command {
	var flags conformanceFlags
	c := &cobra.Command{
		Use:   "conformance 'COMMAND'",
		Short: "Test any memory tool implementation",
		Long:  conformanceHelp,
		RunE: func(c *cobra.Command, args []string) error {
			return tryProgram(run, c.Context(), args, flags)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.StringVar(&flags.run, "run", "", "only vectors whose name matches the regular expression `PATTERN`")
	f.BoolVar(&flags.json, "json", false, "print JSON Lines: one per vector, then the counts")
	f.DurationVar(&flags.timeout, "timeout", 10*time.Second, "stop a vector after `DURATION` (default 10s) and kill its processes")
	return c
}

func tryProgram(run *session.Session, ctx context.Context, args []string, flags conformanceFlags) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	vectors, err := chosenVectors(s.Dialect.String(), flags.run)
	if err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		return session.WrongUse("Missing COMMAND. Example: %s conformance '%s exec'", session.Program, session.Program)
	case len(args) > 1:
		return session.WrongUse("Too many arguments. Quote COMMAND as one")
	case strings.TrimSpace(args[0]) == "":
		return session.WrongUse("COMMAND is empty")
	case flags.timeout <= 0:
		return session.WrongUse("--timeout must be above 0")
	}
	t := tester{command: args[0], dialect: s.Dialect.String(), timeout: flags.timeout, jobs: runtime.NumCPU()}
	out := run.Out.Lines(s)
	if flags.json {
		out = run.Out.JSONOut()
	}
	return t.report(ctx, vectors, newVerdicts(out, flags.json))
}

// chosenVectors returns the vectors of a dialect whose names match a pattern.
func chosenVectors(dialect, pattern string) ([]memtest.Vector, error) {
	fits, err := regexp.Compile(pattern)
	if err != nil {
		return nil, session.WrongUse("Invalid regular expression %q", pattern)
	}
	vectors, err := memtest.Vectors(dialect)
	if err != nil {
		return nil, err
	}
	vectors = slices.DeleteFunc(vectors, func(v memtest.Vector) bool { return !fits.MatchString(v.Name) })
	if len(vectors) == 0 {
		return nil, session.WrongUse("No vector of the dialect %s matches %q", dialect, pattern)
	}
	return vectors, nil
}

// tester runs vectors against one command.
type tester struct {
	command, dialect string
	timeout          time.Duration
	jobs             int
}

// report runs the vectors, several at a time, and prints the results in order.
func (t tester) report(ctx context.Context, vectors []memtest.Vector, out *verdicts) error {
	base, err := os.MkdirTemp("", session.Program+"-conformance-")
	if err != nil {
		return session.Failed(err, "Can't create a folder for the stores: %s", session.Reason(err))
	}
	defer os.RemoveAll(base)
	if err := writeTrialConfig(base); err != nil {
		return session.Failed(err, "Can't create the trial configuration: %s", session.Reason(err))
	}
	// If the reader goes away, the write fails, and the folder is removed. Ignoring the signal would also ignore it in the programs under
	// test; catching it doesn't.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	ctx, restore := tty.UntilSignal(ctx, tty.EndSignals...)
	defer restore()
	ctx, stop := context.WithCancel(ctx)
	verdict := make([]chan trial, len(vectors))
	for i := range verdict {
		verdict[i] = make(chan trial, 1)
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(t.jobs, len(vectors)) {
		workers.Go(func() {
			for i := range next {
				verdict[i] <- t.try(ctx, vectors[i], base, i)
			}
		})
	}
	workers.Go(func() {
		defer close(next)
		for i := range vectors {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	defer workers.Wait() // before the folder is removed
	defer stop()
	for i := range verdict {
		select {
		case done := <-verdict[i]:
			if err := out.tell(done); err != nil {
				return err
			}
		case <-ctx.Done():
			return session.Failed(ctx.Err(), "Stopped by a signal before all vectors ran")
		}
	}
	return out.sum()
}
