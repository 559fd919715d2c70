package curate

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
)

// proposedText is the diff of a proposed text against the file.
type proposedText struct{ *diffpane.Pane }

// Scopes implements [kit.Pane]: the keys of the proposals work here too.
func (proposedText) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.Diff, keymap.Curate, keymap.Text}
}

// proposalOf describes the proposed text of an action to the diff. Of a review of two notes that say nearly the same it is how the older
// one differs from the other.
func (s *Screen) proposalOf(a policy.Action) diffpane.Comparison {
	c := diffpane.Comparison{Key: "proposal " + identityOf(&a) + fmt.Sprintf("%x %s", a.Other, a.Reason),
		Title: "preview of the " + string(a.Do) + ":", Path: target(a)}
	backend := s.edits.Handlers.Backend()
	c.Read = func(context.Context) diffpane.Sides {
		before, after, err := a.Texts(backend)
		if err != nil {
			return diffpane.Sides{Why: act.Reason(err)}
		}
		return diffpane.Sides{Before: before, After: after}
	}
	if a.Compares() {
		c.OldPath, c.Title = a.Path, inStore(a.Path)+" compared with"
	}
	return c
}

// target is the file whose text an action changes, of a review of two notes the newer one.
func target(a policy.Action) string {
	if a.Compares() {
		return a.Found.Others[0]
	}
	return a.Path
}

// editProposal opens the editor on the rule behind the proposal, else on the file that it is about, or without a proposal on the
// configuration.
func (s *Screen) editProposal() tea.Cmd {
	a, ok := s.list.Action()
	switch {
	case !ok && s.noConfig(s.config):
		return nil
	case !ok:
		return s.editor.EditFile(s.config.File, 1, s.readConfig)
	case a.Rule.Line > 0:
		return s.editor.EditFile(a.Rule.File, a.Rule.Line, s.readConfig)
	}
	return s.editor.Edit(target(a), 0)
}

// inStore is an agent path as messages have it: relative to the store.
func inStore(agentPath string) string { return strings.TrimPrefix(agentPath, memstore.Root+"/") }
