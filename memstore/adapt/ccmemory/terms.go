package ccmemory

import (
	"strings"
	"unicode"
)

// stop are words that cc-memory leaves out of its index: the English ones, and of the Japanese ones those that a pair of
// characters can be.
var stop = set(`
	a an and are as at be by for from has he in is it its of on that the to was were will with this but they have had what when
	where who which why how all each every both few more most other some such no nor not only own same so than too very just can
	should now i you your we our my me him her them their`)

var stopPairs = set(`
	ある いる する から こと など なっ ない この ため その あっ よう また もの あり まで られ なる だっ それ おり より なり なく だけ でき
	これ ここ です ます`)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// termsOf returns the terms under which the program finds a text, each once, in order of their appearance: pairs of adjacent Japanese
// characters (blanks between them don't count), then words of Latin letters, digits and underscores, of two and more characters.
func termsOf(text string) []string {
	var found []string
	seen := map[string]bool{}
	add := func(term string) {
		if !seen[term] {
			seen[term] = true
			found = append(found, term)
		}
	}
	var last rune
	japanese := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		if !isJapanese(r) {
			last = 0
			continue
		}
		japanese = true
		if pair := string([]rune{last, r}); last != 0 && !stopPairs[pair] {
			add(pair)
		}
		last = r
	}
	if japanese {
		text = strings.Map(func(r rune) rune {
			if isJapanese(r) {
				return ' '
			}
			return r
		}, text)
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWord(r) }) {
		if len(word) >= 2 && !stop[word] {
			add(word)
		}
	}
	return found
}

func isJapanese(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
