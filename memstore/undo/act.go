package undo

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// findAct finds the act that a plan undoes or redoes, through the undos and redos of it.
func (e *Editor) findAct(ctx context.Context, p *Plan, list []past.Revision) error {
	p.Of = commandOf(list)
	if p.Command == "revert" || p.Command == "undo" && p.Of == "undo" { // an undo has no act of its own
		return nil
	}
	origins, err := e.origins(ctx, list)
	if err != nil {
		return err
	}
	origins = slices.DeleteFunc(origins, func(r past.Revision) bool { // the step of an undo that undid no revision
		return r.Undoes == 0 && (r.Command == "undo" || r.Command == "redo")
	})
	p.act, p.Of = origins, commandOf(origins)
	return e.setAct(ctx, p, origins)
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

// acts are the names of acts, by the command of their revisions, that are more than an edit, a creation, a move or a deletion.
var acts = map[string]string{
	"revert": "the revert in ", "restore": "the restore of ", "scrub": "the redaction in ", CmdQuarantine: "the quarantine of ",
	"merge": "the merge of ", "split": "the split of ", "link": "the new links in ",
}

// ActText names the act that a plan undoes or redoes, where it is more than its edits and deletions: the redaction in 3 files. "": it is
// just these.
func (p *Plan) ActText() string {
	var names []string // agent paths, without /memories
	for _, r := range p.act {
		if name := text.Clean(strings.TrimPrefix(r.Path, memstore.Root+"/")); r.Kind != memstore.KindDir && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	what := text.Count(len(names), "file")
	if len(names) == 1 {
		what = names[0]
	}
	if transfer, is := past.ParseTransfer(p.Title); is {
		return "the " + transfer.Verb + " of " + what
	}
	if name := acts[p.Of]; name != "" {
		return name + what
	}
	return ""
}
