package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// key routes a key press: the line being typed, the topmost overlay, the pane with the
// focus, the whole screen.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if loneModifier(msg) {
		return nil
	}
	m.awaited = "" // the user goes on elsewhere
	if m.line.Active() {
		return m.lineKey(msg)
	}
	a, ok := m.env.Keys.Lookup(m.scopes(), msg.String())
	m.secrets.MaskOthers(a, msg)
	if !ok && msg.String() == "ctrl+c" {
		return m.perform(keymap.ForceQuit)
	}
	if m.boxes.Len() > 0 && time.Now().Before(m.ignoreKeysUntil) {
		return nil
	}
	if box := m.formOnTop(); box != nil {
		return m.formKey(box, a, ok, msg)
	}
	if top, open := m.boxes.Top(); open {
		if !ok {
			return nil
		}
		return m.answer(top, a.ID)
	}
	if !ok {
		m.explain(msg.String())
		return nil
	}
	if movesAround(a) {
		m.stopFollowing()
	}
	return m.perform(a.ID)
}

// movesAround reports whether an action looks around, which ends following.
func movesAround(a keymap.Action) bool {
	if a.Scope.OnScreen() && a.Scope != keymap.Global {
		return true
	}
	return a.ID == keymap.NextUnread || a.ID == keymap.Search || a.ID == keymap.Listing
}

// explain says why a key does nothing here.
func (m *Model) explain(key string) {
	for _, a := range m.env.Keys.Actions() {
		if slices.Contains(a.Keys, key) && a.Scope.OnScreen() {
			m.tell(ui.Info, fmt.Sprintf("%s does nothing here; under %q it means: %s", key, a.Scope.Title(), a.Help))
			return
		}
	}
	m.tell(ui.Info, key+" means nothing; "+m.env.Keys.KeyFor(keymap.Global, keymap.Help)+" shows the keys")
}

// scopes lists where a key is looked up now, innermost first.
func (m *Model) scopes() []keymap.Scope {
	if top, ok := m.boxes.Top(); ok {
		return top.Scopes()
	}
	return append(m.focused().Scopes(), keymap.Motion, keymap.Global)
}

// focused is the pane with the focus.
func (m *Model) focused() ui.Pane {
	switch {
	case m.focus == onTree:
		return m.firstPane()
	case m.focus == onStrip:
		return m.strip
	default:
		return m.secondPane()
	}
}

// firstPane is the tree, or the list of another screen.
func (m *Model) firstPane() ui.Pane { return m.shownScreen().List() }

// secondPane is the tab that is shown, or what another screen shows of a row.
func (m *Model) secondPane() ui.Tab { return m.shownScreen().Detail() }

// leaveTree makes a tab visible that was chosen where only one pane fits.
func (m *Model) leaveTree() {
	if m.layout.main.Empty() {
		m.focus = onMain
	}
}

// searching reports whether the shown tab marks the matches of a search.
func (m *Model) searching() bool {
	s, ok := m.secondPane().(ui.Searcher)
	return ok && s.Query() != ""
}

// back peels exactly one layer.
func (m *Model) back() tea.Cmd {
	if m.curate.StopApply() || m.cancelJob() {
		return nil
	}
	for _, part := range []any{m.shownScreen(), m.focused()} {
		if p, ok := part.(ui.Peeler); ok {
			if cmd, peeled := p.Peel(); peeled {
				return cmd
			}
		}
	}
	if m.focus == onMain {
		if cmd, peeled := m.peelSearch(); peeled {
			return cmd
		}
	}
	switch {
	case m.focus == onMain && m.searching():
		return m.searcher().SetQuery("")
	case m.zoom:
		m.zoom = false
	case m.focus != onTree:
		m.focus = onTree
	case m.screen != onBrowse:
		return m.goTo(onBrowse)
	case m.travel != nil:
		return m.comeBack()
	default:
		m.tell(ui.Info, m.env.Keyed("nothing to leave here: {global/quit} quits"))
		return nil
	}
	return m.relayout()
}

// quit leaves as soon as no write is under way.
func (m *Model) quit() tea.Cmd {
	if m.quitting {
		return nil
	}
	m.quitting = true
	m.tell(ui.Info, "finishing the write under way...")
	jobs := m.env.Jobs
	return func() tea.Msg {
		jobs.WaitWrites()
		return tea.QuitMsg{}
	}
}

