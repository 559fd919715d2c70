package tui

// held is what the diff tab stays with until the user chooses another file or change. At most
// one of the fields is set, so it is always replaced as a whole. The zero value holds
// nothing: the tab then shows the newest change of the file under the tree's cursor.
type held struct {
	change   int   // number of a live change
	revision int64 // of the journal
	pair     *filePair
}

// nothing reports whether the diff tab goes along with the tree's cursor.
func (h held) nothing() bool { return h == held{} }

// steppedPath is the path through whose changes "older" and "newer" go: that of the change
// in the diff tab, which may be gone from the store, else that of the open file.
func (m *Model) steppedPath() string {
	if (m.held.change != 0 || m.held.revision != 0) && m.diff.Path() != "" {
		return m.diff.Path()
	}
	return m.viewer.Path()
}
