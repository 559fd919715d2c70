package secrets

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/tui/ui"
)

// purgeWord is what the user types before a purge, which has no undo.
const purgeWord = "purge"

// reach is what a purge is about, and since when its secrets have been readable.
type reach struct {
	groups []*findings.Group
	since  map[string]time.Time // by class
}

// askPurge finds out since when the secrets have been readable, and asks for the word.
func (r *removal) askPurge(groups []*findings.Group) tea.Cmd {
	if r.refuses() {
		return nil
	}
	j, engine := r.o.Journal, r.scans.engine
	first := map[string]int64{} // the first revision with a value, by class
	for _, g := range groups {
		class := r.list.choices.of(g)
		if engine.Class(class).Rotate == "" {
			continue
		}
		for _, p := range g.Places {
			if rev, known := first[class]; p.Rev > 0 && (!known || p.Rev < rev) {
				first[class] = p.Rev
			}
		}
	}
	return ui.Start(r.env.Jobs, ui.Job[reach]{
		Owner: ownerReach, Label: ui.LabelJournal, Done: r.askWord,
		Work: func(ctx context.Context, _ *ui.Progress) (reach, error) {
			out := reach{groups, map[string]time.Time{}}
			for class, rev := range first {
				if first, err := j.Revision(ctx, rev); err == nil { // else only the advice has no date
					out.since[class] = first.Time
				}
			}
			return out, ctx.Err()
		},
	})
}

// askWord asks for the word.
func (r *removal) askWord(of reach) tea.Cmd {
	values := ui.CountGrouped(len(of.groups), "value")
	r.shell.AskWord("Purge "+values+" everywhere?", r.purgeText(of), purgeWord, "Purge "+values,
		func() tea.Cmd { return r.remove(of.groups, true) })
	return nil
}

// purgeText says what a purge reaches and what it doesn't.
func (r *removal) purgeText(of reach) string {
	files, places := filesOf(of.groups)
	var out strings.Builder
	out.WriteString("This cannot be undone, not even from history.\n")
	fmt.Fprintf(&out, "%s: %s in %s, %s in the journal", ui.CountGrouped(len(of.groups), "value"), ui.CountGrouped(places, "place"),
		ui.CountGrouped(files, "file"), ui.CountGrouped(r.list.survey.Revisions(of.groups), "revision"))
	if n := r.pastFiles(of.groups); n > 0 {
		fmt.Fprintf(&out, ", %s", ui.CountGrouped(n, "deleted file"))
	}
	out.WriteString(".\n\nNot reached: backups, git commits, the model provider's logs.\n")
	out.WriteString(asideText(r.scans.aside))
	seen := map[string]bool{}
	for _, g := range of.groups {
		class := r.scans.engine.Class(r.list.choices.of(g))
		if class.Rotate == "" || seen[class.Name] {
			continue
		}
		if seen[class.Name] = true; len(seen) == 1 {
			out.WriteString("\n")
		}
		verb := "revoke"
		if strings.HasPrefix(class.Rotate, "Change") {
			verb = "change"
		}
		out.WriteString(class.Title + ": " + verb + " it too")
		if since, ok := of.since[class.Name]; ok {
			out.WriteString(", it has been readable at least since " + sinceText(since, r.env.Now()))
		}
		out.WriteString(".\n")
	}
	return strings.TrimRight(out.String(), "\n")
}

// asideText says which other journals a purge removes: those set aside as damaged, and copies.
func asideText(names []string) (out string) {
	damaged := 0
	for _, name := range names {
		if journal.KindOf(name) == journal.AsideFile {
			damaged++
		}
	}
	if damaged > 0 {
		out = "Also removes " + ui.CountGrouped(damaged, "damaged journal") + " set aside, which can't be cleaned.\n"
	}
	switch copies := len(names) - damaged; copies {
	case 0:
	case 1:
		out += "Also removes a backup copy of the journal, which holds the values too.\n"
	default:
		out += "Also removes " + ui.Number(copies) + " backup copies of the journal, which hold the values too.\n"
	}
	return out
}

// sinceText is a time as people say it: today 10:48, else the day.
func sinceText(t, now time.Time) string {
	t = t.In(now.Location())
	switch y, m, d := now.Date(); {
	case t.Year() == y && t.Month() == m && t.Day() == d:
		return "today " + t.Format("15:04")
	case t.Year() == y:
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006")
}
