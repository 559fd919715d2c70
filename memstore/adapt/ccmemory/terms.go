package ccmemory

import "strings"

// stop are the English words that cc-memory leaves out of its search index.
var stop = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
	a an and are as at be by for from has he in is it its of on that the to was were will with this but they have had what when
	where who which why how all each every both few more most other some such no nor not only own same so than too very just can
	should now i you your we our my me him her them their`) {
		words[w] = true
	}
	return words
}()

// termsOf returns the terms under which the program finds a text: words of Latin letters, digits and underscores, of two and more
// characters. It finds Japanese by pairs of characters, which every word that matches a text has in common with it.
func termsOf(text string) map[string]bool {
	found := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWord(r) }) {
		if len(word) >= 2 && !stop[word] {
			found[word] = true
		}
	}
	return found
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z'
}

func isJapanese(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf
}

// looksFor reports whether the program would find a text by a word: by one of its terms, or as a Japanese one.
func looksFor(word, text string, indexed map[string]bool) bool {
	for term := range termsOf(word) {
		if indexed[term] {
			return true
		}
	}
	return strings.ContainsFunc(word, isJapanese) && strings.Contains(strings.ToLower(text), word)
}
