// Package keymap finds the action of a key. Key matching, the "?" help, the
// hints in the bottom bar, the names in the ":" prompt and the key tables of
// the documentation all come from one table, so none of them can disagree with
// the program.
//
// It doesn't know widgets or stores: each part of the interface declares its
// actions beside what they do (kit.Action in package tui/kit), and tui.Keys
// collects them. Actions that several parts name have a constant here.
package keymap

import (
	"fmt"
	"slices"
	"strings"
)

// ID names an action inside the program.
type ID string

// Scope is where keys apply. The interface asks from inside out: a dialog or the focused pane, then [Motion], then [Global].
type Scope string

// Scopes.
const (
	Global Scope = "global"
	Motion Scope = "motion" // movement in any list or text
	List   Scope = "list"   // what every list has
	Text   Scope = "text"   // what every text has
	Tree   Scope = "tree"
	View   Scope = "view"
	Diff   Scope = "diff"
	// Rendered shows the file differently from the tool.
	Rendered Scope = "rendered"

	Found   Scope = "found"   // the results of a search of the store
	History Scope = "history" // the history tab
	Blame   Scope = "blame"   // the blame tab
	Load    Scope = "load"    // the load tab
	Changes Scope = "changes" // the list of the Changes screen
	Trash   Scope = "trash"   // the list of the Trash screen
	Curate  Scope = "curate"  // the Curate screen
	Stores  Scope = "stores"  // the list of the Stores screen
	// Transcripts is the list of transcripts, and the preview of one.
	Transcripts Scope = "replay-transcripts"
	// Replay is the list of the Replay screen, ReplayDetail its view of a call.
	Replay       Scope = "replay"
	ReplayDetail Scope = "replay-detail"

	Overlay Scope = "overlay" // help, results, messages
	Confirm Scope = "confirm" // a yes-or-no question
	Copy    Scope = "copy"    // the list of y
	// ActionMenu is the list of ?; the keys of the actions in it work too.
	ActionMenu Scope = "menu"
	Input      Scope = "input" // while you type a line: prompt, search, filter
	// Secrets is the list of the Secrets screen; TakeOut is the question about its values.
	Secrets Scope = "secrets"
	TakeOut Scope = "take-out"
	// Merge is where you decide the conflicts of an undo, an edit or a move.
	Merge Scope = "merge"
)

// scopeRow is a scope in the help.
type scopeRow struct {
	scope Scope
	title string
	over  bool // a dialog or a line open over the screen
}

// scopes are those of several screens, or with another title than their name, in the order of the help.
var scopes = []scopeRow{
	{Stores, "Stores screen", false},
	{Tree, "Tree", false},
	{View, "View tab", false},
	{Diff, "Diff tab", false},
	{History, "History tab", false},
	{Blame, "Blame tab", false},
	{Load, "Load tab", false},
	{Rendered, "Rendered tab", false},
	{Found, "Search tab", false},
	{Changes, "Changes screen", false},
	{Curate, "Curate screen", false},
	{Trash, "Trash screen", false},
	{Secrets, "Secrets screen", false},
	{Transcripts, "Replay screen: transcripts", false},
	{Replay, "Replay screen", false},
	{ReplayDetail, "Replay screen: a call", false},
	{List, "Lists", false},
	{Text, "Texts", false},
	{Motion, "Moving", false},
	{Global, "Everywhere", false},
	{TakeOut, "Removing secrets", true},
	{Merge, "Conflicts", true},
	{Overlay, "Help, results, messages", true},
	{ActionMenu, "List of actions", true},
	{Copy, "Copying", true},
	{Confirm, "Questions", true},
	{Input, "Typing a line", true},
}

// place is where the scope is in the list; below 0: it is of a screen that isn't there, and its name says which.
func (s Scope) place() int {
	return slices.IndexFunc(scopes, func(row scopeRow) bool { return row.scope == s })
}

// Title is the scope's heading in the help and the documentation.
func (s Scope) Title() string {
	if at := s.place(); at >= 0 {
		return scopes[at].title
	}
	return strings.ToUpper(string(s[:1])) + string(s[1:]) + " screen"
}

// OnScreen reports whether the scope is a part of a screen, rather than a
// dialog or a line open over it.
func (s Scope) OnScreen() bool {
	at := s.place()
	return at < 0 || !scopes[at].over
}

// Action is one row of the table. The ":" prompt runs it by its ID, unless its scope is a dialog or a line.
type Action struct {
	ID    ID
	Scope Scope
	// Keys as Bubble Tea v2 spells them (KeyPressMsg.String): "j", "G", "ctrl+d", "space".
	Keys []string
	// Help describes the action, in one line without a full stop.
	Help string
	// Hint is the word or two for the bottom bar; empty: not shown there.
	Hint string
}

