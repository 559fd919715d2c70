package past

import "time"

// GroupInfo is what a group is.
type GroupInfo struct {
	Group     int64  // the number that [Revision].Group has
	Title     string // "" where nobody has given it one
	Time      time.Time
	Revisions int
	Undone    int // of them, how many are taken back
}

// Since is what happened in a store after what a plan takes back. A plan that takes nothing back has none.
type Since struct {
	Count  int      // of the revisions that are in force
	Newest Revision // of them; its Rev is 0 where there is none
}

// FolderTime is the modification time of a folder right before and right after an edit.
type FolderTime struct {
	Path          string // agent path
	Before, After time.Time
}
