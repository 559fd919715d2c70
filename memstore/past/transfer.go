package past

import "strings"

// The commands of revisions that a transfer between two stores made, as the titles of its groups begin.
const (
	CmdCopy = "copy"
	CmdMove = "move"
)

// VerbImport begins the title of the group that brought notes from a bundle; its revisions are copies.
const VerbImport = "import"

// Transfer is what the title of a group says of a transfer: "move 3 notes to ~/memories".
type Transfer struct {
	Verb  string // CmdCopy, CmdMove or VerbImport
	Notes string // what was transferred: "3 notes", or the name of the only one
	To    bool   // to the other store; otherwise from it
	Store string // the other store, as text for people
}

// ParseTransfer reads the title of a group; ok reports whether it is that of a transfer.
func ParseTransfer(title string) (t Transfer, ok bool) {
	verb, rest, _ := strings.Cut(title, " ")
	if verb != CmdCopy && verb != CmdMove && verb != VerbImport {
		return t, false
	}
	for at := range rest {
		for _, way := range []string{" to ", " from "} {
			store, is := strings.CutPrefix(rest[at:], way)
			if !is || store == "" {
				continue
			}
			path := strings.HasPrefix(store, "~") || strings.HasPrefix(store, "/") || strings.Index(store, `:\`) == 1
			if !ok || path {
				t, ok = Transfer{Verb: verb, Notes: rest[:at], To: way == " to ", Store: store}, true
			}
			if path { // a name before it may have one of these words too
				return t, true
			}
		}
	}
	return t, ok
}

// String says where a note went, or came from: "moved to ~/memories".
func (t Transfer) String() string {
	said := "copied"
	switch t.Verb {
	case CmdMove:
		said = "moved"
	case VerbImport:
		said = "imported"
	}
	if t.To {
		return said + " to " + t.Store
	}
	return said + " from " + t.Store
}
