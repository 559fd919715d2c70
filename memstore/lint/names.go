package lint

import (
	"unicode"
	"unicode/utf8"
)

// HiddenName reports a name with characters that are not seen.
const HiddenName Rule = "hidden-name"

// namesWithHidden finds names with characters that are not seen.
func namesWithHidden(files []File) []Finding {
	var out []Finding
	for _, f := range files {
		var runes []rune
		walk := hiddenWalk{inspection: &inspection{data: []byte(f.Path)}}
		for i, r := range f.Path {
			if r == joiner && walk.joins(i, utf8.RuneLen(r)) {
				continue
			}
			if (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || variation(r) && r != 0xfe0f || r == 0xa0 || r == 0x3164) &&
				len(runes) <= maxNamed {
				runes = append(runes, r)
			}
		}
		if len(runes) == 0 {
			continue
		}
		out = append(out, Finding{
			Path: f.Path, Rule: HiddenName, Severity: Warning, Count: 1,
			Reason: "invisible characters in the name: " + names(runes),
		})
	}
	return out
}
