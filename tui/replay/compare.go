package replay

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/ui"
)

// compare marks the call under the cursor, or shows what differs in the memory between it and the marked one. On the marked call it
// removes the mark.
func (s *Screen) compare() tea.Cmd {
	p, n := s.list, s.list.Step()
	if n == 0 || n > len(p.calls.steps) {
		s.shell.Tell(ui.Info, "No replayed call to compare here")
		return nil
	}
	from := p.calls.marked
	if from == 0 {
		p.calls.marked = n
		s.shell.Tell(ui.Info, fmt.Sprintf("Comparing from call %s. %s on another call compares, on this one ends it",
			ui.Number(n), s.env.Keys.KeyFor(keymap.Replay, keymap.Compare)))
		return nil
	}
	if p.calls.marked = 0; from == n {
		return nil
	}
	return tea.Batch(s.detail.compare(from), s.shell.FocusDetail())
}

// compare shows what differs in the memory between a call and the one under the cursor, until another call or page is shown.
func (d *detailPane) compare(from int) tea.Cmd {
	d.from = from
	return d.show()
}

// compared lists the files that differ between two calls, each with its diff.
func (b *builder) compared(ctx context.Context, d *document) {
	first, last := min(b.from, b.n()), max(b.from, b.n())
	d.say(title, fmt.Sprintf("Memory after call %s and after call %s", ui.Number(first), ui.Number(last)))
	var paths []string
	for _, n := range []int{first, last} {
		for _, h := range b.track.Held(n) {
			if h.Kind == memstore.KindFile {
				paths = append(paths, h.Path)
			}
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		if less(a, b) {
			return -1
		}
		return 1
	})
	same := true
	for _, path := range slices.Compact(paths) {
		before, was := b.track.Content(path, first)
		after, is := b.track.Content(path, last)
		unknown := b.track.Unknown(path, first) || b.track.Unknown(path, last)
		if was == is && !unknown && string(before) == string(after) {
			continue
		}
		same = false
		d.add(line{lead: difference(was, is, unknown) + " ", text: []byte(path), look: folder, path: path})
		if !unknown {
			changed(ctx, d, before, after, 3)
		}
	}
	if d.at = 1; same {
		d.say(dim, "No file differs")
	}
}

// difference names how a file differs.
func difference(was, is, unknown bool) string {
	switch {
	case unknown:
		return "unknown"
	case !was:
		return "created"
	case !is:
		return "deleted"
	}
	return "edited "
}
