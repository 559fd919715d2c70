package kit

// Texts of panes about what they should show.
const (
	LabelOpen          = "opening"
	LabelJournal       = "reading the journal"
	LabelCompare       = "checking the journal"
	textOpening        = "Opening..."
	TextFileGone       = "The file is gone, or not a regular file now"
	TextFileEmpty      = "The file is empty"
	TextFileUnread     = "Can't read the file now"
	TextNoJournal      = "The journal can't be read" // it is damaged
	TextRestUnreadable = "Can't read the rest of this file"
)
