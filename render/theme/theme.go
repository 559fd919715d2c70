// Package theme defines the look of the terminal UI: the paint of each kind
// of text, and the glyph of each state. A Styles value is built once for a
// theme and a terminal background, is immutable and may be shared. Code
// chooses a field by meaning (Added, Unread, Error), never by color.
//
// Colors are given in full; the program reduces them to what the terminal can
// show. Color is never the only sign of a state: a glyph, a letter or an
// attribute always accompanies it, and without color the attributes remain.
package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Name is the name of a theme, as in the configuration.
type Name string

// Themes. Auto is Dark or Light, depending on the background of the terminal,
// on which Contrast depends too; Mono uses no color.
const (
	Auto     Name = "auto"
	Dark     Name = "dark"
	Light    Name = "light"
	Contrast Name = "contrast"
	Mono     Name = "mono"
)

// Names lists the themes in the order to offer them.
func Names() []Name { return []Name{Auto, Dark, Light, Contrast, Mono} }

// Options describe the terminal.
type Options struct {
	Name    Name
	Dark    bool // the terminal has a dark background
	ASCII   bool // glyphs are ASCII
	NoColor bool // bold, underline and reverse only
}

// Paint is what precedes and follows a text to style it. Close ends all
// styles, so paints go side by side, never inside each other; for a text
// inside a painted row use With.
type Paint struct{ Open, Close string }

// Apply paints one line of text.
func (p Paint) Apply(s string) string {
	if p.Open == "" || s == "" {
		return s
	}
	return p.Open + s + p.Close
}

// With returns the paint for text of style q in a row of style p: what q
// leaves unset, such as the background, comes from p.
func (p Paint) With(q Paint) Paint {
	switch {
	case p.Open == "":
		return q
	case q.Open == "":
		return p
	}
	return Paint{Open: p.Open + q.Open, Close: q.Close}
}

// Styles are the paints of a theme, by meaning. They are read-only.
type Styles struct {
	Glyphs Glyphs

	Text, Dim, Bold, Accent, Title Paint
	Path, Number                   Paint // an agent path; a line number in the gutter
	Border, BorderFocused          Paint
	Selected, SelectedBlur         Paint // the cursor's row with and without the focus
	Marked, Hidden                 Paint // a selected row; a name that the agent's listing omits
	Directory, Link, Unread        Paint
	Added, Removed                 Paint // lines of a diff
	AddedWord, RemovedWord, Hunk   Paint // their changed words; the header of a hunk
	Control, Invalid               Paint // characters made visible; bytes that are not text
	Match, MatchCurrent            Paint // search hits
	Warning, Error, Success, Info  Paint
	Badge, BadgeReadOnly           Paint
	StatusBar                      Paint
	TabActive, TabInactive         Paint
	KeyName, KeyHelp, Prompt       Paint
	// Rendered text: headings, structural markers, code, link targets, tags.
	Heading, Marker, Code, Target, Markup Paint
	// Highlighted code; comments are Dim.
	Keyword, Key, Quoted, Literal Paint
	// Additions for emphasis.
	Strong, Emphasis, Struck Paint
	// The actors of changes.
	Agent, External, Curator, Replay Paint
}

// Actor returns the paint for the name of an actor: agent, external, curator or replay. An unknown one is painted as external.
func (s *Styles) Actor(name string) Paint {
	switch name {
	case "agent":
		return s.Agent
	case "curator":
		return s.Curator
	case "replay":
		return s.Replay
	default:
		return s.External
	}
}

// New builds the styles of a theme.
func New(o Options) *Styles {
	p := choose(o)
	s := &Styles{Glyphs: unicodeGlyphs()}
	// If the tables count symbols and borders as two cells, as with
	// RUNEWIDTH_EASTASIAN, borders don't close: use ASCII.
	if o.ASCII || ansi.StringWidth("─●") != 2 {
		s.Glyphs = asciiGlyphs()
	}
	for _, t := range tokens {
		look := t.plain
		if p != nil {
			look = t.color(p)
		}
		*t.field(s) = look.paint()
	}
	return s
}

// choose returns the palette, or nil for none.
func choose(o Options) *palette {
	if o.NoColor || o.Name == Mono {
		return nil
	}
	dark := o.Dark
	switch o.Name {
	case Contrast:
		if dark {
			return contrastDark()
		}
		return contrastLight()
	case Dark:
		dark = true
	case Light:
		dark = false
	}
	if dark {
		return darkPalette()
	}
	return lightPalette()
}

// look is a style before its conversion to control sequences. Empty colors
// are those of the terminal.
type look struct {
	fg, bg                         string
	bold, faint, underline, invert bool
	italic, struck                 bool
}

// sentinel is a text that occurs in no control sequence.
const sentinel = "·"

func (l look) paint() Paint {
	st := lipgloss.NewStyle()
	if l.fg != "" {
		st = st.Foreground(lipgloss.Color(l.fg))
	}
	if l.bg != "" {
		st = st.Background(lipgloss.Color(l.bg))
	}
	if l.bold {
		st = st.Bold(true)
	}
	if l.faint {
		st = st.Faint(true)
	}
	if l.underline {
		st = st.Underline(true)
	}
	if l.italic {
		st = st.Italic(true)
	}
	if l.struck {
		st = st.Strikethrough(true)
	}
	if l.invert {
		st = st.Reverse(true)
	}
	open, end, _ := strings.Cut(st.Render(sentinel), sentinel)
	return Paint{Open: open, Close: end}
}
