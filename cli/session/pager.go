package session

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// Pager is a program that shows long output one screen at a time.
type Pager struct {
	In   io.WriteCloser
	Wait func() error
}

// defaultPager is used if $PAGER is not set.
const defaultPager = "less"

// lessOptions are for users without $LESS: keep colors, don't page what fits the screen, and leave it on the screen.
const lessOptions = "FRX"

// StartPager starts $PAGER on the terminal; nil if there is none or it is cat. While it runs, it handles ctrl+c.
func StartPager() *Pager {
	words := strings.Fields(pagerLine())
	if len(words) == 0 || words[0] == "cat" {
		return nil
	}
	file, err := exec.LookPath(words[0])
	if err != nil {
		return nil
	}
	c := exec.Command(file, words[1:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if os.Getenv("LESS") == "" {
		c.Env = append(os.Environ(), "LESS="+lessOptions)
	}
	in, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return nil
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	return &Pager{In: in, Wait: func() error {
		defer signal.Stop(interrupts)
		return c.Wait()
	}}
}

func pagerLine() string {
	if line, set := os.LookupEnv("PAGER"); set {
		return line
	}
	return defaultPager
}

// Paged runs a command with long output through the pager, if wanted and if there is one. The user may quit the pager before the end.
func (run *Session) Paged(p *Recorded, wanted bool, do func() error) func() error {
	return func() error {
		if !wanted || p.Plain || run.Env.Pager == nil {
			return do()
		}
		pager := run.Env.Pager()
		if pager == nil {
			return do()
		}
		terminal := run.Out.W
		run.Out.W = pager.In
		err := do()
		closed := errors.Is(run.Out.Err, syscall.EPIPE) || errors.Is(run.Out.Err, fs.ErrClosed) || errors.Is(run.Out.Err, io.ErrClosedPipe)
		_ = pager.In.Close()
		if waitErr := pager.Wait(); waitErr != nil {
			run.Log.Info("pager", "error", waitErr)
		}
		run.Out.W = terminal
		if closed {
			run.Out.Err, err = nil, nil
		}
		return err
	}
}
