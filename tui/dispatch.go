package tui

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/browse"
	"memcurator/tui/feed"
	"memcurator/tui/ui"
)

// dispatch is the way from an action to what performs it, for keys, the prompt, the palette, the menu and hints, and from one that
// nothing performs here to the reason.
type dispatch struct {
	env    *ui.Env
	stage  *stage
	travel *browse.Travel
	sight  *feed.Sight
	say    *messages
	own    *ui.Actions // those that every screen has
}

// acts are the verbs of what is done to the thing under the cursor; the menu lists them where they cannot run, too, with the reason.
var acts = []string{"approve", "browse", "compare", "create", "decline", "delete", "discard", "edit", "explain", "insert", "mend", "move",
	"pin",
	"replace", "restore", "revert", "trace", "travel", "unread"}

// perform runs an action by its name, for the prompt, the palette or a menu.
func (d *dispatch) perform(id keymap.ID) tea.Cmd {
	tables := d.tables()
	if a, ok := d.env.Keys.ByID(id); ok && slices.Contains(acts, a.Verb()) { // never to what is out of sight
		tables = d.inSight()
		if !has(id, tables) {
			d.absent(keyOf(a), a)
			return nil
		}
	}
	cmd, _ := run(id, tables)
	return cmd
}

// has reports whether a table has an action.
func has(id keymap.ID, tables []*ui.Actions) bool {
	return slices.ContainsFunc(tables, func(t *ui.Actions) bool { return t.Has(id) })
}

// press runs the action of a key. A key for a pane never reaches one that is out of sight.
func (d *dispatch) press(a keymap.Action) tea.Cmd {
	if a.ID == keymap.NextUnread || a.ID == keymap.PrevUnread {
		d.sight.Leave()
	}
	if slices.Contains(fromAnywhere, a.ID) {
		return d.perform(a.ID)
	}
	cmd, ran := run(a.ID, d.inSight())
	if !ran {
		d.absent(keyOf(a), a)
	}
	return cmd
}

// keyOf names the key of an action, or the name that the prompt runs.
func keyOf(a keymap.Action) string {
	if len(a.Keys) > 0 {
		return a.Keys[0]
	}
	return ":" + a.Name
}

// arg is what an action takes at the prompt; nil: nothing.
func (d *dispatch) arg(id keymap.ID) *ui.Arg {
	for _, table := range d.tables() {
		if arg := table.Arg(id); arg != nil {
			return arg
		}
	}
	return nil
}

// argOf is arg for the name that was typed.
func (d *dispatch) argOf(name string) *ui.Arg {
	a, _ := d.env.Keys.Named(name)
	return d.arg(a.ID)
}

// run runs the action of the first table that has it.
func run(id keymap.ID, tables []*ui.Actions) (cmd tea.Cmd, ran bool) {
	for _, table := range tables {
		if cmd, ok := table.Perform(id); ok {
			return cmd, true
		}
	}
	return nil, false
}

// tables are all in which an action is looked up: those in sight first, then those of Browse, whose actions can be called by name
// everywhere.
func (d *dispatch) tables() []*ui.Actions {
	browse := d.travel.Shown()
	tables := append(d.stage.tables(), d.own, browse.Actions(), browse.Tree.Actions())
	for _, t := range browse.Tabs.InOrder() {
		tables = append(tables, t.Actions())
	}
	return append(tables, browse.Strip.Actions())
}

