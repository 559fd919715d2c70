package tui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/picker"
	"memcurator/tui/ui"
)

// FoundStore is a row of the list of stores.
type FoundStore = picker.Row

// Pick shows the stores that were found and returns the place of the one that the user opened,
// -1 where the user left. The caller has made sure that in and out are a terminal.
func Pick(ctx context.Context, stores []FoundStore, o theme.Options, p Preferences, in io.Reader, out io.Writer) (int, error) {
	env := &ui.Env{Styles: theme.New(o), Keys: p.Keys, Jobs: ui.NewJobs(ctx), ASCII: o.ASCII}
	if env.Keys == nil {
		env.Keys = keymap.Default()
	}
	m := picker.New(env, stores, time.Now(), !p.MouseOff)
	if o.Name == theme.Auto || o.Name == theme.Contrast {
		m.Background = func(dark bool) {
			o.Dark = dark
			env.Styles = theme.New(o)
		}
	}
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithEnvironment(environment(Options{Theme: o})), tea.WithoutSignalHandler())
	_, err := program.Run()
	if err != nil && !errors.Is(err, tea.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		return -1, err
	}
	at, ok := m.Chosen()
	if !ok || err != nil {
		return -1, nil
	}
	return at, nil
}
