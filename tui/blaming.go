package tui

import "memcurator/tui/blame"

// addBlame makes the blame tab; without a journal it is never shown.
func (m *Model) addBlame() {
	var source blame.Source
	if j := m.kept(); j != nil {
		source = j
	}
	m.blame = blame.New(m.env, m.options.Store, source)
	m.addTab(m.blame, blame.Owners()...)
	m.env.Jobs.Listen(m.blame.Receive, m.blame.Failed, blame.OwnerRead)
}
