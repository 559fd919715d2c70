package past

import "time"

// GroupInfo is what a group is.
type GroupInfo struct {
	Group     int64  // the number that [Revision].Group has
	Name      string // as its maker chose it; "" of a lone revision
	Title     string // may be empty
	Time      time.Time
	Revisions int
	Undone    int // how many of them are undone
}

// Since is what happened to the same paths after the changes that a plan undoes. A plan that undoes nothing has none.
type Since struct {
	Count  int      // of the revisions in force
	Newest Revision // of them; Rev is 0 if there are none
}
