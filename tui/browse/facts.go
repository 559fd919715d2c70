package browse

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

const ownerFacts = "browse.facts"

// explain shows what is known of the file at the cursor. Of the whole store that is what changed and what needs the user.
func (s *Screen) explain() tea.Cmd {
	path := s.PathAtCursor()
	node := s.Files.Node(path)
	switch {
	case path == memstore.Root && s.Journal != nil:
		return s.Summary.show()
	case path == "" || node == nil:
		s.shell.Tell(kit.Info, "No file here to explain")
		return nil
	}
	record := s.Journal
	if s.Away() { // it knows the present
		record = nil
	}
	store := s.Store
	return kit.Start(s.Env.Jobs, kit.Job[known]{
		Owner: ownerFacts, Label: kit.LabelJournal,
		Work: func(ctx context.Context, _ *kit.Progress) (k known, err error) {
			var program *adapt.Store
			program, k.records = store.Backend().(*adapt.Store)
			if node.Kind == memstore.KindFile && k.records {
				k.record, _ = program.Record(memstore.BackendName(path))
			}
			if record == nil || node.Kind == memstore.KindDir {
				return k, err
			}
			err = record.Facts(ctx, func(f past.Fact) bool {
				if f.Path == path {
					k.fact = f
				}
				return f.Path != path
			})
			return k, err
		},
		Done: func(k known) tea.Cmd {
			body := factsText(s.Store.Dialect(), s.Env.Now(), path, node, &k, s.Feed.UnreadPaths()[path])
			s.shell.Open(kit.Box{Overlay: overlay.NewText(s.Env, "Info", body, false)})
			return nil
		},
	})
}

// known holds what the disk and the journal record about a file beyond its name, size and time.
type known struct {
	fact    past.Fact
	record  adapt.Record // of another program; zero for a file of a directory
	records bool         // the store is the memory of another program
}

// factsText says what the disk and the journal know of a file or folder; the journal may know nothing.
func factsText(dialect memstore.Dialect, now time.Time, path string, node *memstore.Node, k *known, unread int) string {
	fact := &k.fact
	var out strings.Builder
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%-12s %s\n", name, text.Clean(value))
		}
	}
	when := func(name string, at time.Time) { add(name, kit.When(at, now)) }
	fmt.Fprintf(&out, "%s\n\n", kit.PathText(path))
	size := memstore.FormatSize(dialect, node.Bytes)
	if node.Kind == memstore.KindDir {
		add("size", kit.CountGrouped(node.Files, "file")+", "+size)
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
		add("agent", kit.Count(fact.Uses, "view or write", "views and writes")+", the last "+kit.When(fact.Used, now))
	}
	if unread > 0 {
		add("unread", kit.CountGrouped(unread, "change"))
	}
	if node.Hidden {
		add("listing", "the agent's listing omits it; the agent can still open it")
	}
	if !k.records { // its mode is that of the program's file
		add("disk", node.Mode.String())
	}
	recordText(&k.record, now, add, when)
	return strings.TrimRight(out.String(), "\n")
}
