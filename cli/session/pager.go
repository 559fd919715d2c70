package session

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
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
