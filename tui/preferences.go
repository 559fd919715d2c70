package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Preferences are what the configuration says about the screen, after flags and variables. They
// can be compared; what the user changes by key stands until the configuration says something else.
type Preferences struct {
	Theme      theme.Name
	ASCII      bool
	Dialect    memstore.Dialect
	Keys       *keymap.Map // nil: the built-in keys
	MouseOff   bool
	NoWrap     bool
	HideHidden bool
	Sort       string // name, size or age; empty is name
}

// screen tells what is said about the options that are remembered from run to run; "" is the defaults.
func (p Preferences) screen() string {
	var said []string
	for _, o := range []struct {
		name string
		set  bool
	}{{"no mouse", p.MouseOff}, {"cut", p.NoWrap}, {"no hidden", p.HideHidden}, {"by " + p.Sort, p.Sort != "" && p.Sort != "name"}} {
		if o.set {
			said = append(said, o.name)
		}
	}
	return strings.Join(said, ", ")
}

// Reload is a configuration that was saved while the user interface runs.
type Reload struct {
	Preferences Preferences
	// Rules are what is said for the store.
	Rules config.Settings
	// Broken is the first mistake, with its place; then Preferences mean nothing.
	Broken string
}

// reloadMsg brings a reload.
type reloadMsg Reload

// waitForReload delivers the next reload; it is armed again after each.
func (m *Model) waitForReload() tea.Cmd {
	reloads, done := m.options.Reloads, m.options.Watch.Done()
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

// takeReload carries out what is different from the last configuration; a broken one changes nothing.
func (m *Model) takeReload(r Reload) tea.Cmd {
	if r.Broken != "" {
		m.tell(ui.Fail, "the last good configuration is kept: "+r.Broken)
		return nil
	}
	was := m.preferred
	m.preferred = r.Preferences
	if own := m.curate.SetRules(r.Rules); !own { // what was written was told already
		m.tell(ui.Info, "the configuration was read again")
	}
	return tea.Batch(m.prefer(was, r.Preferences), m.viewer.Reload(), m.curate.Replan()) // what a client loads may be another part
}

// prefer goes from one set of preferences to another.
func (m *Model) prefer(was, is Preferences) tea.Cmd {
	var cmds []tea.Cmd
	if was.Keys != is.Keys {
		m.env.Keys = is.Keys
		if is.Keys == nil {
			m.env.Keys = keymap.Default()
		}
	}
	if was.Theme != is.Theme || was.ASCII != is.ASCII {
		m.theme.Name, m.theme.ASCII = is.Theme, is.ASCII
		m.env.ASCII, m.env.Styles = is.ASCII, theme.New(m.theme)
		cmds = append(cmds, m.askBackground(), m.relayout())
	}
	if was.MouseOff != is.MouseOff {
		m.mouseOff = is.MouseOff
	}
	if was.NoWrap != is.NoWrap {
		m.viewer.SetWrap(!is.NoWrap)
		m.diff.SetWrap(!is.NoWrap)
	}
	if was.HideHidden != is.HideHidden || was.Sort != is.Sort {
		cmds = append(cmds, m.tree.Prefer(is.Sort, !is.HideHidden))
	}
	if was.Dialect != is.Dialect {
		cmds = append(cmds, m.setDialect(is.Dialect))
	}
	return tea.Batch(cmds...)
}

// askBackground asks the terminal for its background where the theme follows it. The answer
// may never come; the default stands until it does.
func (m *Model) askBackground() tea.Cmd {
	if m.theme.Name == theme.Auto || m.theme.Name == theme.Contrast {
		return tea.RequestBackgroundColor
	}
	return nil
}
