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
	"memcurator/memstore/past"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// Input is what a plan is made of.
type Input struct {
	Snapshot *memstore.Snapshot
	Facts    Facts
	Now      time.Time
	// Found is what the lint has found, of which Suggest has suggestions made; nil: not linted.
	Found   *lint.Report
	Suggest bool
	// Load says which index a session loads, and how much of it; [Reader.Inspect] asks it. It may do I/O. nil: none.
	Load  func() load.Rule
	index string          // agent path; "": none
	loads loadlimit.Gauge // of the index
	// Project is [lint.Source.Project].
	Project func(ctx context.Context, claims []lint.Claim) (lint.Checked, error)
	// Journal knows where a note that a link names has moved. Nil: nothing is known.
	Journal *journal.Journal
}

// candidate is a file while it is judged.
type candidate struct {
	path     string
	node     *memstore.Node
	rules    *Rules
	recorded past.Fact
	file     File
	archived bool // is in a folder that a rule archives to
}

// planning is a plan on its way.
type planning struct {
	*Policy
	in     Input
	plan   *Plan
	broken []string // folders that cannot be read
}

// Plan says what the policy proposes.
func (p *Policy) Plan(in Input) *Plan {
	w := &planning{Policy: p, in: in, plan: &Plan{}}
	if in.Snapshot == nil || in.Snapshot.Root == nil {
		return w.plan
	}
	w.judgeAll()
	w.nameArchived()
	w.storeCaps()
	w.suggest()
	w.notes()
	slices.SortStableFunc(w.plan.Actions, order)
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
	if n := len(w.in.Facts.Unread); n > 0 {
		note("Can't read %s%s to check rules about content", w.in.Facts.Unread[0], more(n-1, "file"))
	}
	w.plan.Unread = append(slices.Clone(w.broken), w.in.Facts.Unread...)
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
}

func more(n int, what string) string {
	if n < 1 {
		return ""
	}
	return " and " + text.Count(n, "more "+what)
}

var groupOrder = []Group{Expired, OverCap, storeCap, Suggested}

// order is the order of actions in a plan.
func order(a, b Action) int {
	return cmp.Or(cmp.Compare(slices.Index(groupOrder, a.Group), slices.Index(groupOrder, b.Group)), a.Due.Compare(b.Due),
		cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), severityOrder(a, b),
		strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key))
}

// severityOrder puts the worst findings first.
func severityOrder(a, b Action) int {
	if a.Found == nil || b.Found == nil {
		return 0
	}
	return cmp.Compare(b.Found.Severity, a.Found.Severity)
}
