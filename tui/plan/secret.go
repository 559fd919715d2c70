package plan

import (
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Value is a secret in the list, one row for all its places. It is not an action of a plan: it is redacted or dismissed on a screen
// of its own.
type Value struct {
	ID   string
	Text string // the row: class, how bad it is, the value masked, where it is first
}

// OpenValue is the intent to show a secret, and with an action to do that there.
type OpenValue struct {
	ID   string
	Then keymap.ID
}

// secretList are the secrets that wait for a decision.
type secretList struct {
	listed []Value // the worst
	all    int     // how many there are
}

// total is how many there are, and how many of them are listed where that is fewer.
func (l *secretList) total() string {
	if len(l.listed) < l.all {
		return fmt.Sprintf("%s, worst %s listed", ui.Number(l.all), ui.Number(len(l.listed)))
	}
	return ui.Number(l.all)
}

// fitsValue reports whether the filter leaves a secret.
func (f *filter) fitsValue(v Value) bool {
	if f.do != "" && !strings.HasPrefix("redact", f.do) || f.rule != "" || f.selected || !strings.HasPrefix("secrets", f.group) {
		return false
	}
	return ui.HoldsAll("redact\n"+v.Text+"\n"+secrets.short(), f.words)
}
