package cli_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// translated are phrases that read as translated, each with what to write instead. docs/words.md has the words to use.
var translated = []struct{ phrase, instead string }{
	{`\b(take|takes|taking|taken|took) (it |them |that |this |all |everything )?back\b`, "undo, revert"},
	{`\b(put|puts|putting) (it |them |that |this )?back\b`, "restore"},
	{`\b(take|takes|taking|taken|took) (it |them )?away\b`, "delete, clear, remove"},
	{`\b(take|takes|taking|taken|took) (it |them )?out\b`, "remove, redact, drop"},
	{`\bcarr(y|ies|ied|ying) on\b`, "resume, go on"},
	{`\bout of account\b`, "ignore"},
	{`\b(some|no)body\b`, "name the actor, or use you"},
	{`\bso many\b`, "give the number, or too many"},
	{`\bit is so\b`, "say what holds"},
	{`\bis no [a-z]+\b`, "is not a"},
	{`\btells (of|whether)\b|\btell whether\b`, "shows, reports"},
	{`\bwhat was done\b`, "changes, history"},
	{`(^|[^a-z])there (is|are|was) nothing to\b`, "Nothing to"},
	{`\bstands? in\b`, "is in"},
	{`\b(looked|looks|looking) into\b`, "searched, checked"},
	{`\b(is|are) left\b([^ ]|$| [^aof])`, "remains, no space left"},
	{`\b(was|were) not \w+ed and\b`, "use an active verb"},
	{`\btick(s|ed|ing)?\b`, "select"},
	{`\bjudged?\b.{0,20}\bharmless\b`, "dismiss"},
	{`\bknows of\b`, "lists, has"},
	{`\blies (in|at|on|below|beside|inside|outside|there|further)\b`, "is"},
	{`\bNothing was done\b`, "Nothing changed"},
	{`\b(is|are|was|were|runs|does|writes|it|them) (\w+ )?all the same\b`, "anyway, nevertheless"},
	{`\b(is|are) looked at every\b`, "poll"},
	{`\bto be rendered\b`, "to render"},
	{`\bcapitals make it\b`, "capitals match case"},
	{`\bgives no notice\b`, "doesn't report"},
	{`\bis typed into\b|\bis there twice\b`, "types itself, is listed twice"},
	{`\bto go on: `, "to confirm: "},
	{`\b(is|are) not what (it|they) (was|were|says)\b`, "is damaged, differs"},
	{`\b(take|takes|taken) up again\b`, "resume"},
	{`\bthose that there are\b|\bthat there are:`, "choose a, b or c"},
	{`\bwhat (is|was) in (it|the file|this file)\b`, "its contents"},
	{`\b(is|are) not known\b`, "unknown"},
	{`\b(is|are) wanted, not\b`, "needs"},
	{`\bbehind its name\b`, "argument"},
	{`\btakes the number of an?\b`, "takes a line number"},
	{`\bstill to be \w+ed\b`, "is missing"},
	{`\bwaits to be written\b|\bthat was not written\b`, "unwritten, unsaved"},
	{`\b(can't|cannot) go on\b`, "can't continue"},
	{`\banew\b`, "again"},
	{`\bas nothing could\b`, "because"},
	{`\bhas (told|written it|taken the)\b`, "the simple past"},
	{`\b(cancelled|recognise|organise|normalise|synchronise|sanitise|summarise|behaviour|colour)`, "American spelling"},
	{`\bbeside (the|a|an) (minimal|peer|plain)\b`, "compared with"},
	{`\b(please|sorry|successfully)\b`, "leave it out"},
	{`\b(object|value|input|name) an? line\b`, "per line"},
	{`\bin the place of\b`, "instead of, replaces"},
	{`\bwhat (became|becomes) of\b`, "the outcome"},
	{`\b(any|every)body\b`, "name the actor, or use anyone"},
	{`\bonce more\b`, "again"},
	{`\bknows? no [a-z]+\b`, "doesn't know"},
	{`\b(is|are) at it\b`, "is running, is purging"},
	{`\bcan be had\b`, "is available"},
	{`\bwithout a look\b`, "unchecked"},
	{`\bof which (none|each|one|only [a-z]+ (is|are|were|counts))\b`, "each of them, with"},
	{`[a-z], but for \w+|\bsame but for\b`, "except"},
	{`\b(is|are) told (of|in|as|by|with)\b`, "reports, is shown"},
}

