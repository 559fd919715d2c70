package lint

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/render/text"
)

// StalePath reports a claim about the project that no longer holds: a file, a folder, a command or a symbol that it no longer has.
const StalePath Rule = "stale-path"

// claims checks what notes say about the project.
var claims = check{
	rules: []Rule{StalePath},
	content: func(in *inspection) fact {
		if list := in.claimed(); list != nil {
			return list
		}
		return nil
	},
	store: func(ctx context.Context, w *checking) error { return w.claimed(ctx) },
}

// ClaimKind says what a [Claim] names.
type ClaimKind uint8

// The kinds of claims.
const (
	ClaimPath   ClaimKind = iota + 1 // a file or folder
	ClaimTarget                      // a target of make
	ClaimScript                      // a script of package.json
	ClaimSymbol                      // a function, a type, a constant or a variable of the code
)

// Claim is something that a note says the project has.
type Claim struct {
	Kind ClaimKind
	Name string // of a path: slash-separated, relative to the project or to a folder in it
	// Code is set if the note marks it as code. A name in running text is less certain.
	Code bool
}

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

type claimList []claim

func (l claimList) weight() int64 { return int64(len(l)) * 80 }

func (l claimList) places(visit func(*Place)) {
	for i := range l {
		visit(&l[i].place)
	}
}

// pastWords are words of a line, or of the heading above it, that tells what was: what it names may well be gone.
var pastWords = regexp.MustCompile(`(?i)\b(removed?|removing|removal|deleted?|deleting|renamed?|moved?|replaced?|replaces|formerly|` +
	`previously|no longer|used to|was|were|obsolete|deprecated|legacy|retired|dropped|migrated?|migrating|extracted|` +
	`split (?:in)?to|merged? .{0,80}\binto|folded into|old|gone|instead of|rather than|not exist|changelog|history|archived?|` +
	`refactor(?:ed)?|converted|superseded|` +
	`supersedes|example|e\.g|todo|planned|dangling)\b|→|->|=>|~~|❌`)

// makes are words of a line about what is to be made, or is made by a program and kept out of git.
var makes = regexp.MustCompile(`(?i)\b(creat(?:es?|ed|ing)|generat(?:es?|ed|ing)|scaffold(?:s|ed|ing)?|new file)\b|\bNEW\b`)

// naming are words of a line, or of the heading above it, about how to name things: the names are examples.
var naming = regexp.MustCompile(`(?i)\b(naming|suffix(?:es)?|prefix(?:es)?)\b`)

// recordNames are names of files and folders that record how things were at a time, or are to become: what they name may well be gone.
var recordNames = regexp.MustCompile(`(?i)(?:^|/)[._]?(?:archived?|archives|plans|reports|handoffs?|changelogs?|history)/|` +
	`(?:change-?log|history|handoff|release[-_]?notes|progress)[^/]*$|\d{4}-\d{2}-\d{2}[^/]*$`)

// commandStart finds what runs a target or a script, in code.
var commandStart = regexp.MustCompile(`(?:^|[\s;&|(])(make|npm run|pnpm run|yarn run|bun run)[ \t]+([^\n;&|#()` + "`" + `]*)`)

