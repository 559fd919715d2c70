// Package curate is the Curate screen: what rules and lint propose for the store, why, and what is done about it. The plan behind it
// is made again in jobs when something changes. It changes notes through tui/act and tui/editor, and the configuration, whose
// change is shown before it is written. The shell calls it.
package curate

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/editor"
	"memcurator/tui/kit"
)

// The owners of the jobs of the Curate screen.
const (
	ownerPlan    = "plan"
	ownerPreview = "plan.preview"
	ownerText    = "plan.text" // the diff of a proposed text
	ownerRule    = "plan.rule"
	ownerTyped   = "plan.typed" // what a rule that is typed would do
)

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	env     *kit.Env
	shell   act.Shell
	edits   *act.Queue
	editor  *editor.Editor
	config  ConfigPlace
	actions *kit.Actions
	list    *Pane
	preview *preview
	diff    *proposedText // a proposed text against the file
	texts   bool          // the diff is shown, and not the preview
	visited bool

	reader   *policy.Reader // what plans have read
	planning bool
	stale    bool            // something changed since the plan under way was begun
	passed   bool            // the last plan was out of date and not shown, as the next one will be
	notes    map[string]bool // reported already
	newRule  int             // the line of a rule that was just written, until there is a plan with it; 0: none
	typed    string          // what the rule that is typed would do, or lacks
}

// Options are what the screen works on.
type Options struct {
	// Config is the file that new rules are written to.
	Config ConfigPlace
	// Plan is what plans know of beside the store.
	Plan policy.Input
	// Early looks for suggestions as soon as the tree is read, and not only when the screen is opened.
	Early bool
}

// New makes the screen.
func New(env *kit.Env, shell act.Shell, queue *act.Queue, edit *editor.Editor, o Options) *Screen {
	s := &Screen{
		Options: o, env: env, shell: shell, edits: queue, editor: edit, config: o.Config,
		preview: newPreview(env, queue.Handlers),
		diff:    &proposedText{diffpane.New(env, ownerText)}, reader: policy.NewReader(queue.Handlers.Backend()), notes: map[string]bool{},
	}
	s.list = newList(s)
	s.actions = kit.NewActions(env, keymap.Curate, s.bindings()...)
	return s
}

// Path is what the proposal under the cursor is about.
func (s *Screen) Path() string { return s.list.Path() }

// planned reports whether there is a plan.
func (s *Screen) planned() bool { return s.list.Plan() != nil }

// Summary says how much waits for a decision; "" for nothing.
func (s *Screen) Summary() string {
	if s.Waiting() == 0 {
		return ""
	}
	return kit.CountGrouped(s.Waiting(), "proposal")
}

// Waiting implements [kit.Counted]: it is how many proposals and suggestions there are.
func (s *Screen) Waiting() int { return s.list.Waiting() }

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.list }

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions { return s.actions }

// Detail is what is shown of the action under the cursor.
func (s *Screen) Detail() kit.Tab {
	if s.texts {
		return s.diff
	}
	return s.preview
}

// Enter implements [kit.Enterer]: the clock alone makes files expire. The lint looks at every note from now on.
func (s *Screen) Enter() tea.Cmd {
	s.visited = true
	return s.Replan()
}

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.list.Resize(list.W, list.H)
	s.preview.Resize(detail.W, detail.H)
	s.diff.Resize(detail.W, detail.H)
	return nil
}

func (s *Screen) bindings() []kit.Action {
	actions := append(kit.ListActions(s.shell, s.list, s.Detail), []kit.Action{
		{ID: keymap.Apply, Keys: "a", Help: "approve and apply the selected rows; asks first unless it is one link fix, one u undoes all", Hint: "apply",
			Run: func() tea.Cmd { return s.apply(s.list.Chosen()) }, Why: s.whyNoApply},
		{ID: keymap.Never, Keys: "D", Help: "decline the proposal: keep the file; shows the rule first", Hint: "keep",
			Run: func() tea.Cmd { return s.except() }, Why: s.edits.WhyNoWrite},
		{ID: keymap.EditProposal, Keys: "e", Help: "edit the line of the rule, or the file; on a heading the configuration",
			Run: s.editProposal, Why: s.edits.WhyNoWrite},
		{ID: keymap.Refresh, Run: s.Replan},
		{ID: keymap.Open, Keys: "enter", Help: "open the reason and the text, from there the file; on a heading, unfold the group", Hint: "why",
			Run: s.open},
		{ID: "delete-file", Keys: "d", Help: "delete the file under the cursor; asks first",
			Run: s.deleteProposed, Why: s.edits.WhyNoRemoval},
		{ID: keymap.Edit, Run: func() tea.Cmd { return s.editor.Edit(s.list.Path(), 0) }, Why: s.edits.WhyNoWrite},
		{ID: keymap.NewRule, Keys: "c", Help: "create a rule by a line; shows what it would do and how the file changes", Hint: "new rule",
			Run: kit.TypeArg(s.shell, keymap.NewRule), Why: s.edits.WhyNoWrite, Arg: &kit.Arg{
				Takes: ruleTakes, Needed: true, Run: s.makeRule, Complete: completeRule, Changed: s.typeRule, Hint: func() string { return s.typed },
			}},
		{ID: keymap.Filter, Keys: "f", Help: "filter by path, reason and terms: do:delete", Hint: "filter"},
	}...)
	// In the diff, too: a proposal is applied whole.
	return append(actions, kit.Bind(s.list.Actions().Run, keymap.Mark, keymap.MarkAll, keymap.NextUnread, keymap.PrevUnread)...)
}

