package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
)

// quitWithin bounds how long leaving by ctrl+c or a signal waits for a write under way.
const quitWithin = time.Second

// Run shows the user interface on the terminal until the user leaves. The caller has
// made sure that in and out are a terminal. A nil error is a normal end, also that of ctx.
// Signals that end the program are the caller's to turn into the end of ctx: the toolkit's own
// handler can hang when a signal arrives while the program is ending already.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	jobs, stop := context.WithCancel(ctx)
	defer stop()
	m := New(jobs, o)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environment(o)),
		tea.WithoutSignalHandler())
	_, err := p.Run()
	stop()
	waitWrites(m)
	if errors.Is(err, tea.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// environment is what the toolkit reads its colours from. It takes NO_COLOR only for
// values that read as true; the convention is any value at all.
func environment(o Options) []string {
	env := os.Environ()
	if o.Theme.NoColor {
		env = append(env, "NO_COLOR=1")
	}
	return env
}

// waitWrites lets writes end that were under way, but not for ever.
func waitWrites(m *Model) {
	done := make(chan struct{})
	go func() {
		m.Close()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(quitWithin):
	}
}
