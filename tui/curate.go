package tui

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/diffpane"
	"memcurator/tui/plan"
	"memcurator/tui/prompt"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
)

// The owners of the jobs of the Curate screen.
const (
	ownerPlan    = "plan"
	ownerPreview = "plan.preview"
	ownerText    = "plan.text" // the diff of a proposed text
	ownerRule    = "plan.rule"
	ownerSplit   = "plan.split"
)

// curate is the Curate screen and the plan behind it.
type curate struct {
	m       *Model
	actions *ui.Actions
	list    *plan.Pane
	preview *plan.Preview
	diff    *diffpane.Pane // a proposed text against the file
	texts   bool           // the diff is shown, and not the preview
	visited bool

	rules    config.Settings
	maker    *planMaker
	planning bool
	stale    bool // something changed since the plan under way was begun
	took     time.Duration
	due      int             // proposals that are due and matter, for the top bar
	wait     int             // counts the plans that were waited for
	notes    map[string]bool // told already
	wrote    bool            // a rule, which is going to be read again
	stop     context.CancelFunc
}

// addCurate makes the Curate screen.
func (m *Model) addCurate() {
	m.curate = &curate{
		m:    m,
		list: plan.New(m.env, m.options.Store.Dialect()), preview: plan.NewPreview(m.env, ownerPreview, m.options.Store),
		diff: diffpane.New(m.env, ownerText), rules: m.options.Rules, maker: &planMaker{}, notes: map[string]bool{},
	}
	m.screens[onCurate] = m.curate
	m.listeners[ownerPlan] = listener{m.planReceived, m.planFailed}
	m.listen(m.curate.preview.Receive, ownerPreview)
	m.listenDiff(m.curate.diff, ownerText)
	m.listen(m.ruleReceived, ownerRule)
}

// List implements [ui.Screen].
func (c *curate) List() ui.Pane { return c.list }

// Actions implements [ui.Screen].
func (c *curate) Actions() *ui.Actions { return c.actions }

// Detail is what is shown of the action under the cursor.
func (c *curate) Detail() ui.Tab {
	if c.texts {
		return c.diff
	}
	return c.preview
}

// Enter implements [ui.Screen]; the first time the lint looks at every note.
func (c *curate) Enter() tea.Cmd {
	if c.visited {
		return nil
	}
	c.visited = true
	return c.m.replan()
}

// Resize implements [ui.Screen].
func (c *curate) Resize(list, detail ui.Rect) tea.Cmd {
	c.list.Resize(list.W, list.H)
	c.preview.Resize(detail.W, detail.H)
	c.diff.Resize(detail.W, detail.H)
	if c.texts {
		return c.diff.Settle()
	}
	return nil
}

// curateActions are those of the Curate screen.
func (m *Model) curateActions() []ui.Action {
	c := m.curate
	actions := []ui.Action{
		{ID: keymap.FocusNext, Run: m.otherPane},
		{ID: keymap.FocusPrev, Run: m.otherPane},
		{ID: keymap.Apply, Run: m.askApply, Why: m.edits.WhyNoRemoval},
		{ID: keymap.EditProposal, Run: m.editProposal},
		{ID: keymap.DeleteFile, Run: m.deleteProposed},
		{ID: keymap.OpenFile, Run: func() tea.Cmd { return m.openPath(c.list.Path()) }},
		{ID: keymap.CopyPath, Run: func() tea.Cmd { return m.toClipboard("path", c.list.Path()) }},
	}
	for _, id := range []keymap.ID{keymap.Pin, keymap.Never, keymap.RaiseCap} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd { return m.proposeRule(id) }})
	}
	for _, id := range []keymap.ID{keymap.CopyLine, keymap.CopyDiff} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd { return m.copyProposed(id) }})
	}
	for _, id := range []keymap.ID{keymap.Filter, keymap.Search} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd {
			m.focus, m.before = onTree, c.list.Filter()
			m.line.Open(prompt.Filter, m.before)
			return m.relayout()
		}})
	}
	return actions
}

func (m *Model) copyProposed(id keymap.ID) tea.Cmd {
	c := m.curate
	what, read := "line", m.firstPane().(ui.Tab).LineReader(copyUpTo)
	if m.focus == onMain {
		read = c.Detail().LineReader(copyUpTo)
	}
	if id == keymap.CopyDiff {
		what, read = "diff", nil
		if c.texts {
			read = c.diff.TextReader(copyUpTo)
		}
	}
	if read == nil {
		m.tell(ui.Info, textNoLine)
		return nil
	}
	return m.copyJob(what, func(context.Context) (string, error) { return read() })
}

const textNoneChosen = "no proposal is chosen here"

// deleteProposed asks whether to delete the file under the cursor, whatever is proposed for it.
func (m *Model) deleteProposed() tea.Cmd {
	a, ok := m.curate.list.Selected()
	switch {
	case !ok || a.Path == memstore.Root:
		m.tell(ui.Info, textNoneChosen)
		return nil
	case m.edits.Refuses():
		return nil
	}
	return m.edits.Delete([]string{a.Path})
}

// showAction shows why an action is proposed, and its text or the text that is proposed for it.
func (m *Model) showAction(a policy.Action) tea.Cmd {
	c := m.curate
	if t, ok := m.proposalOf(a); ok {
		c.texts = true
		return tea.Batch(c.diff.Show(t), m.relayout())
	}
	was := c.texts
	c.texts = false
	cmd := c.preview.Show(a, m.factsOf(a))
	if was {
		return tea.Batch(cmd, m.relayout())
	}
	return cmd
}

