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
	Failed bool
	Kind   string // "": the words are not known
	Rows   map[int]string
	List   *toolListing
}

// wording is one way to say an outcome. Sources: the handlers of section "dialects" in docs/dialects.md
// and those that older transcripts were made with.
type wording struct {
	kind    string
	pattern func() *regexp.Regexp // compiled when a transcript is first read: every command pays for what a start does
}

func says(kind, pattern string) wording {
	return wording{kind, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^` + pattern) })}
}

// overwritten is how the first examples of the tool make a file: their create replaces one that is there.
const overwritten = "overwritten"

var failures = []wording{
	says("missing", `The path .* does not exist`),
	says("missing", `(Path|File|Source path) not found: `),
	says("missing", `The path .* is not a file\.$`),
	says("missing", `Unsupported file type for `),
	says("exists", `(File|The destination|Destination) .* already exists`),
	says("exists", `Destination already exists: `),
	says("no match", `No replacement was performed, old_str `),
	says("no match", `(Text not found in|String not found in file)`),
	says("many", `No replacement was performed\. Multiple occurrences`),
	says("many", `Text appears \d+ times in `),
	says("range", "Invalid `(insert_line|view_range)` parameter"),
	says("range", `Invalid insert_line `),
	says("escape", `(Path must start with |Path .*would escape )`),
	says("root", `Cannot (delete|rename) the /memories`),
	says("other", `File .* (exceeds maximum line limit|has too many lines)`),
	says("other", `(E[A-Z]{2,}: |[A-Za-z_.]*(Error|Exception)\b)`),
}

var successes = []wording{
	says("file", `Here's the content of .* with line numbers:`),
	says("list", `Here're the files and directories `),
	says("list", `Contents of directory `),
	says("list", `Directory: `),
	says("list", `No memories found\.$`),
	says("created", `File created successfully at: `),
	says(overwritten, `(New file|File) created successfully at `),
	says(overwritten, `File created: `),
	says("edited", `The memory file .*has been edited`),
	says("edited", `The file .* has been edited\.`),
	says("edited", `(File .* has been edited|String replaced in )`),
	says("edited", `Text inserted at line \d+ in `),
	says("deleted", `Successfully deleted `),
	says("deleted", `(File|Directory) deleted: `),
	says("renamed", `Successfully renamed `),
	says("renamed", `Renamed .* to `),
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

// shownBy is the outcome that a recorded result shows; nil: there is none, or it was cleared.
func shownBy(r *Result, cmd memstore.Command) *callOutcome {
	if r == nil || isCleared(r.Text) {
		return nil
	}
	return outcomeOf(cmd.Name, r.Text, r.IsError)
}

// outcomeOf reads the text of a result of a command.
func outcomeOf(command, text string, isError bool) *callOutcome {
	if isError || soundsFailed(text) {
		bare := text[len(whence().FindString(text)):]
		for _, w := range failures {
			if w.pattern().MatchString(bare) {
				return &callOutcome{Failed: true, Kind: w.kind}
			}
		}
		return &callOutcome{Failed: true, Kind: "other"}
	}
	o := &callOutcome{Kind: successOf(command, text), Rows: numbered(text)}
	if o.Kind == "" && command == memstore.CmdView && len(o.Rows) > 0 {
		o.Kind = "file"
	}
	if o.Kind == "list" {
		o.List = readListing(text)
	}
	return o
}

// successOf is the kind of success that a text words for a command; "" where it does not.
func successOf(command, text string) string {
	for _, w := range successes {
		if w.pattern().MatchString(text) && slices.Contains(kindsOf[command], w.kind) {
			return w.kind
		}
	}
	return ""
}

// whence is what programs put before the reason of a failure.
var whence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(Error: |Error executing function \w+: \w+: |Error performing \w+: )*`)
})

// kindsOf are the kinds of success that each command can have.
var kindsOf = map[string][]string{
	memstore.CmdView: {"file", "list"}, memstore.CmdCreate: {"created", overwritten}, memstore.CmdStrReplace: {"edited"}, memstore.CmdInsert: {"edited"},
	memstore.CmdDelete: {"deleted"}, memstore.CmdRename: {"renamed"},
}

// cutNumber takes the number off a row, and the separator between them: a tab, a colon and a blank, a bar, which may be between blanks, or
// an arrow.
func cutNumber(row string) (number int, line string, ok bool) {
	row = strings.TrimLeft(row, " ")
	digits := len(row) - len(strings.TrimLeft(row, "0123456789"))
	number, err := strconv.Atoi(row[:digits])
	for _, between := range []string{"\t", ": ", " | ", "|", "\u2192"} {
		if line, ok = strings.CutPrefix(row[digits:], between); ok && err == nil {
			return number, line, true
		}
	}
	return 0, "", false
}

// numbered is the text of numbered rows by their number. Line ends and an empty last row,
// in which handlers differ, are omitted.
func numbered(text string) map[int]string {
	found := map[int]string{}
	last := 0
	for r := range strings.SplitSeq(text, "\n") {
		if n, line, ok := cutNumber(r); ok {
			last = n
			found[n] = strings.TrimSuffix(line, "\r")
		}
	}
	if found[last] == "" {
		delete(found, last)
	}
	return found
}

// sameOutcome compares a recorded outcome with ours, where at least the kind of both is known.
func sameOutcome(a, b *callOutcome) bool {
	if a.Failed != b.Failed {
		return false
	}
	if a.Failed {
		return a.Kind == b.Kind || a.Kind == "other" || b.Kind == "other"
	}
	if a.Kind != b.Kind {
		return a.Kind == overwritten
	}
	switch a.Kind {
	case "file":
		return sameRows(a.Rows, b.Rows, true)
	case "edited":
		return sameRows(a.Rows, b.Rows, false)
	case "list":
		gone, came, changed := a.List.Differences(b.List)
		return len(gone)+len(came)+len(changed) == 0
	}
	return true
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
