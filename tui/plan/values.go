package plan

import (
	"fmt"
	"strings"

	"memcurator/tui/ui"
)

// Value is a secret in the list, one row for all its places. It is not an action of a plan: it is redacted or dismissed on a screen
// of its own.
type Value struct {
	ID   string
	Text string // the row: class, how bad it is, the value masked, where it is first
}

// OpenValue is the intent of enter on a secret.
type OpenValue struct{ ID string }

// SetValues lists secrets below what is proposed; all is how many there are, which may be more.
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

// value is the id of the secret under the cursor, "" where there is none.
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

// arrangeValues appends the rows of the secrets.
func (p *Pane) arrangeValues() {
	var left []row
	for i, v := range p.values {
		if p.filter.fitsValue(v) {
			left = append(left, row{action: -1, section: secrets, value: i + 1})
		}
	}
	if len(left) == 0 {
		return
	}
	p.rows = append(p.rows, row{action: -1, section: secrets})
	if !p.folded[secrets] || p.filter.text != "" {
		p.rows = append(p.rows, left...)
	}
}

// fitsValue reports whether the filter leaves a secret.
func (f *filter) fitsValue(v Value) bool {
	if f.do != "" && !strings.HasPrefix("redact", f.do) || f.rule != "" || f.ticked || !strings.HasPrefix("secrets", f.group) {
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

// valuesTotal is how many secrets there are, and how many are listed where that is fewer.
func (p *Pane) valuesTotal() string {
	if len(p.values) < p.allValues {
		return fmt.Sprintf("%s, worst %s listed", ui.Number(p.allValues), ui.Number(len(p.values)))
	}
	return ui.Number(p.allValues)
}
