package literal

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// element is one character of a literal, as a reader counts them, in all the bytes that
// may stand for it: upper and lower case, composed and taken apart. The longest form
// comes first. All are canonically equal except for case, so that none begins or ends another.
type element [][]byte

// formsMax bounds the forms of one element. A letter with more marks than people write is
// compared mark by mark, as it is.
const formsMax = 24

// elementsOf takes a text apart. Invalid UTF-8 is one element, as it is.
func elementsOf(text string, fold, canonical bool) []element {
	if !utf8.ValidString(text) {
		return []element{{[]byte(text)}}
	}
	var out []element
	for len(text) > 0 {
		_, n := utf8.DecodeRuneInString(text)
		if canonical {
			if b := norm.NFD.NextBoundaryInString(text, true); b > 0 {
				n = b
			}
		}
		part := text[:n]
		text = text[n:]
		if forms := formsOf(part, fold, canonical); forms != nil {
			out = append(out, forms)
			continue
		}
		for _, r := range part {
			out = append(out, formsOf(string(r), fold, false))
		}
	}
	return out
}

// formsOf returns nil where there would be too many.
func formsOf(part string, fold, canonical bool) element {
	texts := []string{part}
	if canonical {
		texts = append(texts, norm.NFC.String(part), norm.NFD.String(part))
	}
	var forms element
	for _, text := range texts {
		all := cases(text, fold)
		if canonical {
			for _, form := range all {
				all = append(all, norm.NFD.Bytes(form))
			}
		}
		for _, form := range all {
			if !slices.ContainsFunc(forms, func(f []byte) bool { return bytes.Equal(f, form) }) {
				forms = append(forms, form)
			}
		}
		if len(forms) > formsMax || len(forms) == 0 {
			return nil
		}
	}
	slices.SortStableFunc(forms, func(a, b []byte) int { return len(b) - len(a) })
	return forms
}

// cases returns a text in every mixture of cases; nil where there are too many.
func cases(text string, fold bool) [][]byte {
	all := [][]byte{nil}
	for _, r := range text {
		forms := [][]byte{utf8.AppendRune(nil, r)}
		if fold {
			for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
				forms = append(forms, utf8.AppendRune(nil, o))
			}
		}
		if len(all)*len(forms) > formsMax {
			return nil
		}
		var next [][]byte
		for _, head := range all {
			for _, form := range forms {
				next = append(next, slices.Concat(head, form))
			}
		}
		all = next
	}
	return all
}
