package keymap

import (
	"fmt"
	"strings"
)

// Verb is the first word of the action's help. On the screens a key has one verb, whatever it acts on.
func (a Action) Verb() string {
	verb, _, _ := strings.Cut(a.Help, " ")
	return strings.TrimRight(verb, ":,")
}

// Text formats the table for people, by scope.
func (m *Map) Text() string {
	var b strings.Builder
	for _, s := range m.Scopes() {
		for i, a := range m.InScope(s) {
			if i == 0 {
				fmt.Fprintf(&b, "%s\n", s.Title())
			}
			fmt.Fprintf(&b, "  %-22s %s\n", a.KeyText(true), a.Help)
		}
	}
	return b.String()
}
