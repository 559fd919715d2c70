package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
}

// keyPress turns a key's name into the message that the toolkit sends for it.
func keyPress(name string) tea.KeyPressMsg {
	key := tea.Key{}
	rest := name
	for {
		mod, after, ok := strings.Cut(rest, "+")
		if !ok || after == "" {
			break
		}
		switch mod {
		case "ctrl":
			key.Mod |= tea.ModCtrl
		case "shift":
			key.Mod |= tea.ModShift
		case "alt":
			key.Mod |= tea.ModAlt
		}
		rest = after
	}
	if code, ok := namedKeys[rest]; ok {
		key.Code = code
		if rest == "space" {
			key.Text = " "
		}
	} else {
		key.Code, _ = utf8.DecodeRuneInString(rest)
		if key.Mod&tea.ModCtrl == 0 {
			key.Text = rest
		}
	}
	press := tea.KeyPressMsg(key)
	if got := press.String(); got != name {
		panic(fmt.Sprintf("the key %q would arrive as %q", name, got))
	}
	return press
}

func typeName(msg tea.Msg) string { return fmt.Sprintf("%T", msg) }

func stringOf(msg tea.Msg) string { return fmt.Sprintf("%v", msg) }
