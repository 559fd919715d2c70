// Package findings is the box of sensitive values: the values that a scan found, grouped so that one decision
// holds for all places of one value, and below them where the value under the cursor stands, masked until its key
// is held. The root passes it surveys and carries out its intents; the box does no I/O and keeps decisions by the id of a
// value, so that a newer survey never loses them.
package findings

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/redact"
	"memcurator/tui/ui"
)

// The intents of the box. Groups are those that were accepted.
type (
	// Purge asks to take the values out everywhere.
	Purge struct{ Groups []*findings.Group }
	// Redact asks to take them out of the files.
	Redact struct{ Groups []*findings.Group }
	// Allow asks to judge a value harmless, or not to.
	Allow struct {
		Group *findings.Group
		On    bool
	}
	// ChooseClass asks what some values are to be taken for, ChooseAction what is to take their place.
	ChooseClass  struct{ Groups []*findings.Group }
	ChooseAction struct{ Groups []*findings.Group }
	// Preview asks for the diff of a file. Hidden are all its values that are not judged harmless: the diff shows none.
	Preview struct {
		Path           string
		Groups, Hidden []*findings.Group
	}
	// Open asks for the file of a place.
	Open struct{ Place findings.Place }
	// Narrow asks for a line to type the filter in.
	Narrow struct{}
	// Again asks for another scan.
	Again struct{}
	// Undo asks for what was done last to be undone.
	Undo struct{}
	// Report asks for what the last purge did.
	Report struct{}
	// Stop asks to end the work under way, or to close the box.
	Stop struct{}
	// Help asks for the keys.
	Help struct{}
)

// decision is what the user has said about a value.
type decision uint8

const (
	undecided decision = iota
	accepted           // it is taken out
	rejected           // it stays, also when all are accepted
)

// Box is the box. Make it with [New]. It stays with the root while it is closed.
type Box struct {
	env     *ui.Env
	actions *ui.Actions
	survey  *findings.Survey // nil: there is none yet
	all     []*findings.Group
	live    int // places in files, and past in the past, of values that count
	past    int
	open    int               // values that count: not judged harmless
	taken   int               // accepted values; below 0: to be counted
	texts   []string          // of all, what the filter looks at; nil: not made yet
	groups  []*findings.Group // that the filter leaves
	filter  string
	decided map[string]decision      // by id of the group
	class   map[string]string        // by id, where the user chose another one
	action  map[string]redact.Action // by id, where the user chose one
	becomes func(*findings.Group) string
	list    ui.List
	place   int // of the group under the cursor
	shown   reveal
	work    func() string // reports what is being done; "": nothing is
}

// New makes an empty box. becomes describes what takes the place of a value, in words; work what is being done, "" for nothing.
func New(env *ui.Env, becomes func(*findings.Group) string, work func() string) *Box {
	b := &Box{
		env: env, becomes: becomes, work: work,
		decided: map[string]decision{}, class: map[string]string{}, action: map[string]redact.Action{},
	}
	b.actions = ui.NewActions(env, b.bindings()...)
	return b
}

// SetSurvey takes a newer survey. The cursor stays on its value; what is gone is forgotten.
func (b *Box) SetSurvey(s *findings.Survey) {
	b.survey, b.all = s, s.Groups
	b.live, b.past = s.Count()
	b.open, b.taken, b.texts = s.Open(), -1, nil
	still := make(map[string]bool, len(b.all))
	for _, g := range b.all {
		still[g.ID] = true
		if g.Dismissed {
			delete(b.decided, g.ID)
		}
	}
	forget(b.decided, still)
	forget(b.class, still)
	forget(b.action, still)
	b.refilter()
}

func forget[V any](m map[string]V, still map[string]bool) {
	for id := range m {
		if !still[id] {
			delete(m, id)
		}
	}
}

// Select puts the cursor on the value with an id; the filter that hides it goes.
func (b *Box) Select(id string) {
	at := func() int { return slices.IndexFunc(b.groups, func(g *findings.Group) bool { return g.ID == id }) }
	if at() < 0 {
		b.SetFilter("")
	}
	if i := at(); i >= 0 {
		b.list.MoveTo(i)
		b.turn()
	}
}

// find puts the cursor on a value, or near where it was.
func (b *Box) find(was *findings.Group) {
	if was != nil {
		if i := slices.IndexFunc(b.groups, func(g *findings.Group) bool { return g.ID == was.ID }); i >= 0 {
			b.list.MoveTo(i)
			b.place = min(b.place, len(b.groups[i].Places)-1)
			return
		}
	}
	b.turn()
}

// Survey is the newest survey, nil before the first one.
func (b *Box) Survey() *findings.Survey { return b.survey }

// Forget drops the survey and with it the values.
func (b *Box) Forget() {
	b.survey, b.all = nil, nil
	b.open, b.taken, b.texts = 0, -1, nil
	b.refilter()
}

// Class is what the user takes a value for.
func (b *Box) Class(g *findings.Group) string {
	if c := b.class[g.ID]; c != "" {
		return c
	}
	return g.Class
}

// Classes are the choices of the user by id of the group, Actions those of what takes the place of a value.
func (b *Box) Classes() map[string]string { return b.class }

// Actions are the choices of the user, by id of the group.
func (b *Box) Actions() map[string]redact.Action { return b.action }

// SetClass takes values for a class.
func (b *Box) SetClass(groups []*findings.Group, class string) {
	for _, g := range groups {
		if delete(b.class, g.ID); class != g.Class {
			b.class[g.ID] = class
		}
	}
}

