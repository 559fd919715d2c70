package text

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// show writes spans as text, with what is not plain in braces behind the letter
// of its kind: Control, Invisible, invalid (X), Tab.
func show(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Kind == plain {
			b.WriteString(s.Text)
			continue
		}
		fmt.Fprintf(&b, "{%c%s}", "PCIXT"[s.Kind], s.Text)
	}
	return b.String()
}

func joined(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func TestSpans(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ascii", "plain text", "plain text"},
		{"escape sequence", "a\x1b[31mb", "a{C^[}[31mb"},
		{"clipboard", "\x1b]52;c;eA==\a", "{C^[}]52;c;eA=={C^G}"},
		{"overwriting", "secret\rpublic", "secret{C^M}public"},
		{"controls", "\x00\x08\n\x7f", "{C^@}{C^H}{C^J}{C^?}"},
		{"C1 in UTF-8", "a\u009b31m\u0085", "a{C<U+009B>}31m{C<U+0085>}"},
		{"C1 as a byte", "a\x9b31m", `a{X\x9b}31m`},
		{"invalid", "\xc3(\xff\xed\xa0\x80", `{X\xc3}({X\xff}{X\xed}{X\xa0}{X\x80}`},
		{"overlong", "\xc0\x9b\xe0\x82\x9b", `{X\xc0}{X\x9b}{X\xe0}{X\x82}{X\x9b}`},
		{"tabs", "\ta\tbc\t", "{T        }a{T       }bc{T      }"},
		{"tab after wide", "中\t|", "中{T      }|"},
		{"bidi override", "user\u202etxt.exe", "user{I<U+202E>}txt.exe"},
		{"bidi isolate", "\u2066a\u2069\u061c\u200e\u200f", "{I<U+2066>}a{I<U+2069>}{I<U+061C>}{I<U+200E>}{I<U+200F>}"},
		{"zero width", "pass\u200bword\ufeff\u2060\u00ad", "pass{I<U+200B>}word{I<U+FEFF>}{I<U+2060>}{I<U+00AD>}"},
		{"joiners in Latin", "a\u200cb\u200dc", "a{I<U+200C>}b{I<U+200D>}c"},
		{"fillers", "\u3164\u115f\u1160\uffa0\u034f\u17b4\u180e",
			"{I<U+3164>}{I<U+115F>}{I<U+1160>}{I<U+FFA0>}{I<U+034F>}{I<U+17B4>}{I<U+180E>}"},
		{"tags", "x\U000e0001\U000e0061\U000e007f", "x{I<U+E0001>}{I<U+E0061>}{I<U+E007F>}"},
		{"annotations", "\ufff9a\ufffab\ufffb", "{I<U+FFF9>}a{I<U+FFFA>}b{I<U+FFFB>}"},
		{"separators", "a\u2028b\u2029c", "a{I<U+2028>}b{I<U+2029>}c"},
		{"unassigned", "\u0378\ufffe\U0010ffff\ue000", "{I<U+0378>}{I<U+FFFE>}{I<U+10FFFF>}{I<U+E000>}"},
		{"replacement character", "a\ufffdb", "a\ufffdb"},
		{"accents", "café re\u0301sume\u0301", "café re\u0301sume\u0301"},
		{"zalgo", "a\u0301\u0302\u0303\u0304\u0305\u0306", "a\u0301\u0302\u0303\u0304{I◌\u0305}{I◌\u0306}"},
		{"mark without base", "\u0301a\x1b\u0301", "{I◌\u0301}a{C^[}{I◌\u0301}"},
		{"East Asian", "日本語 한국어 中文 ｶﾅ", "日本語 한국어 中文 ｶﾅ"},
		{"Hangul in parts", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"},
		{"Hangul syllable and tail", "\uac00\u11a8", "\uac01"},
		{"right to left", "שלום مرحبا", "שלום مرحبا"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"two joiners", "می\u200c\u200cخ", "می\u200c{I<U+200C>}خ"},
		{"Thai", "น้ำ ทำ", "น\u0e49\u0e4d\u0e32 ท\u0e4d\u0e32"},
		{"Hindi", "हिन्दी में नमस्ते", "हिन्दी में नमस्ते"},
		{"other Indic scripts", "தமிழ் நினைவுகள் বাংলা નોંધ", "தமிழ் நினைவுகள் বাংলা નોંધ"},
		{"emoji", "✅ 🎉 done", "✅ 🎉 done"},
		{"emoji style", "⚠\ufe0f ❤\ufe0f", "⚠ ❤"},
		{"keycap", "1\ufe0f\u20e3 2\ufe0f", "1\u20e3 2{I<U+FE0F>}"},
		{"family", "👨\u200d👩\u200d👧!", "👨👩👧!"},
		{"skin tone", "👍\U0001f3fd", "👍{I<U+1F3FD>}"},
		{"flag", "🇩🇪🇫", "🇩🇪{I<U+1F1EB>}"},
		{"variation selectors", "a\ufe00b\ufe0fc\U000e0101", "a{I<U+FE00>}b{I<U+FE0F>}c{I<U+E0101>}"},
		{"smuggled in selectors", "😀\ufe0f\ufe01\U000e0170", "😀{I<U+FE01>}{I<U+E0170>}"},
		{"ideographic variant", "葛\U000e0100\U000e0101", "葛\U000e0100{I<U+E0101>}"},
	} {
		got := show(Spans(nil, []byte(c.in), Options{}))
		if got != c.want {
			t.Errorf("%s: %+q gives %s, want %s", c.name, c.in, got, c.want)
		}
	}
}

// safe returns what is wrong with text that is said to be fit for a terminal.
func safe(text string) string {
	if !utf8.ValidString(text) {
		return "invalid UTF-8"
	}
	for _, r := range text {
		switch {
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return fmt.Sprintf("control U+%04X", r)
		case r == zwj || r == zwnj:
		case r == 0x3164 || r == 0xffa0 || r == 0x115f || r == 0x1160 || r == 0x034f:
			return fmt.Sprintf("filler U+%04X", r)
		case !unicode.IsGraphic(r):
			return fmt.Sprintf("U+%04X", r)
		}
	}
	if ansi.Strip(text) != text {
		return "an escape sequence"
	}
	return ""
}

func TestCleanAndWidth(t *testing.T) {
	for _, c := range []struct {
		in, want string
		width    int
	}{
		{"notes.md", "notes.md", 8},
		{"a\tb", "a       b", 9},
		{"evil\x1b]0;x\a.md", "evil^[]0;x^G.md", 15},
		{"日本.md", "日本.md", 7},
		{"cafe\u0301", "cafe\u0301", 4},
		{"exe\u202egnp", "exe<U+202E>gnp", 14},
		{"\xff", `\xff`, 4},
	} {
		got := Clean(c.in)
		if got != c.want || Width(got) != c.width {
			t.Errorf("Clean(%q) = %q, %d wide; want %q, %d", c.in, got, Width(got), c.want, c.width)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		s          string
		width      int
		tail, want string
		left       string
	}{
		{"abcdef", 6, "…", "abcdef", "abcdef"},
		{"abcdef", 4, "…", "abc…", "…def"},
		{"abcdef", 4, "...", "a...", "...f"},
		{"abcdef", 2, "...", "..", ".."},
		{"abcdef", 0, "…", "", ""},
		{"日本語", 5, "…", "日本…", "…本語"},
		{"日本語", 4, "…", "日…", "…語"},
		{"日本語", 1, "", "", ""},
		{"e\u0301e\u0301e\u0301", 2, "…", "e\u0301…", "…e\u0301"},
	} {
		if got := Truncate(c.s, c.width, c.tail); got != c.want {
			t.Errorf("Truncate(%q, %d, %q) = %q, want %q", c.s, c.width, c.tail, got, c.want)
		}
		if got := TruncateLeft(c.s, c.width, c.tail); got != c.left {
			t.Errorf("TruncateLeft(%q, %d, %q) = %q, want %q", c.s, c.width, c.tail, got, c.left)
		}
	}
}

// Tilde and CutTilde are each other's inverse for what is in the home folder, and leave other paths alone.
func TestTilde(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, home, want string }{
		{"/home/ann", "/home/ann", "~"},
		{"/home/ann/src", "/home/ann", "~/src"},
		{"/home/ann/src", "/home/ann/", "~/src"},
		{"/home/anna/src", "/home/ann", "/home/anna/src"},
		{"/srv/notes", "/home/ann", "/srv/notes"},
		{"/srv/notes", "", "/srv/notes"},
	} {
		got := Tilde(filepath.FromSlash(c.path), filepath.FromSlash(c.home))
		if got != filepath.FromSlash(c.want) {
			t.Errorf("Tilde(%q, %q) = %q, want %q", c.path, c.home, got, c.want)
		}
		rest, ok := CutTilde(got)
		if want := strings.HasPrefix(c.want, "~"); ok != want || ok && filepath.ToSlash(rest) != strings.TrimPrefix(c.want, "~") {
			t.Errorf("CutTilde(%q) = %q, %v", got, rest, ok)
		}
	}
	if rest, ok := CutTilde("~ann/src"); ok {
		t.Errorf("the home folder of another user is cut to %q", rest)
	}
}
