package undo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// Editor undoes and restores through the store's own writes, so that everything it does
// is locked, checked against what is there, and recorded as revisions of the curator.
type Editor struct {
	// Report is called after each edit of a plan that is carried out; may be nil.
	Report func(done, total int)

	record Record
	store  *memstore.Store
}

// NewEditor makes an Editor. The record must be that of the store, which must have it among its recorders.
func NewEditor(r Record, store *memstore.Store) *Editor { return &Editor{record: r, store: store} }

// Plan is what an undo, a revert or a restore is going to do: decided by reading alone, to be shown
// and then carried out by [Editor.Carry].
type Plan struct {
	Command   string // what the revisions are going to be called: "undo", "redo", "revert", "restore"
	Steps     []PlannedStep
	Asked     []int64    // the revisions that it was asked to undo
	Hunk      bool       // only one hunk of the only one of them
	Title     string     // of the group that it undoes or redoes; "" if there are several, or none
	Of        string     // what it undoes: the title, "revert #43" or "9 changes"; "": nothing, or what has no name
	Made      time.Time  // when the newest change that it undoes was made; zero: it undoes nothing
	Conflicts []Conflict // what cannot be done; Carry refuses while there are any
	Skipped   []Conflict // what can never be restored; Carry does the rest
	purges    int64      // of the record when it was made
}

// NothingText says for people why a plan has no step.
func (p *Plan) NothingText() string {
	already := map[string]string{"undo": "undone", "revert": "reverted"}[p.Command]
	switch {
	case p.Command == "restore":
		return "Already at this version"
	case p.Command == "redo":
		return "Nothing to redo: these changes are in the store already"
	case len(p.Asked) == 0:
		return "Nothing to change"
	case len(p.Asked) > 1:
		return fmt.Sprintf("These %d changes are already %s", len(p.Asked), already)
	case p.Hunk:
		return "This hunk is already " + already
	}
	return fmt.Sprintf("#%d is already %s", p.Asked[0], already)
}

// DidText says for people which act was carried out, as the beginning of a sentence: "Undid revert #43".
func (p *Plan) DidText() string {
	did := map[string]string{"undo": "Undid", "redo": "Redid", "revert": "Reverted", "restore": "Restored"}[p.Command]
	return strings.TrimSuffix(did+" "+text.Clean(p.Of), " ")
}

// PlannedStep is one step with what it is for.
type PlannedStep struct {
	memstore.Step
	Merged bool // the file has moved on, and the step keeps later edits

	Overwrites int // later edits, as the user chose
}

// Why is what prevents a step.
type Why string

// The reasons of a conflict.
const (
	WhyChanged Why = "changed"  // the file has other bytes by now, in the same lines
	WhyGone    Why = "gone"     // the file is no longer there
	WhyTaken   Why = "taken"    // something else is there by now
	whyNotKept Why = "not kept" // the bytes are not kept
	whyFull    Why = "full"     // the folder holds something by now
)

// Text says it for people, behind the path.
func (w Why) Text() string {
	switch w {
	case WhyChanged:
		return "has later edits on the same lines"
	case WhyGone:
		return "no longer exists"
	case WhyTaken:
		return "is now something else"
	case whyNotKept:
		return "can't be restored: the journal did not keep its content"
	case whyFull:
		return "is no longer empty"
	}
	return ""
}

// Conflict is a revision that cannot be undone as it is. Of WhyChanged there are the three texts.
type Conflict struct {
	Rev                int64
	Path               string // agent path, as it is now
	Why                Why
	Base, Ours, Theirs []byte // with the revision, as it is now, without the revision
	Lines              bool   // they clash in lines, to be joined by hand
}

// Text says it for people, behind the path.
func (c Conflict) Text() string {
	if c.Why == WhyChanged && !c.Lines { // a file that the revision made, or one without lines
		return "was edited later"
	}
	return c.Why.Text()
}

// Carry carries out a plan, its steps as one group. What is there must still be what the plan
// was decided on: where it is not, Carry stops there ([memstore.ErrChanged]), and done says how
// many steps were carried out; they can be undone as a group. A plan of before a purge, which may hold what that
// has removed, is [past.ErrPurged]. The end of ctx stops it between two steps.
func (e *Editor) Carry(ctx context.Context, p *Plan) (done int, err error) {
	if len(p.Conflicts) > 0 {
		return 0, fmt.Errorf("%s: %w", p.Conflicts[0].Path, past.ErrConflict)
	}
	if now, err := e.record.State(ctx); err != nil || now.Purges != p.purges {
		return 0, errors.Join(err, &past.Error{Err: past.ErrPurged})
	}
	group := ""
	if len(p.Steps) > 1 || p.Title != "" {
		group = p.Command + " " + rand.Text()
	}
	if p.Title != "" { // it stays that of the undo, and of the redo
		if err := e.record.OpenGroup(ctx, group, p.Title); err != nil {
			return 0, err
		}
	}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: group, As: p.Command})
	var steps []memstore.Step
	for _, s := range p.Steps {
		steps = append(steps, s.Step)
	}
	for done < len(steps) {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		n, err := e.store.Apply(ctx, steps[done:]...)
		done += n
		if err != nil {
			return done, err
		}
		if e.Report != nil {
			e.Report(done, len(steps))
		}
	}
	return done, nil
}
