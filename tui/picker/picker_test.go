package picker

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func list() []Row {
	return []Row{
		{Name: "work", Dir: "~/agent/memories", Agent: "memory tool", Files: 18, Bytes: 24000, Newest: noon.Add(-3 * time.Hour)},
		{Name: "gone", Dir: "~/gone", Missing: true},
		{Dir: "~/.claude/projects/-home-me-ferry/memory", Agent: "Claude Code", Project: "ferry", Files: 1, Newest: noon},
		{Dir: "~/日本/\x1b[31mмемо\u202e", Files: 20000, More: true, Newest: noon.Add(-50 * time.Hour)},
		{Name: "demo", Offer: "take a tour of two minutes"},
	}
}

func newPicker(w, h int) *model {
	env := &ui.Env{Styles: theme.New(theme.Options{Name: theme.Dark}), Keys: keymap.Default()}
	m := New(env, list(), noon, true)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// press sends keys by name, or the characters of a text.
func press(m *model, keys ...string) (quit bool) {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "down": tea.KeyDown, "up": tea.KeyUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace}
	for _, k := range keys {
		msg := tea.KeyPressMsg{Code: codes[k]}
		if k == "ctrl+c" {
			msg = tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
		} else if msg.Code == 0 {
			msg = tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		}
		if _, cmd := m.Update(msg); cmd != nil {
			if _, ok := cmd().(tea.QuitMsg); ok {
				quit = true
			}
		}
	}
	return quit
}

func screen(m *model) string { return ansi.Strip(strings.Join(m.Rows(), "\n")) }

func TestTypingNarrowsAndEnterOpens(t *testing.T) {
	m := newPicker(96, 10)
	if s := screen(m); !strings.Contains(s, "4 found") || !strings.Contains(s, "work                   18    23.4K      3 h") ||
		!strings.Contains(s, "missing") || !strings.Contains(s, "20000+       0B      2 d") {
		t.Errorf("screen\n%s", s)
	}
	press(m, "c", "l", "f", "e", "r")
	if s := screen(m); !strings.Contains(s, "1 of 4") || strings.Contains(s, "work") {
		t.Errorf("narrowed\n%s", s)
	}
	if !press(m, "enter") {
		t.Error("enter does not end the list")
	}
	if at, ok := m.Chosen(); !ok || at != 2 {
		t.Errorf("chosen %d %v", at, ok)
	}
}

// q quits as on every other screen, unless it is a part of what is typed.
func TestQuitBeforeTyping(t *testing.T) {
	m := newPicker(80, 6)
	if press(m, "a", "q") || m.input.Value() != "aq" {
		t.Errorf("typed %q", m.input.Value())
	}
	if press(m, "esc") || !press(m, "q") {
		t.Error("q does not quit before anything is typed")
	}
}

// j and k are characters here; the arrows move.
func TestMovingAndLeaving(t *testing.T) {
	m := newPicker(80, 6)
	press(m, "down", "down", "down", "up")
	if cursorOf(m) != 2 || !strings.Contains(screen(m), "ferry") {
		t.Errorf("cursor %d\n%s", cursorOf(m), screen(m))
	}
	press(m, "j", "k")
	if m.input.Value() != "jk" || press(m, "enter") {
		t.Errorf("typed %q, and nothing to open was opened", m.input.Value())
	}
	if !strings.Contains(screen(m), `No rows match "jk"`) {
		t.Errorf("screen\n%s", screen(m))
	}
	if press(m, "esc") || m.input.Value() != "" {
		t.Error("the first esc clears what was typed")
	}
	if !press(m, "esc") {
		t.Error("the second esc leaves")
	}
	if _, ok := m.Chosen(); ok {
		t.Error("something was chosen")
	}
	m = newPicker(80, 6)
	press(m, "x")
	if !press(m, "ctrl+c") {
		t.Error("ctrl+c does not quit")
	}
}

func TestTheMouseSelectsAndOpens(t *testing.T) {
	m := newPicker(96, 10)
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	click := tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: above + 2}
	if _, cmd := m.Update(click); cmd != nil || cursorOf(m) != 2 {
		t.Errorf("the first click selects: cursor %d", cursorOf(m))
	}
	if _, cmd := m.Update(click); cmd == nil {
		t.Error("the second click opens")
	}
	for _, y := range []int{0, 1, 9, 100, -1} {
		if _, cmd := m.Update(tea.MouseClickMsg{Button: tea.MouseLeft, Y: y}); cmd != nil {
			t.Errorf("a click in row %d does something", y)
		}
	}
}

func TestEverySizeIsFilledExactly(t *testing.T) {
	for w := range 100 {
		for h := range 14 {
			m := newPicker(w, h)
			press(m, "a")
			press(m, "backspace", "down", "pgdown")
			rows := m.Rows()
			if w == 0 || h == 0 {
				continue
			}
			if len(rows) != h {
				t.Fatalf("%dx%d: %d rows", w, h, len(rows))
			}
			for _, r := range rows {
				plain := ansi.Strip(r)
				if text.Width(plain) != w || strings.ContainsAny(plain, "\x1b\u202e\n") {
					t.Fatalf("%dx%d: %q", w, h, r)
				}
			}
			m.View()
		}
	}
}

// cursorOf is the row under the cursor.
func cursorOf(m *model) int {
	at, _ := m.list.At()
	return at
}
