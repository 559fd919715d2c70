package project

import (
	"regexp"
	"slices"
	"strings"
)

// defines reports whether a line of code defines the word between before and after. It knows the usual forms of common languages, and
// would rather miss one than take a use for a definition.
func defines(before, after []byte, word string) bool {
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
		return rest == "" || rest[0] == ':' || assigned(rest)
	}
	if modifiers.MatchString(lead) && !strings.HasSuffix(rest, ",") && assigned(rest) {
		return string(after) != rest || lead != "" || len(before) == 0 // "name=value," and "  name=value" are arguments
	}
	return method(lead, rest)
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

// lastWord is the last word of a text, without the signs of a pointer behind it.
func lastWord(s string) string {
	s = strings.TrimRight(s, "*& ")
	return s[strings.LastIndexAny(s, " \t(")+1:]
}
