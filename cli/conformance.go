package cli

import (
	"bytes"
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
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/memtest"
)

const conformanceHelp = `Test any memory tool implementation against the tool's rules.

Usage:
  memcurator conformance 'COMMAND' [flags]

For each test case, the shell runs COMMAND with the path of a fresh store appended and the dialect in
$MEMCURATOR_DIALECT. COMMAND reads one tool input per line, answers each with one line,
{"content":"...","is_error":false}, and exits with status 0 within 10 seconds.

Each failure is a line; the last line is PASSED/TOTAL. The exit status is 0 if all pass, else 1.

Dialects: {dialects}

Flags:
{flags}
Examples:
  memcurator conformance 'memcurator exec'
  memcurator conformance 'python3 my_memory.py' --run 'docs/(view|insert)/'
`

func conformanceCommand(run *session.Session) *cobra.Command {
	var pattern string
	var asJSON bool
	c := &cobra.Command{
		Use: "conformance 'COMMAND'", Short: "Test any memory tool implementation",
		Long: strings.Replace(conformanceHelp, "{dialects}", strings.Join(memstore.DialectForms(), ", "), 1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return session.WrongUse("Name one COMMAND, in quotes. Example: %s conformance '%s exec'", session.Program, session.Program)
			}
			return tryProgram(run, c.Context(), args[0], pattern, asJSON)
		},
	}
	c.Flags().StringVar(&pattern, "run", "", "only vectors whose name matches the regular expression `PATTERN`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines: one per vector, then the counts")
	return c
}

func tryProgram(run *session.Session, ctx context.Context, command, pattern string, asJSON bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	dialect := s.Dialect.String()
	fits, err := regexp.Compile(pattern)
	if err != nil {
		return session.WrongUse("Invalid regular expression %q", pattern)
	}
	vectors, err := memtest.Vectors(dialect)
	if err != nil {
		return err
	}
	vectors = slices.DeleteFunc(vectors, func(v memtest.Vector) bool { return !fits.MatchString(v.Name) })
	if len(vectors) == 0 {
		return session.WrongUse("No vector of the dialect %s matches %q", dialect, pattern)
	}
	base, err := os.MkdirTemp("", session.Program+"-conformance-")
	if err != nil {
		return session.Failed(err, "Can't create a folder for the stores: %s", session.Reason(err))
	}
	defer os.RemoveAll(base)
	// A program that doesn't read its input must not end us by a signal. To ignore the signal would ignore it in the program too.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	ctx, restore := session.UntilSignal(ctx, session.EndSignals...)
	defer restore()
	lines := make([]verdictLine, len(vectors))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, v := range vectors {
		group.Go(func() (err error) {
			if ctx.Err() == nil {
				lines[i], err = tryVector(ctx, v, command, dialect, filepath.Join(base, strconv.Itoa(i)))
			}
			return cmp.Or(err, ctx.Err())
		})
	}
	if err := group.Wait(); errors.Is(err, context.Canceled) {
		return session.Failed(err, "Stopped by a signal before all vectors ran")
	} else if err != nil {
		return err
	}
	return printVerdicts(run, s, lines, asJSON)
}

// The results of a vector.
const (
	vectorPassed   = "passed"
	vectorFailed   = "failed"
	vectorNotTried = "not tried" // this system can't represent what the vector needs
)

// verdictLine is the result of one vector in JSON.
type verdictLine struct {
	Name     string            `json:"name"`
	Dialect  string            `json:"dialect"`
	Rule     string            `json:"rule"`
	Result   string            `json:"result"`
	Trouble  string            `json:"trouble,omitempty"` // how the program violated the protocol, as a sentence
	Stderr   string            `json:"stderr,omitempty"`
	Failures []memtest.Failure `json:"failures,omitempty"`
}

// countLine is the last line in JSON.
type countLine struct {
	Passed   int `json:"passed"`
	Total    int `json:"total"`
	NotTried int `json:"not_tried"`
}

