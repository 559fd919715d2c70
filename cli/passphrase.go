package cli

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/term"
)

var errNotTyped = errors.New("no passphrase was typed")

// readPassphrase asks the person at the terminal for a line that is not shown while it is
// typed. Where standard input is something else, the terminal that the program was started
// from is asked.
func readPassphrase(prompt string) (string, error) {
	in, out := os.Stdin, os.Stderr
	if runtime.GOOS != "windows" {
		if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			defer tty.Close()
			in, out = tty, tty
		}
	}
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", errors.Join(errNotTyped, err)
	}
	// A signal must not leave the terminal as it is while a passphrase is typed.
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ended)
	if _, err := io.WriteString(out, prompt); err != nil {
		return "", errors.Join(errNotTyped, err)
	}
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		typed <- line{text, err}
	}()
	var got line
	select {
	case got = <-typed:
	case <-ended:
		_ = term.Restore(fd, before)
		got.err = errNotTyped
	}
	_, _ = io.WriteString(out, "\n") // the one that was typed was not shown
	return string(got.text), got.err
}
