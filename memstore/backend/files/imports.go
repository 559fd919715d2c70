package files

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Imports are written as @path. Code and comments have none: fenced blocks, what is between backticks within a line, and HTML comments.
var (
	mentionExpr = regexp.MustCompile(`@((?:\\ |[^\s\v])+)`)
	codeExpr    = regexp.MustCompile("(?ms)^ {0,3}```.*?(?:^ {0,3}```|\\z)|^ {0,3}~~~.*?(?:^ {0,3}~~~|\\z)" +
		"|``[^\n]+?``|`[^`\n]+`|<!--.*?(?:-->|\\z)")
)

// mostMentions bounds the imports of one file that are followed.
const mostMentions = 10_000

// mentions finds the paths that a text imports in their order, without the punctuation of the sentence around them.
func mentions(text []byte) (list []string) {
	var code [][]int
	for i, m := range mentionExpr.FindAllSubmatchIndex(text, mostMentions) {
		if i == 0 {
			code = codeExpr.FindAllIndex(text, -1)
		}
		at := m[0]
		for len(code) > 0 && code[0][1] <= at {
			code = code[1:]
		}
		if len(code) > 0 && code[0][0] <= at || at > 0 && !strings.ContainsRune(" \t\r\n\v\f", rune(text[at-1])) {
			continue
		}
		path := strings.TrimRight(strings.ReplaceAll(string(text[m[2]:m[3]]), `\ `, " "), ".,;:!?)]}'\"*_>")
		if path != "" && len(path) <= 4096 && utf8.ValidString(path) && !strings.Contains(path, "\x00") {
			list = append(list, path)
		}
	}
	return list
}

// isPath reports whether a mention is meant as a path, so that a missing file is worth reporting: @docs/style.md, but not @param.
func isPath(path string) bool {
	return strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "/") ||
		strings.LastIndexByte(path, '.') > 0
}
