package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/browse"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// dispatch is the way from an action to what performs it, for keys, the prompt, the palette, the menu and hints, and from one that
// nothing performs here to the reason.
type dispatch struct {
	env    *kit.Env
	stage  *stage
	travel *browse.Travel
	boxes  *boxes
	feed   *feed.Feed
	say    *messages
	own    *kit.Actions // those that every screen has
	reads  bool         // the last action goes to a change, or opens it
}

// perform runs an action for a key, the prompt, the palette or a menu: never on what is out of sight.
func (d *dispatch) perform(id keymap.ID) tea.Cmd {
	d.reads = id == keymap.NextUnread || id == keymap.PrevUnread || id == keymap.Open
	tables := append(d.inSight(), d.stage.screen().Detail().Actions())
	if slices.Contains(fromAnywhere, id) {
		tables = d.tables()
	}
	if cmd, ok := run(id, tables); ok {
		return cmd
	}
	a, _ := d.env.Keys.ByID(id)
	d.absent(keyOf(a), a)
	return nil
}

// keyOf names the key of an action, or the name that the prompt runs.
func keyOf(a keymap.Action) string {
	if len(a.Keys) > 0 {
		return a.Keys[0]
	}
	return ":" + a.Name
}

// arg is what an action takes at the prompt; nil: nothing.
func (d *dispatch) arg(id keymap.ID) *kit.Arg {
	for _, table := range d.tables() {
		if arg := table.Arg(id); arg != nil {
			return arg
		}
	}
	return nil
}

// argOf is arg for the name that was typed.
func (d *dispatch) argOf(name string) *kit.Arg {
	a, _ := d.env.Keys.Named(name)
	return d.arg(a.ID)
}

// tables are those in sight first, then those of Browse.
func (d *dispatch) tables() []*kit.Actions {
	browse := d.travel.Shown()
	tables := append(d.stage.tables(), d.own, browse.Actions(), browse.Tree.Actions())
	for _, t := range browse.Tabs.InOrder() {
		tables = append(tables, t.Actions())
	}
	return append(tables, browse.Strip.Actions())
}

// readShown marks the change as read that the user went to, or opened, once its diff can be read.
func (d *dispatch) readShown() {
	if rev := d.boxes.diffInSight(); d.reads && rev != 0 {
		d.reads = false
		d.feed.Read(rev)
	}
}

// run runs the action of the first table that has it; false: none has.
func run(id keymap.ID, tables []*kit.Actions) (tea.Cmd, bool) {
	for _, table := range tables {
		if cmd, ok := table.Perform(id); ok {
			return cmd, true
		}
	}
	return nil, false
}

// runs reports whether an action runs here now.
func (d *dispatch) runs(id keymap.ID) bool {
	for _, table := range d.inSight() {
		if table.Has(id) {
			return table.WhyNot(id) == ""
		}
	}
	return slices.Contains(fromAnywhere, id)
}

// prevented reports whether the owner of an action in sight says that it can't run now.
func (d *dispatch) prevented(id keymap.ID) bool {
	for _, table := range d.inSight() {
		if table.Has(id) {
			return table.WhyNot(id) != ""
		}
	}
	return false
}

// fromAnywhere are the actions of Browse that go there first.
var fromAnywhere = []keymap.ID{keymap.Follow, keymap.Listing}

// inSight are the tables of what the user sees.
func (d *dispatch) inSight() []*kit.Actions { return append(d.stage.tables(), d.own) }

// absent says that an action does nothing here, and where it does something.
func (d *dispatch) absent(key string, a keymap.Action) {
	switch {
	case d.stage.closed != nil && d.stage.closed(keymap.ScreenBrowse) && a.Scope != keymap.Stores:
		d.say.tell(kit.Info, d.env.Keyed(textNoStore))
	case a.Scope == keymap.Global || a.Scope == keymap.Motion || slices.Contains(d.stage.focused().Scopes(), a.Scope):
		d.say.tell(kit.Info, d.env.Keyed(key+" can't "+a.Verb()+" here. {global/help} shows what can be done"))
	default:
		d.say.tell(kit.Info, d.env.Keyed(key+" works in: "+a.Scope.Title()+". {global/help} shows what works here"))
	}
}

// explain says why a key does nothing here.
func (d *dispatch) explain(key string) {
	for _, a := range d.env.Keys.Actions() {
		if slices.Contains(a.Keys, key) && a.Scope.OnScreen() {
			d.absent(key, a)
			return
		}
	}
	d.say.tell(kit.Info, key+d.env.Keyed(" does nothing here. {global/help} shows what does"))
}
