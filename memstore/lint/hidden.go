package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/render/text"
)

// The rules of what a person does not see.
const (
	HiddenText Rule = "hidden-text" // characters that take no place on the screen
	Bidi       Rule = "bidi"        // controls that change the order in which text is shown
	Control    Rule = "control"     // control characters and escape sequences
)

// unseen is why a character is reported.
type unseen struct {
	rule     Rule
	severity Severity
}

// The characters that hide something, as Unicode has them.
const (
	zeroSpace     = 0x200b
	nonJoiner     = 0x200c
	joiner        = 0x200d
	embedLeft     = 0x202a
	popEmbed      = 0x202c
	overrideLeft  = 0x202d
	overrideRight = 0x202e
	isolateLeft   = 0x2066
	popIsolate    = 0x2069
	byteOrder     = 0xfeff
	tagFirst      = 0xe0000
	tagLast       = 0xe007f
	blackFlag     = 0x1f3f4
)

// unspaced are the scripts in which a zero-width space marks where a line may break.
var unspaced = []*unicode.RangeTable{
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Han, unicode.Hiragana, unicode.Katakana,
}

// hidden finds what a person does not see, or does not see where it stands.
func (in *inspection) hidden() {
	w := hiddenWalk{inspection: in, line: -1}
	data := in.data
	for i := 0; i < len(data); {
		c := data[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			i += w.control(i)
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if ideographic(r) {
			i += size
			continue
		}
		if r >= tagFirst && r <= tagLast || variation(r) {
			size = w.run(i, r)
		} else if u, ok := w.judge(i, size, r); ok {
			w.tell(u, i, i+size, r)
		}
		i += size
	}
	w.reasons()
}

// hiddenWalk is the way through one content.
type hiddenWalk struct {
	*inspection
	seen     map[Rule][]rune // which characters, the first few
	secrets  []string        // texts that tags or selectors spell
	line     int             // start of the line that rtl is known of, -1: of none
	lineEnd  int
	rtl      bool
	balanced bool
}

const maxNamed = 4

func (w *hiddenWalk) tell(u unseen, start, end int, r rune) {
	w.place(u.rule, u.severity, start, end)
	if w.seen == nil {
		w.seen = map[Rule][]rune{}
	}
	if named := w.seen[u.rule]; len(named) <= maxNamed && !slices.Contains(named, r) {
		w.seen[u.rule] = append(named, r)
	}
}

// control judges a control character of ASCII and returns how many bytes it takes with what belongs to it.
func (w *hiddenWalk) control(i int) int {
	c, rest := w.data[i], w.data[i+1:]
	switch {
	case c == '\r' && (len(rest) == 0 || rest[0] == '\n'), c == '\f':
		return 1
	case c == 0x1b:
		if n := color(rest); n > 0 {
			return 1 + n
		}
	}
	w.tell(unseen{Control, Warning}, i, i+1, rune(c))
	return 1
}

// color is the length of a sequence that only colors, as logs have them, behind its escape; 0: it is another.
func color(rest []byte) int {
	if len(rest) == 0 || rest[0] != '[' {
		return 0
	}
	n := 1
	for n < len(rest) && n < 32 && (rest[n] == ';' || rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	if n == len(rest) || rest[n] != 'm' {
		return 0
	}
	return n + 1
}

// judge decides whether a character beyond ASCII is reported.
func (w *hiddenWalk) judge(i, size int, r rune) (unseen, bool) {
	switch {
	case r < 0xa0 && r >= 0x80:
		return unseen{Control, Warning}, true
	case r == overrideLeft || r == overrideRight:
		return unseen{Bidi, Danger}, true
	case r >= embedLeft && r <= popEmbed, r >= isolateLeft && r <= popIsolate:
		w.look(i)
		return unseen{Bidi, Warning}, !w.rtl || !w.balanced
	case r == byteOrder:
		return unseen{HiddenText, Warning}, i > 0
	case r == zeroSpace:
		return unseen{HiddenText, Warning}, !unicode.In(w.before(i), unspaced...) && !unicode.In(w.after(i+size), unspaced...)
	case r == joiner || r == nonJoiner:
		return unseen{HiddenText, Warning}, !w.joins(i, size)
	case r >= 0x2060 && r <= 0x206f, r == 0x180e, text.Blank(r): // they join words and formulas, or are drawn as nothing
		hangul := unicode.Is(unicode.Hangul, r) && (unicode.Is(unicode.Hangul, w.before(i)) || unicode.Is(unicode.Hangul, w.after(i+size)))
		return unseen{HiddenText, Warning}, !hangul
	}
	return unseen{}, false
}

func (w *hiddenWalk) before(i int) rune { r, _ := utf8.DecodeLastRune(w.data[:i]); return r }
func (w *hiddenWalk) after(i int) rune  { r, _ := utf8.DecodeRune(w.data[i:]); return r }

// joins reports whether a joiner has something to join: parts of an emoji, or letters of a
// script where it counts.
func (w *hiddenWalk) joins(i, size int) bool {
	before, after := w.before(i), w.after(i+size)
	if pictorial(before) || before == 0xfe0f {
		return pictorial(after)
	}
	return text.Joins(before) || unicode.Is(unicode.Inherited, before)
}

func pictorial(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff && unicode.Is(unicode.So, r) || r == 0x2640 || r == 0x2642
}

// variation reports whether a character only chooses among shapes of the one before it.
func variation(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// run judges a run of tags or of variation selectors and returns its bytes. One selector is a
// choice of shape; a run of them can only be there to carry something.
func (w *hiddenWalk) run(i int, first rune) int {
	n, count := 0, 0
	var text []byte
	for i+n < len(w.data) {
		r, size := utf8.DecodeRune(w.data[i+n:])
		tag := r >= tagFirst && r <= tagLast
		if tag != (first >= tagFirst && first <= tagLast) || !tag && !variation(r) {
			break
		}
		n, count = n+size, count+1
		if len(text) <= 4*maxQuote {
			text = append(text, spelled(r))
		}
	}
	tags := first >= tagFirst && first <= tagLast
	switch {
	case tags && w.before(i) == blackFlag: // the flags of England, Scotland, Wales
		return n
	case !tags && count == 1:
		if first >= 0xe0100 && !unicode.Is(unicode.Han, w.before(i)) {
			w.tell(unseen{HiddenText, Warning}, i, i+n, first)
		}
		return n
	}
	w.tell(unseen{HiddenText, Danger}, i, i+n, first)
	if s := printable(text); s != "" && len(w.secrets) < maxNamed {
		w.secrets = append(w.secrets, s)
	}
	return n
}

// spelled decodes the byte in a tag or a selector, in which programs hide text.
func spelled(r rune) byte {
	switch {
	case r >= 0xe0100:
		return byte(r - 0xe0100 + 16)
	case r >= tagFirst:
		return byte(r - tagFirst)
	}
	return byte(r - 0xfe00)
}

// printable is the text where nearly all of it can be read, else "".
func printable(text []byte) string {
	out := bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	if len(out) < 2 || len(out)*10 < len(text)*8 {
		return ""
	}
	return string(out)
}

// look finds out whether the line around an offset holds text that runs from right to left, and
// whether its embeddings and isolates are closed again.
func (w *hiddenWalk) look(i int) {
	if w.line >= 0 && i >= w.line && i < w.lineEnd {
		return
	}
	w.line = bytes.LastIndexByte(w.data[:i], '\n') + 1
	w.lineEnd = len(w.data)
	if n := bytes.IndexByte(w.data[i:], '\n'); n >= 0 {
		w.lineEnd = i + n
	}
	w.rtl, w.balanced = false, true
	embeds, isolates := 0, 0
	for _, r := range string(w.data[w.line:w.lineEnd]) {
		switch {
		case r < 0x590:
		case r == popEmbed:
			embeds--
		case r >= embedLeft && r < popEmbed:
			embeds++
		case r == popIsolate:
			isolates--
		case r >= isolateLeft && r < popIsolate:
			isolates++
		case r <= 0x8ff, r >= 0xfb1d && r <= 0xfdff, r >= 0xfe70 && r <= 0xfefc, r >= 0x10800 && r <= 0x10fff, r >= 0x1e800 && r <= 0x1efff:
			w.rtl = true
		}
		if embeds < 0 || isolates < 0 {
			w.balanced = false
		}
	}
	w.balanced = w.balanced && embeds == 0 && isolates == 0
}

// reasons words what was found.
func (w *hiddenWalk) reasons() {
	for rule, what := range map[Rule]string{HiddenText: "invisible character", Bidi: "reordering character", Control: "control character"} {
		f := w.found[rule]
		if f == nil {
			continue
		}
		f.Reason = text.Count(f.Count, what) + ": " + names(w.seen[rule])
		if rule == Bidi {
			f.Reason += "; you and the agent read different orders"
		}
		if rule == HiddenText && len(w.secrets) > 0 {
			f.Reason = "invisible characters spell " + quote(strings.Join(w.secrets, " "))
		}
	}
}

func names(list []rune) string {
	var out []string
	for i, r := range list {
		if i == maxNamed {
			out = append(out, "...")
			break
		}
		out = append(out, fmt.Sprintf("U+%04X", r))
	}
	return strings.Join(out, ", ")
}
