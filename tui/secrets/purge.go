package secrets

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// purgeWord is what the user types before a purge, which has no undo.
const purgeWord = "purge"

// reach is what a purge is about, and since when its secrets have been readable.
type reach struct {
	groups    []*findings.Group
	revisions int                  // that the purge is going to rewrite
	since     map[string]time.Time // by class: the earliest time known, and they may have been readable before
}

// firstSeen is the earliest that is known of the secrets of a class.
type firstSeen struct {
	rev     int64     // the first revision with a value, 0 where there is none
	atBegin bool      // a value was there when the journal began, or that is unknown
	file    time.Time // when the oldest file with a value was last written, now or in the journal; zero: unknown
}

// written adds that a file with a value was last written at some time; zero: unknown.
func (f firstSeen) written(at time.Time) firstSeen {
	if !at.IsZero() && (f.file.IsZero() || at.Before(f.file)) {
		f.file = at
	}
	return f
}

// since is the earliest time known, rev being that of its first revision and began that of the journal. A value that was there before
// has no time unless one from before is known.
func (f firstSeen) since(rev, began time.Time) (t time.Time, ok bool) {
	known := slices.DeleteFunc([]time.Time{f.file, rev}, time.Time.IsZero)
	if len(known) > 0 {
		t = slices.MinFunc(known, time.Time.Compare)
	}
	return t, len(known) > 0 && !(f.atBegin && t.After(began))
}

// askPurge finds out how much a purge rewrites and since when the secrets have been readable, and asks for the word.
func (r *removal) askPurge(groups []*findings.Group) tea.Cmd {
	if r.refuses() {
		return nil
	}
	j, engine := r.o.Lasting, r.scans.engine
	if j == nil {
		return r.askWord(reach{groups: groups})
	}
	snap := r.o.Snapshot
	first := map[string]firstSeen{} // by class
	holding := map[memstore.Digest][]string{}
	for _, g := range groups {
		class := r.list.choices.of(g)
		if engine.Class(class).Rotate == "" {
			continue
		}
		for _, p := range g.Places {
			first[class] = first[class].with(&p, snap)
			if !p.InName {
				holding[p.Content] = append(holding[p.Content], class)
			}
		}
	}
	return kit.Start(r.env.Jobs, kit.Job[reach]{
		Owner: ownerReach, Label: kit.LabelJournal, Done: r.askWord,
		Work: func(ctx context.Context, _ *kit.Progress) (reach, error) {
			out := reach{groups: groups, since: map[string]time.Time{}}
			span, err := j.Span(ctx)
			if err != nil {
				return out, err
			}
			out.revisions, err = rewrites(ctx, j, groups, func(side past.Side) {
				for _, class := range holding[side.Digest] {
					first[class] = first[class].written(side.ModTime)
				}
			})
			for class, f := range first {
				var made time.Time
				if rev, err := j.Revision(ctx, f.rev); f.rev > 0 && err == nil {
					made = rev.Time
				}
				if t, ok := f.since(made, span.Began); ok {
					out.since[class] = t
				}
			}
			return out, err
		},
	})
}

// with adds what is known of one place.
func (f firstSeen) with(p *findings.Place, snap *memstore.Snapshot) firstSeen {
	switch {
	case p.Rev == 0:
		f.atBegin = f.atBegin || p.Past
	case f.rev == 0 || p.Rev < f.rev:
		f.rev = p.Rev
	}
	if p.Past || snap == nil {
		return f
	}
	if n := snap.Find(p.Path); n != nil {
		f = f.written(n.ModTime)
	}
	return f
}

// rewrites counts the revisions that a purge of some values rewrites: those that have one on either side or in a name, and those that
// the purge makes itself when it removes the values from the files. holds is called for each side that has one.
func rewrites(ctx context.Context, j past.Lister, groups []*findings.Group, holds func(past.Side)) (n int, err error) {
	contents, named, own := map[memstore.Digest]bool{}, map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		for i := range g.Places {
			p := &g.Places[i]
			switch {
			case p.InName:
				named[p.Path] = true
			case p.Past:
				contents[p.Content] = true
			default:
				contents[p.Content], own[p.Path] = true, true
			}
		}
	}
	err = j.List(ctx, past.Filter{}, func(r past.Revision) bool {
		rewritten := named[r.Path] || named[r.OldPath]
		for _, side := range []past.Side{r.Before, r.After} {
			if side.Exists && contents[side.Digest] {
				rewritten = true
				holds(side)
			}
		}
		if rewritten {
			n++
		}
		return true
	})
	return n + len(own), err
}

// askWord asks for the word.
func (r *removal) askWord(of reach) tea.Cmd {
	values := kit.CountGrouped(len(of.groups), "value")
	r.shell.AskWord("Purge "+values+" everywhere?", r.purgeText(of), purgeWord, "Purge "+values,
		func() tea.Cmd { return r.remove(of.groups, true) })
	return nil
}

// purgeText says what a purge reaches and what it doesn't.
func (r *removal) purgeText(of reach) string {
	files, places := filesOf(of.groups)
	var out strings.Builder
	out.WriteString("This cannot be undone, not even from history.\n")
	where := "in history only"
	if places > 0 {
		where = kit.CountGrouped(places, "place") + " in " + kit.CountGrouped(files, "file")
	}
	out.WriteString(kit.CountGrouped(len(of.groups), "value") + ": " + where)
	if n := r.pastFiles(of.groups); n > 0 {
		fmt.Fprintf(&out, ", %s", kit.CountGrouped(n, "deleted file"))
	}
	out.WriteString(".\n")
	if of.revisions > 0 {
		out.WriteString("Rewrites " + kit.CountGrouped(of.revisions, "revision") + " in the journal.\n")
	}
	out.WriteString("\nNot reached: backups, git commits, the model provider's logs.\n")
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
			out.WriteString(". Readable at least since " + sinceText(since, r.env.Now()))
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
		out = "Also removes " + kit.CountGrouped(damaged, "damaged journal") + " set aside, which can't be cleaned.\n"
	}
	switch copies := len(names) - damaged; copies {
	case 0:
	case 1:
		out += "Also removes a backup copy of the journal, which may hold the values.\n"
	default:
		out += "Also removes " + kit.Number(copies) + " backup copies of the journal, which may hold the values.\n"
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