// SetAction describes what takes the place of values; "": what their class says. To leave a value as it is, reject it.
func (b *Box) SetAction(groups []*findings.Group, action redact.Action) {
	b.taken = -1
	for _, g := range groups {
		delete(b.action, g.ID)
		switch {
		case action == redact.Ignore:
			b.decided[g.ID] = rejected
		case action != "":
			b.action[g.ID] = action
		}
	}
}

// selected is the group under the cursor, nil where there is none.
func (b *Box) selected() *findings.Group {
	i, ok := b.list.At()
	if !ok || i >= len(b.groups) {
		return nil
	}
	return b.groups[i]
}

// alike are the values of the class of one, as far as the filter leaves them.
func (b *Box) alike(g *findings.Group) (list []*findings.Group) {
	for _, one := range b.groups {
		if !one.Dismissed && b.Class(one) == b.Class(g) {
			list = append(list, one)
		}
	}
	return list
}

// turn begins with another value: masked, at its first place.
func (b *Box) turn() {
	b.place = 0
	b.Mask()
}

// Title implements [ui.Overlay].
func (b *Box) Title() string { return "sensitive values" }

// Scopes implements [ui.Overlay].
func (b *Box) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Findings, keymap.Motion} }

// Handle implements [ui.Overlay].
func (b *Box) Handle(id keymap.ID) bool {
	_, bound := b.actions.Perform(id)
	return bound
}

func (b *Box) bindings() []ui.Action {
	ask := func(id keymap.ID, intent any) ui.Action {
		return ui.On(id, func() { b.env.Emit(intent) })
	}
	actions := []ui.Action{
		ask(keymap.Close, Stop{}),
		ask(keymap.Help, Help{}),
		ask(keymap.FindingAgain, Again{}),
		ask(keymap.Undo, Undo{}),
		ask(keymap.FindingReport, Report{}),
		ask(keymap.FindingFilter, Narrow{}),
		ui.On(keymap.FindingPurge, func() { b.takeOut(func(g []*findings.Group) any { return Purge{g} }) }),
		ui.On(keymap.FindingRedact, func() { b.takeOut(func(g []*findings.Group) any { return Redact{g} }) }),
	}
	actions = append(actions, ui.BindMotions(b.move)...)
	for id, run := range map[keymap.ID]func(*findings.Group){
		keymap.FindingTick:      func(g *findings.Group) { b.say(g, accepted) },
		keymap.FindingReject:    func(g *findings.Group) { b.say(g, rejected) },
		keymap.FindingTickAll:   func(*findings.Group) { b.acceptShown() },
		keymap.FindingClass:     func(g *findings.Group) { b.env.Emit(ChooseClass{[]*findings.Group{g}}) },
		keymap.FindingClassAll:  func(g *findings.Group) { b.env.Emit(ChooseClass{b.alike(g)}) },
		keymap.FindingAction:    func(g *findings.Group) { b.env.Emit(ChooseAction{[]*findings.Group{g}}) },
		keymap.FindingActionAll: func(g *findings.Group) { b.env.Emit(ChooseAction{b.alike(g)}) },
		keymap.FindingAllow:     func(g *findings.Group) { b.env.Emit(Allow{g, !g.Dismissed}) },
		keymap.FindingReveal:    func(*findings.Group) { b.show() },
		keymap.FindingNext:      func(g *findings.Group) { b.place = (b.place + 1) % len(g.Places) },
		keymap.FindingPrev:      func(g *findings.Group) { b.place = (b.place + len(g.Places) - 1) % len(g.Places) },
		keymap.FindingOpen:      func(g *findings.Group) { b.env.Emit(Open{g.Places[b.place]}) },
		keymap.FindingDiff:      b.preview,
	} {
		actions = append(actions, ui.On(id, func() {
			if g := b.selected(); g != nil {
				run(g)
			}
		}))
	}
	return actions
}

func (b *Box) move(id keymap.ID) tea.Cmd {
	at, _ := b.list.At()
	b.list.Motion(id)
	if now, _ := b.list.At(); now != at {
		b.turn()
	}
	return nil
}

// Click puts the cursor on the value in a row of the box, counted from its top; again: it was there already.
func (b *Box) Click(row int) (again bool) {
	hit, again := b.list.Click(row - b.headRows())
	if hit && !again {
		b.turn()
	}
	return again
}

// preview asks for the file at the place that is shown, as it will be without the accepted values and the one under the cursor.
func (b *Box) preview(g *findings.Group) {
	groups := b.Accepted()
	if !slices.Contains(groups, g) {
		groups = append(groups, g)
	}
	path := g.Places[b.place].Path
	b.env.Emit(Preview{path, groups, b.valuesIn(path)})
}

// Size implements [ui.Overlay].
func (b *Box) Size(maxW, maxH int) (int, int) { return maxW, max(1, maxH) }

const textFooter = "{findings/tick-finding} accept  {findings/reject-finding} reject  {findings/purge-findings} take out  " +
	"{findings/redact-findings} files only  {findings/reveal} reveal  {findings/preview-finding} diff  " +
	"{findings/finding-class} class  {findings/finding-action} instead  {findings/allow-finding} allow  {findings/filter-findings} filter"

// Footer implements [ui.Overlay].
func (b *Box) Footer() string {
	if work := b.work(); work != "" {
		return work
	}
	if f := b.filterText(); f != "" {
		return f
	}
	return b.env.Keyed(textFooter)
}

// Cursor is where the terminal's own cursor belongs.
func (b *Box) Cursor() (ui.Point, bool) {
	i, ok := b.list.At()
	return ui.Point{Y: b.headRows() + max(0, i-b.list.Top())}, ok
}
