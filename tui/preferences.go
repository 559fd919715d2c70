package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/theme"
	"memcurator/tui/kit"
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
	// Bell rings after a bulk delete, a secret, or damage of the journal.
	Bell bool
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

// prefer goes from one set of preferences to another. The dialect is the caller's.
func (m *Model) prefer(was, is Preferences) tea.Cmd {
	var cmds []tea.Cmd
	if was.Keys != is.Keys {
		m.env.Keys = is.Keys
		if is.Keys == nil {
			m.env.Keys = Keys()
		}
	}
	if was.Theme != is.Theme || was.ASCII != is.ASCII {
		m.theme.Name, m.theme.ASCII = is.Theme, is.ASCII
		m.env.ASCII, m.env.Styles = is.ASCII, theme.New(m.theme)
		cmds = append(cmds, m.askBackground(), m.stage.relayout())
	}
	if was.NoWrap != is.NoWrap {
		m.browse.View.SetWrap(!is.NoWrap)
		m.browse.Diff.SetWrap(!is.NoWrap)
	}
	if was.HideHidden != is.HideHidden || was.Sort != is.Sort {
		m.browse.Tree.Prefer(is.Sort, !is.HideHidden)
	}
	return tea.Batch(cmds...)
}

// askBackground asks the terminal for its background if the theme follows it. The answer
// may never come; the default holds until it does.
func (m *Model) askBackground() tea.Cmd {
	if m.theme.Name == theme.Auto || m.theme.Name == theme.Contrast {
		return tea.RequestBackgroundColor
	}
	return nil
}

// measure follows the terminal's answer to the question how it counts the cells of
// composed characters; the renderer changes its own count at the same answer.
func (m *Model) measure(msg tea.ModeReportMsg) {
	if msg.Mode != ansi.ModeUnicodeCore {
		return
	}
	switch msg.Value {
	case ansi.ModeSet, ansi.ModeReset, ansi.ModePermanentlySet:
		m.env.Clusters = true
	}
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
	m.brokenConfig = r.Broken
	if r.Broken != "" {
		m.say.report(kit.Fail, "config.toml not loaded, the last valid settings apply: "+r.Broken)
		return nil
	}
	was := m.preferences
	m.preferences = r.Preferences
	if own := m.curate.SetRules(r.Rules); !own { // a rule that this program has written was reported already
		m.say.report(kit.Info, "Config reloaded")
	}
	cmds := []tea.Cmd{m.prefer(was, r.Preferences), m.secrets.Reload()}
	if was.Dialect != r.Preferences.Dialect {
		cmds = append(cmds, m.setDialect(r.Preferences.Dialect))
	}
	// What a client loads of a file may be another part of it.
	return tea.Batch(append(cmds, m.browse.View.Reload(), m.curate.Replan())...)
}
