package lint

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"memcurator/memstore"
)

// original is the file to keep of several with the same bytes: by its name no copy, else the one that more files name, else the one with
// the shorter way to it.
func (w *checking) original(same []File) File {
	return slices.MinFunc(same, func(a, b File) int {
		return cmp.Or(
			cmp.Compare(copyRank(a.Path), copyRank(b.Path)), cmp.Compare(w.links[b.Path], w.links[a.Path]),
			cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(len(a.Path), len(b.Path)),
			cmp.Compare(a.Path, b.Path),
		)
	})
}

var (
	// copyWords match what people name by hand what they keep beside the original.
	copyWords = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:copy|old|backup|bak)(?:[^a-z]|$)|~$|\(\d+\)(?:\.[^/]*)?$`)
	// copyNumber matches a number behind a name, of a copy as often as not; more digits are a year or a date.
	copyNumber = regexp.MustCompile(`[^0-9/_. -][_. -]*\d{1,3}$`)
)

// copyRank is how much a path looks like that of a copy: 2 by a word or sign, 1 by a number at its end, 0 not at all.
func copyRank(agentPath string) int {
	name := strings.TrimPrefix(agentPath, memstore.Root+"/")
	switch {
	case copyWords.MatchString(name):
		return 2
	case copyNumber.MatchString(strings.TrimSuffix(name, path.Ext(name))):
		return 1
	}
	return 0
}
