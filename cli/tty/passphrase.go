package tty

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/term"
)

var errNotTyped = errors.New("no passphrase typed")

// ReadPassphrase prompts for a line without echo. If standard input is not a terminal, it prompts on the terminal that the program was
// started from.
func ReadPassphrase(prompt string) (string, error) {
	in, out := os.Stdin, os.Stderr
	if runtime.GOOS != "windows" {
		if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			defer tty.Close()
			in, out = tty, tty
		}
	}
	fd := int(in.Fd())
	// Before the prompt: nothing typed at it may be echoed, and a signal that has reset the terminal must not be overridden.
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", errors.Join(errNotTyped, err)
	}
	defer func() { _ = term.Restore(fd, before) }()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ended)
	type line struct {
		text string
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.NewTerminal(readWriter{in, out}, "").ReadPassword(prompt)
		typed <- line{text, err}
	}()
	var got line
	select {
	case got = <-typed:
	case <-ended:
		got.err = errNotTyped
	}
	if got.err != nil {
		_, _ = io.WriteString(out, "\r\n") // end the line
	}
	return got.text, got.err
}

// readWriter joins the input and the output of a terminal.
type readWriter struct {
	io.Reader
	io.Writer
}
