package policy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/lint"
	"memcurator/memstore/load"
	"memcurator/render/text"
)

// Input is what a plan is made of.
type Input struct {
	Snapshot *memstore.Snapshot
	Facts    *Facts
	Now      time.Time
	// Soon also lists what expires within that time, as [Expiring]; 0: only what is due.
	Soon time.Duration
	// Found is what the lint has found, of which Suggest has suggestions made; nil: not linted.
	Found   *lint.Report
	Suggest bool
	// Load determines which index a session loads.
	Load load.Source
	// Project is [lint.Source.Project].
	Project func(ctx context.Context, claims []lint.Claim) (lint.Checked, error)
	// Journal knows where a note that a link names has moved. Nil: nothing is known.
	Journal *journal.Journal
	// Fixed says that the store holds only the files that an agent reads by their names, whole: it is never split, as a part would not be
	// read. [Reader.Fill] sets it.
	Fixed bool
}

// candidate is a file while it is judged.
type candidate struct {
	path     string
	node     *memstore.Node
	rules    *Rules
	recorded Recorded
	file     File
	archived bool // is in a folder that a rule archives to
}

// planning is a plan on its way.
type planning struct {
	*Policy
	in     Input
	plan   *Plan
	future int      // files with a time that is yet to come
	broken []string // folders that cannot be read
	dates  []string // files whose expires: is not a date
}

// Plan says what the policy proposes.
func (p *Policy) Plan(in Input) *Plan {
	w := &planning{Policy: p, in: in, plan: &Plan{At: in.Now}}
	if in.Snapshot == nil || in.Snapshot.Root == nil {
		return w.plan
	}
	w.judgeAll()
	w.nameArchived()
	w.storeCaps()
	w.suggest()
	w.notes()
	w.plan.Actions = sorted(w.plan.Actions)
	return w.plan
}

// notes says what could not be taken into account.
func (w *planning) notes() {
	note := func(format string, args ...any) {
		w.plan.Notes = append(w.plan.Notes, fmt.Sprintf(format, args...))
	}
	if !w.in.Snapshot.Complete {
		note("Some folders were not read, so the plan is incomplete")
	}
	if n := len(w.broken); n > 0 {
		note("Can't read %s%s", w.broken[0], more(n-1, "folder"))
	}
	if n := len(w.in.Facts.unread()); n > 0 {
		note("Can't read %s%s to check rules about content", w.in.Facts.unread()[0], more(n-1, "file"))
	}
	w.plan.Unread = append(slices.Clone(w.broken), w.in.Facts.unread()...)
	if f := w.in.Found; f != nil && w.in.Suggest {
		w.plan.Unread = append(w.plan.Unread, f.Unread...)
		slices.Sort(w.plan.Unread)
		w.plan.Unread = slices.Compact(w.plan.Unread)
		if n := len(f.Cut); n > 0 {
			note("Checked only the first %s of %s%s", size(lint.MaxBytes), f.Cut[0], more(n-1, "file"))
		}
	}
	if f := w.in.Found; f != nil && f.Unchecked != "" && w.in.Suggest {
		w.plan.Unchecked = f.Unchecked
		note("%s", f.Unchecked)
	}
	if at := w.in.Facts.swept(); !at.IsZero() {
		at = at.In(w.in.Now.Location())
		layout := "15:04"
		if w.in.Now.Sub(at) >= day || at.Day() != w.in.Now.Day() {
			layout = "2 Jan 15:04"
		}
		note("A program read most files at %s; not counted as use", at.Format(layout))
	}
	if w.future > 0 {
		note("%s dated in the future, so not expiring yet", text.Count(w.future, "file"))
	}
	if n := len(w.dates); n > 0 {
		note("Can't parse the date at expires: in %s%s", w.dates[0], more(n-1, "file"))
	}
}

func more(n int, what string) string {
	if n < 1 {
		return ""
	}
	return " and " + text.Count(n, "more "+what)
}

var groupOrder = []Group{Expired, OverCap, storeCap, Suggested, Expiring}

// sorted brings actions into the order of a plan. They are large, so their places are sorted.
func sorted(actions []Action) []Action {
	rank := make([]int8, len(actions))
	places := make([]int32, len(actions))
	for i := range actions {
		rank[i] = int8(slices.Index(groupOrder, actions[i].Group))
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, j int32) int {
		if c := cmp.Compare(rank[i], rank[j]); c != 0 {
			return c
		}
		if c := order(&actions[i], &actions[j]); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	})
	out := make([]Action, len(actions))
	for to, from := range places {
		out[to] = actions[from]
	}
	return out
}

// order is the order of actions of one group.
func order(a, b *Action) int {
	if c := a.Due.Compare(b.Due); c != 0 {
		return c
	}
	if c := kindOrder(a, b); c != 0 {
		return c
	}
	if c := lintOrder(a, b); c != 0 {
		return c
	}
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	return strings.Compare(a.Key, b.Key)
}
