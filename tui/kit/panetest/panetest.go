// Package panetest is a harness for testing panes: jobs run to their end immediately, and each screen is checked
// for what must hold of every pane. Only tests import it.
package panetest

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// noon is the time on the clock of [NewEnv].
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// NewEnv is what the root would provide to a pane. Its jobs end with the test.
func NewEnv(t testing.TB, look theme.Options) *kit.Env {
	return &kit.Env{
		Styles: theme.New(look), Jobs: kit.NewJobs(t.Context()),
		Now: func() time.Time { return noon },
	}
}

// Stage is a pane of w x h cells in a test. Not safe for concurrent use.
type Stage struct {
	T    testing.TB
	Pane kit.Pane
	Env  *kit.Env

	w, h int
}

// New puts a pane made with env on a stage.
func New(t testing.TB, p kit.Pane, env *kit.Env, w, h int) *Stage {
	if env.Keys == nil { // those that the pane has declared
		keys, err := keymap.New(env.Declared)
		if err != nil {
			t.Fatal(err)
		}
		env.Keys = keys
	}
	p.Resize(w, h)
	return &Stage{T: t, Pane: p, Env: env, w: w, h: h}
}

// Run runs a command and everything it leads to. A failed job fails the test.
func (s *Stage) Run(cmd tea.Cmd) {
	s.T.Helper()
	if cmd != nil {
		s.receive(cmd())
	}
	s.Env.Drain() // nobody waits for what panes ask of the shell
}

func (s *Stage) receive(msg tea.Msg) {
	s.T.Helper()
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			s.Run(c)
		}
	case kit.Done:
		next, err := msg.Take()
		if err != nil {
			s.T.Fatalf("the job of %s ended with %v", msg.Owner, err)
		}
		s.Run(next)
	}
}

// Does performs actions in order; an action that the pane doesn't bind fails the test.
func (s *Stage) Does(ids ...keymap.ID) {
	s.T.Helper()
	for _, id := range ids {
		cmd, ok := s.Pane.Actions().Perform(id)
		if !ok {
			s.T.Fatalf("%s is not bound", id)
		}
		s.Run(cmd)
	}
}

// Rows is the screen without styles. The test fails if it has the wrong size or contains anything unsanitized.
func (s *Stage) Rows() []string {
	s.T.Helper()
	rows := s.Pane.Rows(true)
	if len(rows) != s.h {
		s.T.Fatalf("%d rows in a pane of %d", len(rows), s.h)
	}
	for i, row := range rows {
		if w := ansi.StringWidth(row); w != s.w {
			s.T.Fatalf("row %d is %d cells wide in a pane of %d: %q", i, w, s.w, row)
		}
		rows[i] = ansi.Strip(row)
		if at := strings.IndexFunc(rows[i], func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }); at >= 0 {
			s.T.Fatalf("row %d holds a raw control character: %q", i, rows[i])
		}
	}
	return rows
}