// factsOf says what is known of an action, a line each, the reason first.
func (m *Model) factsOf(a policy.Action) []string {
	if a.Path == "" {
		if help := groupHelpText(string(a.Group)); help != "" {
			return []string{plan.GroupText(string(a.Group), -1, "", 0), m.env.Keyed(help)}
		}
		return nil
	}
	facts := []string{string(a.Do) + ": " + a.Reason}
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if a.To != "" {
		add("moves to %s", a.To)
	}
	if a.Rule.Line > 0 || a.Rule.Preset != "" {
		rule := a.Rule
		rule.File = filepath.Base(rule.File)
		add("by %s of %s", a.Key, text.Clean(rule.String()))
	}
	if !a.Due.IsZero() {
		add("due %s, counted by %s", a.Due.In(m.env.Now().Location()).Format("2006-01-02 15:04"), a.Clock)
	}
	if f := a.Found; f != nil {
		line := string(f.Rule) + ", " + f.Severity.String()
		if f.Line > 0 {
			line += fmt.Sprintf(", line %d, byte %d", f.Line, f.Start)
		}
		if f.Count > 1 {
			line += fmt.Sprintf(", %d places", f.Count)
		}
		add("%s", line)
		for i, o := range f.Others {
			if i == 8 {
				add("and %d more", len(f.Others)-i)
				break
			}
			add("%s %s", m.env.Styles.Glyphs.Arrow, text.Clean(o))
		}
	}
	if len(a.Score.Terms) > 0 {
		var terms []string
		for _, t := range a.Score.Terms {
			terms = append(terms, fmt.Sprintf("%s %.0f of %.0f (%s)", t.Name, t.Value, t.Most, t.Why))
		}
		add("worth %.0f: %s", a.Score.Value, strings.Join(terms, ", "))
	}
	return facts
}

// groupHelp says what the groups of a plan are, and what to do about them.
var groupHelp = map[string]string{
	"expired":   "Nobody has used, or changed, these for longer than a rule allows. {curate/mark} ticks them, {curate/apply} carries out what is ticked; {curate/never} writes a rule that spares the file, {curate/pin} pins it.",
	"over cap":  "These are longer or larger than a rule allows. They are only told: {curate/edit-proposal} edits a proposed split, {curate/raise} raises the cap for the file.",
	"store cap": "The store holds more than the configuration allows. {curate/raise} raises the cap; below is the smallest loss that brings it under.",
	"under cap": "What the store could lose at the least to get under its caps: the files worth least by recency, use, links and size. Nothing goes unless you tick it.",
	"lint":      "Text that is not seen or reads as planted for the agent, near-duplicates, names that lead nowhere, work called done without a word of how it was tried. {curate/never} leaves a file out.",
	"expiring":  "Not due yet: these expire within three days.",
	"sensitive": "Keys, passwords and personal data, one row for all places of a value. {curate/open-change} goes to it, {global/findings} to all of them: there they are shown, accepted and taken out, with a question of their own.",
}

// groupHelpText says what a group is, with keys in braces.
func groupHelpText(group string) string { return groupHelp[group] }

// ListTitle is the title of the list: name, filter, what is ticked, place.
func (c *curate) ListTitle(width int) string {
	m, st := c.m, c.m.env.Styles
	title := " " + c.list.Title() + " "
	if f := c.list.Filter(); f != "" {
		title += "/" + text.Clean(f) + " "
	}
	place := c.list.Place() + " "
	if n, bytes := c.list.Ticks(); n > 0 {
		place = ticksText(n, memstore.FormatSize(m.options.Store.Dialect(), bytes)) + " " + st.Glyphs.Separator + " " + place
	}
	title = text.Truncate(title, max(0, width), st.Glyphs.Ellipsis)
	if text.Width(title)+text.Width(place) > width {
		place = ""
	}
	found := m.findingsBadge(width - text.Width(title) - text.Width(place))
	return st.Title.Apply(title) + st.Dim.Apply(place) + st.Warning.Apply(found)
}

// DetailTitle is the title of the reason, or of the proposed text.
func (c *curate) DetailTitle(width int) string {
	d := c.Detail()
	title := d.Title()
	if c.texts {
		title = c.m.proposalTitle()
	}
	return detailTitle(c.m.env.Styles, title, d.Path(), d.Place(), width)
}

// SetFilter implements [ui.Screen].
func (c *curate) SetFilter(line string) (cmd tea.Cmd, problem string) {
	c.list.SetFilter(line)
	return nil, c.list.FilterProblem()
}

// CompleteFilter implements [ui.Screen]: the terms are those of the tree.
func (c *curate) CompleteFilter(line string) []string { return tree.CompleteFilter(line) }

// Matches implements [ui.Screen].
func (c *curate) Matches() string {
	left, all := c.list.Matches()
	return matchesText(left, all) + "  "
}

// Status is what is ticked and the path under the cursor.
func (c *curate) Status() (string, theme.Paint) {
	m, st := c.m, c.m.env.Styles
	out := ""
	if c.list.Ranging() {
		out = st.Glyphs.Range + " "
	}
	if n, bytes := c.list.Ticks(); n > 0 {
		out += st.Glyphs.Mark + " " + ticksText(n, memstore.FormatSize(m.options.Store.Dialect(), bytes)) + "  "
	}
	return out + text.Clean(c.list.Path()), st.StatusBar
}

// forget drops what is shown of a proposal; the next plan shows it anew.
func (c *curate) forget() {
	c.diff.Clear()
	c.preview.Forget()
}

// ticksText is how much is ticked.
func ticksText(n int, bytes string) string { return fmt.Sprintf("%d ticked, %s", n, bytes) }
