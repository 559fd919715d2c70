package session

import (
	"bufio"
	"fmt"
	"strings"
)

func (run *Session) CanAsk() bool { return run.Env.StdinTerminal && run.Env.StderrTerminal }

// CanConfirm returns the error of a command that will need to ask and has no terminal, before it does anything. yes is the answer that
// the user gave already, and verb what it makes the command do.
func (run *Session) CanConfirm(yes bool, verb string) error {
	if yes || run.CanAsk() {
		return nil
	}
	return WrongUse("Not a terminal. Pass --yes to %s", verb)
}

// Confirm asks a question on standard error, unless the user said yes already; y or yes confirms. Any other answer, or the end of the
// input, is an error.
func (run *Session) Confirm(yes bool, question string, args ...any) error {
	if yes {
		return nil
	}
	if _, err := fmt.Fprintf(run.Env.Stderr, question+" [y/N] ", args...); err != nil {
		return err
	}
	line, _ := bufio.NewReader(run.Env.Stdin).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return Failed(nil, "Canceled, nothing changed")
	}
	return nil
}
