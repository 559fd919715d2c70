// Package tour leads the user through the screens: each step has a caption, the keys that it names, and what other programs do
// meanwhile. A key that is not pressed in time is pressed for the user; any other key pauses the tour and does what it
// always does. The shell shows the caption and asks the tour about each key press; what the steps are, the command says.
package tour

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Step is one row of a tour.
type Step struct {
	// Caption is one line that says what is seen, and names the keys of Press.
	Caption string
	// Begin are keys that lead to what the step is about, whatever is in sight. They are pressed when the step begins, and when a tour
	// paused in it resumes.
	Begin []string
	// Act is what others do as the step begins; it runs beside the interface. Nil: nothing.
	Act func()
	// Press are the keys that the caption names, in turn. A word in quotes is typed letter by letter.
	Press []string
	// Also are keys that the caption names and the tour leaves to the user: they act without a pause.
	Also []string
	// Stay is how long the step stays after its last key, or from its beginning if it has none.
	Stay time.Duration
}

// The pace of a tour.
const (
	patience = 5 * time.Second        // how long the user is waited for at the first key of a step
	between  = 2 * time.Second        // at the others
	typing   = 120 * time.Millisecond // between the letters of a word
	opening  = 250 * time.Millisecond // between the keys that lead to a step
	Shortest = 5 * time.Second        // that a caption stays
)

// A key is not pressed for the user while the interface is at work, since it may need the outcome: the tour looks again every busyPause,
// and goes on after busyMost of them, as the work may be of a kind that doesn't end.
const (
	busyPause = 50 * time.Millisecond
	busyMost  = 200
)

// Tour is where a tour stands. All its methods run on the Bubble Tea goroutine. Make it with [New].
type Tour struct {
	steps []Step
	speed float64
	after func(time.Duration, tea.Msg) tea.Cmd
	busy  func() bool // the interface is at work

	at    int
	state state
	begin []string // keys of Begin that are not pressed yet
	press []key    // keys of Press that are not pressed yet
	acted bool     // the step's Act was started
	run   int      // beats of an earlier run are dropped
	held  int      // how often the next key has waited for the interface
}

type state uint8

const (
	leading state = iota
	paused
	ended // the card is on the screen
	over
)

// key is one to press, and how long it waits for the user.
type key struct {
	name string
	wait time.Duration
}

// Message is what the tour's own commands deliver; the shell hands it to [Tour.Take].
type Message interface{ ofTour() }

type beat struct{ run int }

func (beat) ofTour() {}

// Press asks the shell to act as if a key was pressed.
type Press struct{ Key tea.KeyPressMsg }

func (Press) ofTour() {}

// Ended says that the last step is over, so the card appears.
type Ended struct{}

func (Ended) ofTour() {}

// New makes a tour that is speed times as fast as its steps say.
func New(steps []Step, speed float64) *Tour { return &Tour{steps: steps, speed: speed} }

// Start begins the tour; after delivers a message after a time, busy reports whether the interface is at work.
func (t *Tour) Start(after func(time.Duration, tea.Msg) tea.Cmd, busy func() bool) tea.Cmd {
	t.after, t.busy = after, busy
	return t.enter(0)
}

// Length is how long the tour takes if the user presses no key.
func (t *Tour) Length() (d time.Duration) {
	for _, s := range t.steps {
		for _, k := range keysOf(s) {
			d += k.wait
		}
		d += time.Duration(len(s.Begin))*opening + s.Stay
	}
	return time.Duration(float64(d) / t.speed)
}

// keysOf are the keys of a step with their times.
func keysOf(s Step) (list []key) {
	for _, p := range s.Press {
		wait := between
		if len(list) == 0 {
			wait = patience
		}
		word, typed := strings.CutPrefix(p, `"`)
		if !typed {
			list = append(list, key{p, wait})
			continue
		}
		for _, r := range strings.TrimSuffix(word, `"`) {
			list = append(list, key{string(r), wait})
			wait = typing
		}
	}
	return list
}