// tryVector runs one vector in its own folder.
func tryVector(ctx context.Context, v memtest.Vector, command, dialect, folder string) (verdictLine, error) {
	line := verdictLine{Name: v.Name, Dialect: v.Dialect, Rule: v.Rule, Result: vectorNotTried}
	place := memtest.Place(folder)
	defer os.RemoveAll(folder)
	if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
		return line, nil
	} else if err != nil {
		return line, session.Failed(err, "Can't create the store of %s: %s", v.Name, session.Reason(err))
	}
	answers := runProgram(ctx, v, command, dialect, place.Store(), &line)
	failed := func(f memtest.Failure, bad bool) {
		if bad {
			line.Failures = append(line.Failures, f)
		}
	}
	if len(answers) != len(v.Steps) {
		line.Trouble = cmp.Or(line.Trouble, fmt.Sprintf("The program answered %d inputs with %d lines.", len(v.Steps), len(answers)))
	}
	for i, answer := range answers[:min(len(answers), len(v.Steps))] {
		var a struct {
			Content *string `json:"content"`
			IsError bool    `json:"is_error"`
		}
		if json.Unmarshal(answer, &a) != nil || a.Content == nil {
			line.Trouble = cmp.Or(line.Trouble, fmt.Sprintf("Answer %d is not a JSON object with the text content: %.200q.", i+1, answer))
			continue
		}
		failed(v.Judge(i, *a.Content, a.IsError))
	}
	failed(v.JudgeTree(place.Tree()))
	line.Result = vectorPassed
	if len(line.Failures) > 0 || line.Trouble != "" {
		line.Result = vectorFailed
	}
	return line, nil
}

const (
	mostOutput = 16 << 20         // of a program, in bytes
	runsFor    = 10 * time.Second // how long a program may take for a vector
)

// runProgram runs the command on a store and returns its answers, in lines. The user's configuration may have limits, rules and another
// dialect; the subject of the test is the tool.
func runProgram(ctx context.Context, v memtest.Vector, command, dialect, store string, line *verdictLine) [][]byte {
	ctx, stop := context.WithTimeout(ctx, runsFor)
	defer stop()
	var in bytes.Buffer
	for _, s := range v.Steps {
		_ = json.Compact(&in, s.Input) // it comes from a JSON file
		in.WriteByte('\n')
	}
	var out, said capped
	c := shellCommand(ctx, command, store)
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, session.EnvDir+"=") }),
		session.EnvDialect+"="+dialect, session.EnvState+"="+filepath.Join(filepath.Dir(store), "state"), session.EnvConfig+"="+os.DevNull)
	c.Stdin, c.Stdout, c.Stderr, c.WaitDelay = &in, &out, &said, time.Second
	err := c.Run()
	switch {
	case out.kept.Len() >= mostOutput:
		line.Trouble = "The program wrote more than 16 MiB."
	case ctx.Err() != nil:
		line.Trouble = fmt.Sprintf("Killed the program: still running after %s.", runsFor)
	case c.ProcessState == nil:
		line.Trouble = fmt.Sprintf("The shell did not start: %s.", session.Reason(err))
	case !c.ProcessState.Success():
		line.Trouble = fmt.Sprintf("The program ended with %s.", c.ProcessState)
	}
	if line.Trouble != "" {
		line.Stderr = said.kept.String()
	}
	if out.kept.Len() == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(out.kept.Bytes(), []byte("\n")), []byte("\n"))
}

// capped keeps the first bytes of a stream, and then fails the writer.
type capped struct{ kept bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	n, _ := c.kept.Write(p[:min(len(p), mostOutput-c.kept.Len())])
	if n < len(p) {
		return n, errors.New("too much output")
	}
	return n, nil
}

// printVerdicts prints what each vector failed at first, on a line: what a program says of one step is often why it fails at the next.
func printVerdicts(run *session.Session, s session.Settings, lines []verdictLine, asJSON bool) (err error) {
	out, encoder, count := run.Out.Lines(s), run.Out.JSONLines(), countLine{}
	for _, v := range lines {
		switch v.Result {
		case vectorNotTried:
			count.NotTried++
		case vectorPassed:
			count.Passed++
		}
		if asJSON {
			err = encoder.Encode(v)
		} else if v.Result == vectorFailed {
			_, err = fmt.Fprintf(out, "FAILED %s  %s\n", v.Name, whyFailed(v))
		}
		if err != nil {
			return err
		}
	}
	if count.Total = len(lines) - count.NotTried; asJSON {
		err = encoder.Encode(count)
	} else {
		_, err = fmt.Fprintf(out, "%d/%d\n", count.Passed, count.Total)
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

func whyFailed(v verdictLine) string {
	if v.Trouble != "" {
		if v.Stderr != "" {
			return fmt.Sprintf("%s It said %.400q", v.Trouble, v.Stderr)
		}
		return v.Trouble
	}
	word := map[bool]string{false: "the result", true: "the error"}
	f := v.Failures[0]
	at := fmt.Sprintf("step %d", f.Step)
	if f.Step == 0 {
		at = "the tree afterwards"
	}
	return fmt.Sprintf("%s: expected %s %.400q, got %s %.400q", at, word[f.ExpectedError], f.Expected, word[f.GotError], f.Got)
}
