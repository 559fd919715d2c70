package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// clipboard copies texts by OSC 52; only keys of the user ever get here.
type clipboard struct {
	env *kit.Env
	say *messages
	// mask hides secrets in a text, and returns in how many lines.
	mask func(text string) (masked string, lines int)
}

const textNothingToCopy = "Nothing to copy here"

// ownerCopy names the job that reads what is copied.
const ownerCopy = "copy"

func (c *clipboard) copy(what, content string) tea.Cmd {
	if content == "" {
		c.say.tell(kit.Info, textNothingToCopy)
		return nil
	}
	if len(content) > kit.CopyLimit {
		c.say.tell(kit.Info, act.TextTooLongToCopy)
		return nil
	}
	content, masked := c.mask(content)
	says := fmt.Sprintf("Copied the %s, %d bytes", what, len(content))
	if masked > 0 {
		says += ", secrets masked in " + kit.CountGrouped(masked, "line")
	}
	c.say.tell(kit.Info, says)
	return tea.SetClipboard(content)
}

// copyRead copies what a function reads in a job; nil: no text to copy.
func (c *clipboard) copyRead(what string, read func() (string, error)) tea.Cmd {
	if read == nil {
		c.say.tell(kit.Info, "No line under the cursor to copy")
		return nil
	}
	return kit.Start(c.env.Jobs, kit.Job[string]{
		Owner: ownerCopy, Label: "copying", Done: func(content string) tea.Cmd { return c.copy(what, content) },
		Work: func(context.Context, *kit.Progress) (string, error) { return read() },
	})
}
