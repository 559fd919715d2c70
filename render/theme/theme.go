// Package theme holds the looks of the terminal UI: what each kind of text is
// painted with, and which glyphs stand for which state. A Styles value is built
// once for a theme and a terminal background, is never changed afterwards and
// may be shared by all parts. The parts choose a field by meaning (Added,
// Unread, Error) and never a color.
//
// Colours are given in full; the program lowers them to what the terminal can
// show. No state is told by color alone: next to the color there is always a
// glyph, a sign or an attribute, and without color the attributes step in.
package theme

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Name is the name of a theme, as in the configuration.
type Name string

// The themes. Auto is Dark or Light by the background of the terminal; Contrast
// follows the background too; Mono uses no color at all.
const (
	Auto     Name = "auto"
	Dark     Name = "dark"
	Light    Name = "light"
	Contrast Name = "contrast"
	Mono     Name = "mono"
)

// Names lists the themes in the order in which they are offered.
func Names() []Name { return []Name{Auto, Dark, Light, Contrast, Mono} }

// Parse reads the name of a theme. An empty name is Auto.
func Parse(name string) (Name, error) {
	if name == "" {
		return Auto, nil
	}
	for _, n := range Names() {
		if string(n) == name {
			return n, nil
		}
	}
	return Auto, fmt.Errorf("unknown theme %q; choose auto, dark, light, contrast or mono", name)
}

// Options say for which terminal the styles are.
type Options struct {
	Name    Name
	Dark    bool // the terminal has a dark background
	ASCII   bool // glyphs are ASCII
	NoColor bool // bold, underline and reverse only
}

// Paint is what comes before and after a text to give it a style. Closing ends
// all styles, so paints are put side by side, never around each other; for a
// text inside a painted row use With.
type Paint struct{ Open, Close string }

// Apply paints one line of text.
func (p Paint) Apply(s string) string {
	if p.Open == "" || s == "" {
		return s
	}
	return p.Open + s + p.Close
}

// With is the paint of a text of style q in a row of style p: what q leaves
// open, such as the background, comes from p.
func (p Paint) With(q Paint) Paint {
	switch {
	case p.Open == "":
		return q
	case q.Open == "":
		return p
	}
	return Paint{Open: p.Open + q.Open, Close: q.Close}
}

// Styles are the paints of a theme, by meaning. Read only.
type Styles struct {
	Glyphs Glyphs
	// Colored is false when the styles have attributes only.
	Colored bool

	Text, Dim, Bold, Accent, Title Paint
	Path, Number                   Paint // an agent path; a line number in the gutter
	Border, BorderFocused          Paint
	Selected, SelectedBlur         Paint // the cursor's row in the pane with and without the focus
	Marked, Hidden                 Paint // a marked row; a name that the agent's listing leaves out
	Directory, Link, Unread        Paint
	Added, Removed                 Paint // lines of a diff
	AddedWord, RemovedWord, Hunk   Paint // the changed words in them; the header of a hunk
	Moved                          Paint // lines that were only moved
	Control, Invalid               Paint // characters made visible; bytes that are not text
	Match, MatchCurrent            Paint // search hits
	Warning, Error, Success, Info  Paint
	Badge, BadgeReadOnly           Paint
	StatusBar                      Paint
	TabActive, TabInactive         Paint
	KeyName, KeyHelp, Prompt       Paint
	// Rendered text: headings, the signs of structure, code, where a link leads, tags.
	Heading, Marker, Code, Target, Markup Paint
	// Highlighted code; comments are Dim.
	Keyword, Key, Quoted, Literal Paint
	// What emphasis adds to any of these.
	Strong, Emphasis, Struck Paint
	// The actors of changes.
	Agent, External, Curator, Replay Paint
}

// Actor is how the name of who made a change is painted: agent, external, curator or replay. One
// that is not known is painted as external.
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
	s := &Styles{Glyphs: unicodeGlyphs(), Colored: p != nil}
	// Where the tables count signs and frames as two cells, as they do with
	// RUNEWIDTH_EASTASIAN, frames do not close: ASCII stands in.
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

// look is a style before it is turned into control sequences. Empty colors
// are those of the terminal.
type look struct {
	fg, bg                         string
	bold, faint, underline, invert bool
	italic, struck                 bool
}

// sentinel is a text that no control sequence contains.
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
