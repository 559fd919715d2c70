package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

const conformanceHelp = `Test any memory tool implementation against the tool's rules.

Usage:
  memcurator conformance 'COMMAND' [flags]

The shell (sh -c; cmd /c on Windows) runs COMMAND once per vector, with the path of a fresh store
appended. COMMAND reads one tool input per line from standard input, answers each with one line,
{"content":"...","is_error":false}, and exits with status 0 at the end of the input.

A vector is a small tree, a few commands, the expected answers and the expected tree. COMMAND runs
without a configuration ($MEMCURATOR_CONFIG), with its own state folder, and with the dialect in
$MEMCURATOR_DIALECT. It is killed after 10 seconds.

Each failure is a line; the last line is PASSED/TOTAL. The exit status is 0 if all pass, else 1.
Vectors that this system can't hold (links, names that differ only in case) are not counted.

Dialects: {dialect forms}

Flags:
{flags}
Examples:
  memcurator conformance 'memcurator exec'
  memcurator conformance 'python3 my_memory.py' --run 'docs/(view|insert)/'
  memcurator conformance 'node tool.mjs' --dialect typescript --json
`

type conformanceFlags struct {
	run  string
	json bool
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
	}
	base, err := os.MkdirTemp("", session.Program+"-conformance-")
	if err != nil {
		return session.Failed(err, "Can't create a folder for the stores: %s", session.Reason(err))
	}
	defer os.RemoveAll(base)
	t := tester{command: args[0], dialect: s.Dialect.String(), base: base}
	// If our reader goes away, the write fails, and the folder is removed. To ignore the signal would ignore it in the programs under test
	// too; and a program that doesn't read its input, from which it also comes, is to be judged.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	ctx, restore := session.UntilSignal(ctx, session.EndSignals...)
	defer restore()
	print := printVerdict(run, s)
	if flags.json {
		print = func(v verdictLine) error { return run.Out.JSONLines().Encode(v) }
	}
	lines, err := t.all(ctx, vectors)
	if err != nil {
		return err
	}
	var count countLine
	for _, line := range lines {
		count.add(line.Result)
		if err := print(line); err != nil {
			return err
		}
	}
	if flags.json {
		err = run.Out.JSONLines().Encode(count)
	} else {
		_, err = fmt.Fprintf(run.Out, "%d/%d\n", count.Passed, count.Total)
	}
	switch {
	case err != nil:
		return err
	case count.Passed < count.Total:
		return session.Failed(nil, "%d of %d vectors failed", count.Total-count.Passed, count.Total)
	case count.Total == 0:
		return session.Failed(nil, "This system can't run any of these vectors")
	}
	return nil
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

// The results of a vector.
const (
	vectorPassed   = "passed"
	vectorFailed   = "failed"
	vectorNotTried = "not tried" // this system can't represent what the vector needs
)

// verdictLine is the result of one vector in JSON.
type verdictLine struct {
	Name     string        `json:"name"`
	Dialect  string        `json:"dialect"`
	Rule     string        `json:"rule"`
	Result   string        `json:"result"`
	Trouble  string        `json:"trouble,omitempty"` // how the program violated the protocol, as a sentence
	Stderr   string        `json:"stderr,omitempty"`
	Failures []failureLine `json:"failures,omitempty"`
}

// failureLine is a failure in JSON. Step 0 is the tree at the end, in lines.
type failureLine struct {
	Step          int             `json:"step"`
	Input         json.RawMessage `json:"input,omitempty"`
	Expected      string          `json:"expected"`
	ExpectedError bool            `json:"expected_error"`
	Got           string          `json:"got"`
	GotError      bool            `json:"got_error"`
}

// countLine is the last line in JSON.
type countLine struct {
	Passed   int `json:"passed"`
	Total    int `json:"total"`
	NotTried int `json:"not_tried"`
}

// all runs the vectors, one per processor at a time, and returns the results in order.
func (t tester) all(ctx context.Context, vectors []memtest.Vector) ([]verdictLine, error) {
	lines := make([]verdictLine, len(vectors))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, v := range vectors {
		group.Go(func() (err error) {
			if ctx.Err() == nil {
				lines[i], err = t.try(ctx, v, filepath.Join(t.base, strconv.Itoa(i)))
			}
			return cmp.Or(err, ctx.Err())
		})
	}
	err := group.Wait()
	if errors.Is(err, context.Canceled) {
		err = session.Failed(err, "Stopped by a signal before all vectors ran")
	}
	return lines, err
}

func (c *countLine) add(result string) {
	switch result {
	case vectorNotTried:
		c.NotTried++
		return
	case vectorPassed:
		c.Passed++
	}
	c.Total++
}

// printVerdict prints what a vector failed at first, on a line: what a program says of one step is often why it fails at the next.
func printVerdict(run *session.Session, s session.Settings) func(verdictLine) error {
	out := run.Out.Lines(s)
	return func(v verdictLine) error {
		if v.Result != vectorFailed {
			return nil
		}
		why := v.Trouble
		if why == "" {
			f := v.Failures[0]
			at := fmt.Sprintf("step %d", f.Step)
			if f.Step == 0 {
				at = "the tree afterwards"
			}
			why = fmt.Sprintf("%s: expected %s %.400q, got %s %.400q", at, outcomeWord(f.ExpectedError), f.Expected, outcomeWord(f.GotError), f.Got)
		} else if v.Stderr != "" {
			why += fmt.Sprintf(" It said %.400q", v.Stderr)
		}
		_, err := fmt.Fprintf(out, "FAILED %s  %s\n", v.Name, why)
		return err
	}
}

func outcomeWord(isError bool) string {
	if isError {
		return "the error"
	}
	return "the result"
}
