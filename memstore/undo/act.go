package undo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// Commands of the revisions that name an act beside those of the memory tool.
const (
	cmdRedact = "scrub"
	cmdMerge  = "merge"
	cmdSplit  = "split"
	cmdLink   = "link"
)

// findAct finds the act that a plan undoes or redoes, through the undos and redos of it, and what that reverted.
func (e *Editor) findAct(ctx context.Context, p *Plan, list []past.Revision) error {
	p.Of = commandOf(list)
	if len(list) == 1 {
		p.OfRev = list[0].Undoes
	}
	if p.Command == "revert" {
		p.Reverts = p.Asked
		return nil
	}
	origins, err := e.origins(ctx, list)
	if err != nil {
		return err
	}
	for _, r := range origins {
		if r.Command == "revert" && r.Undoes != 0 {
			p.Reverts = append(p.Reverts, r.Undoes)
		}
	}
	if p.Command == "redo" || p.Of != "undo" { // else it undoes an undo, which has no act of its own
		origins = slices.DeleteFunc(origins, func(r past.Revision) bool { // the step of an undo that undid no revision
			return r.Undoes == 0 && (r.Command == "undo" || r.Command == "redo")
		})
		p.act, p.Of = origins, commandOf(origins)
		if err := e.setAct(ctx, p, origins); err != nil {
			return err
		}
	}
	if n := len(p.Reverts); n == len(list) {
		p.act, p.Of = origins, "revert"
		if n == 1 {
			p.OfRev = p.Reverts[0]
		}
	}
	return nil
}

// origins follows undos and redos to the revisions at their start.
func (e *Editor) origins(ctx context.Context, list []past.Revision) ([]past.Revision, error) {
	list = slices.Clone(list)
	for i, r := range list {
		for (r.Command == "undo" || r.Command == "redo") && r.Undoes != 0 && r.Undoes < r.Rev {
			undone, err := e.record.Revision(ctx, r.Undoes)
			if errors.Is(err, past.ErrNoRevision) {
				break // removed by the retention
			}
			if err != nil {
				return nil, err
			}
			r = undone
		}
		list[i] = r
	}
	return list, nil
}

// commandOf is the command of all of the revisions; "": they have several. Files from a replay are restored.
func commandOf(list []past.Revision) (command string) {
	for i, r := range list {
		one := r.Command
		if r.Actor == memstore.Replay {
			one = "restore"
		}
		if i > 0 && one != command {
			return ""
		}
		command = one
	}
	return command
}

// longestAct is how long the name of an act may be, in bytes, that names two paths.
const longestAct = 48

// ActText names the act that a plan undoes or redoes, where it is more than its edits and deletions: the merge of a.md into b.md.
// "": it is just these.
func (p *Plan) ActText() string {
	var into, all, gone []string // agent paths, without /memories
	changes := 0
	for _, r := range p.act {
		if r.Kind == memstore.KindDir {
			continue
		}
		changes++
		name := text.Clean(strings.TrimPrefix(r.Path, memstore.Root+"/"))
		if r.OldPath != "" && strings.HasPrefix(p.Title, "archive ") {
			name = text.Clean(strings.TrimPrefix(r.OldPath, memstore.Root+"/"))
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
		switch r.Command {
		case cmdMerge:
			into = append(into, name)
		case memstore.CmdDelete:
			gone = append(gone, name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	what := text.Count(len(all), "file")
	if len(all) == 1 {
		what = all[0]
	}
	transfer, isTransfer := past.ParseTransfer(p.Title)
	switch {
	case p.Of == "revert" && len(all) > 1 && changes != len(all):
		return fmt.Sprintf("the revert of %s in %s", text.Count(changes, "change"), what)
	case p.Of == "revert" && len(all) > 1:
		return "the revert of " + text.Count(changes, "change")
	case p.Of == "revert" && p.OfRev != 0:
		return fmt.Sprintf("the revert of #%d in %s", p.OfRev, what)
	case p.Of == "revert":
		return "the revert in " + what
	case p.Of == "restore":
		return "the restore of " + what
	case p.Of == cmdRedact:
		return "the redaction in " + what
	case p.Of == CmdQuarantine:
		return "the quarantine of " + what
	case p.Of == cmdLink:
		return "the new links in " + what
	case isTransfer:
		_, rest, _ := strings.Cut(p.Title, " ")
		if said := "the " + transfer.Verb + " of " + rest; len(said) <= longestTransfer {
			return said
		}
		return "the " + transfer.Verb + " of " + what
	case strings.Contains(p.Title, ","): // the group has acts of several kinds
		return ""
	case len(into) == 1 && len(gone) == 1 && len(all) == 2:
		if said := "the merge of " + gone[0] + " into " + into[0]; len(said) <= longestAct {
			return said
		}
		return "the merge into " + into[0]
	case len(into) > 0 && len(gone) > 0:
		return "the merge of " + text.Count(len(gone), "file")
	case strings.HasPrefix(p.Title, "archive "):
		return "the archiving of " + what
	}
	parts := 0 // of a split: the new notes, and the one that now links to them
	for _, r := range p.act {
		if r.Command == cmdSplit {
			parts++
		}
	}
	if parts > 0 {
		return "the split into " + text.Count(parts, "file")
	}
	return ""
}

// longestTransfer is how long the name of an act may be, in bytes, that names another store.
const longestTransfer = 72
