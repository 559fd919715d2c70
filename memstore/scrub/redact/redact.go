// Package redact puts placeholders in the place of sensitive values, so that what could be parsed still can.
//
// [Edits] gets a text and the spans of its values and knows nothing of how they were found. It holds what a
// placeholder looks like ([Opening], [PlaceholderEnd]): what is in one is never found again. No function keeps state.
package redact

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

// Action is what takes the place of a value.
type Action string

// The actions. A class without one gets Tag.
const (
	Tag       Action = "tag"       // [REDACTED:class]
	Pseudonym Action = "pseudonym" // [REDACTED:class:7f3a12], the same for the same value under one key
	Partial   Action = "partial"   // [REDACTED:credit-card:1234], [REDACTED:email:@host]; secrets get Tag
	Line      Action = "line"      // the whole line goes, where the format allows it; else Tag
	Ignore    Action = "ignore"    // nothing changes
)

// Treatment says what is done about each class.
type Treatment struct {
	Default Action            // "" is Tag
	Classes map[string]Action // by name of the class
	// Key makes pseudonyms stable and unguessable for those who lack it. Without one Pseudonym is Tag.
	Key []byte
}

// Of is the action for a class.
func (t Treatment) Of(class string) Action {
	if a, ok := t.Classes[class]; ok && a != "" {
		return a
	}
	if t.Default != "" {
		return t.Default
	}
	return Tag
}

// Span is a sensitive value of a text.
type Span struct {
	Start, End  int    // bytes of the text
	Class, Rule string // of the finding
	Personal    bool   // its class is personal data
	Value       string // as a reader of the text would say it
	Action      Action // what is done about this one; "": what the treatment says of its class
}

// about is the action for one value.
func (t Treatment) about(f Span) Action {
	if f.Action != "" {
		return f.Action
	}
	return t.Of(f.Class)
}

// Edit replaces a span of a text. Class and Rule are those of the finding behind it,
// empty for what an edit beside it needs (a quote that YAML asks for).
type Edit struct {
	Start, End  int
	Text        string
	Class, Rule string
}

// Edits turns values of a text into replacements, ordered and free of overlaps. The text stays what it was: JSON,
// XML and YAML that could be parsed still can.
func Edits(format view.Format, text []byte, values []Span, t Treatment) []Edit {
	w := placeholderWriter{text: text, t: t, format: format}
	_, w.wide = view.UTF16Order(text)
	for i, f := range values {
		if f.Start < 0 || f.End > len(text) || f.Start >= f.End || t.about(f) == Ignore {
			continue
		}
		w.whole = w.severalLines(f) || i > 0 && w.severalLines(values[i-1]) || i+1 < len(values) && w.severalLines(values[i+1])
		w.place(f)
	}
	edits := w.settle()
	if w.wide {
		widen(text, edits)
	}
	return edits
}

// Apply carries out edits, ordered and free of overlaps, on the text they were made for.
func Apply(text []byte, edits []Edit) []byte {
	var out bytes.Buffer
	out.Grow(len(text))
	at := 0
	for _, ed := range edits {
		if ed.Start < at || ed.End > len(text) {
			continue
		}
		out.Write(text[at:ed.Start])
		out.WriteString(ed.Text)
		at = ed.End
	}
	out.Write(text[at:])
	return out.Bytes()
}

// Placeholder is what replaces a value under an action other than Line and Ignore.
func (t Treatment) Placeholder(class string, personal bool, value string) string {
	return t.placeholder(t.Of(class), class, personal, value)
}

func (t Treatment) placeholder(do Action, class string, personal bool, value string) string {
	tag := ""
	switch do {
	case Pseudonym:
		if len(t.Key) > 0 {
			tag = pseudonym(t.Key, class, value)
		}
	case Partial:
		if personal {
			tag = partial(value)
		}
	}
	if tag != "" {
		tag = ":" + tag
	}
	return Opening + class + tag + "]"
}

// pseudonym is the same for spellings of one value: case, spaces and dashes do not count.
func pseudonym(key []byte, class, value string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(class))
	mac.Write([]byte{0})
	mac.Write([]byte(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '(' || r == ')' {
			return -1
		}
		return r
	}, strings.ToLower(value))))
	return hex.EncodeToString(mac.Sum(nil)[:3])
}