// setTheme uses the theme of that name.
func (m *Model) setTheme(name string) tea.Cmd {
	if _, err := theme.Parse(name); err != nil {
		m.tell(ui.Fail, err.Error())
		return nil
	}
	m.useTheme(name)
	m.themeChosen()
	m.tell(ui.Info, "theme: "+name)
	return nil
}

// useTheme is setTheme without a word; a name that means nothing is left aside.
func (m *Model) useTheme(name string) {
	if n, err := theme.Parse(name); err == nil {
		m.theme.Name = n
		m.env.Styles = theme.New(m.theme)
	}
}

func (m *Model) cycleTheme() {
	next := map[theme.Name]theme.Name{
		theme.Auto: theme.Dark, theme.Dark: theme.Light, theme.Light: theme.Contrast,
		theme.Contrast: theme.Mono, theme.Mono: theme.Auto,
	}
	m.setTheme(string(next[m.theme.Name]))
}

// openUnasked puts a box on top that the user did not ask for: what is typed in that moment was meant for something else, and must
// not answer it.
func (m *Model) openUnasked(box ui.Box) {
	m.openBox(box)
	m.ignoreKeys()
}

// ignoreKeys makes the box on top ignore keys for a moment.
func (m *Model) ignoreKeys() { m.ignoreKeysUntil = time.Now().Add(m.options.Grace) }

// openBox puts a box on top.
func (m *Model) openBox(box ui.Box) {
	m.secrets.Box().Mask()
	m.boxes.Open(box)
}

// open puts an overlay on top that asks nothing.
func (m *Model) open(o ui.Overlay) { m.openBox(ui.Box{Overlay: o}) }

// ask opens a question.
func (m *Model) ask(title, body string, yes func() tea.Cmd) {
	m.openBox(ui.Box{Overlay: overlay.NewQuestion(m.env, title, body), Answers: map[keymap.ID]func() tea.Cmd{keymap.Yes: yes}})
}

// answer performs an action of the box on top.
func (m *Model) answer(box ui.Box, id keymap.ID) tea.Cmd {
	if box.Handle(id) {
		return nil
	}
	if id == keymap.Close {
		id = keymap.No
	}
	if run, ok := box.Answers[id]; ok {
		m.boxes.CloseTop()
		return run()
	}
	switch id {
	case keymap.No, keymap.Yes:
		m.boxes.CloseTop()
	case keymap.OverlayFind:
		m.line.Open(prompt.OverlayFilter, "")
	case keymap.OverlayCopy:
		if t, ok := box.Overlay.(ui.Copyable); ok {
			return m.toClipboard("text", t.Content())
		}
	case keymap.CopyPath, keymap.CopyLine, keymap.CopyOutput, keymap.CopyDiff, keymap.CopyHunk:
		m.boxes.CloseTop()
		return m.perform(id)
	}
	return nil
}

// openHelp shows the keys of the focused pane first, then the others.
func (m *Model) openHelp() {
	body := ""
	section := func(s keymap.Scope) {
		rows := m.env.Keys.InScope(s)
		if len(rows) == 0 {
			return
		}
		if body != "" {
			body += "\n\n"
		}
		body += s.Title()
		for _, a := range rows {
			body += "\n" + ui.KeyLine(a, m.env.ASCII)
		}
	}
	first := append(m.scopes(), keymap.Motion, keymap.Global)
	done := map[keymap.Scope]bool{}
	for _, s := range append(first, keymap.Scopes()...) {
		if !done[s] {
			section(s)
			done[s] = true
		}
	}
	body += "\n\nMemory commands at the prompt, as the agent would send them"
	for _, u := range prompt.Usage() {
		body += "\n  :" + u
	}
	t := overlay.NewText(m.env, "help", "Keys", body, false)
	t.SetFooter(m.env.Keyed("{overlay/overlay-filter} filters, {overlay/close} closes"))
	t.Hang = ui.KeyLineText
	m.open(t)
}

// loneModifier reports whether a key is one that only changes others: terminals that report every key report these too.
func loneModifier(k tea.KeyPressMsg) bool {
	return k.Code >= tea.KeyLeftShift && k.Code <= tea.KeyIsoLevel5Shift || k.Code == tea.KeyCapsLock || k.Code == tea.KeyNumLock || k.Code == tea.KeyScrollLock
}
