package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
	c := &cobra.Command{
		Use: "conformance 'COMMAND'", Short: "Test any memory tool implementation",
		Long: strings.Replace(conformanceHelp, "{dialects}", memstore.DialectNames(), 1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return session.WrongUse("Name one COMMAND, in quotes. Example: %s conformance '%s exec'", session.Program, session.Program)
			}
			return tryProgram(run, c.Context(), args[0], pattern)
		},
	}
	c.Flags().StringVar(&pattern, "run", "", "only vectors whose name matches the regular expression `PATTERN`")
	return c
}

func tryProgram(run *session.Session, ctx context.Context, command, pattern string) error {
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
	ctx, restore := session.UntilSignal(ctx, session.EndSignals...)
	defer restore()
	verdicts := make([]verdict, len(vectors))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, v := range vectors {
		group.Go(func() (err error) {
			if ctx.Err() == nil {
				verdicts[i], err = tryVector(ctx, v, command, dialect, filepath.Join(base, strconv.Itoa(i)))
			}
			return cmp.Or(err, ctx.Err())
		})
	}
	if err := group.Wait(); errors.Is(err, context.Canceled) {
		return session.Failed(err, "Stopped by a signal before all vectors ran")
	} else if err != nil {
		return err
	}
	return printVerdicts(run.Out.Lines(s), vectors, verdicts)
}

// verdict is the result of one vector.
type verdict struct {
	tried  bool   // this system can represent what the vector needs
	failed string // what failed first, which is often why the next step fails too; "" if nothing did
}

// tryVector runs one vector in its own folder.
func tryVector(ctx context.Context, v memtest.Vector, command, dialect, folder string) (verdict, error) {
	place := memtest.Place(folder)
	defer os.RemoveAll(folder)
	if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
		return verdict{}, nil
	} else if err != nil {
		return verdict{}, session.Failed(err, "Can't create the store of %s: %s", v.Name, session.Reason(err))
	}
	p := runProgram(ctx, v, command, dialect, place.Store())
	failures := v.Try(ctx, p, place.Tree)
	if p.trouble == "" && len(failures) > 0 {
		return verdict{true, whyFailed(failures[0])}, nil
	}
	return verdict{true, p.trouble}, nil
}

const (
	mostOutput = 16 << 20         // of a program, in bytes
	runsFor    = 10 * time.Second // how long a program may take for a vector
)

// program is a program that ran, with the lines that it answered. It implements [memtest.Handler].
type program struct {
	answers [][]byte
	trouble string // how it violated the protocol first, as a sentence
}

// Do implements [memtest.Handler] with the next line.
func (p *program) Do(context.Context, json.RawMessage) (content string, isError bool) {
	if len(p.answers) == 0 {
		return "", false
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	var a struct {
		Content *string `json:"content"`
		IsError bool    `json:"is_error"`
	}
	if json.Unmarshal(answer, &a) != nil || a.Content == nil {
		p.trouble = cmp.Or(p.trouble, fmt.Sprintf("An answer is not a JSON object with the text content: %.200q.", answer))
		return "", false
	}
	return *a.Content, a.IsError
}

// runProgram runs the command on a store. The user's configuration may have limits, rules and another dialect; the subject of the test is
// the tool.
func runProgram(ctx context.Context, v memtest.Vector, command, dialect, store string) *program {
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
	p := &program{}
	if out.kept.Len() > 0 {
		p.answers = bytes.Split(bytes.TrimSuffix(out.kept.Bytes(), []byte("\n")), []byte("\n"))
	}
	switch {
	case out.kept.Len() >= mostOutput:
		p.trouble = "The program wrote more than 16 MiB."
	case ctx.Err() != nil:
		p.trouble = fmt.Sprintf("Killed the program: still running after %s.", runsFor)
	case c.ProcessState == nil:
		p.trouble = fmt.Sprintf("The shell did not start: %s.", session.Reason(err))
	case !c.ProcessState.Success():
		p.trouble = fmt.Sprintf("The program ended with %s.", c.ProcessState)
	case len(p.answers) != len(v.Steps):
		p.trouble = fmt.Sprintf("The program answered %d inputs with %d lines.", len(v.Steps), len(p.answers))
	}
	if p.trouble != "" && said.kept.Len() > 0 {
		p.trouble += fmt.Sprintf(" It said %.400q", said.kept.String())
	}
	return p
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

func printVerdicts(out io.Writer, vectors []memtest.Vector, verdicts []verdict) error {
	passed, total := 0, 0
	for i, v := range verdicts {
		if !v.tried {
			continue
		}
		total++
		if v.failed == "" {
			passed++
		} else if _, err := fmt.Fprintf(out, "FAILED %s  %s\n", vectors[i].Name, v.failed); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d/%d\n", passed, total)
	switch {
	case err != nil:
		return err
	case passed < total:
		return session.Failed(nil, "%d of %d vectors failed", total-passed, total)
	case total == 0:
		return session.Failed(nil, "This system can't run any of these vectors")
	}
	return nil
}

func whyFailed(f memtest.Failure) string {
	word := map[bool]string{false: "the result", true: "the error"}
	at := fmt.Sprintf("step %d", f.Step)
	if f.Step == 0 {
		at = "the tree afterwards"
	}
	return fmt.Sprintf("%s: expected %s %.400q, got %s %.400q", at, word[f.ExpectedError], f.Expected, word[f.GotError], f.Got)
}
