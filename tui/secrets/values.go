package secrets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// valueList is the list of the screen: a row a value, and below it a row for each of its places. Make it with newValues.
type valueList struct {
	*kit.Table[row]
	env      *kit.Env
	choices  *choices
	survey   *findings.Survey  // nil: there is none yet
	texts    map[string]string // by id: what words are looked for in
	revealed bool              // the value under the cursor is shown in the clear
	inline   bool              // in its row, the only place for it
	version  int               // counts what changes a preview
	moved    func()            // is called when another place is under the cursor, or its preview has changed
}

// row is a value, or with a place above 0 one of its places.
type row struct {
	group *findings.Group
	place int // from 1, of Places and then of Exempt; 0: the value itself
}

// notices are what the list says and does beyond its rows.
type notices struct {
	empty  func() string // why there are no rows
	unread func() string // what the last scan could not read; "": it has read everything
	open   func() tea.Cmd
}

func newValues(env *kit.Env, c *choices, n notices, moved func()) *valueList {
	v := &valueList{env: env, choices: c, moved: moved}
	by := func(of func(*findings.Group) string) func(a, b row) int {
		return func(a, b row) int { return strings.Compare(of(a.group), of(b.group)) }
	}
	v.Table = kit.NewTable(env, kit.Spec[row]{
		Title:      "secrets",
		Scope:      keymap.Findings,
		Key:        func(r row) string { return valueKey(r.group.ID, r.place) },
		Words:      v.words,
		Below:      places,
		Folded:     func(row) bool { return true },
		Selectable: func(r row) bool { return r.place == 0 && !r.group.Dismissed },
		Hidden:     func(r row) bool { return r.place == 0 && r.group.Dismissed },
		HiddenText: func(n int) string { return fmt.Sprintf("%d dismissed  ({list/show-hidden} shows them)", n) },
		Todo:       v.undecided,
		NoTodo:     "All values are decided. {findings/purge-findings} redacts the selected ones",
		Terms: []kit.Term[row]{
			{Key: "is", Values: []string{"open", "selected", "dismissed", "past"}, Fits: v.is},
		},
		Orders: []kit.Order[row]{
			{Name: "severity"},
			{Name: "class", Compare: by(c.title)},
			{Name: "path", Compare: by(func(g *findings.Group) string { return g.Places[0].Path })},
			{Name: "places", Compare: func(a, b row) int { return cmp.Compare(len(b.group.Places), len(a.group.Places)) }},
		},
		Columns: []kit.Column[row]{
			{Width: len("critical"), From: 60, Text: func(r row) string { return r.group.Severity.String() }},
			{Most: 30, Text: func(r row) string { return c.cell(r.group) }},
			{Most: 22, Text: func(r row) string { return c.masked(r.group) }},
			{Most: 30, From: 72, Text: func(r row) string { return env.Styles.Glyphs.Arrow + " " + c.replacement(r.group) }},
			{Text: v.placesText},
		},
		Whole: v.whole,
		Paint: paint,
		Above: n.unread,
		Empty: n.empty,
		Path:  func(r row) string { return r.at().Path },
		Line:  func(r row) string { return r.at().Before + r.group.Masked() + r.at().After },
		Open:  func(row) tea.Cmd { return n.open() },
		Moved: func() tea.Cmd { v.turned(); return nil },
	})
	return v
}

// valueKey identifies a value or one of its places in the list.
func valueKey(id string, place int) string { return fmt.Sprint(id, " ", place) }

// places are the rows below a value.
func places(r row) (list []row) {
	if r.place > 0 {
		return nil
	}
	for n := range len(r.group.Places) + len(r.group.Exempt) {
		list = append(list, row{r.group, n + 1})
	}
	return list
}

// at is the place of a row, of a value the first one.
func (r row) at() findings.Place { return placeOf(r.group, max(1, r.place)) }

// placeOf is a place of a value, counted from 1.
func placeOf(g *findings.Group, n int) findings.Place {
	if n <= len(g.Places) {
		return g.Places[n-1]
	}
	return g.Exempt[n-1-len(g.Places)]
}

// setSurvey takes a newer survey. The cursor stays on its place; what is gone is forgotten.
func (v *valueList) setSurvey(s *findings.Survey) {
	v.survey, v.texts = s, map[string]string{}
	var rows []row
	listed := map[string]bool{}
	for _, g := range v.groups() {
		rows = append(rows, row{group: g})
		listed[g.ID] = true
	}
	v.choices.forget(listed)
	v.Set(rows)
	v.turned()
}

// groups are all values of the survey.
func (v *valueList) groups() []*findings.Group {
	if v.survey == nil {
		return nil
	}
	return v.survey.Groups
}

// words are those of a value: its class, severity, paths, and what its mask leaves.
func (v *valueList) words(r row) string {
	g := r.group
	if _, ok := v.texts[g.ID]; !ok {
		words := []string{g.Class, v.choices.titleOf(g.Class), g.Severity.String(), g.Masked()}
		for i := range g.Places {
			words = append(words, g.Places[i].Path)
		}
		v.texts[g.ID] = strings.ToLower(strings.Join(slices.Compact(words), "\n"))
	}
	return v.texts[g.ID] + "\n" + v.choices.class[g.ID]
}