// Map indexes the table. It is immutable after [New].
type Map struct {
	actions []Action           // in the order of the help
	byScope map[Scope][]Action // the same; each frame needs several
	byKey   map[Scope]map[string]int
}

// New indexes actions. The first of those with the same scope and ID counts: several parts may be of the same kind. It fails if two have
// a key in one scope.
func New(declared []Action) (*Map, error) {
	var actions []Action
	for _, a := range declared {
		if !slices.ContainsFunc(actions, func(b Action) bool { return b.Scope == a.Scope && b.ID == a.ID }) {
			actions = append(actions, a)
		}
	}
	slices.SortStableFunc(actions, func(a, b Action) int { return a.Scope.place() - b.Scope.place() })
	m := &Map{actions: actions, byScope: map[Scope][]Action{}, byKey: map[Scope]map[string]int{}}
	for i, a := range actions {
		m.byScope[a.Scope] = append(m.byScope[a.Scope], a)
		keys := m.byKey[a.Scope]
		if keys == nil {
			keys = map[string]int{}
			m.byKey[a.Scope] = keys
		}
		for _, k := range a.Keys {
			if j, taken := keys[k]; taken {
				return nil, fmt.Errorf("key %q means both %q and %q in scope %q", k, actions[j].ID, a.ID, a.Scope)
			}
			keys[k] = i
		}
	}
	return m, nil
}

// Scopes lists the scopes of the table in the order of the help.
func (m *Map) Scopes() (list []Scope) {
	for _, a := range m.actions {
		if !slices.Contains(list, a.Scope) {
			list = append(list, a.Scope)
		}
	}
	return list
}

// Actions returns the rows of the table; do not modify them.
func (m *Map) Actions() []Action { return m.actions }

// Lookup finds the action of a key, asking scopes from the innermost to the outermost.
func (m *Map) Lookup(scopes []Scope, key string) (Action, bool) {
	for _, s := range scopes {
		if i, ok := m.byKey[s][key]; ok {
			return m.actions[i], true
		}
	}
	return Action{}, false
}

// ByID returns the first action with this ID.
func (m *Map) ByID(id ID) (Action, bool) {
	for _, a := range m.actions {
		if a.ID == id {
			return a, true
		}
	}
	return Action{}, false
}

// Named returns the action of that name in the ":" prompt.
func (m *Map) Named(name string) (Action, bool) {
	for _, a := range m.actions {
		if string(a.ID) == name && a.Scope.OnScreen() {
			return a, true
		}
	}
	return Action{}, false
}

// Names returns the sorted names of the prompt.
func (m *Map) Names() []string {
	var names []string
	for _, a := range m.actions {
		if a.Scope.OnScreen() {
			names = append(names, string(a.ID))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// KeyText formats the keys of an action: "j/↓", in ASCII "j/down"; without keys it is the name at the prompt.
func (a Action) KeyText(ascii bool) string {
	if len(a.Keys) == 0 {
		return ":" + string(a.ID)
	}
	if ascii {
		return strings.Join(a.Keys, "/")
	}
	out := make([]string, len(a.Keys))
	for i, k := range a.Keys {
		out[i] = display(k)
	}
	return strings.Join(out, "/")
}

func display(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	default:
		return key
	}
}

// KeyFor names the key of an action for a sentence: its first key, or its name at the prompt if it has none; "" if the scope has no such
// action.
func (m *Map) KeyFor(s Scope, id ID) string {
	for _, a := range m.byScope[s] {
		if a.ID == id {
			return a.FirstKey()
		}
	}
	return ""
}

// FirstKey is a key of the action, or its name at the prompt.
func (a Action) FirstKey() string {
	if len(a.Keys) > 0 {
		return a.Keys[0]
	}
	return ":" + string(a.ID)
}

// Hints returns the actions of the scopes that have a hint for the bottom bar, innermost first. Each has a key.
func (m *Map) Hints(scopes []Scope) []Action {
	var out []Action
	for _, s := range scopes {
		for _, a := range m.actions {
			if a.Scope == s && a.Hint != "" && len(a.Keys) > 0 {
				out = append(out, a)
			}
		}
	}
	return out
}

// Markdown writes the key tables of the documentation, one for each scope.
func (m *Map) Markdown() string {
	var b strings.Builder
	for _, s := range m.Scopes() {
		fmt.Fprintf(&b, "**%s**, `%s`\n\n| key | does | name |\n| --- | --- | --- |\n", s.Title(), table(s))
		for _, a := range m.InScope(s) {
			keys := make([]string, len(a.Keys))
			for i, k := range a.Keys {
				keys[i] = "`" + k + "`"
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", strings.Join(keys, " "), a.Help, a.ID)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// InScope returns the actions of one scope in the order of the table; do not modify them.
func (m *Map) InScope(s Scope) []Action { return m.byScope[s] }
