package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/past"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/browse"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
	"memcurator/tui/losses"
	"memcurator/tui/overlay"
	"memcurator/tui/summary"
)

// alert is a state that the user must see while it lasts.
type alert struct {
	name, says string
	key        string // that opens the remedy
	remedy     string // one word
	open       func() tea.Cmd
	past       bool // this is the past, which is a place and not a fault
}

// alerts are the states behind the banner below the tabs.
type alerts struct {
	env     *kit.Env
	boxes   *boxes
	stage   *stage
	travel  *browse.Travel
	store   *act.Store
	losses  *losses.Alarm
	feed    *feed.Feed
	title   string // of the store
	emptied string // why the store is read-only: all of its files are gone
	damage  string // why the journal is damaged
	config  string // the first mistake in the configuration
}

// list has those of now: that the past is shown, which no alert may hide, and the others, the worst first. It looks at nothing but
// what is known already.
func (a *alerts) list() []alert {
	var list []alert
	key := a.env.Keys.KeyFor(keymap.Global, keymap.Alert)
	add := func(name, says, remedy string, open func() tea.Cmd) {
		list = append(list, alert{name: name, says: says, key: key, remedy: remedy, open: open})
	}
	if name, says := a.travel.Moment(); name != "" {
		list = append(list, alert{
			name: name, says: says, past: true, key: a.env.Keys.KeyFor(keymap.Global, keymap.Travel), remedy: "present", open: a.travel.Back,
		})
	}
	if a.damage != "" {
		add("JOURNAL DAMAGED", "edits are not recorded, deleting is off", "repair", a.explain("Journal damaged", a.damage+
			"\n\nEdits are not recorded, so nothing can be undone. To repair the journal, quit and run:\n\n  memcurator doctor --repair"))
	}
	if a.store.Watched == watch.Unavailable {
		add("FOLDER GONE", text.Clean(a.title)+": showing the last copy", "relink", a.explain("Folder gone", text.Clean(a.title)+
			" can't be read. What you see is its last copy.\n\nThe screen reloads as soon as the folder is back. If you moved it, quit and run:\n\n"+
			"  memcurator doctor --relink "+text.Clean(a.title)+" NEW-DIR"))
	}
	if a.emptied != "" {
		add("FILES GONE", "all files of this store are gone, read-only", "show", a.explain("The files of this store are gone", a.emptied))
	}
	if n := len(a.losses.Lost); n > 0 {
		add(fmt.Sprintf("%d FILES DELETED", n), a.losses.Says(), "restore", a.losses.PutBack)
	}
	if lost := a.losses.Overwritten; len(lost.Lost()) > 0 {
		add("EDIT LOST", lost.Says(), "restore", lost.PutBack)
	}
	if troubles := a.losses.Troubles; len(troubles) > 0 {
		add("NOT ALL READ", a.losses.Trouble(), "show", a.explain("Not all of this memory can be read", text.Clean(a.title)+
			" holds what can't be read. Nothing of it is lost or changed.\n\n  "+text.Clean(strings.Join(troubles, "\n  "))))
	}
	if a.config != "" {
		add("CONFIG", text.Clean(a.config)+"; old settings on", "show", a.explain("Configuration", text.Clean(a.config)+
			"\n\nThe last good settings stay on until you correct the file."))
	}
	return list
}

// line is the row of the opening summary; an empty text hides it.
func (a *alerts) line() summary.Line {
	st := a.env.Styles
	switch {
	case a.damage != "":
		return summary.Line{Key: keymap.Alert, Text: "Journal damaged, edits are not recorded", Paint: st.Error}
	case len(a.losses.Lost) > 0:
		return summary.Line{Key: keymap.Alert, Text: kit.Count(len(a.losses.Lost), "file") + " deleted " + a.losses.Says(), Paint: st.Error}
	case len(a.losses.Overwritten.Lost()) > 0:
		return summary.Line{Key: keymap.Alert, Text: "Edit lost: " + a.losses.Overwritten.Says(), Paint: st.Error}
	case len(a.losses.Troubles) > 0:
		return summary.Line{Key: keymap.Alert, Text: a.losses.Trouble(), Paint: st.Warning}
	case a.feed.Health().Level == past.Good:
		return summary.Line{Text: "No alerts", Paint: st.Dim}
	}
	return summary.Line{}
}

// explain returns what opens a box with a text.
func (a *alerts) explain(title, body string) func() tea.Cmd {
	return kit.Do(func() { a.boxes.show(overlay.NewText(a.env, "alert", title, body, false)) })
}

// open opens the remedy of the worst one; of the past only where there is no other.
func (a *alerts) open() tea.Cmd {
	list := a.list()
	if len(list) == 0 {
		return nil
	}
	if list[0].past && len(list) > 1 {
		return list[1].open()
	}
	return list[0].open()
}

const textNoAlert = "No alerts"

// settle adds the banner's row, or returns it to the panes.
func (a *alerts) settle() tea.Cmd {
	shown := len(a.list()) > 0
	if shown == a.stage.banner {
		return nil
	}
	a.stage.banner = shown
	return a.stage.relayout()
}

// draw draws the banner: the worst alert, how many more there are, and the key of the remedy.
func (a *alerts) draw(w int) string {
	st := a.env.Styles
	list := a.list()
	if len(list) == 0 {
		return text.Pad("", w)
	}
	worst := list[0]
	paint := st.BadgeReadOnly
	if worst.past {
		paint = st.Badge
	}
	return paint.Apply(bannerText(st, worst, len(list)-1, w))
}

// bannerText fits a banner into w cells: the name and the remedy are cut last.
func bannerText(st *theme.Styles, worst alert, more, w int) string {
	right := "  " + worst.key + " " + worst.remedy + " "
	if more > 0 {
		right = fmt.Sprintf("  (+%d)", more) + right
	}
	room := w - text.Width(right)
	if room < text.Width(worst.name)+1 {
		return text.Pad(text.Truncate(" "+worst.name, w, ""), w)
	}
	left := " " + worst.name
	if says := room - text.Width(left) - 2; says >= 8 {
		left += "  " + text.Truncate(worst.says, says, st.Glyphs.Ellipsis)
	}
	return text.Pad(left, room) + right
}
