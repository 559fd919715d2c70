package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/tui/diffpane"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// OwnerDifferences names the job that compares two points in time.
const OwnerDifferences = "between"

// Bounds of one comparison of two points: paths listed, and time spent counting lines.
const (
	differencesMost = 20_000
	countWithin     = 300 * time.Millisecond
)

// differences are what differs between the store after one revision and after another. While there
// are some, the Changes screen lists them instead of revisions; its rows are numbered from 1.
type differences struct {
	names [2]string // of the points, for people
	rev   [2]int64
	rows  []past.Revision
	sides [][2]*past.Entry // of the rows
	more  bool             // there are more than rows
}

// List implements [past.Lister].
func (d *differences) List(_ context.Context, f past.Filter, visit func(past.Revision) bool) error {
	var out []past.Revision
	for _, r := range d.rows {
		if r.Rev > f.After && (f.Before == 0 || r.Rev < f.Before) && f.HasWords(&r) {
			out = append(out, r)
		}
	}
	if f.Newest {
		slices.Reverse(out)
		out = out[:min(len(out), max(f.Limit, 0))]
	}
	for _, r := range out {
		if !visit(r) {
			break
		}
	}
	return nil
}

func (d *differences) title(arrow string) string {
	return titleText(d.names[0], d.names[1], arrow, len(d.rows), d.more)
}

// titleText heads the list of what differs between two points; more says that the list is cut.
func titleText(from, to, arrow string, paths int, more bool) string {
	n := ui.Count(paths, "path")
	if more {
		n = fmt.Sprintf("the first %d paths", paths)
	}
	return fmt.Sprintf("%s %s %s: %s", from, arrow, to, n)
}

// word is what comes before a path.
func (d *differences) word(r past.Revision) string {
	switch r.Shape {
	case past.Made:
		return "new      "
	case past.Removed:
		return "gone     "
	case past.Renamed:
		return "renamed  "
	}
	return "changed  "
}

// point is a point in time: a revision, now below 0, or a time.
type point struct {
	rev int64
	at  time.Time // instead of rev, unless zero
}

// DiffAt compares the store at two points: revisions, times, or now.
func (s *Screen) DiffAt(from, to string) tea.Cmd {
	var points [2]point
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
		if points[i].at, err = config.ParseMoment(typed, s.env.Now()); err != nil {
			s.shell.Tell(ui.Fail, err.Error())
			return nil
		}
	}
	j := s.Journal
	return ui.Start(s.env.Jobs, ui.Job[found]{
		Owner: OwnerDifferences, Label: "comparing two points in time", Done: s.listDifferences,
		Work: func(ctx context.Context, _ *ui.Progress) (found, error) { return compareTimes(ctx, j, points) },
	})
}

// found is the outcome of a comparison of two points.
type found struct {
	found *differences
	note  string // why there is none
}

func compareTimes(ctx context.Context, j past.Reader, points [2]point) (out found, err error) {
	d := &differences{}
	var trees [2]*past.Tree
	for i, p := range points {
		switch {
		case p.rev < 0:
			d.rev[i], err = j.Last(ctx)
		case !p.at.IsZero():
			d.rev[i], err = j.At(ctx, p.at)
		default:
			d.rev[i] = p.rev
		}
		if err != nil {
			return out, err
		}
		moment, err := j.Moment(ctx, d.rev[i])
		if errors.Is(err, past.ErrNoRevision) {
			last, err := j.Last(ctx)
			out.note = past.NoRevisionText(d.rev[i], last)
			return out, err
		}
		if err != nil {
			return out, err
		}
		trees[i], d.names[i] = moment.Tree(), "#"+strconv.FormatInt(d.rev[i], 10)
	}
	until := time.Now().Add(countWithin)
	err = past.CompareRenamed(ctx, j, trees[0], trees[1], func(before, after *past.Entry) error {
		if d.more = len(d.rows) == differencesMost; d.more || ctx.Err() != nil {
			return errEnough
		}
		d.add(ctx, j, before, after, time.Now().Before(until))
		return nil
	})
	if errors.Is(err, errEnough) {
		err = ctx.Err()
	}
	if out.found = d; len(d.rows) == 0 {
		out.found, out.note = nil, "No differences between these two points"
	}
	return out, err
}

