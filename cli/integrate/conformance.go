// Package integrate has the commands for people who build an agent: the prompts of the documentation, the starting files of a
// pattern, and the rules of the tool tried on another program.
package integrate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	"memcurator/memstore/memtest"
)

const conformanceHelp = `Try the rules of the memory tool on any program that speaks the protocol of exec.

Usage:
  memcurator conformance 'COMMAND' [flags]

COMMAND is run by the shell (sh -c; cmd /c on Windows) once for each vector, with the path
of a fresh store directory appended. It gets one tool input a line on standard input and answers
each by one line, {"content":"...","is_error":false}. At the end of the input it exits with
status 0.

A vector is a small tree, a few commands, what each must answer, and the tree that they must leave.
COMMAND gets an empty configuration ($MEMCURATOR_CONFIG) and a state folder of its own, so that
memcurator itself answers as the tool does, whatever you have configured.

What is not so is printed with the rule that it breaks. The last line is N/M: N of M
vectors passed. The exit status is 0 if all did, 1 otherwise.

Vectors that this system cannot hold (links, names that differ in case) are not tried and not
counted.

Flags:
      --run PATTERN         only vectors whose name fits the regular expression
      --list                print names and rules, run nothing
      --json                JSON Lines: one for each vector, the last one with the counts
      --timeout DURATION    for each vector, default 10s; after it the program and its children
                            are killed
      --jobs N              vectors tried at once, default: the number of processors
      --dialect NAME        {dialects}: whose rules. COMMAND finds the name
                            in $MEMCURATOR_DIALECT. A version may follow; there are
                            {dialect forms}
Flags of every command: see memcurator help

Examples:
  memcurator conformance 'memcurator exec'
  memcurator conformance 'python3 my_memory.py' --run 'docs/(view|insert)/'
  memcurator conformance 'node tool.mjs' --dialect typescript --json
  memcurator conformance --list
`

type conformanceFlags struct {
	run        string
	list, json bool
	timeout    time.Duration
	jobs       int
}

func ConformanceCommand(run *session.Session) *cobra.Command {
	var flags conformanceFlags
	c := &cobra.Command{
		Use:         "conformance 'COMMAND'",
		Short:       "Try the rules of the memory tool on any program",
		Long:        session.WithDialects(conformanceHelp),
		Annotations: session.HelpRow("conformance 'COMMAND'", "try the rules of the memory tool on any program"),
		RunE: func(c *cobra.Command, args []string) error {
			return tryProgram(run, c.Context(), args, flags)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.StringVar(&flags.run, "run", "", "regular expression for names")
	f.BoolVar(&flags.list, "list", false, "print the vectors")
	f.BoolVar(&flags.json, "json", false, "JSON Lines")
	f.DurationVar(&flags.timeout, "timeout", 10*time.Second, "time for each vector")
	f.IntVar(&flags.jobs, "jobs", 0, "vectors at once")
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
	case flags.list && len(args) > 0:
		return session.WrongUse("With --list no command is run; leave it out.")
	case flags.list:
		return listVectors(run.Out, vectors, flags.json)
	case len(args) == 0:
		return session.WrongUse("Name the command to try, as in: %s conformance '%s exec'", session.Program, session.Program)
	case len(args) > 1:
		return session.WrongUse("Too many arguments: write the command between quotation marks, as one.")
	case strings.TrimSpace(args[0]) == "":
		return session.WrongUse("The command to try is empty.")
	case flags.timeout <= 0 || flags.jobs < 0:
		return session.WrongUse("--timeout and --jobs must be above 0.")
	}
	t := tester{command: args[0], dialect: s.Dialect.String(), timeout: flags.timeout, jobs: cmp.Or(flags.jobs, runtime.NumCPU())}
	out := run.Lines(s)
	if flags.json {
		out = run.JSONOut()
	}
	return t.report(ctx, vectors, newVerdicts(out, flags.json))
}

// chosenVectors are those of a dialect whose names fit a pattern.
func chosenVectors(dialect, pattern string) ([]memtest.Vector, error) {
	fits, err := regexp.Compile(pattern)
	if err != nil {
		return nil, session.WrongUse("%q is no regular expression.", pattern)
	}
	vectors, err := memtest.Vectors(dialect)
	if err != nil {
		return nil, err
	}
	vectors = slices.DeleteFunc(vectors, func(v memtest.Vector) bool { return !fits.MatchString(v.Name) })
	if len(vectors) == 0 {
		return nil, session.WrongUse("No vector of the dialect %s has a name that fits %q.", dialect, pattern)
	}
	return vectors, nil
}

func listVectors(w io.Writer, vectors []memtest.Vector, asJSON bool) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, v := range vectors {
		if asJSON {
			if err := e.Encode(v); err != nil {
				return err
			}
		} else if _, err := fmt.Fprintf(w, "%s\t%s\n", v.Name, v.Rule); err != nil {
			return err
		}
	}
	return nil
}

// tester tries vectors on one command.
type tester struct {
	command, dialect string
	timeout          time.Duration
	jobs             int
}

// report tries the vectors, several at once, and tells of each in their order.
func (t tester) report(ctx context.Context, vectors []memtest.Vector, out *verdicts) error {
	base, err := os.MkdirTemp("", session.Program+"-conformance-")
	if err != nil {
		return session.Failed(err, "No folder for the stores can be made: %s.", session.Reason(err))
	}
	defer os.RemoveAll(base)
	if err := writeTrialConfig(base); err != nil {
		return session.Failed(err, "No configuration for the trials can be made: %s.", session.Reason(err))
	}
	// A reader that goes away is an error of writing, after which the folder is removed. Ignored
	// it would be for the programs under test as well, caught it is not.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	ctx, restore := session.UntilSignal(ctx, session.EndSignals...)
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
			return session.Failed(ctx.Err(), "Ended by a signal before all vectors were tried.")
		}
	}
	return out.sum()
}
