package ui

// Opening is which path a tab is to show, and which one is being read for it. The tab owns it;
// the reading itself is a job of the tab.
type Opening struct {
	Target  string // path to show, "" for none
	reading string // path that is being read, "" for none
	again   bool   // it changed while it was being read
}

// Busy reports whether a path is being read.
func (o *Opening) Busy() bool { return o.reading != "" }

// Wanted reports whether the target is to be read now. While that is under way already it is read
// again afterwards: a file that changes faster than it is read would never be shown otherwise.
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

// Begin notes that the target is being read from now on, and returns it.
func (o *Opening) Begin() string {
	o.reading, o.again = o.Target, false
	return o.Target
}

// End notes that path was read. false: it is no longer the path to show.
func (o *Opening) End(path string) bool {
	o.reading = ""
	return path == o.Target
}

// Fail notes that reading ended in an error, so that the next wish begins afresh.
func (o *Opening) Fail() { o.reading, o.again = "", false }

// Again reports whether the target changed while it was read.
func (o *Opening) Again() bool { return o.again }

// Texts about the file that a pane shows, or was to show.
const (
	LabelOpen          = "opening"
	LabelJournal       = "reading the journal"
	LabelCompare       = "checking the journal"
	TextOpening        = "Opening..."
	TextFileGone       = "The file is gone, or not a regular file now"
	TextFileEmpty      = "The file is empty"
	TextFileUnread     = "Can't read the file now. [ returns to the view"
	TextLineUnread     = "Can't read the line now"
	TextRestUnreadable = "Can't read the rest of this file"
)

// WrapText says how long lines are shown now.
func WrapText(on bool) string {
	if on {
		return "Long lines wrap"
	}
	return "Long lines are cut. {motion/left} {motion/right} scroll"
}
