package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// undoesUnasked is the most files that an undo changes without a question: as many as one takes in at a glance.
const undoesUnasked = 5

// undo takes back what the curator did last, as a group.
func (m *Model) undo() tea.Cmd {
	return m.takeBackIf(isObvious, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) { return e.PlanUndo(ctx) })
}

// redo takes back the newest undo.
func (m *Model) redo() tea.Cmd {
	return m.takeBackIf(isObvious, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		p, err := e.PlanRedo(ctx)
		if errors.Is(err, past.ErrNothing) {
			err = errNothingToRedo
		}
		return p, err
	})
}

const textNothingToRedo = "there is no undo to take back, or something was done since"

// errNothingToRedo is ErrNothing of a redo.
var errNothingToRedo = errors.New(textNothingToRedo)

// isObvious reports whether the user knows what an undo is going to do without a list: the last thing that happened in the
// store, and only a few files.
func isObvious(p *undo.Plan) bool {
	files := 0
	for _, s := range p.Steps {
		if s.Kind != memstore.KindDir || s.OldPath != "" {
			files++
		}
	}
	return p.Since.Count == 0 && files <= undoesUnasked
}

const undoListed = 2000 // steps that a question about an undo names; it can be scrolled

// askUndo lists what a plan is going to do, and carries it out after a yes.
func (m *Model) askUndo(p *undo.Plan) tea.Cmd {
	m.acts.waiting = nil // what was asked for behind it was asked for in the belief that this one is done
	u := undoQuestion{Redo: p.Command == "redo", Title: p.Title, Made: p.Made, Since: p.Since.Count}
	for _, s := range p.Steps {
		u.Steps = append(u.Steps, undoStep(s))
	}
	for _, c := range p.Skipped {
		u.Skipped = append(u.Skipped, conflictText(c.Path, string(c.Why)))
	}
	if n := p.Since.Newest; n.Rev != 0 {
		u.Newest = fmt.Sprintf("%s  %s  %s  %s", n.Time.In(m.env.Now().Location()).Format("15:04:05"), n.Actor, n.Command, n.Path)
	}
	title := "Undo?"
	if u.Redo {
		title = "Redo?"
	}
	m.ask(title, undoText(m.env, u), func() tea.Cmd {
		return m.takeBack(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
	})
	return nil
}

// undoQuestion is what an undo or a redo is going to do.
type undoQuestion struct {
	Redo    bool
	Title   string    // of what was done as one; "" where it has none
	Made    time.Time // when that was
	Steps   []undoLine
	Skipped []string // a clause for each path that cannot come back
	Since   int      // changes since that stay
	Newest  string   // the newest of them
}

// undoText lists what an undo or a redo is going to do, and asks.
func undoText(e *ui.Env, u undoQuestion) string {
	var b strings.Builder
	b.WriteString("Done " + u.Made.In(e.Now().Location()).Format("2006-01-02 15:04:05"))
	if u.Title != "" {
		b.WriteString("  " + text.Clean(u.Title))
	}
	b.WriteString("\n\n")
	for _, s := range u.Steps[:min(len(u.Steps), undoListed)] {
		path := text.Clean(s.Path)
		if s.OldPath != "" {
			path = text.Clean(s.OldPath) + " -> " + path
		}
		if s.Keeps != "" {
			path += "  (" + text.Clean(s.Keeps) + " stays)"
		}
		fmt.Fprintf(&b, "%-8s %s\n", s.Does, path)
	}
	if more := len(u.Steps) - undoListed; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	for _, s := range u.Skipped {
		b.WriteString(text.Clean(s) + "\n")
	}
	if u.Since > 0 {
		fmt.Fprintf(&b, "\nLater changes stay: %s. The newest: %s\n", ui.Count(u.Since, "change"), text.Clean(u.Newest))
	}
	if u.Redo {
		return b.String() + e.Keyed("\n{confirm/yes} redoes this, {confirm/no} leaves everything as it is.")
	}
	return b.String() + e.Keyed("\n{confirm/yes} undoes this, {confirm/no} leaves everything as it is.")
}

// undoStep names a step of a plan.
func undoStep(s undo.PlannedStep) undoLine {
	step := undoLine{Does: "restore", Path: s.Path, OldPath: s.OldPath}
	switch {
	case s.OldPath != "":
		step.Does = "move"
	case s.Remove:
		step.Does = "delete"
	case s.Expect != nil:
		step.Does = "rewrite"
	}
	if s.Merged {
		step.Keeps = "what was done since"
	}
	if s.Kept.Rev != 0 {
		step.Keeps = fmt.Sprintf("#%d of %s", s.Kept.Rev, s.Kept.Actor)
	}
	return step
}

// undoLine is what an undo or a redo is going to do to one path.
type undoLine struct {
	Does          string // "delete", "restore", "move", "rewrite"
	Path, OldPath string // OldPath of a move only
	Keeps         string // whose later edit of the file stays; "": there is none
}
