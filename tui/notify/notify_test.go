package notify

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// stage is a notifier with what it told the user and the messages that a pause would bring.
type stage struct {
	*Notifier
	told  []string
	later []tea.Msg
}

// told is a shell that keeps what it is told.
type told struct {
	kit.Shell
	s *stage
}

func (t told) Report(_ kit.Level, said string) { t.s.told = append(t.s.told, said) }

func newStage(t *testing.T) *stage {
	s := &stage{}
	after := func(_ time.Duration, msg tea.Msg) tea.Cmd {
		s.later = append(s.later, msg)
		return nil
	}
	now := func() time.Time { return time.Date(2026, 1, 31, 10, 48, 0, 0, time.UTC) }
	s.Notifier = New(t.Context(), told{s: s}, slog.New(slog.DiscardHandler), now, after, "~/memories")
	return s
}

// all carries out a command and collects what it prints to the terminal.
func all(cmd tea.Cmd) (raw string) {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			raw += all(c)
		}
	case tea.RawMsg:
		raw += msg.Msg.(string)
	case kit.Call:
		raw += all(msg())
	}
	return raw
}

func (s *stage) pauseEnds() {
	msg := s.later[0].(kit.Call)
	s.later = s.later[1:]
	msg()
}

func TestNothingNotifiesUnlessItIsSet(t *testing.T) {
	s := newStage(t)
	s.Add(Event{Kind: Secret, Text: "a"})
	if s.Flush() != nil {
		t.Error("a notifier that is off notifies")
	}
}

// A burst rings once; after the pause, the newest event of each kind remains.
func TestABurstRingsOnce(t *testing.T) {
	s := newStage(t)
	s.Use(true, nil)
	for range 50 {
		s.Add(Event{Kind: BulkDelete})
		s.Add(Event{Kind: Secret})
		if len(s.waiting) > 2 {
			t.Fatalf("%d events wait", len(s.waiting))
		}
	}
	rung := 0
	for range 10 {
		rung += len(all(s.Flush()))
	}
	if rung != 1 {
		t.Errorf("the bell rang %d times", rung)
	}
	s.pauseEnds()
	if got := all(s.Flush()); got != "\a" {
		t.Errorf("after the pause the terminal got %q", got)
	}
	s.pauseEnds()
	if s.Flush() != nil {
		t.Error("events are sent twice")
	}
}

// The program gets the event on its standard input and its arguments as they are written: no shell reads them.
func TestTheProgramGetsTheEvent(t *testing.T) {
	tee, err := exec.LookPath("tee")
	if err != nil {
		t.Skip("no tee")
	}
	out := filepath.Join(t.TempDir(), "$(event) > x")
	s := newStage(t)
	s.Use(false, []string{tee, out})
	s.Add(Event{Kind: Secret, Text: "Agent 7f3a wrote an API key", Actor: "agent", Session: "7f3a", Path: "log/a.md", Count: 1})
	all(s.Flush())
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil || strings.Count(string(data), "\n") != 1 {
		t.Fatalf("%q: %v", data, err)
	}
	for key, want := range map[string]any{
		"event": "secret", "time": "2026-01-31T10:48:00Z", "store": "~/memories", "text": "Agent 7f3a wrote an API key", "actor": "agent",
		"session": "7f3a", "path": "log/a.md", "count": 1.0,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	if len(s.told) > 0 {
		t.Errorf("told %q", s.told)
	}
}

// A program that hangs ends with the interface.
func TestAProgramEndsWithTheInterface(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("no sleep")
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := run(ctx, []string{sleep, "60"}, Event{}); err == nil {
		t.Error("it ran to its end")
	}
}
