package kit

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Action is something the user can do: the row of the key table with its keys and its help, and what it does. One with help is declared
// where it is bound, and one without it answers a row that another part declares, such as a motion.
type Action struct {
	ID keymap.ID // its name at the prompt and in the configuration
	// Scope is where its keys apply; empty: where those of its owner do.
	Scope keymap.Scope
	Keys  string // separated by blanks, as in [keymap.Action]: "j down"
	Help  string // what it does, in one line without a full stop, beginning with a verb
	Hint  string // the word or two for the bottom bar; empty: not shown there
	// Run does it. nil: the row is only declared here, and several parts answer it.
	Run func() tea.Cmd
	// Why explains what prevents the action now; nothing does if the function is nil or the message is empty.
	Why func() Say
	// Arg is what may be typed behind its name at the prompt; nil: nothing.
	Arg *Arg
	// Anywhere is set for an action of Browse that works on the other screens too: Browse is shown first.
	Anywhere bool
}

// Arg is what an action takes behind its name at the prompt.
type Arg struct {
	// Takes says what, with an example: "a time: ttl 2h, ttl keep".
	Takes string
	// Needed is set where the name alone does nothing.
	Needed bool
	// Run performs the action with the rest of the line, without blanks around it. It returns [ErrArg], or another sentence for the
	// user, if it can't read that.
	Run func(typed string) (tea.Cmd, error)
	// Complete lists what the rest of the line could be; nil: the path of a note.
	Complete func(typed string) []string
	// Changed is called with each change of what is typed, and Hint says what comes of it so far; nil: nothing does, and the hint is Takes.
	Changed func(typed string) tea.Cmd
	Hint    func() string
}

// ErrArg says that an action takes something else than was typed.
var ErrArg = errors.New("not what the action takes")

// Actions are the actions of one owner. Keys, the prompt, the palette and the mouse all perform actions through it.
type Actions struct {
	env  *Env
	byID map[keymap.ID]Action
}

// NewActions makes the actions of an owner, whose keys apply in a scope, and declares those with help: see [Env.Declared]. It panics if two
// that run have the same ID, since that is a programming error.
func NewActions(env *Env, scope keymap.Scope, list ...Action) *Actions {
	a := &Actions{env: env, byID: make(map[keymap.ID]Action, len(list))}
	env.Declare(scope, list)
	for _, action := range list {
		if action.Run == nil {
			continue
		}
		if _, twice := a.byID[action.ID]; twice {
			panic("kit: two actions " + string(action.ID))
		}
		a.byID[action.ID] = action
	}
	return a
}

// Declare adds actions with help to the key table.
func (e *Env) Declare(scope keymap.Scope, list []Action) {
	for _, a := range list {
		if a.Help != "" && e.Keys == nil {
			e.Declared = append(e.Declared, keymap.Action{
				ID: a.ID, Scope: cmp.Or(a.Scope, scope), Keys: strings.Fields(a.Keys), Help: a.Help, Hint: a.Hint,
			})
		}
	}
}

// Has reports whether the owner has an action.
func (a *Actions) Has(id keymap.ID) bool {
	_, ok := a.byID[id]
	return ok
}

// Arg is what an action takes at the prompt; nil: nothing, or the owner has no such action.
func (a *Actions) Arg(id keymap.ID) *Arg { return a.byID[id].Arg }

// Anywhere reports whether an action works on every screen.
func (a *Actions) Anywhere(id keymap.ID) bool { return a.byID[id].Anywhere }

// WhyNot returns what prevents an action now; "" if nothing does or the owner has no such action.
func (a *Actions) WhyNot(id keymap.ID) string {
	if action := a.byID[id]; action.Why != nil {
		return action.Why().Text
	}
	return ""
}

// Perform runs an action, or says why it can't run now. false: the owner doesn't bind it.
func (a *Actions) Perform(id keymap.ID) (tea.Cmd, bool) {
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

// Run is Perform for an action that the owner binds.
func (a *Actions) Run(id keymap.ID) tea.Cmd {
	cmd, _ := a.Perform(id)
	return cmd
}

// Unless returns a Why with the given reason if possible reports false.
func Unless(possible func() bool, why string) func() Say {
	return func() Say {
		if possible() {
			return Say{}
		}
		return Say{Text: why}
	}
}

// Do adapts a function that returns no command.
func Do(f func()) func() tea.Cmd {
	return func() tea.Cmd {
		f()
		return nil
	}
}

// Bind makes an action for each ID; run gets the ID being performed.
func Bind(run func(id keymap.ID) tea.Cmd, ids ...keymap.ID) []Action {
	actions := make([]Action, 0, len(ids))
	for _, id := range ids {
		actions = append(actions, Action{ID: id, Run: func() tea.Cmd { return run(id) }})
	}
	return actions
}

// bindMotions is [Bind] for the motions up and down.
func bindMotions(run func(id keymap.ID) tea.Cmd) []Action {
	actions := []Action{
		{Scope: keymap.Motion, ID: keymap.Down, Keys: "j down", Help: "down a row"},
		{Scope: keymap.Motion, ID: keymap.Up, Keys: "k up", Help: "up a row"},
		{Scope: keymap.Motion, ID: keymap.Top, Keys: "g home", Help: "first row"},
		{Scope: keymap.Motion, ID: keymap.Bottom, Keys: "G end", Help: "last row"},
		{Scope: keymap.Motion, ID: keymap.HalfDown, Keys: "ctrl+d", Help: "scroll half a page down"},
		{Scope: keymap.Motion, ID: keymap.HalfUp, Keys: "ctrl+u", Help: "scroll half a page up"},
		{Scope: keymap.Motion, ID: keymap.PageDown, Keys: "pgdown ctrl+f", Help: "scroll a page down"},
		{Scope: keymap.Motion, ID: keymap.PageUp, Keys: "pgup ctrl+b", Help: "scroll a page up"},
	}
	for i, a := range actions {
		actions[i].Run = func() tea.Cmd { return run(a.ID) }
	}
	return actions
}

// AnyArg takes any text: the function tells the user itself what it can't read.
func AnyArg(run func(typed string) tea.Cmd) func(string) (tea.Cmd, error) {
	return func(typed string) (tea.Cmd, error) { return run(typed), nil }
}

// NumberArg takes a number from 1.
func NumberArg(run func(n int) tea.Cmd) func(string) (tea.Cmd, error) {
	return func(typed string) (tea.Cmd, error) {
		n, err := strconv.Atoi(typed)
		if err != nil || n < 1 {
			return nil, ErrArg
		}
		return run(n), nil
	}
}