// whyNot is the reason why an action in sight cannot run now, "" where nothing prevents it.
func (d *dispatch) whyNot(a keymap.Action) string {
	for _, table := range d.inSight() {
		if table.Has(a.ID) {
			return table.WhyNot(a.ID)
		}
	}
	if slices.Contains(fromAnywhere, a.ID) {
		return ""
	}
	return d.needs(a)
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
func (d *dispatch) inSight() []*ui.Actions { return append(d.stage.tables(), d.own) }

// needed describes what an action needs that is not here, and the screen that has it, if one does.
var needed = []struct {
	verbs  string
	screen keymap.ID
	needs  string
}{
	{"travel", keymap.ScreenChanges, "needs a revision. {global/changes} lists them"},
	{"restore revert trace compare explain", "", "needs a version. {global/tab-next} opens the history"},
	{"decline", keymap.ScreenCurate, "needs a proposal. {global/curate} lists them"},
	{"approve", keymap.ScreenChanges, "needs changes or proposals. {global/changes} lists changes"},
	{
		"delete move pin edit copy discard unread create insert replace browse flip", keymap.ScreenBrowse,
		"needs a file. {global/browse} shows them",
	},
	{"split ignore jump step more less", "", "needs a diff. {global/tab-next} opens it"},
	{"wrap scroll", "", "needs a text. {global/focus-next} goes to it"},
	{"find", "", "No search yet. {global/search} starts one"},
	{"switch", keymap.ScreenBrowse, "needs tabs. {global/browse} has them"},
	{"go", keymap.ScreenReplay, "needs a transcript. {global/replay} lists them"},
	{"select extend", keymap.ScreenBrowse, "needs rows to select. {global/browse} has them"},
	{"follow order hide filter refresh open", keymap.ScreenBrowse, "needs a list. {global/browse} has one"},
}

// neededIn is that of the screens whose actions are about one kind of thing.
var neededIn = map[keymap.Scope]struct {
	screen keymap.ID
	needs  string
}{
	keymap.Stores:      {keymap.ScreenStores, "needs a store. {global/stores} lists them"},
	keymap.Findings:    {keymap.ScreenFindings, "needs a secret. {global/findings} lists them"},
	keymap.Curate:      {keymap.ScreenCurate, "needs a proposal. {global/curate} lists them"},
	keymap.Replay:      {keymap.ScreenReplay, "needs a transcript. {global/replay} lists them"},
	keymap.Transcripts: {keymap.ScreenReplay, "needs a transcript. {global/replay} lists them"},
	keymap.Trash:       {keymap.ScreenTrash, "needs a deleted file. {global/trash} lists them"},
}

// writes are the verbs of what changes the store, which the past refuses.
var writes = []string{"create", "delete", "discard", "edit", "insert", "move", "pin", "replace", "revert"}

// needs says what an action needs that is not here. A screen is only named from another one.
func (d *dispatch) needs(a keymap.Action) string {
	if d.stage.closed != nil && d.stage.closed(keymap.ScreenBrowse) && neededIn[a.Scope].screen == "" {
		return d.env.Keyed(textNoStore)
	}
	if d.travel.Away() && d.stage.shows(keymap.ScreenBrowse) && slices.Contains(writes, a.Verb()) {
		return d.env.Keyed("Can't " + a.Verb() + " in the past. {global/travel} returns")
	}
	screen, needs := neededIn[a.Scope].screen, neededIn[a.Scope].needs
	for _, n := range needed {
		if needs == "" && slices.Contains(strings.Fields(n.verbs), a.Verb()) {
			screen, needs = n.screen, n.needs
		}
	}
	switch {
	case needs == "":
		return "not here"
	case screen != "" && d.stage.shows(screen):
		return "Nothing to " + a.Verb() + " here"
	}
	return d.env.Keyed(needs)
}

// absent says why an action does nothing here.
func (d *dispatch) absent(key string, a keymap.Action) {
	why := d.needs(a)
	if unicode.IsLower([]rune(why)[0]) { // the rest of a sentence that begins with the key
		why = key + " " + why
	}
	d.say.tell(ui.Info, why)
}

// explain says why a key does nothing here.
func (d *dispatch) explain(key string) {
	for _, a := range d.env.Keys.Actions() {
		if slices.Contains(a.Keys, key) && a.Scope.OnScreen() {
			d.absent(key, a)
			return
		}
	}
	d.say.tell(ui.Info, key+d.env.Keyed(" does nothing here. {global/menu} shows what does"))
}
