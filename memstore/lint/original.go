package lint

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"memcurator/memstore"
)

// sameTime is how far apart two files may have been seen first and still count as seen together.
const sameTime = 2 * time.Second

// compareOriginals compares two files with the same bytes: below 0 where a is the original and b a copy of it. The name decides, then
// what names it, what the agent uses, what was there first, and the shorter way to it. sure is false where none of these decides, or
// where the first three disagree.
func (w *checking) compareOriginals(a, b File) (order int, sure bool) {
	strong := []int{
		cmp.Compare(copyRank(a.Path), copyRank(b.Path)),
		cmp.Compare(w.links[b.Path], w.links[a.Path]), // or their links would break
		cmp.Compare(b.Uses, a.Uses),
	}
	first := 0
	if apart := a.Since.Sub(b.Since); !a.Since.IsZero() && !b.Since.IsZero() && apart.Abs() >= sameTime {
		first = cmp.Compare(apart, 0)
	}
	order = cmp.Or(append(strong, first,
		cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(len(a.Path), len(b.Path)))...)
	return order, order != 0 && !slices.Contains(strong, -order)
}

// original is the file to keep of several with the same bytes.
func (w *checking) original(same []File) File {
	return slices.MinFunc(same, func(a, b File) int {
		order, _ := w.compareOriginals(a, b)
		return cmp.Or(order, cmp.Compare(a.Path, b.Path))
	})
}

// copyWords are the words by which people name what they keep beside the original.
var copyWords = []string{"copy", "old", "backup", "bak"}

// copyRank is how much a path looks like that of a copy: 2 by a word or sign, 1 by a number at its end, 0 not at all.
func copyRank(agentPath string) int {
	name := strings.ToLower(strings.TrimPrefix(agentPath, memstore.Root+"/"))
	if strings.HasSuffix(name, "~") {
		return 2
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(copyWords, word) }) {
		return 2
	}
	stem := path.Base(name)
	if i := strings.IndexByte(stem, '.'); i > 0 {
		stem = stem[:i]
	}
	rest := strings.TrimRight(stem, "0123456789)")
	number, numbered := strings.CutSuffix(stem[len(rest):], ")")
	if _, err := strconv.Atoi(number); err != nil {
		return 0
	}
	if numbered && strings.HasSuffix(rest, "(") {
		return 2
	}
	last := strings.TrimRight(rest, "-_. ")
	if numbered || len(number) > maxCopyDigits || last == "" || last[len(last)-1] >= '0' && last[len(last)-1] <= '9' {
		return 0 // a year, or a date
	}
	return 1
}

// maxCopyDigits is how long the number of a copy may be.
const maxCopyDigits = 3
