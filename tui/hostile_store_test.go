package tui

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// outsideSecret is the content of every file outside the hostile store. Where it is shown, a link has led out.
const outsideSecret = "outside the store: never shown, never changed\n"

// hostileStore makes a store of everything that is awkward on a disk, and opens it. One file is a single line of lineBytes. What this
// system can't hold is left out.
func hostileStore(t *testing.T, lineBytes, w, height int) *driver {
	t.Helper()
	place := memtest.Place(t.TempDir())
	add := func(path string, n memtest.Node) {
		_ = place.Furnish(memtest.Vector{Tree: memtest.Tree{path: n}})
	}
	file := func(path, data string) { add(path, memtest.Node{Data: []byte(data)}) }
	memtest.WriteFiles(t, filepath.Join(string(place), "outside"), map[string]string{"secret.md": outsideSecret, "folder/secret.md": outsideSecret})
	for _, path := range slices.Sorted(maps.Keys(hostileTexts)) {
		file(path, hostileTexts[path])
	}
	for _, path := range hostileNames {
		file(path, "text\n")
	}
	deep := "deep" + strings.Repeat("/d", 50)
	file(deep+"/bottom.md", "here at last\n")
	file("one-line.txt", strings.Repeat("0123456789abcdef", lineBytes/16))
	add("empty-folder", memtest.Node{Dir: true})
	for path, to := range hostileLinks {
		add(path, memtest.Node{Link: to})
	}
	for _, path := range []string{"pipe", "work/pipe.md"} { // opening one for reading waits for a writer that never comes
		add(path, memtest.Node{FIFO: true})
	}
	return start(t, setup{dir: place.Store(), w: w, h: height, theme: dark})
}

