package curate

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/drafts"
	"memcurator/tui/kit"
)

// proposedText is the diff of a proposed text against the file.
type proposedText struct{ *diffpane.Pane }

// Scopes implements [kit.Pane]: the keys of the proposals work here too.
func (proposedText) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.Diff, keymap.Curate, keymap.Text}
}

// proposalOf describes the proposed text of an action to the diff. Of a merge that leaves lines out these are below it. Of a review of
// two notes that say nearly the same it is how the older one differs from the other.
func (s *Screen) proposalOf(a policy.Action) diffpane.Comparison {
	c := diffpane.Comparison{Key: "proposal " + identityOf(&a) + fmt.Sprintf("%x %s", a.Other, a.Reason),
		Title: "preview of the " + string(a.Do) + ":", Path: target(a)}
	c.Read = func(context.Context) diffpane.Sides {
		texts, why := s.textsOf(a)
		if why != "" {
			return diffpane.Sides{Why: why}
		}
		before, after := proposed(texts)
		switch {
		case a.Compares():
			before, after = texts[1].Before, texts[0].Before
		case a.Do == policy.Merge && len(a.Found.Joined.Removed) > 0:
			left := fmt.Sprintf("\nLeft out of %s, as it was removed from %s before:\n", inStore(texts[1].Path), inStore(texts[0].Path))
			before = append(append(slices.Clone(before), left...), bytes.Join(texts[1].LeftOut, nil)...)
		}
		return diffpane.Sides{Before: before, After: after}
	}
	if a.Compares() {
		c.OldPath, c.Title = a.Path, inStore(a.Path)+" compared with"
	}
	return c
}

// target is the file whose text an action changes, of a merge or the review of one the note that stays.
func target(a policy.Action) string {
	if a.Do == policy.Merge || a.Compares() {
		return a.Found.Others[0]
	}
	return a.Path
}

// textsOf works out what an action rewrites; why says why it can't. It does I/O.
func (s *Screen) textsOf(a policy.Action) (texts []policy.Text, why string) {
	texts, err := a.Texts(context.Background(), s.edits.Handlers.Backend())
	if err != nil {
		return nil, act.Reason(err)
	}
	return texts, ""
}

// proposed is the current and the proposed text of the target.
func proposed(texts []policy.Text) (before, after []byte) {
	for _, t := range texts {
		if !t.Gone {
			before, after = t.Before, t.After
		}
	}
	return before, after
}

// editProposal opens the editor on the proposed text, the rule behind the proposal, or
// without a proposal the configuration. What comes back is written as any edit is.
func (s *Screen) editProposal() tea.Cmd {
	a, ok := s.list.Action()
	switch {
	case a.Do.Rewrites() || a.Compares():
		return s.editText(a)
	case !ok && s.noConfig(s.config):
		return nil
	case !ok:
		return s.drafts.EditFile(s.config.File, 1)
	case a.Rule.Preset != "":
		s.shell.Tell(kit.Info, s.env.Keyed("A preset sets this. {curate/new-rule} makes a rule that overrides it"))
		return nil
	case a.Rule.Line > 0:
		return s.drafts.EditFile(a.Rule.File, a.Rule.Line)
	}
	return s.drafts.Edit(a.Path, 0)
}

// whyNoProposalEdit says why what a proposal is about can't be edited; the configuration can be, whatever the store allows.
func (s *Screen) whyNoProposalEdit() kit.Say {
	switch a, ok := s.list.Action(); {
	case a.Do.Rewrites() || a.Compares():
		return s.edits.WhyNoRemoval()
	case !ok || a.Rule.Preset != "" || a.Rule.Line > 0:
		return kit.Say{}
	}
	return s.edits.WhyNoWrite()
}

// editText opens the editor on the proposed text of an action.
func (s *Screen) editText(a policy.Action) tea.Cmd {
	return s.drafts.EditProposed(target(a), a, func() ([]byte, string) {
		texts, why := s.textsOf(a)
		_, after := proposed(texts)
		return after, why
	})
}

// written goes on when an edited proposal is written: of two notes that are one now, the other can go.
func (s *Screen) written(a policy.Action) tea.Cmd {
	if a.Do != policy.Merge && !a.Compares() {
		return nil
	}
	s.shell.Tell(kit.Info, "Merged into "+inStore(target(a))+". Delete the other file?")
	return s.edits.Delete([]string{a.Path})
}

// inStore is an agent path as messages have it: relative to the store.
func inStore(agentPath string) string { return strings.TrimPrefix(agentPath, memstore.Root+"/") }

const (
	textWriteTitle  = "Write this text?"
	textWriteFooter = "{confirm/yes} writes this; {confirm/no} keeps your text as a draft"
)

// confirmProposal shows what came back from the editor: leaving an editor without a change must not
// write what only the program has proposed.
func (s *Screen) confirmProposal(d *drafts.Draft) tea.Cmd {
	keep := kit.Do(func() { s.shell.Tell(kit.Info, drafts.FileText(d.Path, d.Copy.File())) })
	box := diffpane.NewBox(s.env, textWriteTitle, s.env.Keyed(textWriteFooter))
	s.shell.OpenUnasked(kit.Box{Overlay: box, Answers: kit.Answers(func() tea.Cmd { return s.drafts.Write(d) }, keep)})
	return box.Show(diffpane.Comparison{Key: d.Path, Title: d.Path, Path: d.Path, Read: func(context.Context) diffpane.Sides {
		data, err := d.Copy.Read(drafts.Limit)
		if err != nil {
			return diffpane.Sides{Why: drafts.TextGone}
		}
		return diffpane.Sides{Before: d.Opened, After: data}
	}})
}
