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

// Kind is the scope as printed. A scope open over the screen is a dialog, a menu or input, with keys of its own.
func (s Scope) Kind() string {
	switch s {
	case Copy, ActionMenu:
		return "menu"
	case Input:
		return "input"
	}
	if !s.OnScreen() {
		return "dialog"
	}
	return string(s)
}

// Row is a line of the printed table: one key of an action. Its fields are a contract.
type Row struct {
	Scope  string `json:"scope"`
	Key    string `json:"key"` // ":name" if only the prompt runs it
	Action ID     `json:"action"`
	Verb   string `json:"verb"`
	Help   string `json:"help"`
}

// Rows returns the table, one row for each key, in the order of the help.
func (m *Map) Rows() []Row {
	var rows []Row
	for _, a := range m.actions {
		keys := a.Keys
		if len(keys) == 0 {
			keys = []string{a.FirstKey()}
		}
		for _, k := range keys {
			rows = append(rows, Row{a.Scope.Kind(), k, a.ID, a.Verb(), a.Help})
		}
	}
	return rows
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
