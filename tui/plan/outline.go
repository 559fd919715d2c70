package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// order is how the list is sorted.
type order uint8

const (
	byGroup order = iota
	byPath
	bySize
	byDue
	orders
)

func (o order) String() string {
	return [...]string{"group", "path", "size", "due date"}[o]
}

// shownAtFirst is how many suggestions are listed before the rest is folded, and ofKind how many of one kind.
const (
	shownAtFirst = 8
	ofKind       = 3
)

// rowKind says what a row represents.
type rowKind uint8

const (
	headingRow  rowKind = iota
	proposalRow         // at is its place in the plan
	secretRow           // at is its place among the secrets
	restRow             // the suggestions that are folded
)

// row is a row of the list.
type row struct {
	kind    rowKind
	section section
	at      int
}

// outline is what of a plan and of the secrets is listed, in which order, and what of it is folded.
type outline struct {
	plan      *policy.Plan // nil: none is made yet
	secrets   secretList
	selection *selection
	filter    filter
	order     order
	folded    [sections]bool
	unfolded  bool // all suggestions are listed
	rows      []row
	rest      []int // the suggestions that are not listed, as places in the plan
	longest   int   // cells of the longest path of the rows
	sums      *[sections]sum
	summed    int // the version of the selection that sums counted
}

// arrange works out the rows.
func (o *outline) arrange() {
	o.sums, o.rest, o.rows, o.longest = nil, nil, o.rows[:0], 0
	if o.plan == nil {
		return
	}
	var of [sections][]int
	for i := range o.plan.Actions {
		if a := &o.plan.Actions[i]; o.filter.fits(a, o.selection) {
			of[sectionOf(a)] = append(of[sectionOf(a)], i)
		}
	}
	if o.order != byGroup {
		o.listFlat(slices.Concat(of[:]...))
	} else {
		for s := range sections {
			if s == secrets {
				o.listSecrets()
				continue
			}
			o.listSection(s, of[s])
		}
	}
	for i := range o.rows {
		if a := o.action(i); a != nil {
			o.longest = max(o.longest, text.Width(nameOf(a)))
		}
	}
}

// listSection lists the heading of a section and, unless it is folded, its actions.
func (o *outline) listSection(s section, all []int) {
	if len(all) == 0 {
		return
	}
	o.rows = append(o.rows, row{kind: headingRow, section: s})
	if o.closed(s) {
		return
	}
	if s == suggested && !o.unfolded && o.filter.text == "" {
		all, o.rest = o.firstOfEachKind(all)
	}
	for _, i := range all {
		o.rows = append(o.rows, row{proposalRow, s, i})
	}
	if s == suggested && len(o.rest) > 0 {
		o.rows = append(o.rows, row{kind: restRow, section: s})
	}
}

// firstOfEachKind parts the first suggestions of each kind from the rest.
func (o *outline) firstOfEachKind(all []int) (listed, rest []int) {
	if len(all) <= shownAtFirst+1 {
		return all, nil
	}
	count := map[string]int{}
	for _, i := range all {
		word := kindWord(&o.plan.Actions[i])
		if count[word]++; count[word] <= ofKind && len(listed) < shownAtFirst {
			listed = append(listed, i)
		} else {
			rest = append(rest, i)
		}
	}
	return listed, rest
}

// restText is the row that sums up suggestions: how many, and of which kinds.
func (o *outline) restText() string {
	var words []string
	count := map[string]int{}
	for _, i := range o.rest {
		word := kindWord(&o.plan.Actions[i])
		if count[word]++; count[word] == 1 {
			words = append(words, word)
		}
	}
	for i, word := range words {
		words[i] = fmt.Sprintf("%s (%s)", word, ui.Number(count[word]))
	}
	return ui.Number(len(o.rest)) + " more: " + strings.Join(words, ", ")
}

func (o *outline) listSecrets() {
	heading := len(o.rows)
	for i, v := range o.secrets.listed {
		if !o.filter.fitsValue(v) {
			continue
		}
		if len(o.rows) == heading {
			o.rows = append(o.rows, row{kind: headingRow, section: secrets})
		}
		if !o.closed(secrets) {
			o.rows = append(o.rows, row{secretRow, secrets, i})
		}
	}
}

// listFlat lists actions in an order of their own, without sections.
func (o *outline) listFlat(all []int) {
	less := func(a, b *policy.Action) int { return strings.Compare(a.Path, b.Path) }
	switch o.order {
	case bySize:
		less = func(a, b *policy.Action) int { return cmp.Compare(b.Bytes, a.Bytes) }
	case byDue:
		less = func(a, b *policy.Action) int {
			if a.Due.IsZero() != b.Due.IsZero() {
				return map[bool]int{true: 1, false: -1}[a.Due.IsZero()]
			}
			return a.Due.Compare(b.Due)
		}
	}
	slices.Sort(all)
	slices.SortStableFunc(all, func(i, j int) int { return less(&o.plan.Actions[i], &o.plan.Actions[j]) })
	for _, i := range all {
		o.rows = append(o.rows, row{proposalRow, sectionOf(&o.plan.Actions[i]), i})
	}
}

