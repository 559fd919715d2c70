package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// ExitError ends the program with a sentence and a status.
type ExitError struct {
	Code int
	Text string
	// Verbatim: the text is the tool's own sentence, printed without the name of
	// the program.
	Verbatim bool
	More     []string // further lines, if any
	Cause    error    // for [errors.Is]
}

func (e *ExitError) Error() string { return e.Text }

func (e *ExitError) Unwrap() error { return e.Cause }

func IsExit(err error) bool {
	var exit *ExitError
	return errors.As(err, &exit)
}

func WrongUse(format string, args ...any) error {
	return &ExitError{Code: ExitWrongUse, Text: fmt.Sprintf(format, args...)}
}

func Failed(cause error, format string, args ...any) error {
	return &ExitError{Code: ExitFailed, Text: fmt.Sprintf(format, args...), Cause: cause}
}

// OutputError is the error of a failed write to standard output.
func OutputError(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return Failed(err, "The output was closed early")
	}
	return Failed(err, "Can't write the output: %s", Reason(err))
}

// PanicError is a recovered panic.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Reason is the plain part of a system error, without the names of system calls.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrExist):
		return "it exists"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return strings.TrimSpace(err.Error())
}

// ExitPending is the exit status of --check if something is pending.
const ExitPending = 3

// NoArguments refuses positionals.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return WrongUse("Too many arguments: %s takes none", c.Name())
	}
	return nil
}
