package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// tester runs vectors against one command.
type tester struct {
	command, dialect string
	base             string // the folder of the stores
}

// Limits on the output of a program.
const (
	mostOutput = 16 << 20
	mostSaid   = 2 << 10
	// runsFor is how long the program may take for a vector.
	runsFor = 10 * time.Second
	// afterKill is how long a killed program may keep its streams open.
	afterKill = time.Second
)

// noCommand are the statuses of a shell that can't find a command, or may not run it: 9009 is that of Windows.
var noCommand = []int{126, 127, 9009}

// try runs one vector in its own folder.
func (t tester) try(ctx context.Context, v memtest.Vector, folder string) (verdictLine, error) {
	line := verdictLine{Name: v.Name, Dialect: v.Dialect, Rule: v.Rule}
	place := memtest.Place(folder)
	defer os.RemoveAll(folder)
	if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
		line.Result = vectorNotTried
		return line, nil
	} else if err != nil {
		return line, session.Failed(err, "Can't create the store of %s: %s", v.Name, session.Reason(err))
	}
	answers, err := t.run(ctx, v, place.Store(), &line)
	if err != nil {
		return line, err
	}
	failed := func(f memtest.Failure, bad bool) {
		if bad {
			line.Failures = append(line.Failures, failureLine{f.Step, f.Input, f.Expected, f.ExpectedError, f.Got, f.GotError})
		}
	}
	if len(answers) != len(v.Steps) && line.Trouble == "" {
		line.Trouble = fmt.Sprintf("The program answered %d inputs with %d lines.", len(v.Steps), len(answers))
	}
	for i, answer := range answers[:min(len(answers), len(v.Steps))] {
		content, isError, err := answerOf(answer)
		if err != nil {
			line.Trouble = cmp.Or(line.Trouble, fmt.Sprintf("Answer %d breaks the protocol (%s): %.200q.", i+1, err, answer))
			continue
		}
		failed(v.Judge(i, content, isError))
	}
	failed(v.JudgeTree(place.Tree()))
	line.Result = vectorPassed
	if len(line.Failures) > 0 || line.Trouble != "" {
		line.Result = vectorFailed
	}
	return line, nil
}

// run runs the command on a store and returns its answers, in lines.
func (t tester) run(ctx context.Context, v memtest.Vector, store string, line *verdictLine) ([][]byte, error) {
	limited, stop := context.WithTimeout(ctx, runsFor)
	defer stop()
	out, said := capped{most: mostOutput}, capped{most: mostSaid, drops: true}
	c := shellCommand(limited, t.command, store)
	c.Env = t.environment(filepath.Join(filepath.Dir(store), "state"))
	c.Stdin, c.Stdout, c.Stderr = inputOf(v), &out, &said
	c.WaitDelay = afterKill
	err := c.Run()
	if c.Process == nil {
		return nil, session.Failed(err, "Can't start the shell: %s", session.Reason(err))
	}
	status := c.ProcessState.ExitCode()
	if out.kept.Len() == 0 && slices.Contains(noCommand, status) {
		return nil, session.WrongUse("Can't run COMMAND: %s",
			cmp.Or(strings.TrimSpace(said.kept.String()), "exit status "+strconv.Itoa(status)))
	}
	switch {
	case ctx.Err() != nil:
	case out.full:
		line.Trouble = "The program wrote more than 16 MiB."
	case limited.Err() != nil:
		line.Trouble = fmt.Sprintf("Killed the program: still running after %s.", runsFor)
	case errors.Is(err, exec.ErrWaitDelay):
		line.Trouble = "The program exited but a child still holds its output."
	case status < 0:
		line.Trouble = "The program died by a signal: " + c.ProcessState.String() + "."
	case status != 0:
		line.Trouble = fmt.Sprintf("The program exited with status %d, not 0.", status)
	}
	if line.Trouble != "" {
		line.Stderr = said.kept.String()
	}
	if out.kept.Len() == 0 {
		return nil, nil
	}
	return bytes.Split(bytes.TrimSuffix(out.kept.Bytes(), []byte("\n")), []byte("\n")), nil
}

// environment is the environment of a command. The store is temporary, and so is its state. The user's own configuration may have limits,
// rules and another dialect; the subject of the test is the tool.
func (t tester) environment(state string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, session.EnvDir+"=") })
	return append(env, session.EnvDialect+"="+t.dialect, session.EnvState+"="+state, session.EnvConfig+"="+os.DevNull)
}

// inputOf is the input of a vector's program: a line for each step.
func inputOf(v memtest.Vector) *bytes.Buffer {
	var in bytes.Buffer
	for _, s := range v.Steps {
		// Input comes from a JSON file, so it is valid, and compacting it makes it one line.
		_ = json.Compact(&in, s.Input)
		in.WriteByte('\n')
	}
	return &in
}

// answerOf reads one line of the protocol. It allows additional fields.
func answerOf(line []byte) (content string, isError bool, err error) {
	var a struct {
		Content *string `json:"content"`
		IsError bool    `json:"is_error"`
	}
	if err := json.Unmarshal(line, &a); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return "", false, fmt.Errorf("%s has the wrong type", kind.Field)
		}
		return "", false, errors.New("not a JSON object")
	}
	if a.Content == nil {
		return "", false, errors.New("content is missing")
	}
	return *a.Content, a.IsError, nil
}

// capped keeps the first bytes of a stream. It drops the rest, or fails the
// writer.
type capped struct {
	kept  bytes.Buffer
	most  int
	drops bool
	full  bool
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.most-c.kept.Len())
	c.kept.Write(p[:n])
	if n < len(p) {
		c.full = true
		if !c.drops {
			return n, errors.New("too much output")
		}
	}
	return len(p), nil
}
