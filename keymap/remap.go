package keymap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Binding gives an action other keys, as the user wrote it.
type Binding struct {
	Scope  string   // as in "tree"; "" is [Global]
	Action string   // the ID of the action
	Keys   []string // none: only the prompt and the palette run it
}

// Problem is a mistake in a binding.
type Problem struct {
	Binding int // index of the binding
	Part    Part
	Key     int // index in Keys if Part is KeyPart
	Text    string
	// Word is what the user wrote, and Known the valid alternatives, for a
	// suggestion; Known may be empty.
	Word  string
	Known []string
}

// Part is the part of a binding with the mistake.
type Part uint8

// Parts of a binding.
const (
	ActionPart Part = iota
	ScopePart
	KeyPart
)

// forceKey always quits, whatever the user binds.
const forceKey = "ctrl+c"

// Remap returns the map with the keys of some actions replaced. It reports every problem; if there are any, the map is nil.
func (m *Map) Remap(bindings []Binding) (*Map, []Problem) {
	r := remapping{actions: slices.Clone(m.actions), scopes: m.Scopes(), by: map[int]int{}}
	for i, b := range bindings {
		r.bind(i, cmp.Or(Scope(b.Scope), Global), b)
	}
	r.conflicts(bindings)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	out, err := New(r.actions)
	if err != nil {
		// The checks above cover those of New, so a failure is a bug in this package.
		panic("keymap: " + err.Error())
	}
	return out, nil
}

type remapping struct {
	actions  []Action
	scopes   []Scope
	by       map[int]int // index of an action -> index of the binding that set its keys
	problems []Problem
}

func (r *remapping) problem(binding int, part Part, word string, known []string, format string, args ...any) {
	r.problems = append(r.problems, Problem{binding, part, 0, fmt.Sprintf(format, args...), word, known})
}

// bind sets the keys of an action.
func (r *remapping) bind(i int, scope Scope, b Binding) {
	if !slices.Contains(r.scopes, scope) {
		var known []string
		for _, s := range r.scopes {
			known = append(known, string(s))
		}
		r.problem(i, ScopePart, b.Scope, known, "no place %s for keys", strconv.QuoteToGraphic(b.Scope))
		return
	}
	at := r.find(scope, b.Action)
	if at < 0 {
		r.unknown(i, scope, b.Action)
		return
	}
	a := &r.actions[at]
	if _, taken := r.by[at]; taken {
		r.problem(i, ActionPart, "", nil, "%s already has its keys", a.ID)
		return
	}
	r.by[at] = i
	a.Keys = r.keys(i, *a, b.Keys)
}

// find returns the index of a scope's action, or -1.
func (r *remapping) find(scope Scope, name string) int {
	return slices.IndexFunc(r.actions, func(a Action) bool { return a.Scope == scope && string(a.ID) == name })
}

// unknown reports an action that the scope doesn't have, naming the scope that does, if any.
func (r *remapping) unknown(i int, scope Scope, name string) {
	var known []string
	for _, a := range r.actions {
		if a.Scope == scope {
			known = append(known, string(a.ID))
		}
	}
	for _, other := range r.scopes {
		if r.find(other, name) >= 0 {
			r.problem(i, ActionPart, "", nil, "%s is an action of %s", strconv.QuoteToGraphic(name), table(other))
			return
		}
	}
	r.problem(i, ActionPart, name, known, "no action %s in %s", strconv.QuoteToGraphic(name), table(scope))
}

// table returns the name of a scope's table in the configuration.
func table(s Scope) string {
	if s == Global {
		return "[keys]"
	}
	return "[keys." + string(s) + "]"
}

// keys checks the keys of one action.
func (r *remapping) keys(i int, a Action, keys []string) []string {
	var out []string
	for n, k := range keys {
		why, known := judgeKey(k)
		switch {
		case why != "":
		case k == forceKey && a.ID != ForceQuit && a.ID != Cancel:
			why = "ctrl+c quits or cancels and can't be another key"
		case a.Scope == Input && utf8.RuneCountInString(k) == 1 || a.Scope == Input && k == "space":
			why = fmt.Sprintf("%s types itself into the line and can't be a key there", k)
		case slices.Contains(out, k):
			why = fmt.Sprintf("%s is listed twice", k)
		}
		if why != "" {
			r.problems = append(r.problems, Problem{i, KeyPart, n, why, k, known})
			continue
		}
		out = append(out, k)
	}
	// The way out always remains, even if a user unbinds it by mistake.
	switch {
	case a.ID == ForceQuit && !slices.Contains(out, forceKey):
		r.problem(i, ActionPart, "", nil, "%s must keep ctrl+c", ForceQuit)
	case a.ID == Cancel && !slices.Contains(out, forceKey):
		out = append(out, forceKey)
	}
	return out
}

// conflicts reports keys bound to two actions of one scope.
func (r *remapping) conflicts(bindings []Binding) {
	taken := map[Scope]map[string]int{}
	for at, a := range r.actions {
		if taken[a.Scope] == nil {
			taken[a.Scope] = map[string]int{}
		}
		for _, k := range a.Keys {
			before, clash := taken[a.Scope][k]
			if !clash {
				taken[a.Scope][k] = at
				continue
			}
			mine, other := at, before // the later binding is the one to change
			if i, ok := r.by[before]; ok {
				if j, both := r.by[at]; !both || i > j {
					mine, other = before, at
				}
			}
			i := r.by[mine]
			one, two := r.actions[mine].ID, r.actions[other].ID
			r.problems = append(r.problems, Problem{Binding: i, Part: KeyPart, Key: slices.Index(bindings[i].Keys, k), Text: fmt.Sprintf(
				"%s can't have %s, the key of %s. Free it in %s: %s = []", one, k, two, table(a.Scope), two)})
		}
	}
}

// namedKeys are keys other than characters, as terminals report them.
var namedKeys = []string{
	"enter", "esc", "tab", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

// otherNames are common names of keys.
var otherNames = map[string]string{
	" ": "space", "escape": "esc", "return": "enter", "cr": "enter", "bs": "backspace", "del": "delete", "ins": "insert",
	"pageup": "pgup", "page-up": "pgup", "pagedown": "pgdown", "page-down": "pgdown", "pgdn": "pgdown",
	"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "shift+enter": "enter", "shift+space": "space",
}

// judgeKey describes the mistake in the name of a key, "" if there is none, and the names that may have been meant.
func judgeKey(k string) (string, []string) {
	if other := otherNames[strings.ToLower(k)]; other != "" {
		return fmt.Sprintf("most terminals report %s as %s; write %s", strconv.QuoteToGraphic(k), other, other), nil
	}
	rest, ctrl := strings.CutPrefix(k, "ctrl+")
	rest, _ = strings.CutPrefix(rest, "alt+")
	rest, shift := strings.CutPrefix(rest, "shift+")
	char, size := utf8.DecodeRuneInString(rest)
	switch single := size == len(rest) && char != utf8.RuneError && strconv.IsPrint(char) && char != ' '; {
	case slices.Contains(namedKeys, rest):
		return "", nil
	case !single:
		return fmt.Sprintf("no key %s", strconv.QuoteToGraphic(k)), namedKeys
	case shift:
		return fmt.Sprintf("shift and a character is one key; write %s", strings.ToUpper(rest)), nil
	case ctrl && !strings.ContainsRune(`abcdefghijklmnopqrstuvwxyz\]^_@`, char):
		return fmt.Sprintf("terminals report ctrl only with a lowercase letter: %s", strconv.QuoteToGraphic(k)), nil
	}
	return "", nil
}
