package adapt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameMost bounds a part of a name, in bytes; a file name has at most 255.
const nameMost = 120

// SafeName is a text as a part of a name: without what a path or a link can't hold, cut to a length.
func SafeName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\[]|%,"`, r) || r == utf8.RuneError:
			return '-'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	for strings.Contains(s, "..") {
		s = strings.ReplaceAll(s, "..", ".")
	}
	for len(s) > nameMost {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	s = strings.TrimRight(s, ". ") // the extension follows
	if s == "" || s[0] == '.' || s[0] == '-' {
		s = "_" + strings.TrimLeft(s, ".-")
	}
	return s
}