// is reports whether a value is in a state that the filter can name.
func (v *valueList) is(r row, state string) bool {
	g := r.group
	switch state {
	case "open":
		return v.undecided(row{group: g})
	case "selected":
		return v.Selected(row{group: g})
	case "dismissed":
		return g.Dismissed || len(g.Exempt) > 0
	}
	return g.Live == 0
}

// undecided reports whether a value waits for the user.
func (v *valueList) undecided(r row) bool {
	return r.place == 0 && !r.group.Dismissed && !v.Selected(r)
}

// find puts the cursor on a value.
func (v *valueList) find(id string) { v.GoTo(valueKey(id, 0)) }

// here is the value under the cursor, and the number of its place there; nil where there is none.
func (v *valueList) here() (*findings.Group, int) {
	r, _ := v.Current()
	return r.group, r.place
}

// group is the value under the cursor, nil where there is none.
func (v *valueList) group() *findings.Group {
	g, _ := v.here()
	return g
}

// place is the place under the cursor, of a value the first one.
func (v *valueList) place() (p findings.Place, ok bool) {
	r, ok := v.Current()
	if !ok {
		return p, false
	}
	return r.at(), true
}

// turned is called when another row is under the cursor, or shows something else.
func (v *valueList) turned() {
	v.version++
	v.moved()
}

func groupsOf(rows []row) (list []*findings.Group) {
	for _, r := range rows {
		list = append(list, r.group)
	}
	return list
}

// selection are the selected values that are listed: those that a filter hides stay selected, but nothing is done to them.
func (v *valueList) selection() []*findings.Group { return groupsOf(v.Selection()) }

// chosen are the selected values; without a selection the one under the cursor.
func (v *valueList) chosen() []*findings.Group { return groupsOf(v.Chosen()) }

// shown are the values that are listed and count.
func (v *valueList) shown() []*findings.Group { return groupsOf(v.Listed()) }

// alike are the listed values of the class of one.
func (v *valueList) alike(g *findings.Group) []*findings.Group {
	return slices.DeleteFunc(v.shown(), func(one *findings.Group) bool { return v.choices.of(one) != v.choices.of(g) })
}

// inFile are the values in a file that count, whatever is listed.
func (v *valueList) inFile(path string) (list []*findings.Group) {
	for _, g := range v.groups() {
		if !g.Dismissed && slices.ContainsFunc(g.Places, func(p findings.Place) bool { return p.Path == path }) {
			list = append(list, g)
		}
	}
	return list
}

// whole is the text of a row without columns: a place, or a value in the clear.
func (v *valueList) whole(r row) string {
	switch {
	case r.place > 0:
		return placeLine(r.group, r.place)
	case v.revealed && v.inline && r.group == v.group():
		return r.group.Value()
	}
	return ""
}

// wordsWidth is the width of the list from which there is room for words about the places of a value.
const wordsWidth = 100

// placesText is how often a value was found, or why it does not count.
func (v *valueList) placesText(r row) string {
	g, words := r.group, v.Width() >= wordsWidth
	past := g.History()
	switch {
	case g.Dismissed:
		return dismissedText(g.Dismissals)
	case !words && past == 0:
		return kit.Number(g.Live)
	case !words:
		return kit.Number(g.Live) + " now, " + kit.Number(past) + " past"
	case past == 0:
		return kit.CountGrouped(g.Live, "place")
	case g.Live == 0:
		return kit.Number(past) + " in history"
	}
	return kit.CountGrouped(g.Live, "place") + ", " + kit.Number(past) + " in history"
}

// dismissedText is the scope of the dismissals of a value.
func dismissedText(list []findings.Dismissal) string {
	if len(list) == 0 {
		return "dismissed"
	}
	d := list[0]
	switch {
	case d.Path != "":
		return "dismissed in " + kit.CountGrouped(len(list), "file")
	case !d.Until.IsZero():
		return "kept until " + d.Until.Local().Format("2 Jan 2006")
	}
	return "dismissed " + d.At.Local().Format("2 Jan 2006")
}

// placeLine is the row of a place.
func placeLine(g *findings.Group, n int) string {
	p := placeOf(g, n)
	line := placeName(&p)
	switch {
	case p.Past && p.Rev > 0:
		line += fmt.Sprintf("  in history since #%d", p.Rev)
	case p.Past:
		line += "  in history from before the first revision"
	}
	if n > len(g.Places) {
		line += "  dismissed in this file"
	}
	return line
}

// relative is an agent path below the root of the store.
func relative(path string) string { return text.Clean(strings.TrimPrefix(path, memstore.Root+"/")) }

// placeName is where a place is: path and line, or that it is in the name.
func placeName(p *findings.Place) string {
	if p.InName {
		return relative(p.Path) + " (in the name)"
	}
	return fmt.Sprintf("%s:%d", relative(p.Path), p.Line)
}

func paint(r row, st *theme.Styles) theme.Paint {
	switch g := r.group; {
	case r.place > 0:
		return st.Dim
	case g.Dismissed:
		return st.Hidden
	case g.Severity >= rule.Critical:
		return st.Error
	case g.Severity >= rule.High:
		return st.Warning
	}
	return st.Text
}