// allowed are places in which a phrase is not ours, or is the right one.
var allowed = regexp.MustCompile(`(?i)is no (longer|more|less)\b|there is no |created successfully|edited successfully|[^.] successfully (deleted|renamed)` +
	`|tick handles|Anew is Reread|notifications/cancelled|lorry (was|is) cancelled` +
	`|Successfully (deleted|renamed)|has been edited|tick-(all-)?finding|is:ticked|"tick"|Nothing was done\. (Leave|Choose)|time\.Tick|colour: (blue|green)|notifications/cancelled|\b(if|where|as|that|what|which|and) there is no\b`)

// wordless are files with words that are not ours: what people may type,
// what the tool answers is pinned byte for byte, and test data is an agent's.
var wordless = []string{
	"keymap/synonyms.go", "memstore/docs.go", "memstore/sdk.go", "memstore/decode.go", "memstore/typescript.go", "memstore/python.go",
	"memstore/transcript/outcome", "memstore/transcript/format", "memstore/transcript/start.go", "memstore/transcript/replay.go",
	"memstore/scrub", "memstore/lint", "memstore/memtest", "memstore/mcpserver/prompts.go", "testdata", "docs/dialects.md", "render/syntax", "docs/examples",
}

func TestTextsReadAsWrittenByANativeEngineer(t *testing.T) {
	t.Parallel()
	var phrases []*regexp.Regexp
	var literals []string
	for _, p := range translated {
		phrases = append(phrases, regexp.MustCompile(strings.ToLower(p.phrase)))
		literals = append(literals, literalOf(t, strings.ToLower(p.phrase)))
	}
	found := 0
	check := func(file, where, text string) {
		text = strings.ToLower(text)
		for i, phrase := range phrases {
			if !strings.Contains(text, literals[i]) {
				continue
			}
			for _, at := range phrase.FindAllStringIndex(text, -1) {
				around := text[max(0, at[0]-24):min(len(text), at[1]+24)]
				if allowed.MatchString(around) {
					continue
				}
				found++
				t.Errorf("%s:%s: %q (write: %s)", file, where, strings.ReplaceAll(around, "\n", " "), translated[i].instead)
			}
		}
	}
	root := moduleRoot(t)
	err := filepath.WalkDir(root, func(disk string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, disk)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if name != "." && strings.HasPrefix(d.Name(), ".") || isBelow(name, wordless) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		switch {
		case d.IsDir():
			return nil
		case path.Ext(name) == ".go":
			return eachText(disk, func(line int, text string) { check(name, strconv.Itoa(line), text) })
		case path.Ext(name) == ".md", path.Ext(name) == ".golden", path.Ext(name) == ".svg":
			text, err := os.ReadFile(disk)
			for i, line := range strings.Split(string(text), "\n") {
				check(name, strconv.Itoa(i+1), line)
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found > 0 {
		t.Log(fmt.Sprint(found, " phrases; docs/words.md has the words to use"))
	}
}

// literalOf returns the longest text that every match of a phrase contains, to skip the slow match of most texts.
func literalOf(t *testing.T, phrase string) (longest string) {
	parsed, err := syntax.Parse(phrase, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range append(parsed.Sub, parsed) {
		if part.Op == syntax.OpLiteral && len(string(part.Rune)) > len(longest) {
			longest = string(part.Rune)
		}
	}
	return longest
}

func isBelow(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return name == f || strings.HasPrefix(name, f+"/") })
}

// eachText visits the comments of a file and, unless it is a test, its string literals except imports and tags.
func eachText(file string, visit func(line int, text string)) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	for _, comment := range parsed.Comments {
		visit(set.Position(comment.Pos()).Line, comment.Text())
	}
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(n.Value); err == nil {
				visit(set.Position(n.Pos()).Line, text)
			}
		}
		return true
	})
	return nil
}
