package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

const (
	textNothingToCopy = "Nothing to copy here"
	textTooLongToCopy = "Output over 1 MiB: too long for the clipboard. Run memcurator cat"
)

// ownerCopy names the job that reads what is copied.
const ownerCopy = "copy"

// copy copies a text by OSC 52, with its secrets masked; only keys of the user ever get here.
func (m *Model) copy(what, content string) tea.Cmd {
	if content == "" {
		m.say.tell(kit.Info, textNothingToCopy)
		return nil
	}
	if len(content) > kit.CopyLimit {
		m.say.tell(kit.Info, textTooLongToCopy)
		return nil
	}
	content, masked := m.secrets.Masks.Text(content)
	says := fmt.Sprintf("Copied the %s, %d bytes", what, len(content))
	if masked > 0 {
		says += ", secrets masked in " + kit.CountGrouped(masked, "line")
	}
	m.say.tell(kit.Info, says)
	return tea.SetClipboard(content)
}