// enter begins a step.
func (t *Tour) enter(at int) tea.Cmd {
	t.at, t.acted = at, false
	if at >= len(t.steps) {
		t.state = ended
		t.run++
		return func() tea.Msg { return Ended{} }
	}
	return t.resume()
}

// resume restarts the step: it presses the keys that lead to it, but others act in it only once.
func (t *Tour) resume() tea.Cmd {
	s := t.steps[t.at]
	t.state, t.begin, t.press = leading, s.Begin, keysOf(s)
	var act tea.Cmd
	if s.Act != nil && !t.acted {
		act = func() tea.Msg {
			s.Act()
			return nil
		}
	}
	t.acted = true
	return tea.Batch(act, t.next())
}

// next waits for the next beat: that of a key, or the end of the step.
func (t *Tour) next() tea.Cmd {
	wait := t.steps[t.at].Stay
	switch {
	case len(t.begin) > 0:
		wait = opening
	case len(t.press) > 0:
		wait = t.press[0].wait
	}
	t.run, t.held = t.run+1, 0
	return t.after(time.Duration(float64(wait)/t.speed), beat{t.run})
}

// Take handles a message of the tour's own.
func (t *Tour) Take(m Message) tea.Cmd {
	b, ok := m.(beat)
	if !ok || b.run != t.run || t.state != leading {
		return nil
	}
	if t.held < busyMost && t.busy() {
		t.held++
		return t.after(busyPause, b)
	}
	var name string
	switch {
	case len(t.begin) > 0:
		name, t.begin = t.begin[0], t.begin[1:]
	case len(t.press) > 0:
		name, t.press = t.press[0].name, t.press[1:]
	default:
		return t.enter(t.at + 1)
	}
	return tea.Batch(func() tea.Msg { return Press{named(name)} }, t.next())
}

// The keys of a tour that is paused.
const (
	keyGoOn = "F"
	keyQuit = "q"
)

// Key gets each key that the user presses, and returns whether the tour took it. If not, the key does what it always does.
func (t *Tour) Key(name string) (cmd tea.Cmd, taken bool) {
	switch {
	case t.state == paused && name == keyGoOn:
		return t.resume(), true
	case t.state != leading || name == keyQuit || name == "ctrl+c":
		return nil, false
	case len(t.begin) == 0 && len(t.press) > 0 && name == t.press[0].name:
		t.press = t.press[1:]
		return t.next(), false
	case slices.Contains(t.steps[t.at].Also, name):
		return nil, false
	case t.names(name): // the tour pressed it a moment ago, or is about to
		return nil, true
	}
	t.state = paused
	t.run++
	return nil, false
}

// names reports whether a key is among those of the step's caption.
func (t *Tour) names(name string) bool {
	return slices.ContainsFunc(keysOf(t.steps[t.at]), func(k key) bool { return k.name == name })
}

// Dismiss ends a tour whose card is on the screen, and reports whether it was there.
func (t *Tour) Dismiss() bool {
	if t.state != ended {
		return false
	}
	t.state = over
	return true
}

// Leads reports whether there is a caption to show.
func (t *Tour) Leads() bool { return t.state == leading || t.state == paused }

const textPaused = "Paused. " + keyGoOn + " continues, " + keyQuit + " quits"

// Caption is the line to show.
func (t *Tour) Caption() string {
	switch {
	case t.state == paused:
		return textPaused
	case t.Leads() && t.at < len(t.steps):
		return t.steps[t.at].Caption
	}
	return ""
}

// Card is what the tour ends with; CardKeys is its last line, with the names of keys.
const Card = `memcurator           every memory on this machine
memcurator DIR       one folder: review, prune, redact
memcurator replay    the transcripts of your agents`

// CardKeys leads on from the card.
const CardKeys = "{input/accept} stay   {global/quit} quit and delete the demo"

// CardTitle heads it.
const CardTitle = "Try next"

// codes are the keys with names of their own.
var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd,
}

// named is the press of a key by its name, as the table of keys has it.
func named(name string) tea.KeyPressMsg {
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		r, _ := utf8.DecodeRuneInString(letter)
		return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}
	}
	r, _ := utf8.DecodeRuneInString(name)
	return tea.KeyPressMsg{Code: r, Text: name}
}
