package lint

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/index"
)

// StalePath reports a claim about the project that no longer holds: a file or a folder that it no longer has.
const StalePath Rule = "stale-path"

// Claim is a file or folder that a note says the project has, in backticks: a slash-separated path, relative to the project or to a
// folder in it.
type Claim string

// Verdict is the outcome of checking a claim. The zero value lets it stand.
type Verdict struct {
	// Why says that it no longer holds, as a clause behind the name; "" if it does, or that is unknown.
	Why string
	// To is its name now; "" if it is gone.
	To string
}

// Checked is what became of some claims.
type Checked struct {
	Verdicts []Verdict // of the claims, in their order
	// Why says as a sentence without a full stop why some of them stand unchecked; "" if all were checked.
	Why string
}

// claim is a [Claim] at its place.
type claim struct {
	Claim
	place Place
}

// pastWords are words of a line, or of the heading above it, that tells what was: what it names may well be gone.
var pastWords = regexp.MustCompile(`(?i)\b(removed?|removing|removal|deleted?|deleting|renamed?|moved?|replaced?|replaces|formerly|` +
	`previously|no longer|used to|was|were|obsolete|deprecated|legacy|retired|dropped|migrated?|migrating|extracted|` +
	`split (?:in)?to|merged? .{0,80}\binto|folded into|old|gone|instead of|rather than|not exist|changelog|history|archived?|` +
	`refactor(?:ed)?|converted|superseded|` +
	`supersedes|example|e\.g|todo|planned|dangling)\b|→|->|=>|~~|❌`)

// recordNames are names of files and folders that record how things were at a time, or are to become: what they name may well be gone.
var recordNames = regexp.MustCompile(`(?i)(?:^|/)[._]?(?:archived?|archives|plans|reports|handoffs?|changelogs?|history)/|` +
	`(?:change-?log|history|handoff|release[-_]?notes|progress)[^/]*$|\d{4}-\d{2}-\d{2}[^/]*$`)

// claimed collects the paths in backticks, outside of code blocks. Lines that tell what was are left out.
func (in *inspection) claimed() (list []claim) {
	fenced, past := false, false // past: the section is about what was
	start := 0
	for line := range bytes.SplitAfterSeq(in.data, []byte("\n")) {
		at := start
		start += len(line)
		trimmed := bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(trimmed, []byte("```")), bytes.HasPrefix(trimmed, []byte("~~~")):
			fenced = !fenced
			continue
		case fenced || len(list) >= maxReferences || len(line) > maxClaimLine:
			continue
		case bytes.HasPrefix(trimmed, []byte("#")):
			past = pastWords.Match(codeSpan.ReplaceAll(line, nil))
		}
		if past || bytes.IndexByte(line, '`') < 0 {
			continue
		}
		before := len(list)
		for _, code := range codeSpan.FindAllIndex(line, -1) {
			list = appendPaths(list, string(line[code[0]+1:code[1]-1]), at+code[0]+1)
		}
		if len(list) > before && pastWords.Match(codeSpan.ReplaceAll(line, nil)) {
			list = list[:before]
		}
	}
	return list
}

// codeSpan is code in a line: its words don't say what became of it.
var codeSpan = regexp.MustCompile("`[^`]*`")

// maxClaimLine is the longest line that is read, in bytes: a longer one is data.
const maxClaimLine = 4 << 10

// appendPaths reads the words of code that look like paths.
func appendPaths(list []claim, code string, at int) []claim {
	for from := 0; from < len(code); {
		if strings.IndexByte(pathEnds, code[from]) >= 0 {
			from++
			continue
		}
		size := strings.IndexAny(code[from:], pathEnds)
		if size < 0 {
			size = len(code) - from
		}
		word := strings.TrimPrefix(code[from:from+size], "@") // an import of an instruction file
		word = strings.TrimPrefix(word, "./")
		start := at + from + size - len(word)
		word = strings.TrimSuffix(lineNumber.ReplaceAllString(strings.TrimRight(word, ".:?!"), ""), "/")
		if isProjectPath(word) {
			list = append(list, claim{Claim(word), placeAt(start, start+len(word))})
		}
		from += size
	}
	return list
}

// pathEnds are the bytes at which a path in a text ends. One with a bracket or a sign of a pattern is none.
const pathEnds = " \t\r\n,;\"'|"

// lineNumber matches what may follow the name of a file: ":12", ":12-20", "#L12".
var lineNumber = regexp.MustCompile(`(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$`)

// isProjectPath reports whether a word is a path of a project: relative, with a slash, in letters that names have.
func isProjectPath(word string) bool {
	if len(word) < 3 || len(word) > maxClaimLine || !utf8.ValidString(word) || !strings.Contains(word, "/") ||
		strings.ContainsAny(word, "*?<>{}$()[]=\\:#%&!^~+`…@") || word[0] == '/' || word[0] == '-' ||
		strings.Contains(word, "...") || strings.Contains(word, "YYYY") {
		return false
	}
	for segment := range strings.SplitSeq(word, "/") {
		if segment == ".." || segment == "." || segment == "" {
			return false
		}
	}
	return true
}

// maxClaims is how many claims of a store are looked up.
const maxClaims = 20_000

// claimed reports the claims of files that no longer hold: those of which the new name is known as one finding, the others as another.
func (w *checking) claimed(ctx context.Context) error {
	if w.source.Project == nil {
		return nil
	}
	known, asked := map[Claim]Verdict{}, []Claim(nil)
	skipped := func(s seen) bool { return recordNames.MatchString(s.file.Path) }
	for _, s := range w.seen {
		if skipped(s) {
			continue
		}
		for _, c := range s.content.claims {
			if _, ok := known[c.Claim]; !ok && len(asked) < maxClaims {
				known[c.Claim] = Verdict{}
				asked = append(asked, c.Claim)
			}
		}
	}
	if len(asked) == 0 {
		return nil
	}
	checked, err := w.source.Project(ctx, asked)
	if err != nil {
		return err
	}
	w.report.Unchecked = checked.Why
	for i, v := range checked.Verdicts {
		known[asked[i]] = v
	}
	for _, s := range w.seen {
		if skipped(s) {
			continue
		}
		var moved, gone broken
		for _, c := range s.content.claims {
			switch v := known[c.Claim]; {
			case v.Why == "":
			case v.To != "":
				if moved.add(c.place, string(c.Claim), c.name()+" "+v.Why) {
					moved.repairs = append(moved.repairs, Repair{index.Edit{Span: c.place.Span, Text: v.To}, v.To})
				}
			default:
				gone.add(c.place, string(c.Claim), c.name()+" "+v.Why)
			}
		}
		w.addBroken(s, StalePath, &moved, "more stale name")
		w.addBroken(s, StalePath, &gone, "more stale name")
	}
	return nil
}

// name is the claim as a reason names it.
func (c *claim) name() string {
	if len(c.Claim) > maxQuote {
		return path.Base(string(c.Claim))
	}
	return string(c.Claim)
}