// partial keeps the host of an address or the last four characters of a number.
func partial(value string) string {
	if i := strings.LastIndexByte(value, '@'); i >= 0 {
		host := value[i:]
		if n := tagEnd([]byte(host), 0); n == len(host) {
			return host
		}
		return ""
	}
	kept := make([]byte, 0, len(value))
	for _, c := range []byte(strings.ToLower(value)) {
		if ascii.Alnums[c] {
			kept = append(kept, c)
		}
	}
	if len(kept) < 8 {
		return ""
	}
	return string(kept[len(kept)-4:])
}

// placeholderWriter makes the edits of one text.
type placeholderWriter struct {
	text   []byte
	t      Treatment
	format view.Format
	wide   bool // UTF-16
	edits  []Edit
	whole  bool      // the finding, or one beside it, goes over several lines: its line stays
	keys   int       // placeholders that stand as keys: they must differ
	flow   flowState // of YAML, up to the line of the last finding
	quotes quotes    // of TOML, up to the last bare value
	block  blockLine // of YAML, the line of the last edit
	// The scalar of YAML that was looked at last.
	scalarStart, scalarEnd int
	// Where the YAML at the head of the text ends, once it was looked for.
	framed   bool
	frontEnd int
}

// severalLines reports a value with a line end in it.
func (w *placeholderWriter) severalLines(f Span) bool {
	return f.Start >= 0 && f.Start < f.End && f.End <= len(w.text) && bytes.IndexByte(w.text[f.Start:f.End], '\n') >= 0
}

// place makes the edits of one value as its format asks for.
func (w *placeholderWriter) place(f Span) {
	text := w.t.placeholder(w.t.about(f), f.Class, f.Personal, f.Value)
	ed := Edit{f.Start, f.End, text, f.Class, f.Rule}
	if w.wide {
		w.edits = append(w.edits, ed)
		return
	}
	if w.t.about(f) == Line && !w.whole && w.deleteLine(f) {
		return
	}
	switch w.format {
	case view.JSON, view.JSONL:
		w.edits = append(w.edits, ed) // settle puts them into strings
	case view.XML:
		w.placeXML(ed)
	case view.YAML:
		w.placeYAML(ed)
	default:
		w.placeText(ed)
	}
}

// placeText is for formats without rules, and for snippets inside them.
func (w *placeholderWriter) placeText(ed Edit) {
	switch {
	case w.inFrontMatter(ed.Start):
		w.placeYAML(ed)
		return
	case w.format == view.TOML && tomlKey(w.text, ed.End):
		ed.Text = w.keyed(ed.Text)
		if ed.Start == 0 || w.text[ed.Start-1] != '"' && w.text[ed.Start-1] != '\'' {
			ed.Text = `"` + ed.Text + `"`
		}
	case bareNumber(w.text, ed.Start, ed.End) || w.format == view.TOML && w.tomlBare(ed.Start, ed.End):
		ed.Text = `"` + ed.Text + `"`
	}
	w.edits = append(w.edits, ed)
}

// settle orders the edits and resolves overlaps: the first one that begins keeps its text.
func (w *placeholderWriter) settle() []Edit {
	slices.SortStableFunc(w.edits, func(a, b Edit) int { return a.Start - b.Start })
	var out []Edit
	for _, ed := range w.edits {
		n := len(out) - 1
		if n >= 0 && ed.Start < out[n].End {
			out[n].End = max(out[n].End, ed.End)
			continue
		}
		out = append(out, ed)
	}
	if w.format.Escapes() && !w.wide {
		return w.inStrings(out)
	}
	return out
}

// widen encodes the new texts as UTF-16, as the text round them is.
func widen(text []byte, edits []Edit) {
	big, _ := view.UTF16Order(text)
	for i, ed := range edits {
		wide := make([]byte, 0, 2*len(ed.Text))
		for _, c := range []byte(ed.Text) { // placeholders are ASCII
			if big {
				wide = append(wide, 0, c)
			} else {
				wide = append(wide, c, 0)
			}
		}
		edits[i].Text = string(wide)
	}
}
