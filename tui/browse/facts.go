package browse

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

const ownerFacts = "browse.facts"

// explain shows what is known of the file at the cursor. Of the whole store that is what changed and what needs the user.
func (s *Screen) explain() tea.Cmd {
	path := s.PathAtCursor()
	node := s.Files.Node(path)
	switch {
	case path == memstore.Root && s.Opening.pane != nil:
		return s.Opening.show()
	case path == "" || node == nil:
		s.shell.Tell(ui.Info, "No file here to explain")
		return nil
	}
	record := s.Journal
	if s.until > 0 { // it knows the present
		record = nil
	}
	return ui.Start(s.Env.Jobs, ui.Job[past.Fact]{
		Owner: ownerFacts, Label: ui.LabelJournal,
		Work: func(ctx context.Context, _ *ui.Progress) (fact past.Fact, err error) {
			if record == nil || node.Kind == memstore.KindDir {
				return fact, nil
			}
			err = record.Facts(ctx, func(f past.Fact) bool {
				if f.Path == path {
					fact = f
				}
				return f.Path != path
			})
			return fact, err
		},
		Done: func(fact past.Fact) tea.Cmd {
			body := factsText(s.Store.Dialect(), s.Env.Now(), path, node, &fact, s.Feed.UnreadPaths()[path])
			s.shell.Open(ui.Box{Overlay: overlay.NewText(s.Env, "info", "Info", body, false)})
			return nil
		},
	})
}

// factsText says what the disk and the journal know of a file or folder; the journal may know nothing.
func factsText(dialect memstore.Dialect, now time.Time, path string, node *memstore.Node, fact *past.Fact, unread int) string {
	var out strings.Builder
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%-12s %s\n", name, text.Clean(value))
		}
	}
	when := func(name string, at time.Time) {
		if !at.IsZero() {
			add(name, ui.When(at, now))
		}
	}
	fmt.Fprintf(&out, "%s\n\n", text.Clean(ui.PathText(path)))
	size := memstore.FormatSize(dialect, node.Bytes)
	if node.Kind == memstore.KindDir {
		add("size", ui.CountGrouped(node.Files, "file")+", "+size)
	} else {
		add("size", size)
	}
	when("first seen", fact.FirstSeen)
	if fact.Changed.IsZero() {
		when("modified", node.ModTime)
	}
	when("changed", fact.Changed)
	when("moved here", fact.Moved)
	when("restored", fact.Restored)
	switch {
	case fact.Path == "": // not in the journal
	case fact.Uses == 0:
		add("agent", "no view or write recorded")
	default:
		add("agent", ui.Count(fact.Uses, "view or write", "views and writes")+", the last "+ui.When(fact.Used, now))
	}
	if unread > 0 {
		add("unread", ui.CountGrouped(unread, "change"))
	}
	if node.Hidden {
		add("listing", "the agent's listing omits it; the agent can still open it")
	}
	add("disk", node.Mode.String())
	return strings.TrimRight(out.String(), "\n")
}
