package shape

import (
	"strings"

	"memcurator/memstore/scrub/ascii"
)

// pairs are the pairs of letters that nine in ten of those in English and technical words
// are: a letter and what follows it. Of random letters one pair in three is among them.
const pairs = "abcdgiklmnprstuvy baeiloru cacehiklorstu dadeilorsu eabcdefglmnpqrstvwx faefiloru gaehilnorsu haeiortu " +
	"iabcdefglmnoprstvz j keis ladeilostuy maeimops nacdefginostv oabcdfgiklmnoprstuvw paeiloprstu qu racdegikmnorstuvy " +
	"sacehiopstu tacehiloprstuy uabcdegilmnprst vaei waeios xpt yps ze"

var commonPair = func() (t [256 * 26]bool) {
	for _, row := range strings.Fields(pairs) {
		for i := 1; i < len(row); i++ {
			t[int(row[0])*26+int(row[i]-'a')] = true
		}
	}
	return t
}()

// Readable reports letters that read as words: snake_case, kebab-case, camelCase, dotted
// names. Random text of letters and digits does not, in all but one of some hundred.
func Readable(v []byte) bool {
	common, all, inWords := 0, 0, 0
	for i := 0; i < len(v); {
		if !ascii.Letters[v[i]] {
			i++
			continue
		}
		end := WordPart(v, i)
		if end-i >= 3 {
			inWords += end - i
			for j := i + 1; j < end; j++ {
				all++
				if commonPair[int(ascii.Lower[v[j-1]])*26+int(ascii.Lower[v[j]]-'a')] {
					common++
				}
			}
		}
		i = end
	}
	if inWords*10 < len(v)*6 {
		return false
	}
	if all < 8 {
		return common*10 >= all*8
	}
	return common*100 >= all*72
}

// WordPart is the end of the word of camelCase that begins at i.
func WordPart(v []byte, i int) int {
	end := i + 1
	for end < len(v) && ascii.Letters[v[end]] && !(ascii.Uppers[v[end]] && ascii.Lowers[v[end-1]]) {
		end++
	}
	return end
}

// IsDay reports eight digits that are a date: 20261121.
func IsDay(v []byte) bool {
	return len(v) == 8 && (v[0] == '2' && v[1] == '0' || v[0] == '1' && v[1] == '9') && v[4] <= '1' && v[6] <= '3'
}
