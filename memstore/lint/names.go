package lint

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The rules of names.
const (
	NameClash  Rule = "name-clash"  // names that differ in case or in Unicode normalization only
	HiddenName Rule = "hidden-name" // a name with characters that are not seen
)

// oddNames reports names that one can't tell apart, or can't see whole.
func (w *checking) oddNames() {
	w.add(clashes(w.source.Files)...)
	w.add(namesWithHidden(w.source.Files)...)
}

// sameName brings names to one form that a file system may take for the same: composed, and
// without regard to case.
func sameName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(name)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// clashes finds names of one folder that differ in case or normalization only. Folders count too.
func clashes(files []File) []Finding {
	first := map[string]string{} // by the path in one form
	var out []Finding
	told := map[string]bool{}
	for _, f := range files {
		at := ""
		for i, part := range strings.Split(strings.TrimPrefix(f.Path, "/"), "/") {
			at += "/" + part
			if i == 0 {
				continue
			}
			key := path.Dir(at) + "/" + sameName(part)
			other, ok := first[key]
			switch {
			case !ok:
				first[key] = at
			case other != at && !told[at]:
				told[at] = true
				out = append(out, clash(f.Path, at, other))
			}
		}
	}
	return out
}

func clash(file, at, other string) Finding {
	how := "case"
	if norm.NFC.String(at) == norm.NFC.String(other) {
		how = "Unicode form"
	}
	return Finding{
		Path: file, Rule: NameClash, Severity: Warning, Count: 1, Others: []string{other},
		Reason: path.Base(at) + " differs from " + path.Base(other) + " in " + how + " only; some systems see one file",
	}
}

// namesWithHidden finds names with characters that are not seen.
func namesWithHidden(files []File) []Finding {
	var out []Finding
	for _, f := range files {
		var runes []rune
		for _, r := range f.Path {
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