// claimed collects what a content says about files and commands. Lines that tell what was are left out, and what is another repository's.
func (in *inspection) claimed() (list claimList) {
	fenced, outside, heading, names := false, false, false, false
	var shows showing
	others := elsewhere{}
	start := 0
	var shown []byte // code in fences
	for line := range bytes.SplitAfterSeq(in.data, []byte("\n")) {
		at := start
		start += len(line)
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(list) >= maxReferences || len(line) > maxClaimLine:
			continue
		case bytes.HasPrefix(trimmed, []byte("```")), bytes.HasPrefix(trimmed, []byte("~~~")):
			fenced, outside = !fenced, false
			continue
		case !fenced && bytes.HasPrefix(trimmed, []byte("#")):
			words := codeSpan.ReplaceAll(trimmed, nil)
			heading, names = pastWords.Match(words), naming.Match(words)
			list = others.section(list, trimmed)
		}
		words := codeSpan.ReplaceAll(line, nil)
		exampled := false
		if fenced {
			shown = append(shown, line...)
			if folder := changesFolder.FindSubmatch(line); folder != nil {
				outside = len(folder[1]) > 0
			}
		} else {
			exampled = shows.read(line, words)
			others.read(line)
		}
		if heading || !fenced && pastWords.Match(words) {
			continue
		}
		n := len(list)
		list = appendClaims(list, string(line), at, fenced)
		if outside || !fenced && otherLink.Match(line) {
			list = others.drop(list, n)
		}
		made, named := makes.Match(words), names || exampled || naming.Match(words)
		list = append(list[:n], slices.DeleteFunc(list[n:], func(c claim) bool {
			return made && (c.Kind == ClaimPath || c.Kind == ClaimSymbol) || named && c.Kind == ClaimSymbol
		})...)
	}
	list = others.section(list, nil)
	fits := templates(in.data, list)
	list = slices.DeleteFunc(list, func(c claim) bool { // what a note shows is its own, as in a recipe
		return c.Kind == ClaimSymbol && (others.symbols[c.Name] || bytes.Contains(shown, []byte(c.Name)) || fits(c.Name))
	})
	slices.SortStableFunc(list, func(a, b claim) int { return cmp.Compare(a.place.Start, b.place.Start) })
	return list
}

// codeSpan is code in a line: its words don't say what became of it.
var codeSpan = regexp.MustCompile("`[^`]*`")

// maxClaimLine is the longest line that is read, in bytes: a longer one is data.
const maxClaimLine = 4 << 10

// appendClaims reads one line that begins at an offset.
func appendClaims(list claimList, line string, at int, fenced bool) claimList {
	if fenced {
		return appendCommands(list, line, at)
	}
	code := false
	for from := 0; from < len(line); {
		to := strings.IndexByte(line[from:], '`')
		if to < 0 {
			to = len(line)
		} else {
			to += from
		}
		if code && to == len(line) {
			code = false // a lone backtick
		}
		part := line[from:to]
		if code {
			list = appendCommands(list, part, at+from)
			if !invented.MatchString(line[:from-1]) || strings.Contains(part, "(") {
				list = appendSymbols(list, part, at+from, line)
			}
		}
		list = appendPaths(list, part, at+from, code)
		from, code = to+1, !code
	}
	return list
}

// appendCommands reads what a command runs: "make TARGET ...", "npm run SCRIPT".
func appendCommands(list claimList, part string, at int) claimList {
	for _, m := range commandStart.FindAllStringSubmatchIndex(part, -1) {
		if folder := changesFolder.FindStringSubmatch(part[:m[2]]); folder != nil && folder[1] != "" {
			continue // of a folder outside of the project
		}
		kind := ClaimScript
		if part[m[2]:m[3]] == "make" {
			kind = ClaimTarget
		}
		words := part[m[4]:m[5]]
		var found claimList
		for from := 0; from < len(words); {
			size := strings.IndexAny(words[from:], " \t")
			if size < 0 {
				size = len(words) - from
			}
			word := words[from : from+size]
			from0 := from
			from += size + 1
			if word == "" {
				continue
			}
			if strings.HasPrefix(word, "-") || !commandName(word) {
				if kind == ClaimTarget && (word == "-C" || word == "-f" || !strings.Contains(word, "=")) {
					found = nil // of another folder, or not what it seems
					break
				}
				continue
			}
			found = append(found, claim{Claim{kind, word, true}, span(at+m[4]+from0, len(word))})
			if kind == ClaimScript {
				break // what follows goes to the script
			}
		}
		list = append(list, found...)
	}
	return list
}

func span(start, size int) Place { return Place{Start: int64(start), End: int64(start + size)} }

// commandName reports whether a word is the whole name of a target or a script.
func commandName(word string) bool {
	for i, r := range word {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
		if !letter && (i == 0 || !strings.ContainsRune("-.:/", r)) {
			return false
		}
	}
	return !strings.HasSuffix(word, ":") && !strings.HasSuffix(word, "...")
}

