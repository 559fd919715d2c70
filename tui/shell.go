package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// shell is what the parts of the screen may ask of the model around them. See [ui.Shell].
type shell struct{ m *Model }

func (s shell) Tell(level ui.Level, sentence string)   { s.m.tell(level, sentence) }
func (s shell) Report(level ui.Level, sentence string) { s.m.say.report(level, sentence) }

func (s shell) Open(b ui.Box)                              { s.m.boxes.open(b) }
func (s shell) OpenUnasked(b ui.Box)                       { s.m.boxes.openUnasked(b) }
func (s shell) Ask(title, body string, yes func() tea.Cmd) { s.m.boxes.ask(title, body, yes) }
func (s shell) AskWord(title, body, word, act string, yes func() tea.Cmd) {
	s.m.boxes.askWord(title, body, word, act, yes)
}

func (s shell) Relayout() tea.Cmd         { return s.m.stage.relayout() }
func (s shell) OtherPane() tea.Cmd        { return s.m.stage.otherPane() }
func (s shell) FocusDetail() tea.Cmd      { return s.m.stage.focusOn(onDetail) }
func (s shell) FocusList() tea.Cmd        { return s.m.stage.focusOn(onList) }
func (s shell) OnDetail() bool            { return s.m.stage.focus == onDetail }
func (s shell) OnStrip() bool             { return s.m.stage.focus == onStrip }
func (s shell) Shown() ui.Screen          { return s.m.stage.screen() }
func (s shell) Show(id keymap.ID) tea.Cmd { return s.m.show(id) }

func (s shell) TypeCommand(begin string) tea.Cmd {
	s.m.line.Open(prompt.Command, begin)
	return nil
}
func (s shell) TypeFilter(filter string) tea.Cmd { return s.m.line.openFilter(filter) }
func (s shell) OpenPath(path string) tea.Cmd     { return s.m.travel.Shown().OpenPath(path) }

func (s shell) Copy(what, text string) tea.Cmd { return s.m.clipboard.copy(what, text) }
func (s shell) CopyRead(what string, read func() (string, error)) tea.Cmd {
	return s.m.clipboard.copyRead(what, read)
}
