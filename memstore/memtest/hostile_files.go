package memtest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// file adds a regular file.
func (w *hostileWriter) file(path, what, data string) {
	named := utf8.ValidString(path) && !strings.ContainsFunc(path, unicode.IsControl)
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		named = named && part != ".." && !strings.HasPrefix(strings.ToLower(part), "%2e%2e")
	}
	w.add(Item{Path: path, What: what, Readable: named && utf8.ValidString(data)}, write(data))
}

// contents are plain names with bytes that are awkward to show, to number or to edit.
func (w *hostileWriter) contents() {
	for _, f := range []struct{ path, what, data string }{
		{"plain.md", "a plain note", "# Note\n\n- one\n- two\n"},
		{"empty.md", "an empty file", ""},
		{"newline.md", "a single newline", "\n"},
		{"newlines.md", "newlines only", strings.Repeat("\n", 300)},
		{"no-newline.md", "no final newline", "one\ntwo"},
		{"crlf.md", "CRLF line ends", "one\r\ntwo\r\nthree\r\n"},
		{"cr.md", "lone carriage returns", "hidden text\rshown text\rend"},
		{"mixed-ends.md", "mixed line ends", "one\r\ntwo\nthree\rfour\vfive\ffive\u0085six\u2028seven\u2029eight\n"},
		{"bom.md", "a byte order mark", "\ufeff# Note\nwith a mark\n"},
		{"utf16.md", "UTF-16 with a byte order mark", "\xff\xfen\x00o\x00t\x00e\x00\n\x00"},
		{"latin1.md", "bytes that are not UTF-8", "caf\xe9\nna\xefve\n"},
		{"broken-utf8.md", "every way to break UTF-8",
			"cut \xe2\x82\nlong \xc0\xaf\nsurrogate \xed\xa0\x80\nhigh \xf5\x80\x80\x80\nlone \x80\xbf\n"},
		{"nul.md", "NUL bytes", "before\x00after\n\x00\x00\x00\n"},
		{"binary.bin", "every byte once", everyByte()},
		{"tabs.md", "tabs", "\ta\n\t\tb\na\tb\tc\n        \t9\n"},
		{"escapes.md", "escape sequences", escapes},
		{"c1.md", "escape sequences of one character", "\u009b2J\u009b31mred\u009d52;c;aGk=\u009c\u0090q\u009c\n"},
		{"bidi.md", "bidirectional overrides",
			"access = \u202e\u2066// admin only\u2069 \u2066\u202c\nabc \u05d0\u05d1\u05d2 \u0627\u0628\u062c def\n\u200f\u200e\u061c\n"},
		{"zero-width.md", "zero-width text",
			"pass\u200bwo\u200crd\u200d\u2060\ufeff\u00ad\u034f\u180e end\n\U000e0068\U000e0069\U000e007f\n\u115f\u1160\u3164\uffa0\n"},
		{"zalgo.md", "very many combining marks", zalgo(40) + "\n" + "e" + strings.Repeat("\u0301", 5000) + "\n"},
		{"wide.md", "wide and joined characters", "全角 ｆｕｌｌ 한국어 日本語\n👩‍👩‍👧‍👦 🏳️‍🌈 🇯🇵 ☺️ ☺︎ 1️⃣\ne\u0301 は\u3099\n"},
		{"one-word.md", "a word of 20,000 characters", strings.Repeat("x", 20000) + "\n"},
		{"spaces.md", "spaces at line ends", "a \nb\u00a0\nc\u3000\n \n"},
		{"numbered.md", "text that looks like a view", "Here's the content of /memories/plain.md with line numbers:\n     1\tnot line one\n"},
	} {
		w.file(f.path, f.what, f.data)
	}
}

func everyByte() string {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return string(all)
}

// escapes clears the screen, moves the cursor, colors, writes to the clipboard,
// sets the title, links, leaves the alternate screen and ends a paste, for a
// program that lets it reach a terminal.
const escapes = "\x1b[2J\x1b[1;1Hgone\n" +
	"\x1b[31;1;5mred\x1b[8mconcealed\x1b[0m\n" +
	"\x1b]52;c;Y29waWVk\x07\x1b]52;c;Y29waWVk\x1b\\\n" +
	"\x1b]0;title\x07\x1b]8;;https://example.invalid/\x1b\\link\x1b]8;;\x1b\\\n" +
	"\x1b[?1049l\x1b[?25l\x1b[?1000h\x1b[201~\n" +
	"\x1bP$q\"p\x1b\\\x1b_G\x1b\\\x1bc\x1b(0lqk\x1b(B\n" +
	"\b\b\b\a\x7f\x0e\x0f unfinished \x1b["

// zalgo is a word with n combining marks on each letter.
func zalgo(n int) string {
	var b strings.Builder
	for _, r := range "zalgo" {
		b.WriteRune(r)
		for i := range n {
			b.WriteRune(rune(0x300 + i%0x60))
		}
	}
	return b.String()
}

// longName is a name of exactly 255 bytes, the most that common file systems take.
var longName = strings.Repeat("long-", 50) + "ab.md"

// names are plain files under names that are awkward to show or to address.
// Each of them is refused by some system.
func (w *hostileWriter) names() {
	for _, f := range []struct{ path, what string }{
		{longName, "a name of 255 bytes"},
		{"new\nline.md", "a newline in the name"},
		{"tab\tname.md", "a tab in the name"},
		{"esc\x1b[31mred\x1b[0m.md", "an escape sequence in the name"},
		{"clip\x1b]52;c;Y29waWVk\x07.md", "a clipboard sequence in the name"},
		{"c1\u009b31m.md", "a one-character escape in the name"},
		{"bell\a\b\x7f.md", "control characters in the name"},
		{"txt.\u202edm.exe", "a bidirectional override in the name"},
		{"zero\u200bwidth.md", "a zero-width character in the name"},
		{"bad-\xff\xfe.md", "a name that is not UTF-8"},
		{"trailing space.md ", "a space at the end of the name"},
		{" leading space.md", "a space at the start of the name"},
		{"trailing-dot.", "a dot at the end of the name"},
		{"...", "a name of three dots"},
		{"-rf", "a name that looks like an option"},
		{"%2e%2e%2fescape.md", "a percent-encoded way out in the name"},
		{"100%.md", "a plain percent sign in the name"},
		{`..\up.md`, "a way out with a backslash in the name"},
		{`back\slash.md`, "a backslash in the name"},
		{"quote'\"$(id)`.md", "quotes and a command in the name"},
		{"*?[a-z].md", "wildcards in the name"},
		{"con:aux|nul<>.md", "characters reserved on other systems in the name"},
		{"caf\u00e9.md", "a composed letter in the name"},
		{"cafe\u0301.md", "the same name with a combining mark"},
		{"Plain.MD", "a name that differs in case only"},
		{"日本語の覚え書き📝.md", "wide characters in the name"},
		{zalgo(12) + ".md", "many combining marks in the name"},
		{"\U0001f642.md", "a name that sorts differently in UTF-16"},
		{"\ufb01.md", "the name it changes places with"},
	} {
		w.file(f.path, f.what, f.what+"\n")
	}
}