// appendPaths reads the words of a line, or of code in it, that look like paths.
func appendPaths(list claimList, part string, at int, code bool) claimList {
	for from := 0; from < len(part); {
		if strings.IndexByte(pathEnds, part[from]) >= 0 {
			from++
			continue
		}
		size := strings.IndexAny(part[from:], pathEnds)
		if size < 0 {
			size = len(part) - from
		}
		word, cut := part[from:from+size], 0
		if name := strings.TrimPrefix(word, "@"); strings.Contains(name, "/") { // an import of an instruction file
			cut = len(word) - len(name)
			word = name
		}
		if strings.HasPrefix(word, "./") {
			word, cut = word[2:], cut+2
		}
		word = strings.TrimRight(word, ".:?!")
		word = lineNumber.ReplaceAllString(word, "")
		if pathName(word, code) {
			list = append(list, claim{Claim{ClaimPath, strings.TrimSuffix(word, "/"), code}, span(at+from+cut, len(strings.TrimSuffix(word, "/")))})
		}
		from += size
	}
	return list
}

// symbolSpan is code that consists of a name in the code: with what it is, of what it is a member, and how it is called.
var symbolSpan = regexp.MustCompile(`^(?:(?:class|struct|interface|enum|trait|type|func|function|def|fn|const) )?` +
	`([A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)*)(\([^()]*\))?$`)

// symbolWord is one word of a name.
var symbolWord = regexp.MustCompile(`\w+`)

// forbids are words of a line that says what the code should not have.
var forbids = regexp.MustCompile(`(?i)\b(never|not|avoid|forbidden|prohibited|banned|without|no)\b|n't\b|🚫|⛔`)

// madeUp are names that stand for any.
var madeUp = regexp.MustCompile(`^(?i:foo|bar|baz|example|your|some|my_|dummy|do_?something|qux)|^[mM]y[A-Z]`)

// minSymbol is the shortest name that is checked: shorter ones are words of any text.
const minSymbol = 5

// appendSymbols reads code that is a name of the project's code: parseFlags(), Store.Open, class FooBar, FOO_ENV. Of a member each part is
// a claim; a name alone counts if it is made of several words, as parse_flags and parseFlags are.
func appendSymbols(list claimList, part string, at int, line string) claimList {
	if len(part) > maxName {
		return list
	}
	m := symbolSpan.FindStringSubmatchIndex(part)
	if m == nil || forbids.MatchString(codeSpan.ReplaceAllString(line, "")) {
		return list
	}
	name := part[m[2]:m[3]]
	called, kept := m[4] >= 0, m[2] > 0
	words := symbolWord.FindAllStringIndex(name, -1)
	if !called && len(words) > 1 && fileEndings[strings.ToLower(path.Ext(name))] {
		return list
	}
	for i, word := range words {
		one := name[word[0]:word[1]]
		whole := compound(one) || (called || kept) && i == len(words)-1 || len(words) > 1 && one[0] >= 'A' && one[0] <= 'Z'
		if len(one) >= minSymbol && whole && !madeUp.MatchString(one) {
			list = append(list, claim{Claim{ClaimSymbol, one, true}, span(at+m[2]+word[0], len(one))})
		}
	}
	return list
}

// fileEndings are those of files that a note names without a folder.
var fileEndings = map[string]bool{
	".go": true, ".js": true, ".ts": true, ".jsx": true, ".tsx": true, ".mjs": true, ".cjs": true, ".py": true, ".rs": true, ".rb": true,
	".java": true, ".kt": true, ".c": true, ".h": true, ".cc": true, ".cpp": true, ".hpp": true, ".cs": true, ".swift": true, ".php": true,
	".sh": true, ".md": true, ".mdx": true, ".txt": true, ".json": true, ".yaml": true, ".yml": true, ".toml": true, ".xml": true,
	".html": true, ".css": true, ".scss": true, ".sql": true, ".vue": true, ".svelte": true, ".lock": true, ".env": true, ".cfg": true,
	".ini": true, ".conf": true, ".proto": true, ".dart": true, ".ex": true, ".exs": true, ".lua": true,
}