// hostileTexts are plain names with bytes that are awkward to show, to number or to edit.
var hostileTexts = map[string]string{
	"plain.md":                   "# Note\n\n- one\n- two\n",
	"empty.md":                   "",
	"newline.md":                 "\n",
	"newlines.md":                strings.Repeat("\n", 300),
	"no-newline.md":              "one\ntwo",
	"crlf.md":                    "one\r\ntwo\r\nthree\r\n",
	"cr.md":                      "hidden text\rshown text\rend",
	"mixed-ends.md":              "one\r\ntwo\nthree\rfour\vfive\ffive\u0085six\u2028seven\u2029eight\n",
	"bom.md":                     "\ufeff# Note\nwith a mark\n",
	"utf16.md":                   "\xff\xfen\x00o\x00t\x00e\x00\n\x00",
	"latin1.md":                  "caf\xe9\nna\xefve\n",
	"broken-utf8.md":             "cut \xe2\x82\nlong \xc0\xaf\nsurrogate \xed\xa0\x80\nhigh \xf5\x80\x80\x80\nlone \x80\xbf\n",
	"nul.md":                     "before\x00after\n\x00\x00\x00\n",
	"binary.bin":                 everyByte(),
	"tabs.md":                    "\ta\n\t\tb\na\tb\tc\n        \t9\n",
	"escapes.md":                 escapes,
	"c1.md":                      "\u009b2J\u009b31mred\u009d52;c;aGk=\u009c\u0090q\u009c\n",
	"bidi.md":                    "access = \u202e\u2066// admin only\u2069 \u2066\u202c\nabc \u05d0\u05d1\u05d2 \u0627\u0628\u062c def\n\u200f\u200e\u061c\n",
	"zero-width.md":              "pass\u200bwo\u200crd\u200d\u2060\ufeff\u00ad\u034f\u180e end\n\U000e0068\U000e0069\U000e007f\n\u115f\u1160\u3164\uffa0\n",
	"zalgo.md":                   zalgo(40) + "\n" + "e" + strings.Repeat("\u0301", 5000) + "\n",
	"wide.md":                    "全角 ｆｕｌｌ 한국어 日本語\n👩‍👩‍👧‍👦 🏳️‍🌈 🇯🇵 ☺️ ☺︎ 1️⃣\ne\u0301 は\u3099\n",
	"one-word.md":                strings.Repeat("x", 20000) + "\n",
	"spaces.md":                  "a \nb\u00a0\nc\u3000\n \n",
	"numbered.md":                "Here's the content of /memories/plain.md with line numbers:\n     1\tnot line one\n",
	"node_modules/left/index.js": "module.exports = 1\n",
	".git/HEAD":                  "ref: refs/heads/main\n",
	".git/objects/ab/cdef":       "\x00\x01\x02\n",
	".hidden.md":                 "not listed\n",
	"work/node_modules/x.md":     "not listed\n",
	"work/seen.md":               "listed\n",
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

// hostileNames are awkward to show or to address. Each of them is refused by some system.
var hostileNames = []string{
	strings.Repeat("long-", 50) + "ab.md", // a name of 255 bytes
	"new\nline.md",                        // a newline in the name
	"tab\tname.md",                        // a tab in the name
	"esc\x1b[31mred\x1b[0m.md",            // an escape sequence in the name
	"clip\x1b]52;c;Y29waWVk\x07.md",       // a clipboard sequence in the name
	"c1\u009b31m.md",                      // a one-character escape in the name
	"bell\a\b\x7f.md",                     // control characters in the name
	"txt.\u202edm.exe",                    // a bidirectional override in the name
	"zero\u200bwidth.md",                  // a zero-width character in the name
	"bad-\xff\xfe.md",                     // a name that is not UTF-8
	"trailing space.md ",                  // a space at the end of the name
	" leading space.md",                   // a space at the start of the name
	"trailing-dot.",                       // a dot at the end of the name
	"...",                                 // a name of three dots
	"-rf",                                 // a name that looks like an option
	"%2e%2e%2fescape.md",                  // a percent-encoded way out in the name
	"100%.md",                             // a plain percent sign in the name
	`..\up.md`,                            // a way out with a backslash in the name
	`back\slash.md`,                       // a backslash in the name
	"quote'\"$(id)`.md",                   // quotes and a command in the name
	"*?[a-z].md",                          // wildcards in the name
	"con:aux|nul<>.md",                    // characters reserved on other systems in the name
	"caf\u00e9.md",                        // a composed letter in the name
	"cafe\u0301.md",                       // the same name with a combining mark
	"Plain.MD",                            // a name that differs in case only
	"日本語の覚え書き📝.md",                        // wide characters in the name
	zalgo(12) + ".md",                     // many combining marks in the name
	"\U0001f642.md",                       // a name that sorts differently in UTF-16
	"\ufb01.md",                           // the name it changes places with
}

// hostileLinks are optional as a whole: on Windows making one is a privilege.
var hostileLinks = map[string]string{
	"link-in.md":              "plain.md",               // a link to a file inside
	"link-folder":             "work",                   // a link to a folder inside
	"link-absolute.md":        "{store}/plain.md",       // an absolute link that points inside
	"link-chain.md":           "link-in.md",             // a link to a link to a file inside
	"work/link-up.md":         "../plain.md",            // a link inside that climbs first
	"link-root":               ".",                      // a link to the store itself
	"work/link-parent":        "..",                     // a link to the folder above
	"link-hidden.md":          ".hidden.md",             // a link to a hidden file
	"link-out.md":             "../outside/secret.md",   // a link to a file outside
	"link-out-absolute.md":    "{outside}/secret.md",    // an absolute link to a file outside
	"link-out-folder":         "../outside/folder",      // a link to a folder outside
	"link-out-new.md":         "../outside/missing.md",  // a link to a missing file outside
	"link-out-back.md":        "../memories/plain.md",   // a link that leaves and comes back
	"link-out-chain.md":       "link-out.md",            // a link to a link that leads out
	"link-dangling.md":        "missing.md",             // a link to nothing
	"link-dangling-folder.md": "missing/folder/note.md", // a link below a missing folder
	"link-through-file.md":    "plain.md/below.md",      // a link through a file
	"link-self.md":            "link-self.md",           // a link to itself
	"link-loop-a":             "link-loop-b",            // a link in a loop of two
	"link-device":             os.DevNull,               // a link to a device
	"link-loop-b":             "link-loop-a",            // the other link of the loop
}
