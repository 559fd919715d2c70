package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/curate"
	"memcurator/tui/replay"
	"memcurator/tui/secrets"
)

// ConfigPlace is the file that rules are written to; see [curate.ConfigPlace].
type ConfigPlace = curate.ConfigPlace

// ReplaySource says what to replay; see [replay.Source].
type ReplaySource = replay.Source

// TranscriptPlaces is where transcripts are looked for; see [replay.Places].
type TranscriptPlaces = replay.Places

// Scrubbing is what scans a store for secrets; see [secrets.Scrubbing].
type Scrubbing = secrets.Scrubbing

// quitWithin bounds how long leaving by ctrl+c or a signal waits for a write under way.
const quitWithin = time.Second

// Run shows the user interface on the terminal until the user leaves: the store that is open, and the list of all stores, from which
// others are opened; without s it has no such list. It closes what is open at the end. The caller has
// made sure that in and out are a terminal. A nil error is a normal end, also that of ctx.
// Signals that end the program are the caller's to turn into the end of ctx: the toolkit's own
// handler can hang when a signal arrives while the program is ending already.
func Run(ctx context.Context, first Opened, s *Stores, in io.Reader, out io.Writer) error {
	jobs, stop := context.WithCancel(ctx)
	defer stop()
	w := newSwitcher(jobs, first, s)
	p := tea.NewProgram(w, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environment(first.Options)),
		tea.WithoutSignalHandler())
	_, err := p.Run()
	w.end(!errors.Is(err, tea.ErrProgramPanic))
	if errors.Is(err, tea.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// environment is what the toolkit reads its colors from. It takes NO_COLOR only for
// values that read as true; the convention is any value at all.
func environment(o Options) []string {
	env := os.Environ()
	if o.Theme.NoColor {
		env = append(env, "NO_COLOR=1")
	}
	return env
}
