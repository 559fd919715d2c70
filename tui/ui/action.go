package ui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Handler is a link of the chain in which the shell looks an action up: a pane, or the [Actions] of a screen or of the shell.
type Handler interface {
	// Handle performs an action. false: not mine, ask further out.
	Handle(id keymap.ID) (tea.Cmd, bool)
}

// Action binds a row of the key table to what it does.
type Action struct {
	ID  keymap.ID
	Run func() tea.Cmd
	// Why says what is in the way now; a message without a text, or no function: nothing is.
	Why func() Say
}

// Actions are those of one owner. Keys, the prompt, the palette and the mouse all reach an action here.
type Actions struct {
	env  *Env
	byID map[keymap.ID]Action
}

// NewActions makes the actions of an owner. Two with one ID are a mistake of the program, which panics at its start.
func NewActions(env *Env, list ...Action) *Actions {
	a := &Actions{env: env, byID: make(map[keymap.ID]Action, len(list))}
	for _, action := range list {
		if _, twice := a.byID[action.ID]; twice {
			panic("ui: two actions " + string(action.ID))
		}
		a.byID[action.ID] = action
	}
	return a
}

// Has reports whether the owner has an action.
func (a *Actions) Has(id keymap.ID) bool {
	_, ok := a.byID[id]
	return ok
}

// Handle implements [Handler]. What cannot run now is answered with the reason.
func (a *Actions) Handle(id keymap.ID) (tea.Cmd, bool) {
	action, ok := a.byID[id]
	if !ok {
		return nil, false
	}
	if action.Why != nil {
		if why := action.Why(); why.Text != "" {
			a.env.Emit(why)
			return nil, true
		}
	}
	return action.Run(), true
}

// Do makes a run of a function that asks for no command.
func Do(f func()) func() tea.Cmd {
	return func() tea.Cmd {
		f()
		return nil
	}
}