// open goes one step in: from a proposal to its reason, from there to the file.
func (s *Screen) open() tea.Cmd {
	if s.shell.OnDetail() {
		return s.shell.OpenPath(s.list.Path())
	}
	return s.list.Actions().Run(keymap.Open)
}

const textNoneChosen = "No proposal here"

// deleteProposed asks whether to delete the file under the cursor, whatever is proposed for it.
func (s *Screen) deleteProposed() tea.Cmd {
	path := s.list.Path()
	if path == "" || path == memstore.Root {
		s.shell.Tell(kit.Info, textNoneChosen)
		return nil
	}
	return s.edits.Delete([]string{path})
}

// showAction shows why an action is proposed, and its text or the text that is proposed for it.
func (s *Screen) showAction(a policy.Action) tea.Cmd {
	s.texts = a.Do.Rewrites() || a.Compares()
	if s.texts {
		return tea.Batch(s.diff.Show(s.proposalOf(a)), s.shell.Relayout())
	}
	return tea.Batch(s.preview.show(a, factsOf(s.env, a)), s.shell.Relayout())
}

// showSection says what the heading of a section is for.
func (s *Screen) showSection(r row) tea.Cmd {
	s.texts = false
	from := "What the rules of your configuration propose."
	if r.section == suggested {
		from = "What the checks of the notes propose."
	}
	says := []string{r.section.String(), from, s.env.Keyed("{curate/open} folds the section.")}
	return tea.Batch(s.preview.show(policy.Action{}, says), s.shell.Relayout())
}

// ListTitle is the title of the list: name, filter, what is selected.
func (s *Screen) ListTitle(width int) kit.Title {
	return kit.ListTitle(s.env.Styles, "proposals", s.list.Filter(), s.list.Place(), width)
}

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	_, onRow := s.list.Action()
	n := len(s.list.Selection())
	switch {
	case s.list.Ranging() || n > 0:
		return kit.Hints{Lead: s.list.SelectionText(), Acts: []kit.Hint{
			kit.Act("apply", keymap.Apply), kit.Act("keep", keymap.Never), kit.Act("clear", keymap.Back),
		}}
	}
	h := kit.Hints{Acts: s.list.MarkHint()}
	if r, _ := s.list.Current(); r.heading() && len(s.list.Chosen()) > 0 && s.whyNoApply().Text == "" {
		h.Acts = append(h.Acts, kit.Act("apply all below", keymap.Apply))
	}
	if onRow {
		h.Acts = append(h.Acts, kit.Act("apply", keymap.Apply), kit.Act("keep", keymap.Never),
			kit.Act("edit", keymap.EditProposal))
	}
	h.Acts = append(h.Acts, kit.Act("new rule", keymap.NewRule), kit.Act("filter", keymap.Filter))
	return h
}

// Forget implements [kit.Forgetter]; the next plan shows the proposal again.
func (s *Screen) Forget() tea.Cmd {
	s.diff.Clear("")
	s.preview.action = policy.Action{}
	s.preview.Forget()
	return s.Replan()
}

// TreeChanged implements [kit.TreeWatcher].
func (s *Screen) TreeChanged(c kit.TreeChange) tea.Cmd {
	if c.Tree || c.Back || !s.planned() {
		return s.Replan()
	}
	return nil
}

// Changed implements feed.Watcher.
func (s *Screen) Changed([]past.Revision) tea.Cmd { return s.Replan() }

var _ interface {
	kit.Screen
	kit.Enterer
	kit.TreeWatcher
	kit.Forgetter
	kit.Hinted
} = (*Screen)(nil)