// closed reports whether a section is folded now: a filter shows what is in all of them.
func (o *outline) closed(s section) bool { return o.folded[s] && o.filter.text == "" }

// fold folds a section, and the suggestions behind one row again.
func (o *outline) fold(s section) {
	o.folded[s] = true
	if s == suggested {
		o.unfolded = false
	}
}

func (o *outline) foldAll() {
	for s := range sections {
		o.fold(s)
	}
}

func (o *outline) unfoldAll() { o.folded, o.unfolded = [sections]bool{}, true }

// row is a row of the list; false: there is none at this place.
func (o *outline) row(i int) (row, bool) {
	if i < 0 || i >= len(o.rows) {
		return row{}, false
	}
	return o.rows[i], true
}

// action is the proposal of a row, nil where it is about something else.
func (o *outline) action(i int) *policy.Action {
	if r, ok := o.row(i); ok && r.kind == proposalRow {
		return &o.plan.Actions[r.at]
	}
	return nil
}

// rowKey names what a row is about, wherever it is listed.
type rowKey struct {
	kind    rowKind
	section section // of a heading
	name    string  // a path, or the id of a secret
	key     string  // of the configuration
}

func (o *outline) key(i int) rowKey {
	r, ok := o.row(i)
	if !ok {
		return rowKey{}
	}
	k := rowKey{kind: r.kind}
	switch a, v := o.action(i), o.secret(i); {
	case a != nil:
		k.name, k.key = a.Path, a.Key
	case v != nil:
		k.name = v.ID
	default:
		k.section = r.section
	}
	return k
}

// secret is the secret of a row, nil where it is about something else.
func (o *outline) secret(i int) *Value {
	if r, ok := o.row(i); ok && r.kind == secretRow && r.at < len(o.secrets.listed) {
		return &o.secrets.listed[r.at]
	}
	return nil
}

// place is the first row that fits, -1 where none does.
func (o *outline) place(fits func(i int) bool) int {
	for i := range o.rows {
		if fits(i) {
			return i
		}
	}
	return -1
}

// heading is the row of a section's heading, -1 where it has none.
func (o *outline) heading(s section) int {
	return slices.Index(o.rows, row{kind: headingRow, section: s})
}

// under lists what can be selected of a row: its action, the suggestions that it sums up, or of a heading those of its section that
// the filter leaves.
func (o *outline) under(r row) (list []*policy.Action) {
	var all []int
	switch r.kind {
	case proposalRow:
		all = []int{r.at}
	case restRow:
		all = o.rest
	case headingRow:
		for i := range o.plan.Actions {
			if a := &o.plan.Actions[i]; sectionOf(a) == r.section && o.filter.fits(a, o.selection) {
				all = append(all, i)
			}
		}
	}
	for _, i := range all {
		if a := &o.plan.Actions[i]; sectionOf(a) != soon && !o.selection.locks(a) {
			list = append(list, a)
		}
	}
	return list
}

// between lists what can be selected of the rows between two, both of them included. A heading counts as its section if that is
// folded.
func (o *outline) between(from, to int) (list []*policy.Action) {
	for i := max(min(from, to), 0); i <= max(from, to) && i < len(o.rows); i++ {
		if r := o.rows[i]; r.kind != headingRow || o.closed(r.section) {
			list = append(list, o.under(r)...)
		}
	}
	return list
}

// sum is what a section holds: count and bytes are of what the filter leaves, the others of all.
type sum struct {
	count         int
	bytes         int64
	selected      int
	selectedBytes int64
}

// totals counts the sections once for each change of plan, filter or selection: a frame draws several sums of ten thousand actions.
func (o *outline) totals() *[sections]sum {
	if o.sums != nil && o.summed == o.selection.version {
		return o.sums
	}
	o.sums, o.summed = &[sections]sum{}, o.selection.version
	if o.plan == nil {
		return o.sums
	}
	for i := range o.plan.Actions {
		a := &o.plan.Actions[i]
		s := &o.sums[sectionOf(a)]
		if len(o.selection.on) > 0 && o.selection.has(a) {
			s.selected++
			s.selectedBytes += a.Bytes
		}
		if o.filter.fits(a, o.selection) {
			s.count++
			if a.Path != memoriesPath { // it holds the others
				s.bytes += a.Bytes
			}
		}
	}
	return o.sums
}

// counts are how many proposals of rules, suggestions and secrets there are, whatever the filter leaves.
func (o *outline) counts() (rules, suggestions, values int) {
	if o.plan == nil {
		return 0, 0, o.secrets.all
	}
	for i := range o.plan.Actions {
		switch a := &o.plan.Actions[i]; {
		case o.selection.locks(a):
		case sectionOf(a) == byRules:
			rules++
		case sectionOf(a) == suggested:
			suggestions++
		}
	}
	return rules, suggestions, o.secrets.all
}