// errEnough ends a comparison.
var errEnough = errors.New("enough")

// add lists one path; lines are counted where there is time for that.
func (d *differences) add(ctx context.Context, j past.Reader, before, after *past.Entry, counts bool) {
	r := past.Revision{Rev: int64(len(d.rows) + 1), Shape: past.Edited}
	switch {
	case before == nil:
		r.Shape, r.Path, r.Kind = past.Made, after.Path, after.Kind
	case after == nil:
		r.Shape, r.Path, r.Kind = past.Removed, before.Path, before.Kind
	default:
		r.Path, r.Kind = after.Path, after.Kind
		if before.Path != after.Path {
			r.Shape, r.OldPath = past.Renamed, before.Path
		}
	}
	if counts && r.Kind == memstore.KindFile {
		var texts [2][]byte
		known := true
		for i, e := range []*past.Entry{before, after} {
			if e != nil {
				data, err := j.Bytes(ctx, e.Side())
				texts[i], known = data, known && err == nil && len(data) <= 1<<20
			}
		}
		if known {
			r.Added, r.Removed, _ = diff.Counts(texts[0], texts[1])
		}
	}
	d.rows, d.sides = append(d.rows, r), append(d.sides, [2]*past.Entry{before, after})
}

// listDifferences lists differences instead of revisions.
func (s *Screen) listDifferences(f found) tea.Cmd {
	if f.found == nil {
		s.shell.Tell(ui.Info, f.note)
		return nil
	}
	s.differences = nil
	shown := s.shell.Show(s.ID)
	s.differences = f.found
	lent := s.list.Lend(f.found, f.found.word)
	return tea.Batch(shown, lent, s.shell.FocusList())
}

// ListRevisions lists revisions again, if differences are listed.
func (s *Screen) ListRevisions() tea.Cmd {
	if s.differences == nil {
		return nil
	}
	s.differences = nil
	return tea.Batch(s.list.Lend(nil, nil), s.shell.Relayout())
}

const textDifferences = "Differences between two points. {changes/restore} restores a file as of the first, " +
	"{global/back} returns to the changes"

// differingBindings are the actions while differences are listed; those about revisions only explain themselves.
func (s *Screen) differingBindings() []ui.Action {
	actions := []ui.Action{{ID: keymap.RestoreAt, Run: s.restoreFirst}}
	about := map[keymap.ID]bool{keymap.Revert: true, keymap.RevertHunk: true, keymap.MarkRead: true, keymap.MarkUnread: true,
		keymap.ReadAll:    true,
		keymap.NextUnread: true, keymap.PrevUnread: true, keymap.Travel: true, keymap.Compare: true}
	for id := range about {
		actions = append(actions, ui.On(id, func() { s.shell.Tell(ui.Info, s.env.Keyed(textDifferences)) }))
	}
	return actions
}

// restoreFirst restores a file to its state at the first point.
func (s *Screen) restoreFirst() tea.Cmd {
	r, ok := s.list.Selected()
	if !ok {
		return nil
	}
	at, path := s.differences.rev[0], cmp.Or(r.OldPath, r.Path)
	return s.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		return e.PlanRestore(ctx, undo.Restore{Path: path, At: new(at)})
	})
}

const textFolder = "A folder has no text to compare"

// comparison describes a path that differs to a diff.
func (d *differences) comparison(r past.Revision, j past.Reader, arrow string) diffpane.Comparison {
	sides := d.sides[r.Rev-1]
	load := func(e *past.Entry) func() ([]byte, string) {
		return func() ([]byte, string) {
			switch {
			case e == nil:
				return nil, ""
			case e.Kind == memstore.KindDir:
				return nil, textFolder
			}
			data, err := j.Bytes(context.Background(), e.Side())
			if err != nil {
				return nil, err.Error()
			}
			return data, ""
		}
	}
	h := ui.Heading{Lead: []string{d.names[0] + " " + arrow + " " + d.names[1]}, Path: r.Path, OldPath: r.OldPath}
	return diffpane.Comparison{
		Key: "between " + d.names[0] + " " + d.names[1] + " " + r.Path, Heading: h, Path: r.Path, OldPath: r.OldPath,
		Before: load(sides[0]), After: load(sides[1]),
	}
}
