package project

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"memcurator/memstore/git"
)

// defines reports whether a line of code defines the word between before and after, in a file of this name. It knows the usual forms of
// common languages, and would rather miss one than take a use for a definition.
func defines(before, after []byte, word, file string) bool {
	if len(before)+len(after) > maxDefinition {
		return false
	}
	lead, rest := strings.TrimSpace(string(before)), strings.TrimSpace(string(after))
	if comment.MatchString(lead) && !strings.HasPrefix(lead, "#define") && lead != "# define" {
		return false
	}
	if readsVariable.MatchString(lead) && strings.ToUpper(word) == word {
		return true
	}
	if imports.MatchString(lead) || strings.Contains(rest, " from ") {
		return false
	}
	spaced := len(before) > 0 && strings.ContainsRune(" \t*&", rune(before[len(before)-1]))
	switch last := lastWord(lead); {
	case !spaced && lead != "":
		return false
	case slices.Contains(functionWords, last):
		return rest == "" || strings.ContainsRune("(<[{:!?=", rune(rest[0])) || last == "def"
	case strings.HasPrefix(lead, "func (") && strings.HasSuffix(lead, ")"): // a method of Go
		return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[")
	case slices.Contains(typeWords, last):
		return rest == "" || strings.ContainsRune("{<([:=", rune(rest[0])) || typeRest.MatchString(rest)
	case last == "type":
		return rest != "" && !strings.HasPrefix(rest, ",")
	case last == "define", last == "#define":
		return true
	case slices.Contains(valueWords, last):
		return rest == "" || rest[0] == ':' || assigned(rest) || path.Ext(file) == ".go" && typed.MatchString(rest)
	}
	if constant.MatchString(lead) && strings.ToUpper(word) == word && assigned(rest) {
		return true
	}
	if modifiers.MatchString(lead) && !strings.HasSuffix(rest, ",") && assigned(rest) {
		return string(after) != rest || lead != "" || len(before) == 0 // "name=value," and "  name=value" are arguments
	}
	return method(lead, rest) || headed(lead, rest, file, len(before) > 0 && (before[0] == ' ' || before[0] == '\t'))
}

// maxDefinition is the longest line that is read as code, in bytes: a longer one is made by a program.
const maxDefinition = 400

var (
	functionWords = []string{"func", "function", "fn", "fun", "def", "defp", "defmacro", "sub", "proc", "macro_rules!", "function*"}
	typeWords     = []string{"class", "struct", "interface", "enum", "trait", "union", "record", "protocol", "namespace", "module",
		"defmodule", "object", "actor"}
	valueWords = []string{"const", "let", "var", "val", "mut", "readonly"}
	// notTypes are words before a name and parentheses that make it a call.
	notTypes = []string{"if", "for", "while", "switch", "return", "else", "await", "new", "catch", "case", "throw", "in", "do", "yield",
		"not", "and", "or", "when", "unless", "elif", "with", "match", "go", "defer", "select", "assert", "raise", "typeof", "until"}

	comment  = regexp.MustCompile(`^(//|#|\*|/\*|--|;|"""|<!--|%)`)
	imports  = regexp.MustCompile(`^(import|from|use|using|include|require|export\s*\{|export\s+\*|#include|extern crate)\b`)
	typeRest = regexp.MustCompile(`^(extends|implements|where|permits|final|with)\b`)
	// modifiers are what may precede a value that a line assigns.
	modifiers = regexp.MustCompile(`^((export|public|private|protected|internal|static|final|constexpr|default|declare|local|global)\s*)*$`)
	// readsVariable ends with what reads a variable of the environment.
	readsVariable = regexp.MustCompile("(?i)(getenv\\(\\s*|lookupenv\\(\\s*|environ\\[|environ\\.get\\(\\s*|env::var(_os)?\\(\\s*|\\bENV\\[|" +
		"ENV\\.fetch\\(|env\\.get\\(\\s*)[\"'`]$|process\\.env\\.$|import\\.meta\\.env\\.$")
	// typed is the type of a value of Go.
	typed = regexp.MustCompile(`^[\w.*\[\]]+(?:\(.*|\{.*)?(?:\s+=\s.*)?$`)
	// constant precedes the name of a typed constant in C, C++, Java and C#.
	constant = regexp.MustCompile(`^(?:[\w<>\[\]:]+[\s*&]+)*(?:const|constexpr|final)\s[\w<>\[\]:\s*&]*$`)
	// parameters are those of a function in C, with a type before the first name.
	parameters = regexp.MustCompile(`^\(\s*(?:void\s*|[\w:<>]+[\s*&]+\w[^;={}"'` + "`" + `]*|)(?:\)|,)$`)
	// closing ends the head of a function in C, C++, Java or C# whose body begins below: its parameters, or the first of them.
	closing = regexp.MustCompile(`(?:\)(?:\s*(?:const|noexcept|override|final|throws\s[\w.,\s]+))*|,|\()$`)
	// returns is what may precede the name of a method: words, types, pointers.
	returns = regexp.MustCompile(`^[\w:<>\[\]*&,.?@\s~]*$`)
)

// assigned reports whether what follows a name assigns to it.
func assigned(rest string) bool {
	after, assigns := strings.CutPrefix(rest, "=")
	return assigns && (after == "" || !strings.ContainsRune("=>~", rune(after[0]))) || strings.HasPrefix(rest, ":=")
}

// method reports whether a name between these is that of a function with its body: "static int name(int a) {".
func method(lead, rest string) bool {
	if !strings.HasPrefix(rest, "(") || !strings.HasSuffix(rest, "{") || !returns.MatchString(lead) ||
		strings.ContainsAny(rest, "\"'`;") || strings.Contains(rest, "=>") || strings.Contains(rest, "function") {
		return false
	}
	return !slices.ContainsFunc(strings.Fields(lead), func(w string) bool { return slices.Contains(notTypes, w) })
}

// braced are the endings of files in languages whose functions may have their brace on the line below.
var braced = map[string]bool{".c": true, ".h": true, ".cc": true, ".cpp": true, ".cxx": true, ".hh": true, ".hpp": true, ".hxx": true,
	".m": true, ".mm": true, ".ino": true, ".cu": true, ".cs": true, ".java": true}

// access are words before a function that no call has.
var access = regexp.MustCompile(`^(?:public|private|protected|internal|static|virtual|override|inline|extern|constexpr)\b`)

// headed reports whether a name between these is that of a function whose body begins on a line below: "static int name(int a)". At the
// left margin no calls appear; elsewhere a word of [access] marks the head.
func headed(lead, rest, file string, indented bool) bool {
	if !braced[strings.ToLower(path.Ext(file))] || !strings.HasPrefix(rest, "(") || strings.ContainsAny(rest, "\"'`;={}") ||
		!closing.MatchString(rest) || !returns.MatchString(lead) ||
		slices.ContainsFunc(strings.Fields(lead), func(w string) bool { return slices.Contains(notTypes, w) }) {
		return false
	}
	switch {
	case indented:
		return access.MatchString(lead)
	case lead == "": // the type is on the line above
		return parameters.MatchString(rest)
	}
	return true
}

// blockStart begins a block of declarations of Go.
var blockStart = regexp.MustCompile(`^(const|var|type) \($`)

// blocks follows whether the lines of a change are in a block of declarations of Go, where names stand without a word before them.
type blocks struct {
	commit string
	hunk   int
	added  bool
	in     bool
}

// read reads the next line, and reports whether it is in a block.
func (b *blocks) read(l git.Line) bool {
	if path.Ext(l.File) != ".go" {
		return false
	}
	if l.Commit != b.commit || l.Hunk != b.hunk || l.Added != b.added {
		*b = blocks{l.Commit, l.Hunk, l.Added, blockStart.MatchString(l.Above)}
	}
	switch {
	case blockStart.Match(l.Text):
		b.in = true
		return false
	case len(l.Text) > 0 && l.Text[0] != '\t' && l.Text[0] != ' ' && l.Text[0] != '/':
		b.in = false
	}
	return b.in
}

// declared reports whether a line in a block declares the word at an offset: "\tKindTwo Kind = iota", "\tKindThree", "\tRow struct {".
func declared(line []byte, at, size int) bool {
	if at != 1 || line[0] != '\t' {
		return false
	}
	rest := bytes.TrimSpace(line[at+size:])
	return len(rest) == 0 || strings.IndexByte(" \t,", line[at+size]) >= 0 && !bytes.HasPrefix(rest, []byte("=="))
}

// lastWord is the last word of a text, without the signs of a pointer behind it.
func lastWord(s string) string {
	s = strings.TrimRight(s, "*& ")
	return s[strings.LastIndexAny(s, " \t(")+1:]
}
