package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// ownerBetween names the job that compares two points in time.
const ownerBetween = "between"

// What one comparison of two points does at most: list so many paths, and count lines for so long.
const (
	betweenMost  = 20_000
	betweenCount = 300 * time.Millisecond
)

// between is what differs between the store after one revision and after another. While there is
// one, the Changes screen lists it in the place of revisions; its rows are numbered from 1.
type between struct {
	names [2]string // of the points, for people
	rev   [2]int64
	rows  []past.Revision
	sides [][2]*past.Entry // of the rows
	more  bool             // there are more than rows
}

// Revisions implements [timeline.Source].
func (b *between) Revisions(_ context.Context, f past.Filter) ([]past.Revision, error) {
	var out []past.Revision
	for _, r := range b.rows {
		if r.Rev > f.After && (f.Before == 0 || r.Rev < f.Before) && f.HasWords(&r) {
			out = append(out, r)
		}
	}
	if f.Newest {
		slices.Reverse(out)
		out = out[:min(len(out), max(f.Limit, 0))]
	}
	return out, nil
}

func (b *between) title(arrow string) string {
	return betweenTitle(b.names[0], b.names[1], arrow, len(b.rows), b.more)
}

// betweenTitle heads the list of what differs between two points; more tells that it is cut.
func betweenTitle(from, to, arrow string, paths int, more bool) string {
	n := ui.Count(paths, "path")
	if more {
		n = fmt.Sprintf("the first %d paths", paths)
	}
	return fmt.Sprintf("%s %s %s: %s", from, arrow, to, n)
}

// word is what stands in front of a path.
func (b *between) word(r past.Revision) string {
	switch r.Shape {
	case past.Made:
		return "new      "
	case past.Removed:
		return "gone     "
	}
	return "changed  "
}

// diffAt compares the store at two points: revisions, times, or now.
func (m *Model) diffAt(from, to string) tea.Cmd {
	j := m.kept()
	if j == nil {
		m.tell(ui.Info, edits.NoJournalText(m.options.NoJournal))
		return nil
	}
	var points [2]destination
	for i, typed := range []string{from, to} {
		if typed == "now" {
			points[i].rev = -1
			continue
		}
		var ok bool
		if points[i].rev, ok = timeline.ParseRevision(typed); ok {
			continue
		}
		var err error
		if points[i].at, err = timeline.ParseTime(typed, m.env.Now()); err != nil {
			m.tell(ui.Fail, err.Error())
			return nil
		}
	}
	return m.env.Jobs.Start(ownerBetween, "comparing two points in time", func(ctx context.Context, _ *ui.Progress) (any, error) {
		return compareTimes(ctx, j, points)
	})
}

// betweenRead is the outcome of a comparison of two points.
type betweenRead struct {
	found *between
	note  string // why there is none
}

func compareTimes(ctx context.Context, j *journal.Journal, points [2]destination) (out betweenRead, err error) {
	b := &between{}
	var trees [2]*past.Tree
	for i, p := range points {
		switch {
		case p.rev < 0:
			b.rev[i], err = j.Last(ctx)
		case !p.at.IsZero():
			b.rev[i], err = j.At(ctx, p.at)
		default:
			b.rev[i] = p.rev
		}
		if err != nil {
			return out, err
		}
		moment, err := j.Moment(ctx, b.rev[i])
		if errors.Is(err, past.ErrNoRevision) {
			last, err := j.Last(ctx)
			out.note = noSuchRevisionText(b.rev[i], last)
			return out, err
		}
		if err != nil {
			return out, err
		}
		trees[i], b.names[i] = moment.Tree(), "#"+strconv.FormatInt(b.rev[i], 10)
	}
	until := time.Now().Add(betweenCount)
	err = past.Compare(trees[0], trees[1], func(before, after *past.Entry) error {
		if b.more = len(b.rows) == betweenMost; b.more || ctx.Err() != nil {
			return errEnough
		}
		b.add(ctx, j, before, after, time.Now().Before(until))
		return nil
	})
	if errors.Is(err, errEnough) {
		err = ctx.Err()
	}
	if out.found = b; len(b.rows) == 0 {
		out.found, out.note = nil, "nothing differs between these two points"
	}
	return out, err
}

// noSuchRevisionText says that there is nothing to travel to.
func noSuchRevisionText(rev, last int64) string {
	return fmt.Sprintf("the journal has no revision #%d to go back to; the newest is #%d", rev, last)
}

// errEnough ends a comparison.
var errEnough = errors.New("enough")

// add lists one path; lines are counted where there is time for that.
func (b *between) add(ctx context.Context, j *journal.Journal, before, after *past.Entry, counts bool) {
	r := past.Revision{Rev: int64(len(b.rows) + 1), Shape: past.Edited}
	switch {
	case before == nil:
		r.Shape, r.Path, r.Kind = past.Made, after.Path, after.Kind
	case after == nil:
		r.Shape, r.Path, r.Kind = past.Removed, before.Path, before.Kind
	default:
		r.Path, r.Kind = after.Path, after.Kind
	}
	if counts && r.Kind == memstore.KindFile {
		var texts [2][]byte
		known := true
		for i, e := range []*past.Entry{before, after} {
			if e != nil {
				data, err := j.Content(ctx, *e)
				texts[i], known = data, known && err == nil && len(data) <= 1<<20
			}
		}
		if known {
			r.Added, r.Removed, _ = diff.Counts(texts[0], texts[1])
		}
	}
	b.rows, b.sides = append(b.rows, r), append(b.sides, [2]*past.Entry{before, after})
}

