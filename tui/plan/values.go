package plan

import (
	"fmt"
	"strings"

	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// sensitive is the group of the sensitive values that a scan found. They are not actions of a plan: they are decided and
// taken out in their own box, with their own question.
const sensitive policy.Group = "sensitive"

// Value is a sensitive value in the list, one row for all its places.
type Value struct {
	ID   string
	Text string // the row: class, how bad it is, the value masked, where it stands first
}

// OpenValue is the intent of enter on a value.
type OpenValue struct{ ID string }

// SetValues lists sensitive values below what is proposed; all is how many there are, which may be more.
func (p *Pane) SetValues(list []Value, all int) {
	before, had := p.Selected()
	id := p.value()
	p.values, p.allValues = list, all
	p.arrange()
	if had {
		p.find(before)
	} else if id != "" {
		p.findValue(id)
	}
	p.show()
}

// value is the id of the value under the cursor, "" where there is none.
func (p *Pane) value() string {
	if i, ok := p.list.At(); ok && i < len(p.rows) && p.rows[i].value > 0 && p.rows[i].value <= len(p.values) {
		return p.values[p.rows[i].value-1].ID
	}
	return ""
}

func (p *Pane) findValue(id string) {
	for i, r := range p.rows {
		if r.value > 0 && p.values[r.value-1].ID == id {
			p.list.MoveTo(i)
			return
		}
	}
}

// arrangeValues appends the rows of the values.
func (p *Pane) arrangeValues() {
	if len(p.values) == 0 || p.order != byGroup {
		return
	}
	var left []row
	for i, v := range p.values {
		if p.filter.fitsValue(v) {
			left = append(left, row{action: -1, group: sensitive, value: i + 1})
		}
	}
	if len(left) == 0 {
		return
	}
	p.rows = append(p.rows, row{action: -1, group: sensitive})
	if !p.folded[sensitive] || p.filter.text != "" {
		p.rows = append(p.rows, left...)
	}
}

// fitsValue reports whether the filter leaves a value.
func (f *filter) fitsValue(v Value) bool {
	if f.do != "" || f.rule != "" || f.ticked || !strings.HasPrefix(string(sensitive), f.group) {
		return false
	}
	hay := strings.ToLower(v.Text)
	for _, w := range f.words {
		if !strings.Contains(hay, w) {
			return false
		}
	}
	return true
}

// headingText is the heading of a group in words.
func (p *Pane) headingText(g policy.Group, size func(bytes int64) string) string {
	if g == sensitive {
		return valuesHeading(p.allValues, len(p.values))
	}
	s := p.counted()[g]
	return GroupText(string(g), s.count, size(s.bytes), s.shown)
}

// groupTitles are the headings of the groups of a plan.
var groupTitles = map[string]string{
	"expired": "Expired", "over cap": "Over a cap",
	"store cap": "The store is over its cap", "under cap": "To get under the cap: the smallest loss",
	"lint": "Lint: what is wrong with notes", "expiring": "Expires soon", "sensitive": "Sensitive values",
}

// GroupText is the heading of a group; a count below 0 leaves the numbers out.
func GroupText(group string, count int, bytes string, ticked int) string {
	title := groupTitles[group]
	if title == "" {
		title = group
	}
	if count < 0 {
		return title
	}
	out := fmt.Sprintf("%s  %d, %s", title, count, bytes)
	if ticked > 0 {
		out += fmt.Sprintf("  (%d ticked)", ticked)
	}
	return out
}

// valuesHeading heads the sensitive values on the Curate screen, of which so many are listed.
func valuesHeading(all, listed int) string {
	if listed < all {
		return fmt.Sprintf("Sensitive values  %s, the worst %s are listed", ui.Number(all), ui.Number(listed))
	}
	return "Sensitive values  " + ui.Number(all)
}
