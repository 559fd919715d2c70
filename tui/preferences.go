package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/theme"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
	"memcurator/tui/notify"
)

// Preferences are what the configuration says about the screen, after flags and variables.
// What the user changes by key stands until the configuration says something else.
type Preferences struct {
	Theme      theme.Name
	ASCII      bool
	Dialect    memstore.Dialect
	Keys       *keymap.Map // nil: the built-in keys
	MouseOff   bool
	NoWrap     bool
	HideHidden bool
	Sort       string // name, size, age or links; empty is name
	// Bell and Notify are what happens at a bulk delete, a secret, or damage of the journal.
	Bell   bool
	Notify []string // a program and its arguments; empty: none
}

// Reload is a configuration that was saved while the user interface runs.
type Reload struct {
	Preferences Preferences
	// Rules are those for the store.
	Rules config.Settings
	// Broken is the first mistake, with its place; Preferences are not valid then.
	Broken string
}

// reloadMsg brings a reload.
type reloadMsg Reload

// preferences are those in force: of the configuration, and what the user has chosen by key.
type preferences struct {
	env     *kit.Env
	stage   *stage
	pointer *pointer
	travel  *browse.Travel
	say     *messages
	notify  *notify.Notifier

	theme  theme.Options
	last   Preferences // as the configuration had them last
	chosen theme.Name  // by key; "": none
}

// prefer goes from one set of preferences to another. The dialect is the caller's.
func (p *preferences) prefer(was, is Preferences) tea.Cmd {
	var cmds []tea.Cmd
	if was.Keys != is.Keys {
		p.env.Keys = is.Keys
		if is.Keys == nil {
			p.env.Keys = keymap.Default()
		}
	}
	if was.Theme != is.Theme || was.ASCII != is.ASCII {
		p.theme.Name, p.theme.ASCII = is.Theme, is.ASCII
		p.env.ASCII, p.env.Styles = is.ASCII, theme.New(p.theme)
		cmds = append(cmds, p.askBackground(), p.stage.relayout())
	}
	p.notify.Use(is.Bell, is.Notify)
	if was.MouseOff != is.MouseOff {
		p.pointer.off = is.MouseOff
	}
	for _, screen := range p.travel.Screens() {
		if was.NoWrap != is.NoWrap {
			screen.View.SetWrap(!is.NoWrap)
			screen.Diff.SetWrap(!is.NoWrap)
		}
		if was.HideHidden != is.HideHidden || was.Sort != is.Sort {
			screen.Tree.Prefer(is.Sort, !is.HideHidden)
		}
	}
	return tea.Batch(cmds...)
}

// askBackground asks the terminal for its background if the theme follows it. The answer
// may never come; the default holds until it does.
func (p *preferences) askBackground() tea.Cmd {
	if p.theme.Name == theme.Auto || p.theme.Name == theme.Contrast {
		return tea.RequestBackgroundColor
	}
	return nil
}

// setDark takes the terminal's answer.
func (p *preferences) setDark(dark bool) {
	p.theme.Dark = dark
	p.env.Styles = theme.New(p.theme)
}

// measure follows the terminal's answer to the question how it counts the cells of
// composed characters; the renderer changes its own count at the same answer.
func (p *preferences) measure(msg tea.ModeReportMsg) {
	if msg.Mode != ansi.ModeUnicodeCore {
		return
	}
	switch msg.Value {
	case ansi.ModeSet, ansi.ModeReset, ansi.ModePermanentlySet:
		p.env.Clusters = true
	}
}

// chooseTheme uses the theme of that name, which the user has asked for.
func (p *preferences) chooseTheme(name string) tea.Cmd {
	if _, err := theme.Parse(name); err != nil {
		p.say.tell(kit.Fail, err.Error())
		return nil
	}
	p.useTheme(name)
	p.chosen = p.theme.Name
	p.say.tell(kit.Info, "Theme: "+name)
	return nil
}

// useTheme uses the theme of that name, if there is one.
func (p *preferences) useTheme(name string) {
	if n, err := theme.Parse(name); err == nil {
		p.theme.Name = n
		p.env.Styles = theme.New(p.theme)
	}
}

func (p *preferences) cycleTheme() {
	next := map[theme.Name]theme.Name{
		theme.Auto: theme.Dark, theme.Dark: theme.Light, theme.Light: theme.Contrast,
		theme.Contrast: theme.Mono, theme.Mono: theme.Auto,
	}
	p.chooseTheme(string(next[p.theme.Name]))
}

// waitForReload delivers the next reload until done; the caller repeats it after each.
func waitForReload(reloads <-chan Reload, done <-chan struct{}) tea.Cmd {
	if reloads == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case r, ok := <-reloads:
			if !ok {
				return nil
			}
			return reloadMsg(r)
		case <-done:
			return nil
		}
	}
}

// takeReload applies what is different from the last configuration; a broken one changes nothing.
func (m *Model) takeReload(r Reload) tea.Cmd {
	m.alerts.config = r.Broken
	if r.Broken != "" {
		m.say.report(kit.Fail, "Old settings stay on: "+r.Broken)
		return nil
	}
	was := m.preferences.last
	m.preferences.last = r.Preferences
	if own := m.curate.SetRules(r.Rules); !own { // a rule that this program has written was reported already
		m.say.report(kit.Info, "Config reloaded")
	}
	cmds := []tea.Cmd{m.preferences.prefer(was, r.Preferences), m.secrets.Reload()}
	if was.Dialect != r.Preferences.Dialect {
		cmds = append(cmds, m.setDialect(r.Preferences.Dialect))
	}
	// What a client loads of a file may be another part of it.
	for _, s := range m.travel.Screens() {
		cmds = append(cmds, s.View.Reload())
	}
	return tea.Batch(append(cmds, m.curate.Replan())...)
}

// addPreferences applies those of the start.
func (m *Model) addPreferences() {
	o := &m.options
	last := o.Preferences
	last.Theme, last.ASCII, last.Dialect = o.Theme.Name, o.Theme.ASCII, o.Store.Dialect()
	m.preferences = preferences{
		env: m.env, stage: &m.stage, pointer: &m.pointer, travel: m.travel, say: &m.say, notify: m.notify, theme: o.Theme, last: last,
	}
	m.preferences.prefer(Preferences{Theme: o.Theme.Name, ASCII: o.Theme.ASCII, Dialect: o.Store.Dialect()}, last)
}
