package tui

import (
	"context"
	"os"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// shell is what the parts of the screen may ask of the model around them. See [kit.Shell] and [act.Shell].
type shell struct{ m *Model }

func (s shell) Tell(level kit.Level, sentence string)   { s.m.say.tell(level, sentence) }
func (s shell) Report(level kit.Level, sentence string) { s.m.say.report(level, sentence) }

func (s shell) Open(b kit.Box)                             { s.m.openBox(b) }
func (s shell) OpenUnasked(b kit.Box)                      { s.m.openUnasked(b) }
func (s shell) Ask(title, body string, yes func() tea.Cmd) { s.m.ask(title, body, yes) }
func (s shell) AskWord(title, body, word, act string, yes func() tea.Cmd) {
	box := overlay.NewTypedQuestion(s.m.env, title, body, word, act)
	s.m.openBox(kit.Box{Overlay: box, Answers: map[keymap.ID]func() tea.Cmd{keymap.Accept: yes}})
}

func (s shell) Relayout() tea.Cmd         { return s.m.stage.relayout() }
func (s shell) FocusDetail() tea.Cmd      { return s.m.stage.focusOn(onDetail) }
func (s shell) FocusList() tea.Cmd        { return s.m.stage.focusOn(onList) }
func (s shell) OnDetail() bool            { return s.m.stage.focus == onDetail }
func (s shell) Shows(id keymap.ID) bool   { return s.m.stage.shows(id) }
func (s shell) Show(id keymap.ID) tea.Cmd { return s.m.show(id) }

func (s shell) TypeCommand(begin string) tea.Cmd {
	s.m.typeCommand(begin)
	return nil
}
func (s shell) OpenPath(path string) tea.Cmd { return s.m.browse.OpenPath(path) }

func (s shell) Copy(what, text string) tea.Cmd { return s.m.copy(what, text) }
func (s shell) CopyRead(what string, read func() (string, error)) tea.Cmd {
	return kit.Start(s.m.env.Jobs, kit.Job[string]{
		Owner: ownerCopy, Label: "copying", Done: func(content string) tea.Cmd { return s.m.copy(what, content) },
		Work: func(context.Context, *kit.Progress) (string, error) { return read() },
	})
}

func (s shell) Node(path string) *memstore.Node { return s.m.browse.Files.Node(path) }
func (s shell) OpenLine(path string, line int) tea.Cmd {
	return tea.Batch(s.m.show(keymap.ScreenBrowse), s.m.browse.OpenLine(path, line))
}
func (s shell) Edit(path string) tea.Cmd { return s.m.editor.Edit(path, 0) }
func (s shell) EditText(path string, ours, text []byte) tea.Cmd {
	return s.m.editor.EditMerged(path, ours, text)
}

func (s shell) Travel(r past.Revision) tea.Cmd { return s.m.browse.ToRevision(r) }

func (s shell) Place() func() tea.Cmd             { return s.m.stage.place() }
func (s shell) TraceCall(find act.Finder) tea.Cmd { return s.m.replay.JumpFrom(find) }
func (s shell) WhyNoCall(r past.Revision) kit.Say { return s.m.replay.WhyNoCall(r) }
func (s shell) WhyPast() kit.Say                  { return s.m.browse.WhyPast() }
func (s shell) Aside() string {
	if s.m.stage.shows(keymap.ScreenStores) {
		return s.m.store.Title
	}
	return ""
}

func (s shell) Needs() (needs []act.Need) {
	if says := s.m.curate.Summary(); says != "" {
		needs = append(needs, act.Need{Key: keymap.ScreenCurate, Text: says})
	}
	if says := s.m.secrets.Summary(); says != "" {
		needs = append(needs, act.Need{Key: keymap.ScreenSecrets, Text: says, Urgent: true})
	}
	home, _ := os.UserHomeDir()
	for _, dir := range s.m.options.LeftEdits {
		needs = append(needs, act.Need{Text: "An edit left its text in " + text.Clean(text.Tilde(dir, home)), Urgent: true})
	}
	if list := s.m.options.Stores; list != nil && list.Elsewhere() != "" {
		needs = append(needs, act.Need{Key: keymap.ScreenStores, Text: list.Elsewhere()})
	}
	return needs
}