// compound reports whether a name is made of several words.
func compound(name string) bool {
	for i := 1; i+1 < len(name); i++ {
		if name[i] == '_' || name[i-1] >= 'a' && name[i-1] <= 'z' && name[i] >= 'A' && name[i] <= 'Z' {
			return true
		}
	}
	return false
}

// pathEnds are the bytes at which a path in a text ends. One with a bracket or a sign of a pattern is none.
const pathEnds = " \t\r\n,;\"'|"

// lineNumber matches what may follow the name of a file: ":12", ":12-20", "#L12".
var lineNumber = regexp.MustCompile(`(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$`)

// ending is that of a file name.
var ending = regexp.MustCompile(`\.[A-Za-z][A-Za-z0-9_]{0,9}$`)

// pathName reports whether a word is a path of a project: relative, in letters that names have, with a slash and, in running text, an
// ending; as code a file name alone will do.
func pathName(word string, code bool) bool {
	if len(word) < 3 || len(word) > maxName || !utf8.ValidString(word) || strings.ContainsAny(word, "*?<>{}$()[]=\\:#%&!^~+`…") ||
		word[0] == '/' || word[0] == '-' || strings.Contains(word, "//") || strings.Contains(word, "...") || strings.Contains(word, "YYYY") ||
		strings.Contains(word, "@") {
		return false
	}
	for segment := range strings.SplitSeq(strings.TrimSuffix(word, "/"), "/") {
		if segment == ".." || segment == "." || segment == "" {
			return false
		}
	}
	end := ending.MatchString(word)
	if strings.Contains(strings.TrimSuffix(word, "/"), "/") {
		return code || end
	}
	return code && (end || strings.HasSuffix(word, "/"))
}

// maxClaims is how many claims of a store are looked up.
const maxClaims = 20_000

// claimed reports the claims of files that no longer hold: those of which the new name is known as one finding, the others as another.
func (w *checking) claimed(ctx context.Context) error {
	if w.source.Project == nil {
		return nil
	}
	known, asked := map[Claim]Verdict{}, []Claim(nil)
	skipped := func(s seen) bool { return s.file.Hidden || recordNames.MatchString(s.file.Path) }
	for _, s := range w.seen {
		if skipped(s) {
			continue
		}
		for _, c := range factOf[claimList](s.content) {
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
		var moved, gone outdated
		for _, c := range factOf[claimList](s.content) {
			switch v := known[c.Claim]; {
			case v.Why == "":
			case v.To != "":
				moved.add(c, v)
				if len(moved.places) > len(moved.repairs) {
					moved.repairs = append(moved.repairs, Repair{c.place.Start, c.place.End, v.To, v.To})
				}
			default:
				gone.add(c, v)
			}
		}
		moved.report(w, s)
		gone.report(w, s)
	}
	return nil
}

// outdated are claims of a file that no longer hold.
type outdated struct {
	broken
	why   string // of the first
	named map[string]bool
}

func (b *outdated) add(c claim, v Verdict) {
	if b.named == nil {
		b.named = map[string]bool{}
		b.why = c.text() + " " + v.Why
	}
	b.broken.add(c.place, c.Name, !b.named[c.Name])
	b.named[c.Name] = true
}

// text is the claim as a reason names it.
func (c *claim) text() string {
	switch c.Kind {
	case ClaimTarget:
		return "make " + c.Name
	case ClaimScript:
		return "script " + c.Name
	}
	if len(c.Name) > maxQuote {
		return path.Base(c.Name)
	}
	return c.Name
}

func (b *outdated) report(w *checking, s seen) {
	if b.count == 0 {
		return
	}
	reason := b.why
	if n := b.missing - 1; n > 0 {
		reason += ", " + text.Count(n, "more stale name")
	}
	w.add(Finding{
		Path: s.file.Path, Rule: StalePath, Severity: info, Content: s.file.Digest, Reason: reason, Place: b.places[0], Count: b.count,
		Places: b.places, Others: b.names, Repairs: b.repairs,
	})
}
