package browse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// ownerBlame is the owner of the jobs of the blame tab.
const ownerBlame = "blame"

// blamePane is the blame tab: for each line of the open file the revision that wrote it, who made it, by which command and how long ago.
// Make it with [newBlamePane].
type blamePane struct {
	*kit.Text
	screen *Screen
	env    *kit.Env
	store  *memstore.Store
	source *journal.Journal // nil: there is none
	rev    int64            // the state of the store that is shown; 0: the newest
}

// newBlamePane makes an empty tab; without a journal that lasts it is not available.
func newBlamePane(s *Screen) *blamePane {
	p := &blamePane{screen: s, env: s.Env, store: s.Store, source: s.Edits.Journal}
	p.Text = kit.NewText(s.Env, kit.TextSpec{
		Title: "blame", Scope: keymap.Blame, Owner: ownerBlame, Label: "reading who wrote each line", Read: p.read,
		Lead: p.lead, Edge: true, Cut: true, Open: p.open,
		More: []kit.Action{{ID: keymap.Open, Keys: "enter", Help: "open the diff of the revision that wrote the line", Hint: "diff"}},
	})
	return p
}

// Available implements [kit.Optional].
func (p *blamePane) Available() bool { return p.source != nil }

// SetStore implements [stateTab].
func (p *blamePane) SetStore(s *memstore.Store, rev int64) { p.store, p.rev = s, rev }

// blamed is what a line is of.
type blamed struct {
	revision *past.Revision // nil: the line is older than the journal
	unsure   bool
	goesOn   bool // the line before is of the same revision
}

// open asks for the revision of a line.
func (p *blamePane) open(of any) tea.Cmd {
	if b, ok := of.(blamed); ok && b.revision != nil {
		return p.screen.OpenRevision(*b.revision)
	}
	p.screen.shell.Tell(kit.Info, "This line is older than the journal")
	return nil
}

const (
	// blameUpTo is the largest file that is shown, in bytes: the lines of a thousand versions are compared.
	blameUpTo = 4 << 20

	textNoHistory   = "No recorded change of this file"
	textBlameFolder = "A folder has no lines"
)

// read reads what the journal knows of a path. What can't be shown is a note.
func (p *blamePane) read(path string) func(context.Context) (*kit.Doc, error) {
	store, source, rev := p.store, p.source, p.rev
	return func(ctx context.Context) (*kit.Doc, error) {
		note := func(why string) (*kit.Doc, error) { return &kit.Doc{Note: why}, nil }
		info, err := store.Backend().Lstat(memstore.BackendName(path))
		switch {
		case errors.Is(err, memstore.ErrNotExist):
			return note(kit.TextFileGone)
		case err != nil:
			return note(kit.TextFileUnread)
		case info.Kind == memstore.KindDir:
			return note(textBlameFolder)
		case info.Kind != memstore.KindFile:
			return note("Not a regular file, so it has no lines")
		case info.Size > blameUpTo:
			return note(fmt.Sprintf("File over %d MiB: too large to blame. [ shows its history", blameUpTo>>20))
		}
		b, err := source.Blame(ctx, path, rev)
		switch {
		case errors.Is(err, past.ErrNotThere):
			return note(textNoHistory)
		case errors.Is(err, past.ErrNotKept):
			return note("The journal did not keep this file's content. [ shows its history")
		case err != nil:
			return nil, err
		case len(b.Lines) == 0:
			return note(kit.TextFileEmpty)
		case text.Binary(b.Lines[0].Text):
			return note("Binary file: no lines to blame")
		}
		return blameDoc(b), nil
	}
}

// blameDoc makes the lines of a text out of those of a file.
func blameDoc(b *past.Blame) *kit.Doc {
	lines := make([]kit.Line, len(b.Lines))
	revisions := map[int64]*past.Revision{}
	for rev, r := range b.Revisions {
		revisions[rev] = &r
	}
	for i, l := range b.Lines {
		goesOn := i > 0 && l.Rev == b.Lines[i-1].Rev && l.Unsure == b.Lines[i-1].Unsure
		lines[i] = kit.Line{Text: bytes.TrimSuffix(l.Text, []byte("\n")), Of: blamed{revisions[l.Rev], l.Unsure, goesOn}}
	}
	return kit.Lines(lines)
}

// Widths in cells: of the columns before a line, and of the tab from which that of the actor is shown.
const (
	numberCells = 7
	actorCells  = 8
	ageCells    = 4
	actorFrom   = 40
)

// lead is what comes before a line: revision, actor, age. Of lines of one revision only the first one has it.
func (p *blamePane) lead(l kit.Line, width int, first bool) (string, kit.Look) {
	b, _ := l.Of.(blamed)
	var look kit.Look
	number, actor, age := "-", "older", ""
	if r := b.revision; r != nil {
		number, actor, age = fmt.Sprintf("#%d", r.Rev), text.Clean(string(r.Actor)), ageText(p.env.Now().Sub(r.Time))
		look = func(st *theme.Styles) theme.Paint { return st.Actor(actor) }
		if b.unsure {
			number += "?"
		}
	}
	out := text.Pad(number, numberCells)
	if width >= actorFrom {
		out += " " + text.Pad(text.Truncate(actor, actorCells, ""), actorCells)
	}
	out += " " + text.PadLeft(age, ageCells)
	if b.goesOn && !first {
		out = text.Pad("", text.Width(out))
	}
	return out, look
}

// ageText is how long ago something was, in at most three cells: 40s, 5m, 3h, 12d, 9w, 2y.
func ageText(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 100*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 99*7*day:
		return fmt.Sprintf("%dw", d/(7*day))
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}
