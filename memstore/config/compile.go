package config

import (
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"
)

// Compile is [Rule.Matches] for many paths: the usual shapes of globs ("**", "notes/**", "**/*.md",
// "**/name", "**/name/**", "*.md" and plain names) are compared as texts, several times faster.
func (r *Rule) Compile() func(path string) bool {
	match := compileAll(composed(r.Match))
	if r.within == nil {
		return func(path string) bool { return match(spelled(path)) }
	}
	within := compileAll(composed(r.within))
	return func(path string) bool {
		path = spelled(path)
		return match(path) && within(path)
	}
}

// composed brings globs to the Unicode normalization that paths are compared in: macOS and archives
// write names in another one than keyboards, and a pin would else miss what looks the same.
func composed(globs []string) []string {
	out := make([]string, len(globs))
	for i, g := range globs {
		out[i] = spelled(g)
	}
	return out
}

// spelled is a text in the normalization of comparisons. Most paths are ASCII, and plans ask for many.
func spelled(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.String(s)
		}
	}
	return s
}

// CompileFold is Compile without regard to case, for pins and locks: they must hold on file systems that have none.
func (r *Rule) CompileFold() func(path string) bool {
	folded := Rule{Match: lowered(r.Match)}
	if r.within != nil {
		folded.within = lowered(r.within)
	}
	match := folded.Compile()
	return func(path string) bool { return match(strings.ToLower(path)) }
}

func lowered(globs []string) []string {
	out := make([]string, len(globs))
	for i, g := range globs {
		out[i] = strings.ToLower(g)
	}
	return out
}

func compileAll(globs []string) func(string) bool {
	all := make([]func(string) bool, len(globs))
	for i, g := range globs {
		all[i] = compile(g)
	}
	if len(all) == 1 {
		return all[0]
	}
	return func(path string) bool {
		for _, fits := range all {
			if fits(path) {
				return true
			}
		}
		return false
	}
}

// plain reports whether a piece of a glob stands for itself. U+FFFD stands for any byte that is not UTF-8.
func plain(s string) bool {
	return s != "" && !strings.ContainsAny(s, "*?[]{}\\\uFFFD") && utf8.ValidString(s)
}

// compile makes the fastest match that does what doublestar does.
func compile(g string) func(string) bool {
	if g == "**" {
		return func(string) bool { return true }
	}
	if rest, ok := strings.CutPrefix(g, "**/"); ok {
		if f := compileAnywhere(rest); f != nil {
			return f
		}
	}
	if folder, ok := strings.CutSuffix(g, "/**"); ok && plain(folder) {
		return func(path string) bool { return below(path, folder) }
	}
	if end, ok := strings.CutPrefix(g, "*"); ok && plain(end) && !strings.Contains(end, "/") {
		return func(path string) bool { return strings.HasSuffix(path, end) && !strings.Contains(path, "/") }
	}
	if plain(g) {
		return func(path string) bool { return path == g }
	}
	return func(path string) bool { return doublestar.MatchUnvalidated(g, path) }
}

// compileAnywhere compiles what comes behind "**/"; nil where that has no usual shape.
func compileAnywhere(rest string) func(string) bool {
	if name, ok := strings.CutSuffix(rest, "/**"); ok && plain(name) {
		middle, end := "/"+name+"/", "/"+name
		return func(path string) bool {
			return below(path, name) || strings.Contains(path, middle) || strings.HasSuffix(path, end)
		}
	}
	if end, ok := strings.CutPrefix(rest, "*"); ok && plain(end) && !strings.Contains(end, "/") {
		return func(path string) bool { return strings.HasSuffix(path, end) }
	}
	if begin, ok := strings.CutSuffix(rest, "*"); ok && plain(begin) && !strings.Contains(begin, "/") {
		return func(path string) bool { return strings.HasPrefix(path[strings.LastIndexByte(path, '/')+1:], begin) }
	}
	if plain(rest) {
		return func(path string) bool {
			return path == rest || strings.HasSuffix(path, rest) && path[len(path)-len(rest)-1] == '/'
		}
	}
	return nil
}

// below reports whether a path is a folder or is in it.
func below(path, folder string) bool {
	return strings.HasPrefix(path, folder) && (len(path) == len(folder) || path[len(folder)] == '/')
}
