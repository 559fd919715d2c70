package kit

// Opening tracks which path a tab should show, and which one is being read. The tab owns it; the reading itself is a job of the tab.
type Opening struct {
	Target  string // path to show; "" for none
	reading string // path being read; "" for none
	again   bool   // it changed during the read
}

// Busy reports whether a path is being read.
func (o *Opening) Busy() bool { return o.reading != "" }

// Wanted reports whether to read the target now. If that is already under way, it will be read again afterwards: otherwise, a file that
// changes faster than it can be read would never be shown.
func (o *Opening) Wanted() bool {
	if o.Target == "" {
		return false
	}
	if o.reading == o.Target {
		o.again = true
		return false
	}
	return true
}

// Begin marks the target as being read, and returns it.
func (o *Opening) Begin() string {
	o.reading, o.again = o.Target, false
	return o.Target
}

// End marks path as read. false: it is no longer the path to show.
func (o *Opening) End(path string) bool {
	o.reading = ""
	return path == o.Target
}

// Fail marks the read as failed, so that the next one starts over.
func (o *Opening) Fail() { o.reading, o.again = "", false }

// Again reports whether the target changed during the read.
func (o *Opening) Again() bool { return o.again }

// Texts about the file that a pane should show.
const (
	LabelOpen          = "opening"
	LabelJournal       = "reading the journal"
	LabelCompare       = "checking the journal"
	TextOpening        = "Opening..."
	TextFileGone       = "The file is gone, or not a regular file now"
	TextFileEmpty      = "The file is empty"
	TextFileUnread     = "Can't read the file now. [ returns to the view"
	TextRestUnreadable = "Can't read the rest of this file"
)
