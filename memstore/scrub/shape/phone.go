package shape

import (
	"strings"

	"memcurator/memstore/scrub/ascii"
)

// IsPlaceholderNumber recognises 1234567890, 0000000000 and the like.
func IsPlaceholderNumber(all string) bool {
	var seen [256]bool
	kinds, rising := 0, 0
	for i := range len(all) {
		if !seen[all[i]] {
			seen[all[i]] = true
			kinds++
		}
		if i > 0 && all[i] == all[i-1]+1 {
			rising++
		}
	}
	return kinds <= 2 || rising >= len(all)-2 || strings.Contains(all, "12345678")
}

// CountryCode reports whether digits begin with a code that a country has.
func CountryCode(all string) bool {
	switch all[0] {
	case '0':
		return false
	case '1':
		return len(all) == 11 && all[1] >= '2'
	case '7':
		return len(all) == 11
	}
	if twoDigitCodes.All[all[:2]] {
		return len(all) >= 9 && len(all) <= 14
	}
	return threeDigitCodes.All[all[:2]] && len(all) >= 9
}

var twoDigitCodes = ascii.NewWords(`20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66
 81 82 84 86 90 91 92 93 94 95 98`)

// threeDigitCodes by their first two digits.
var threeDigitCodes = ascii.NewWords(`21 22 23 24 25 26 29 35 37 38 42 50 59 67 68 69 80 85 87 88 96 97 99`)
