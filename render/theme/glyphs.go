package theme

// Glyphs are the symbols of the UI. Each takes one cell, except Ellipsis and
// Arrow in ASCII. Those of one set that can appear in the same place differ.
type Glyphs struct {
	Expanded, Collapsed      string // folders of the tree
	Unread                   string // an unread change
	Cursor                   string // before the cursor's row
	Mark, Range              string // a selected row; one in the range being selected
	Live, Gone               string // watching; the store can't be read
	Ellipsis, Arrow          string
	Plus, Minus              string // counts of added and removed lines
	Link                     string // a symbolic link
	Denied                   string // unreadable
	HiddenMark               string // omitted from the agent's listing
	Sensitive                string // contains secrets
	Due                      string // has a proposal
	Pinned                   string // pinned
	ScrollThumb, ScrollTrack string
	Border, BorderFocused    Border // distinct even without color
	Separator                string // between the items of a bar
	Warning                  string
	More                     string // one cell: the line continues beyond the edge
	Blank, TabMark           string // a space, and the first cell of a tab, when they matter
	SplitVertical            string // between the sides of a diff
}

// Border is the frame of a pane.
type Border struct {
	TopLeft, Top, TopRight, Right, BottomRight, Bottom, BottomLeft, Left string
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Expanded: "▾", Collapsed: "▸", Unread: "✎", Cursor: "▌", Mark: "✓", Range: "┊", Live: "●", Gone: "○",
		Ellipsis: "…", Arrow: "→", Plus: "+", Minus: "−", Link: "↗", Denied: "⊘", HiddenMark: "∅", Sensitive: "◆", Due: "◔", Pinned: "▴",
		ScrollThumb: "▐", ScrollTrack: " ", Separator: "·", Warning: "⚠", More: "›", SplitVertical: "│",
		Blank: "·", TabMark: "→",
		Border:        Border{"╭", "─", "╮", "│", "╯", "─", "╰", "│"},
		BorderFocused: Border{"┏", "━", "┓", "┃", "┛", "━", "┗", "┃"},
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Expanded: "-", Collapsed: "+", Unread: "*", Cursor: ">", Mark: "x", Range: ":", Live: "*", Gone: "o",
		Ellipsis: "...", Arrow: "->", Plus: "+", Minus: "-", Link: "@", Denied: "!", HiddenMark: "o", Sensitive: "!", Due: "~", Pinned: "^",
		ScrollThumb: "#", ScrollTrack: " ", Separator: "-", Warning: "!", More: ">", SplitVertical: "|",
		Blank: "_", TabMark: ">",
		Border:        Border{"+", "-", "+", "|", "+", "-", "+", "|"},
		BorderFocused: Border{"#", "=", "#", "#", "#", "=", "#", "#"},
	}
}
