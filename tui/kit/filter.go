package kit

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"memcurator/render/text"
)

// Term is a condition that a filter line can name, such as is:open or actor:agent.
type Term[T any] struct {
	Key string // what comes before the colon
	// Values are what may follow the colon, of which the beginning is enough. nil: any text.
	Values []string
	// Fits decides on a row, for one of Values, or for the text as it was typed. nil: Parse is used.
	Fits func(row T, value string) bool
	// Parse is for values that have a form of their own, such as times. It is called once for each line; its error is a
	// sentence.
	Parse func(value string) (fits func(row T) bool, err error)
}

// Filter is a parsed filter line. All its words and terms must fit a row:
//
//	ssh key          both words, in any case
//	"ssh key"        the words together
//	is:open          a term
//	class:token,key  one of two values
//	-is:past !todo   a leading "-" or "!" turns a word or a term around
//
// Make it with [parseFilter]. The zero value lets every row through.
type Filter[T any] struct {
	Line    string
	Problem string // a mistake in the line, a sentence; the word that it is about is ignored
	fits    []func(row T, words func() string) bool
}

// parseFilter reads a line. A word with a colon whose key isn't one of terms is a mistake, unless it is quoted.
func parseFilter[T any](line string, terms []Term[T]) Filter[T] {
	f := Filter[T]{Line: strings.TrimSpace(line)}
	for _, word := range splitQuoted(line) {
		if word == "-" || word == "!" {
			continue // the beginning of something
		}
		not := len(word) > 1 && (word[0] == '-' || word[0] == '!')
		if not {
			word = word[1:]
		}
		fits, err := parseWord(word, terms)
		if err != nil {
			f.Problem = err.Error()
			continue
		}
		f.fits = append(f.fits, func(row T, words func() string) bool { return fits(row, words) != not })
	}
	return f
}

// Fits reports whether a row fits. words returns the text in lower case that the words of the line may occur in.
func (f *Filter[T]) Fits(row T, words func(T) string) bool {
	if len(f.fits) == 0 {
		return true
	}
	in := sync.OnceValue(func() string { return words(row) }) // a term needs none
	return !slices.ContainsFunc(f.fits, func(fits func(T, func() string) bool) bool { return !fits(row, in) })
}

// parseWord makes the condition of one word of a line.
func parseWord[T any](word string, terms []Term[T]) (func(row T, words func() string) bool, error) {
	key, value, colon := strings.Cut(strings.ToLower(word), ":")
	at := slices.IndexFunc(terms, func(t Term[T]) bool { return t.Key == key })
	switch {
	case !colon || word[0] == '"' || !isKey(key):
		plain := strings.Trim(strings.ToLower(word), `"`)
		return func(_ T, words func() string) bool { return strings.Contains(words(), plain) }, nil
	case at < 0:
		return nil, unknownTerm(word, terms)
	}
	var any []func(T) bool
	for one := range strings.SplitSeq(value, ",") {
		fits, err := terms[at].condition(one)
		if err != nil {
			return nil, err
		}
		any = append(any, fits)
	}
	return func(row T, _ func() string) bool {
		return slices.ContainsFunc(any, func(fits func(T) bool) bool { return fits(row) })
	}, nil
}

// isKey reports whether what is before a colon looks like the key of a term; "12:04" is a word.
func isKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

// condition makes the condition of a term with one value.
func (t Term[T]) condition(value string) (func(T) bool, error) {
	if t.Parse != nil {
		return t.Parse(value)
	}
	values := []string{value}
	if t.Values != nil {
		values = slices.DeleteFunc(slices.Clone(t.Values), func(v string) bool { return !strings.HasPrefix(v, value) })
		if len(values) == 0 {
			return nil, unknownTerm(t.Key+":"+value, []Term[T]{t})
		}
	}
	return func(row T) bool { return slices.ContainsFunc(values, func(v string) bool { return t.Fits(row, v) }) }, nil
}

// unknownTerm says that a term isn't one, and which one may be meant.
func unknownTerm[T any](word string, terms []Term[T]) error {
	known := completions(terms)
	if near := text.Nearest(word, known); near != "" {
		return fmt.Errorf("%s is not a filter term. Did you mean %s?", text.Clean(word), near)
	}
	return fmt.Errorf("%s is not a filter term. Use %s", text.Clean(word), strings.Join(known, " "))
}

// completions are the beginnings of all terms, for completing a line as it is typed.
func completions[T any](terms []Term[T]) (all []string) {
	for _, t := range terms {
		if t.Values == nil {
			all = append(all, t.Key+":")
		}
		for _, v := range t.Values {
			all = append(all, t.Key+":"+v)
		}
	}
	return all
}

// splitQuoted splits a line at blanks that aren't in quotes. The quotes stay.
func splitQuoted(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return unicode.IsSpace(r) && !quoted
	})
}
