package act

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/transfer"
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
	Files []undoLine
	After string // what else the user should know; may be empty
}

// undoLine is what a plan does to one file in all its steps.
type undoLine struct {
	Does          string // "delete", "restore", "move", "rewrite"
	Path, OldPath string // OldPath where it is moved
	Keeps         string // who made the later edit of the file that stays; "": none
	Counts        kit.Counts
	in            string // the store, unless it is the one at hand
}

// askUndo asks, and carries out the plan after a yes.
func (q *Queue) askUndo(p *undo.Plan, u *undoQuestion) tea.Cmd {
	q.drop() // they were requested on the assumption that this one is done
	q.shell.Ask(u.Title, undoText(q.env, u), func() tea.Cmd {
		return q.RunUndo(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
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
		path := text.Clean(kit.PathText(f.Path))
		if f.OldPath != "" {
			path = text.Clean(kit.PathText(f.OldPath)) + " " + e.Styles.Glyphs.Arrow + " " + path
		}
		if f.in != "" {
			path += " in " + text.Clean(f.in)
		}
		if counts := f.Counts.Text(e.Styles); counts != "" {
			path += "  " + counts
		}
		if f.Keeps != "" {
			path += "  (keeps " + text.Clean(f.Keeps) + ")"
		}
		fmt.Fprintf(&b, "%-8s %s\n", f.Does, path)
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
	u := &undoQuestion{Group: p.Title, Files: undoLines(q.Handlers.Backend(), p.Steps)}
	var after []string
	for _, c := range p.Skipped {
		after = append(after, text.Clean(conflictText(c)))
	}
	if n := p.Since.Newest; n.Rev != 0 && p.Since.Count > 0 {
		stay := kit.CountGrouped(p.Since.Count, "later change") + " stay, the newest at "
		if p.Since.Count == 1 {
			stay = "1 later change stays, at "
		}
		after = append(after, stay+n.Time.In(q.env.Now().Location()).Format("15:04")+" in "+text.Clean(kit.PathText(n.Path)))
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
		if !merges && !p.Made.Before(q.started) && aside == "" {
			return nil, nil
		}
		u := q.question(p)
		if u.Title = undoTitle(q.env, p); aside != "" {
			u.Title = strings.TrimSuffix(u.Title, "?") + " in " + text.Clean(aside) + "?"
		}
		return u, nil
	}
}

// askThere adds what happens in the other store of a move; nil asks nothing.
func (u *undoQuestion) askThere(b *transfer.Both) {
	if u == nil {
		return
	}
	if b.There != nil {
		for _, line := range undoLines(b.Backend(), b.There.Steps) {
			line.in = b.Title
			u.Files = append(u.Files, line)
		}
	}
	if b.Left != "" {
		u.After = strings.TrimLeft(u.After+"\n"+b.Left, "\n")
	}
}

// Irrevocable notes a purge, which can't be undone: an undo of what was before it asks, as the user may mean that act.
func (q *Queue) Irrevocable() { q.started, q.purged, q.beside = q.env.Now(), true, nil }

// undoTitle asks for an undo or a redo, by its name or its count, and with its time: Undo your 41 deletions from 18 Nov 17:51?
func undoTitle(e *kit.Env, p *undo.Plan) string {
	act, of := "Undo", extentOf(p.Steps)
	if p.Command == "redo" {
		act = "Redo"
	}
	list := of.reversed().files
	what := "your " + strings.TrimPrefix(of.changesText(), "1 ")
	if said := actOf(p, len(p.Steps)); said != "" {
		what = said
	} else if len(list) > 0 && p.Command == "undo" &&
		!slices.ContainsFunc(list, func(r reached) bool { return r.act != list[0].act }) {
		what = "your " + strings.TrimPrefix(kit.CountGrouped(len(list), list[0].act), "1 ")
	}
	made, now := p.Made.In(e.Now().Location()), e.Now()
	form := "2 Jan 15:04"
	switch {
	case made.Format(time.DateOnly) == now.Format(time.DateOnly):
		form = "15:04"
	case made.Year() != now.Year():
		form = "2 Jan 2006"
	}
	return act + " " + what + " from " + made.Format(form) + "?"
}

// does are the words for acts in a question.
var does = map[string]string{"creation": "restore", "deletion": "delete", "move": "move", "edit": "rewrite"}

// undoLines are what steps do to each file. It does I/O.
func undoLines(b memstore.Backend, steps []undo.PlannedStep) (lines []undoLine) {
	for _, r := range extentOf(steps).all {
		line := undoLine{Does: does[r.act], Path: r.name(), Keeps: r.keeps, Counts: r.counts(b)}
		if r.from != r.path {
			line.OldPath = r.from
		}
		lines = append(lines, line)
	}
	return lines
}
