package act

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// undoListed bounds the files listed in a question, which can be scrolled.
const undoListed = 2000

// undoQuestion asks whether to carry out a plan.
type undoQuestion struct {
	Title string // the act with its count, and a question mark
	Group string // the title of the group of edits that it undoes; "" if it has none
	Files []reached
	After string // what else the user should know; may be empty
}

// askUndo asks, and carries out the plan after a yes.
func (q *Queue) askUndo(p *undo.Plan, u *undoQuestion) tea.Cmd {
	q.drop() // they were requested on the assumption that this one is done
	q.shell.Ask(u.Title, undoText(q.env, u), func() tea.Cmd {
		q.agreed = p
		return q.runPlan(p)
	})
	return nil
}

// undoText lists what a plan will do.
func undoText(e *kit.Env, u *undoQuestion) string {
	var b strings.Builder
	if u.Group != "" {
		b.WriteString(text.Clean(u.Group) + "\n\n")
	}
	for _, f := range u.Files[:min(len(u.Files), undoListed)] {
		path := kit.PathText(f.name())
		if f.from != f.path {
			path = kit.PathText(f.from) + " " + e.Styles.Glyphs.Arrow + " " + path
		}
		if counts := f.counts.Text(e.Styles); counts != "" {
			path += "  " + counts
		}
		if f.keeps {
			path += "  (keeps later edits)"
		}
		fmt.Fprintf(&b, "%-8s %s\n", f.does, path)
	}
	if more := len(u.Files) - undoListed; more > 0 {
		fmt.Fprintf(&b, "and %s more\n", kit.Number(more))
	}
	if u.After != "" {
		b.WriteString("\n" + u.After + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// question is the question about a plan, without its title.
func (q *Queue) question(p *undo.Plan) *undoQuestion {
	u := &undoQuestion{Group: p.Title, Files: counted(q.Handlers.Backend(), p.Steps)}
	var after []string
	for _, c := range p.Skipped {
		after = append(after, text.Clean(conflictText(c)))
	}
	u.After = strings.Join(after, "\n")
	return u
}

// askUnlessObvious asks about an undo or a redo that reaches an act of an earlier start or before a purge, later edits of the same files by
// others, or a store that is not what the user sees.
func (q *Queue) askUnlessObvious() func(context.Context, *undo.Plan) (*undoQuestion, error) {
	aside := q.shell.Aside()
	return func(_ context.Context, p *undo.Plan) (*undoQuestion, error) {
		merges := slices.ContainsFunc(p.Steps, func(s undo.PlannedStep) bool { return s.Merged })
		if !merges && !p.Made.Before(q.sureFrom) && aside == "" {
			return nil, nil
		}
		u := q.question(p)
		if u.Title = undoTitle(q.env, p); aside != "" {
			u.Title = strings.TrimSuffix(u.Title, "?") + " in " + text.Clean(aside) + "?"
		}
		return u, nil
	}
}

// Irrevocable notes a purge, which can't be undone: an undo of what was before it asks, as the user may mean that act.
func (q *Queue) Irrevocable() {
	q.sureFrom, q.purges, q.unrecorded, q.undone = q.env.Now(), true, nil, nil
}

// undoTitle asks for an undo or a redo, with the act and its time: Undo scrub #51, 18 Nov 17:51?
func undoTitle(e *kit.Env, p *undo.Plan) string {
	of := p.Of
	if of == "" || of == p.Title { // which is in the text
		of = "your act"
	}
	return actText(p.Command) + " " + of + ", " + kit.When(p.Made, e.Now()) + "?"
}
