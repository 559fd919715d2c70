package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// alert is a state that the user must see while it lasts.
type alert struct {
	name, says string
	key        string // that opens the remedy
	remedy     string // one word
	open       func() tea.Cmd
	past       bool // this is the past, which is a place and not a fault
}

// alerts has those of now: that the past is shown, which no alert may hide, and the others, the worst first. It looks at nothing but
// what is known already.
func (m *Model) alerts() []alert {
	var list []alert
	key := m.env.Keys.KeyFor(keymap.Global, keymap.Alert)
	add := func(name, says, remedy string, open func() tea.Cmd) {
		list = append(list, alert{name: name, says: says, key: key, remedy: remedy, open: open})
	}
	if name, says := m.browse.Moment(); name != "" {
		list = append(list, alert{
			name: name, says: says, past: true, key: m.env.Keys.KeyFor(keymap.Global, keymap.Travel), remedy: "present", open: m.browse.Back,
		})
	}
	if m.store.Damaged != "" {
		add("JOURNAL DAMAGED", "you can change nothing here", "show", m.explain("Journal damaged", "It can't be used: "+m.store.Damaged+
			".\n\nYou can change nothing here until it is repaired. Run this command, then start memcurator again:\n\n  "+text.Clean(m.options.Doctor)+" --repair"))
	}
	if o := &m.options; m.store.Damaged == "" && o.undoable() == nil && o.NoJournal != "" && !o.Unlinked {
		add("NOT RECORDED", text.Clean(o.NoJournal)+", deleting is off", "show", m.explain("Edits are not recorded", text.Clean(o.NoJournal)+
			"\n\nNothing that is edited now can be undone, and what is edited is not listed. Correct the cause, then start again."))
	}
	if m.store.Watched == watch.Limited && m.store.Damaged == "" {
		add("NOT RECORDED", text.Clean(m.watchNote), "show", m.explain("Changes are not recorded", text.Clean(m.watchNote)+
			".\n\nOnce the cause is gone, what changed meanwhile is recorded, without its author and its steps."))
	}
	if m.store.Watched == watch.Unavailable {
		add("FOLDER UNAVAILABLE", text.Clean(m.watchNote), "show", m.explainUnavailable())
	}
	if m.options.Emptied != "" {
		add("FILES GONE", "mount the folder again, or restore them", "show", m.askAccept)
	}
	if n := len(m.alarm.lost); n > 0 {
		add(fmt.Sprintf("%d FILES DELETED", n), m.alarm.says(), "restore", m.alarm.putBack)
	}
	if troubles := m.alarm.troubles; len(troubles) > 0 {
		add("NOT ALL READ", text.Clean(troubles[0]), "show", m.explain("Not all of this memory can be read", text.Clean(m.options.Title)+
			" holds what can't be read. Nothing of it is lost or changed.\n\n  "+text.Clean(strings.Join(troubles, "\n  "))))
	}
	if m.options.Notice != "" {
		lines := strings.Split(m.options.Notice, "\n")
		says := text.Clean(lines[0])
		if len(lines) > 1 {
			says += fmt.Sprintf(" (and %d more)", len(lines)-1)
		}
		for i := range lines {
			lines[i] = text.Clean(lines[i])
		}
		add("CONFIG NOT IN FORCE", says, "show", m.explain("Configuration", strings.Join(lines, "\n")+
			"\n\nThe defaults apply. Correct the file, then start memcurator again."))
	}
	return list
}

const textRecreate = "Create the folder again?"

// explainUnavailable returns what opens the box of a store whose folder can't be read, or is gone.
func (m *Model) explainUnavailable() func() tea.Cmd {
	name := text.Clean(m.options.Title)
	body := name + ": " + text.Clean(m.watchNote) + ".\n\nYou see the last copy. The screen reloads as soon as the files are back."
	if m.watchNote == watch.Unreadable {
		return m.explain("Folder unavailable", body+" Give yourself the right to read the folder:\n\n  chmod u+rwx "+name)
	}
	body += " If you moved the folder, quit and run:\n\n  memcurator doctor --relink " + name + " NEW-DIR"
	_, folder := m.store.Handlers.Backend().(*dir.Dir)
	if !folder || m.options.ReadOnly || m.store.Journal == nil { // there is nothing to restore from, or nothing may be
		return m.explain("Folder unavailable", body)
	}
	return kit.Do(func() {
		m.ask(textRecreate, body+"\n\nIf it was deleted, create it again. Then restore its files.",
			kit.Do(func() { m.reopen, m.recreate = true, true }))
	})
}

// askAccept asks whether the missing files were deleted. Their deletion is recorded then, the store opened anew, and they can be restored.
func (m *Model) askAccept() tea.Cmd {
	body := m.options.Emptied + ".\n\nIf they were deleted, record it. Then you can restore them, as after any deletion."
	m.ask("Record that they were deleted?", body, func() tea.Cmd {
		return kit.Start(m.env.Jobs, kit.Job[int]{
			Owner: act.OwnerCompare, Label: "recording the deletion",
			Work: func(ctx context.Context, _ *kit.Progress) (int, error) {
				made, _, err := m.options.Journal.AcceptEmpty(ctx)
				return made, err
			},
			Done: func(int) tea.Cmd {
				m.reopen = true
				return nil
			},
		})
	})
	return nil
}

// explain returns what opens a box with a text.
func (m *Model) explain(title, body string) func() tea.Cmd {
	return kit.Do(func() { m.showBox(overlay.NewText(m.env, title, body, false)) })
}

// openAlert opens the remedy of the worst one; of the past only where there is no other.
func (m *Model) openAlert() tea.Cmd {
	list := m.alerts()
	if len(list) == 0 {
		return nil
	}
	if list[0].past && len(list) > 1 {
		return list[1].open()
	}
	return list[0].open()
}

const textNoAlert = "No alerts"

// settleBanner adds the banner's row, or returns it to the panes.
func (m *Model) settleBanner() tea.Cmd {
	shown := len(m.alerts()) > 0
	if shown == m.stage.banner {
		return nil
	}
	m.stage.banner = shown
	return m.stage.relayout()
}

// banner draws the banner: the worst alert, how many more there are, and the key of the remedy.
func (m *Model) banner(w int) string {
	st := m.env.Styles
	list := m.alerts()
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
