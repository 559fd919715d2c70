package replay

import (
	"fmt"
	"strings"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Facts implements [ui.Explained]: which call it is, who made it, and why its replay differs.
func (s *Screen) Facts() string {
	step, ok := s.list.Selected()
	if !ok {
		return ""
	}
	var out strings.Builder
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%-8s %s\n", name, text.Clean(value))
		}
	}
	fmt.Fprintf(&out, "call %s %s\n\n", ui.Number(s.list.Call()), text.Clean(ui.PathText(step.Path)))
	made := step.Time
	if !step.When.IsZero() {
		made = step.When.In(s.env.Now().Location()).Format("2 Jan 2006 15:04:05")
	}
	add("made", made)
	add("tool", step.Tool)
	add("session", step.Session)
	add("model", step.Model)
	add("id", step.ID)
	if step.Turn > 0 {
		add("message", ui.Number(step.Turn))
	}
	out.WriteString("\n" + text.Clean(verdictOf(step)))
	return out.String()
}

// Explains implements [ui.Explained]: the preview of a transcript says it all.
func (s *Screen) Explains() bool { return !s.listing }

var _ ui.Explained = (*Screen)(nil)
