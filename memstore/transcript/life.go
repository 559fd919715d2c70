package transcript

import (
	"bytes"
	"slices"
	"sort"

	"memcurator/memstore"
)

// life is the history of one path, oldest version first.
type life struct {
	versions []version
}

// version is a path from one step on.
type version struct {
	step    int
	kind    memstore.Kind // 0: it is gone
	data    []byte        // of a file
	from    string        // agent path that it had before this step; "": the same
	unknown bool          // data is a substitute for unknown content; see [Replay.Unknown]
}

// at is the version after step n; its kind is 0 where there is none.
func (l *life) at(n int) version {
	if l == nil {
		return version{}
	}
	if i := sort.Search(len(l.versions), func(i int) bool { return l.versions[i].step > n }); i > 0 {
		return l.versions[i-1]
	}
	return version{}
}

// put adds a version, unless it is like the last one; what one step did to a path is one version.
func (l *life) put(v version) {
	n := len(l.versions)
	if n > 0 && l.versions[n-1].step == v.step && v.step > 0 {
		l.versions = l.versions[:n-1]
	}
	last := l.at(v.step)
	if last.kind != v.kind || last.unknown != v.unknown || !bytes.Equal(last.data, v.data) {
		l.versions = append(l.versions, v)
	}
}

// found takes what turned out to have been there before the first step, where nothing or only its name was known of that time.
func (l *life) found(v version) {
	n := len(l.versions)
	switch {
	case n > 0 && l.versions[n-1].unknown:
		for i := range l.versions {
			if known := &l.versions[i]; known.unknown {
				known.kind, known.data, known.unknown = v.kind, v.data, v.unknown
			}
		}
	case n == 0 || l.versions[0].step > 0 && l.versions[0].kind == memstore.KindDir && v.kind == memstore.KindDir:
		l.versions = slices.Insert(l.versions, 0, v)
	}
}
