package tour_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/tour"
)

// stage plays a tour: it keeps what is waited for, and what is pressed.
type stage struct {
	t       *testing.T
	tour    *tour.Tour
	waits   []time.Duration
	waiting tea.Msg
	pressed []string
	ended   bool
	busy    bool // the interface
}

func newStage(t *testing.T, steps ...tour.Step) *stage {
	s := &stage{t: t, tour: tour.New(steps, 1)}
	s.run(s.tour.Start(func(d time.Duration, msg tea.Msg) tea.Cmd {
		s.waits = append(s.waits, d)
		s.waiting = msg
		return nil
	}, func() bool { return s.busy }))
	return s
}

func (s *stage) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tour.Press:
		s.pressed = append(s.pressed, msg.Key.String())
	case tour.Ended:
		s.ended = true
	}
}

// passes lets the time pass that is waited for.
func (s *stage) passes() {
	msg := s.waiting
	s.waiting = nil
	if m, ok := msg.(tour.Message); ok {
		s.run(s.tour.Take(m))
	}
}

// key presses a key as the user, and reports whether the tour took it.
func (s *stage) key(name string) bool {
	cmd, taken := s.tour.Key(name)
	s.run(cmd)
	return taken
}

func (s *stage) has(caption string, pressed ...string) {
	s.t.Helper()
	if !strings.HasPrefix(s.tour.Caption(), caption) || !slices.Equal(s.pressed, pressed) {
		s.t.Fatalf("caption %q, pressed %q; want %q, %q", s.tour.Caption(), s.pressed, caption, pressed)
	}
}

func TestTourPressesKeys(t *testing.T) {
	t.Parallel()
	acts := 0
	s := newStage(t,
		tour.Step{Caption: "one", Stay: 6 * time.Second, Act: func() { acts++ }},
		tour.Step{Caption: "two", Begin: []string{"esc", "3"}, Press: []string{"a", `"no"`, "enter"}, Stay: 4 * time.Second})
	s.has("one")
	s.passes()
	s.has("two")
	for range 6 {
		s.passes()
	}
	s.has("two", "esc", "3", "a", "n", "o", "enter")
	s.passes()
	s.has("", "esc", "3", "a", "n", "o", "enter")
	if !s.ended || s.tour.Leads() || acts != 1 || !s.tour.Dismiss() || s.tour.Dismiss() {
		t.Errorf("ended %v, leads %v, %d acts", s.ended, s.tour.Leads(), acts)
	}
	want := "[6s 250ms 250ms 5s 2s 120ms 2s 4s]"
	if got := fmt.Sprint(s.waits); got != want {
		t.Errorf("waited %s, want %s", got, want)
	}
	if d := s.tour.Length(); d != 19620*time.Millisecond {
		t.Errorf("length %v", d)
	}
}

// The user may press the keys of the captions; they act, and the tour continues.
func TestTourFollowsTheUser(t *testing.T) {
	t.Parallel()
	s := newStage(t, tour.Step{Caption: "one", Press: []string{"a", "p"}, Stay: time.Second}, tour.Step{Caption: "two", Stay: time.Second})
	if s.key("a") || s.key("p") {
		t.Fatal("the keys did not act")
	}
	s.passes()
	s.has("two")
}

// A key that the caption names never pauses: pressed again it does nothing, and one left to the user acts.
func TestNamedKeysDoNotPause(t *testing.T) {
	t.Parallel()
	s := newStage(t, tour.Step{Caption: "one", Begin: []string{"1"}, Press: []string{"a"}, Also: []string{"u"}, Stay: time.Second})
	if !s.key("a") {
		t.Error("a key of the step acted before what leads to it")
	}
	s.passes()
	s.passes()
	if !s.key("a") {
		t.Error("a key acted again that the tour had just pressed")
	}
	if s.key("u") {
		t.Error("a key that the caption leaves to the user did nothing")
	}
	s.has("one", "1", "a")
	s.passes()
	if !s.ended {
		t.Error("the tour stopped")
	}
}

func TestTourPauses(t *testing.T) {
	t.Parallel()
	acts := 0
	s := newStage(t,
		tour.Step{Caption: "one", Begin: []string{"1"}, Press: []string{"a", "p"}, Stay: time.Second, Act: func() { acts++ }},
		tour.Step{Caption: "two", Stay: time.Second})
	s.passes()
	s.passes()
	s.has("one", "1", "a")
	if s.key("j") {
		t.Fatal("a key of the user did nothing")
	}
	s.passes()
	s.has("Paused.", "1", "a")
	if s.key("p") || s.key("q") {
		t.Fatal("a key of the user did nothing")
	}
	if !s.key("F") {
		t.Fatal("F went through")
	}
	for range 3 {
		s.passes()
	}
	s.has("one", "1", "a", "1", "a", "p")
	s.passes()
	s.has("two", "1", "a", "1", "a", "p")
	if acts != 1 {
		t.Errorf("acted %d times", acts)
	}
	if s.key("q") || !strings.HasPrefix(s.tour.Caption(), "two") {
		t.Error("q does not quit")
	}
}

// A key may need what the interface is still doing: the tour waits for that, but not for ever.
func TestAKeyWaitsForTheInterface(t *testing.T) {
	s := newStage(t, tour.Step{Caption: "one", Press: []string{"a", "p"}, Stay: time.Second})
	s.busy = true
	for range 3 {
		s.passes()
	}
	if len(s.pressed) > 0 {
		t.Fatalf("pressed %v while the interface was busy", s.pressed)
	}
	s.busy = false
	s.passes()
	if !slices.Equal(s.pressed, []string{"a"}) {
		t.Fatalf("pressed %v, not a", s.pressed)
	}
	s.busy = true
	for range 300 {
		s.passes()
	}
	if !slices.Equal(s.pressed, []string{"a", "p"}) {
		t.Errorf("pressed %v: work without end holds up the tour", s.pressed)
	}
}
