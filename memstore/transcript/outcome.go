package transcript

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"memcurator/memstore"
)

// callOutcome is the meaning of a result, whatever its words.
type callOutcome struct {
	Known  bool
	Failed bool
	Kind   string
	Words  string // the handler that words it like that, "" where several do
	Rows   map[int]string
	List   *toolListing
	lines  []int // that a failure names: the last of the range that it allows, or those with the text that is not unique
}

// wording is one way to say an outcome. Sources: the handlers of section "dialects" in docs/dialects.md
// and those that older transcripts were made with.
type wording struct {
	kind    string
	pattern func() *regexp.Regexp // compiled when a transcript is first read: every command pays for what a start does
	words   string
}

func says(kind, words, pattern string) wording {
	return wording{kind, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^` + pattern) }), words}
}

// Words for handlers that no store answers in: the first examples of the tool, the editor's own, and those
// of tools that edit any text, which Inspect's memory shares.
const (
	legacyWords = "legacy"
	vscodeWords = "vscode"
	editorWords = "text editor"
)

// overwrites reports whether the create of these handlers replaces an existing file.
func overwrites(words string) bool {
	return words == legacyWords || words == editorWords
}

var failures = []wording{
	says("missing", "", `The path .* does not exist`),
	says("missing", legacyWords, `(Path|File|Source path) not found: `),
	says("missing", "", `The path .* is not a file\.$`),
	says("missing", editorWords, `The path .* is a directory and only the `),
	says("missing", "", `Unsupported file type for `),
	says("exists", "", `(File|The destination|Destination) .* already exists`),
	says("exists", legacyWords, `Destination already exists: `),
	says("no match", "", `No replacement was performed, old_str `),
	says("no match", legacyWords, `(Text not found in|String not found in file)`),
	says("many", "", `No replacement was performed\. Multiple occurrences`),
	says("many", legacyWords, `Text appears \d+ times in `),
	says("range", "", "Invalid `(insert_line|view_range)` parameter"),
	says("range", legacyWords, `Invalid insert_line `),
	says("escape", "", `(Path must start with |Path .*would escape )`),
	says("escape", editorWords, `(Invalid path: |Path cannot be empty)`),
	says("root", "", `Cannot (delete|rename) the /memories`),
	says("other", "", `File .* (exceeds maximum line limit|has too many lines)`),
	says("other", editorWords, "(\\w+ is required for |str_replace: The `old_str` parameter)"),
	says("other", "", `(E[A-Z]{2,}: |[A-Za-z_.]*(Error|Exception)\b)`),
}

var successes = []wording{
	says("file", "", `Here's the content of .* with line numbers:`),
	says("file", editorWords, "Here's the result of running `cat -n` on "),
	says("list", "", `Here're the files and directories `),
	says("list", editorWords, `Here( are|'s) the files and directories `),
	says("list", editorWords, `Directory .* is empty\.\s*$`),
	says("list", "", `Contents of directory `),
	says("list", legacyWords, `Directory: `),
	says("list", vscodeWords, `No memories found\.$`),
	says("created", "", `File created successfully at: `),
	says("created", legacyWords, `(New file|File) created successfully at `),
	says("created", legacyWords, `File created: `),
	says("edited", vscodeWords, "The memory file has been edited\\. Here's the result of running `cat -n`"),
	says("edited", "", `The memory file .*has been edited`),
	says("inserted", "", `The file .* has been edited\.`),
	says("edited", editorWords, `The file .* has been edited\.`),
	says("edited", legacyWords, `(File .* has been edited|String replaced in )`),
	says("inserted", legacyWords, `Text inserted at line \d+ in `),
	says("deleted", "", `Successfully deleted `),
	says("deleted", legacyWords, `(File|Directory) deleted: `),
	says("renamed", "", `Successfully renamed `),
	says("renamed", legacyWords, `Renamed .* to `),
}

// soundsFailed infers from a text whether it is an error, where the format has no flag.
func soundsFailed(text string) bool {
	if strings.HasPrefix(text, "Error: ") || strings.HasPrefix(text, "Error executing") {
		return true
	}
	for _, w := range failures {
		if w.pattern().MatchString(text) {
			return true
		}
	}
	return false
}

// outcomeOf reads the text of a result of a command.
func outcomeOf(command, text string, isError bool) callOutcome {
	if isError || soundsFailed(text) {
		bare := text[len(whence().FindString(text)):]
		for _, w := range failures {
			if w.pattern().MatchString(bare) {
				return callOutcome{Known: true, Failed: true, Kind: w.kind, Words: w.words, lines: linesNamed(w.kind, bare)}
			}
		}
		return callOutcome{Known: true, Failed: true, Kind: "other"}
	}
	if w := successOf(command, text); w.kind != "" {
		o := callOutcome{Known: true, Kind: w.kind, Words: w.words}
		o.read(text)
		return o
	}
	if command != memstore.CmdView {
		return callOutcome{}
	}
	if rows := numbered(text); len(rows) > 0 {
		return callOutcome{Known: true, Kind: "file", Words: legacyWords, Rows: rows}
	}
	return callOutcome{}
}

// successOf is how a text words that a command was done; its kind is "" where it does not.
func successOf(command, text string) wording {
	for _, w := range successes {
		if w.pattern().MatchString(text) && fitsCommand(w.kind, command) {
			return w
		}
	}
	return wording{}
}

// whence is what programs put before the reason of a failure.
var whence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(Error: |Error executing function \w+: \w+: |Error performing \w+: )*`)
})

// fitsCommand keeps a wording to the commands that can say it.
func fitsCommand(kind, command string) bool {
	switch command {
	case memstore.CmdView:
		return kind == "file" || kind == "list"
	case memstore.CmdCreate:
		return kind == "created"
	case memstore.CmdStrReplace:
		return kind == "edited"
	case memstore.CmdInsert:
		return kind == "inserted" || kind == "edited"
	case memstore.CmdDelete:
		return kind == "deleted"
	case memstore.CmdRename:
		return kind == "renamed"
	}
	return false
}

// read takes rows and entries out of a text.
func (o *callOutcome) read(text string) {
	_, body, _ := strings.Cut(text, "\n")
	switch o.Kind {
	case "file", "edited":
		o.Rows = numbered(body)
	case "inserted":
		o.Kind = "edited"
		o.Rows = numbered(body)
	case "list":
		o.List = readListing(text)
	}
}

// cutNumber takes the number off a row, and the separator between them: a tab, a colon and a blank, or a bar.
func cutNumber(row string) (number, line string, ok bool) {
	row = strings.TrimLeft(row, " ")
	end := 0
	for end < len(row) && '0' <= row[end] && row[end] <= '9' {
		end++
	}
	number, row = row[:end], row[end:]
	for _, between := range []string{"\t", ": ", "|"} {
		if line, ok = strings.CutPrefix(row, between); ok && end > 0 {
			return number, line, true
		}
	}
	return "", "", false
}

// numbered is the text of numbered rows by their number. Line ends and an empty last row,
// in which handlers differ, are omitted.
func numbered(text string) map[int]string {
	found := map[int]string{}
	last := 0
	for r := range strings.SplitSeq(text, "\n") {
		number, line, ok := cutNumber(r)
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			continue
		}
		last = n
		found[n] = strings.TrimSuffix(line, "\r")
	}
	if found[last] == "" {
		delete(found, last)
	}
	return found
}

// sameOutcome compares two outcomes of which at least the kind is known.
func sameOutcome(a, b callOutcome) bool {
	if a.Failed != b.Failed {
		return false
	}
	if a.Failed {
		return a.Kind == b.Kind && sameLines(a, b) || a.Kind == "other" || b.Kind == "other"
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case "file":
		return sameRows(a.Rows, b.Rows, true)
	case "edited":
		return sameRows(a.Rows, b.Rows, false)
	case "list":
		return a.List.same(b.List)
	}
	return true
}

var (
	rangeAllowed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[0, (\d+)\]\.?\s*$`) })
	linesOf      = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`in lines:? \[?(\d+(?:, \d+)*)\]?[.,]? Please`)
	})
)

