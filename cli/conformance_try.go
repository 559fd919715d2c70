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

// trial is one run of a vector.
type trial struct {
	vector   memtest.Vector
	untried  bool // this system can't represent what the vector needs
	failures []memtest.Failure
	// trouble is how the program violated the protocol, as a sentence; said is
	// what it wrote to standard error meanwhile.
	trouble, said string
	err           error // the trial itself failed, as will any after it
}

func (t trial) passed() bool { return len(t.failures) == 0 && t.trouble == "" }

// Limits on the output of a program.
const (
	mostOutput = 64 << 20
	mostSaid   = 2 << 10
	// afterKill is how long a killed program may keep its streams open.
	afterKill = time.Second
)

// try runs one vector in its own folder below base.
func (t tester) try(ctx context.Context, v memtest.Vector, base string, number int) trial {
	result := trial{vector: v}
	place := memtest.Place(filepath.Join(base, strconv.Itoa(number)))
	defer os.RemoveAll(string(place))
	if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
		result.untried = true
		return result
	} else if err != nil {
		result.err = session.Failed(err, "Can't create the store of %s: %s", v.Name, session.Reason(err))
		return result
	}
	lines, err := t.run(ctx, v, place.Store(), &result)
	if err != nil {
		result.err = err
		return result
	}
	result.judge(lines)
	left, err := place.Tree()
	if f, bad := v.JudgeTree(left, err); bad {
		result.failures = append(result.failures, f)
	}
	return result
}

// run runs the command on a store and returns its answers, in lines.
func (t tester) run(ctx context.Context, v memtest.Vector, store string, result *trial) ([][]byte, error) {
	limited, stop := context.WithTimeout(ctx, t.timeout)
	defer stop()
	out, said := capped{most: mostOutput}, capped{most: mostSaid, drops: true}
	c := shellCommand(limited, t.command, store)
	c.Env = t.environment(filepath.Dir(store))
	c.Stdin, c.Stdout, c.Stderr = inputOf(v), &out, &said
	c.WaitDelay = afterKill
	err := c.Run()
	if c.Process == nil {
		return nil, session.Failed(err, "Can't start the shell: %s", session.Reason(err))
	}
	killChildren(c) // any processes that the program left behind
	status := c.ProcessState.ExitCode()
	if out.kept.Len() == 0 && limited.Err() == nil && isNoCommand(status) {
		return nil, session.WrongUse("Can't run COMMAND: %s",
			cmp.Or(strings.TrimSpace(said.kept.String()), "exit status "+strconv.Itoa(status)))
	}
	switch {
	case ctx.Err() != nil:
	case limited.Err() != nil:
		result.trouble = fmt.Sprintf("Killed the program: still running after %s.", t.timeout)
	case out.full:
		result.trouble = "The program wrote more than 64 MiB."
	case errors.Is(err, exec.ErrWaitDelay):
		result.trouble = "The program exited but a child still holds its output."
	case status < 0:
		result.trouble = "The program died by a signal: " + c.ProcessState.String() + "."
	case status != 0:
		result.trouble = fmt.Sprintf("The program exited with status %d, not 0.", status)
	}
	if result.trouble != "" {
		result.said = said.kept.String()
	}
	return bytes.Split(bytes.TrimSuffix(out.kept.Bytes(), []byte("\n")), []byte("\n")), nil
}

// environment is the environment of a command whose store is in place. The store is temporary, and so is its state. The user's own
// configuration may have limits, rules and another dialect; the subject of the test is the tool.
func (t tester) environment(place string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{session.EnvDir, session.EnvState, session.EnvConfig, session.EnvDialect}, name)
	})
	return append(env, session.EnvDialect+"="+t.dialect, session.EnvState+"="+filepath.Join(place, "state"),
		session.EnvConfig+"="+trialConfig(filepath.Dir(place)))
}

// trialConfig is the configuration below base.
func trialConfig(base string) string { return filepath.Join(base, "config", "config.toml") }

// writeTrialConfig writes an empty configuration with an old timestamp: a fresh file might still be being saved, and the start would wait
// for that.
func writeTrialConfig(base string) error {
	file := trialConfig(base)
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte("# The tool alone: no rules, no limits.\n"), 0o600); err != nil {
		return err
	}
	old := time.Now().Add(-time.Hour)
	return errors.Join(os.Chtimes(file, old, old), os.Chtimes(filepath.Dir(file), old, old))
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

// judge compares the answers with the steps.
func (t *trial) judge(lines [][]byte) {
	if len(lines) == 1 && len(lines[0]) == 0 {
		lines = nil
	}
	steps := len(t.vector.Steps)
	if len(lines) != steps && t.trouble == "" {
		t.trouble = fmt.Sprintf("The program answered %d inputs with %d lines.", steps, len(lines))
	}
	strays := 0
	for i, line := range lines[:min(steps, len(lines))] {
		content, isError, err := answerOf(line)
		if err != nil {
			if strays++; strays == 1 {
				t.trouble = strings.TrimSpace(fmt.Sprintf("%s Answer %d breaks the protocol (%s): %s", t.trouble, i+1, err, bare(string(line))))
			}
			continue
		}
		if f, bad := t.vector.Judge(i, content, isError); bad {
			t.failures = append(t.failures, f)
		}
	}
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
