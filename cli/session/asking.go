package session

import (
	"bufio"
	"fmt"
	"strings"
)

func (run *Session) CanAsk() bool { return run.Env.StdinTerminal && run.Env.StderrTerminal }

// Confirm asks a question on standard error; y or yes confirms. Any other answer, or the end of the input, is [ErrNothingDone].
func (run *Session) Confirm(question string, args ...any) error {
	switch yes, err := run.ask(question, args...); {
	case err != nil:
		return err
	case !yes:
		return Failed(ErrNothingDone, "Canceled, nothing changed")
	}
	return nil
}

// ask asks a question on standard error and reports whether the answer is y or yes.
func (run *Session) ask(question string, args ...any) (bool, error) {
	if _, err := fmt.Fprintf(run.Env.Stderr, question+" [y/N] ", args...); err != nil {
		return false, err
	}
	line, _ := bufio.NewReader(run.Env.Stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// NotAsked is the error of a command that needs to ask and has no terminal; verb is what --yes makes it do.
func NotAsked(verb string) error {
	return WrongUse("Not a terminal. Pass --yes to %s", verb)
}