// linesNamed are the lines that the text of a failure names, each once; nil where it names none.
func linesNamed(kind, text string) (lines []int) {
	pattern := linesOf
	switch kind {
	case "range":
		pattern = rangeAllowed
	case "many":
	default:
		return nil
	}
	m := pattern().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	for n := range strings.SplitSeq(m[1], ", ") {
		if i, err := strconv.Atoi(n); err == nil {
			lines = append(lines, i)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// sameLines compares the lines that two failures name, where both do. Handlers count the row after a last newline
// or do not: the ends of ranges may be one apart.
func sameLines(a, b callOutcome) bool {
	switch {
	case len(a.lines) == 0 || len(b.lines) == 0:
		return true
	case a.Kind == "range":
		return max(a.lines[0]-b.lines[0], b.lines[0]-a.lines[0]) <= 1
	}
	return slices.Equal(a.lines, b.lines)
}

// sameRows compares rows; where not all are needed, those that both have.
func sameRows(a, b map[int]string, all bool) bool {
	if all && len(a) != len(b) {
		return false
	}
	for n, text := range a {
		if other, ok := b[n]; ok && other != text || !ok && all {
			return false
		}
	}
	return true
}

// cleared are the placeholders that take the place of old results.
var cleared = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*\[(old )?(tool )?(result|use|output)?\s*(content )?cleared[^\]]*\]\s*$`)
})

func isCleared(text string) bool {
	return len(text) < 200 && strings.Contains(text, "[") && cleared().MatchString(text)
}