// betweenFound lists what differs in the Changes screen.
func (m *Model) betweenFound(done ui.Done) tea.Cmd {
	v, ok := done.Value.(betweenRead)
	if !ok {
		return nil
	}
	if v.found == nil {
		m.tell(ui.Info, v.note)
		return nil
	}
	m.between = nil
	shown := m.goTo(onChanges)
	m.between, m.focus = v.found, onTree
	return tea.Batch(shown, m.boards[onChanges].list.Lend(v.found, v.found.word), m.relayout())
}

// leaveBetween lists the revisions again.
func (m *Model) leaveBetween() tea.Cmd {
	m.between = nil
	return tea.Batch(m.boards[onChanges].list.Lend(nil, nil), m.relayout())
}

const textBetween = "these are the differences between two points; {inbox/restore} puts a file back as it was at the first, {global/back} goes back to the changes"

// differenceActions are what means something else while the Changes screen lists differences.
func (m *Model) differenceActions() []ui.Action {
	actions := []ui.Action{{ID: keymap.RestoreAt, Run: func() tea.Cmd {
		r, ok := m.boards[onChanges].list.Selected()
		if !ok {
			return nil
		}
		at := m.between.rev[0]
		return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
			return e.PlanRestore(ctx, undo.Restore{Path: r.Path, At: at})
		})
	}}}
	for _, id := range []keymap.ID{
		keymap.Revert, keymap.RevertHunk, keymap.MarkRead, keymap.ReadAll, keymap.NextUnread, keymap.Like, keymap.Travel, keymap.Compare,
	} {
		actions = append(actions, ui.Action{ID: id, Run: ui.Do(func() { m.tell(ui.Info, m.env.Keyed(textBetween)) })})
	}
	return actions
}

const textFolderSide = "a folder has no text to compare"

// betweenComparison describes a path that differs to a diff.
func (m *Model) betweenComparison(r past.Revision) diffpane.Comparison {
	b, j := m.between, m.kept()
	sides := b.sides[r.Rev-1]
	load := func(e *past.Entry) func() ([]byte, string) {
		return func() ([]byte, string) {
			switch {
			case e == nil:
				return nil, ""
			case e.Kind == memstore.KindDir:
				return nil, textFolderSide
			}
			data, err := j.Content(context.Background(), *e)
			if err != nil {
				return nil, err.Error()
			}
			return data, ""
		}
	}
	subject := "between " + b.names[0] + " " + b.names[1] + " " + r.Path
	return diffpane.Comparison{
		Key: subject, Title: b.names[0] + " " + m.env.Styles.Glyphs.Arrow + " " + b.names[1] + "  " + r.Path, Path: r.Path,
		Before: load(sides[0]), After: load(sides[1]),
	}
}

// compareRevisions marks the revision under the cursor of a list, or compares it with the marked one: the
// file in the history of one, else the whole store.
func (m *Model) compareRevisions(list *timeline.Pane) tea.Cmd {
	r, ok := list.Selected()
	marked, was := list.Row(list.Marked())
	switch {
	case !ok:
		m.tell(ui.Info, "there is no revision here to compare")
		return nil
	case !was || list.Marked() == 0:
		list.Mark(r.Rev)
		m.tell(ui.Info, revisionMarkedText(r.Rev, m.env.Keys.KeyFor(list.Scopes()[0], keymap.Compare)))
		return nil
	case marked.Rev == r.Rev:
		list.Mark(0)
		return nil
	}
	list.Mark(0)
	if marked.Rev > r.Rev {
		marked, r = r, marked
	}
	if list == m.history.Pane && marked.Kind != memstore.KindDir && r.Kind != memstore.KindDir && m.history.path == r.Path {
		return m.comparePair(comparedSide{path: marked.Path, rev: marked.Rev, bytes: marked.After}, comparedSide{path: r.Path, rev: r.Rev, bytes: r.After})
	}
	return m.diffAt(strconv.FormatInt(marked.Rev, 10), strconv.FormatInt(r.Rev, 10))
}

// revisionMarkedText says that one of two revisions is chosen; compare is the key that chooses the other.
func revisionMarkedText(rev int64, compare string) string {
	return fmt.Sprintf("#%d is marked; %s on another revision compares the two, and on this one takes the mark off", rev, compare)
}

// loadSide reads one side of a revision of a file; a side that does not exist is empty.
func (m *Model) loadSide(s past.Side) func() ([]byte, string) {
	return m.sideLoader(past.Revision{Kind: memstore.KindFile}, s)
}
