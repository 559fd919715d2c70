package theme

// Glyphs are the signs of the UI. Every one takes one cell, but for Ellipsis
// and Arrow in ASCII. Those of one set that can be in the same place differ.
type Glyphs struct {
	Expanded, Collapsed         string // folders of the tree
	Unread                      string // a change not looked at
	Cursor                      string // in front of the cursor's row
	Mark, Range                 string // a marked row; one in the range that is being chosen
	Live, Gone                  string // the watch runs; the store cannot be read
	Ellipsis, Arrow             string
	Plus, Minus                 string // counts of added and removed lines
	Link                        string // a symbolic link
	Denied                      string // unreadable
	HiddenMark                  string // left out of the agent's listing
	Sensitive                   string // sensitive values were found in it
	Due                         string // something is proposed for it
	Pinned                      string // nothing is proposed for it
	ScrollThumb, ScrollTrack    string
	Border, BorderFocused       Border // differ without color
	Separator                   string // between the items of a bar
	Warning                     string
	More                        string // one cell: a line goes on beyond the edge
	MovedAway, MovedHere        string // signs of lines of a diff that were only moved
	Blank, TabMark              string // a space, and the first cell of a tab, where they matter
	Beyond                      string // beside lines that a client does not load by itself
	SplitVertical, SplitContext string // between the sides of a diff; in front of skipped lines
}

// Border is the frame of a pane.
type Border struct {
	TopLeft, Top, TopRight, Right, BottomRight, Bottom, BottomLeft, Left string
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Expanded: "▾", Collapsed: "▸", Unread: "✎", Cursor: "▌", Mark: "✓", Range: "┊", Live: "●", Gone: "○",
		Ellipsis: "…", Arrow: "→", Plus: "+", Minus: "−", Link: "↗", Denied: "⊘", HiddenMark: "∅", Sensitive: "◆", Due: "◔", Pinned: "▴",
		ScrollThumb: "▐", ScrollTrack: " ", Separator: "·", Warning: "⚠", More: "›", SplitVertical: "│", SplitContext: "⋯",
		MovedAway: "⊟", MovedHere: "⊞", Blank: "·", TabMark: "→", Beyond: "┆",
		Border:        Border{"╭", "─", "╮", "│", "╯", "─", "╰", "│"},
		BorderFocused: Border{"┏", "━", "┓", "┃", "┛", "━", "┗", "┃"},
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Expanded: "-", Collapsed: "+", Unread: "*", Cursor: ">", Mark: "x", Range: ":", Live: "*", Gone: "o",
		Ellipsis: "...", Arrow: "->", Plus: "+", Minus: "-", Link: "@", Denied: "!", HiddenMark: "o", Sensitive: "!", Due: "~", Pinned: "^",
		ScrollThumb: "#", ScrollTrack: " ", Separator: "-", Warning: "!", More: ">", SplitVertical: "|", SplitContext: ":",
		MovedAway: "m", MovedHere: "M", Blank: "_", TabMark: ">", Beyond: ":",
		Border:        Border{"+", "-", "+", "|", "+", "-", "+", "|"},
		BorderFocused: Border{"#", "=", "#", "#", "#", "=", "#", "#"},
	}
}
