package transcript

import (
	"bytes"
	"sort"

	"memcurator/memstore"
)

// life is the history of one path, oldest version first.
type life struct {
	versions []version
	newest   []byte // what the newest version is, of a file; nil: not at hand
}

// version is a path from one step on. Of a file it keeps what differs from the version before:
// data stands between the first head and the last tail bytes of that.
type version struct {
	step       int
	kind       memstore.Kind // 0: it is gone
	size       int
	head, tail int
	whole      bool // data is the file
	chain      int  // versions to go back to a whole one
	data       []byte
	from       string // agent path that it had before this step; "": the same
	unknown    bool   // data is a substitute for unknown content; see [Replay.Unknown]
}

// longestChain bounds how many versions are put together to have one.
const longestChain = 32

// at is the index of the version after step n, -1 for none yet.
func (l *life) at(n int) int {
	return sort.Search(len(l.versions), func(i int) bool { return l.versions[i].step > n }) - 1
}

// kindAt is what the path is after step n; 0: nothing.
func (l *life) kindAt(n int) memstore.Kind {
	if i := l.at(n); i >= 0 {
		return l.versions[i].kind
	}
	return 0
}

func (l *life) last() version {
	if len(l.versions) == 0 {
		return version{}
	}
	return l.versions[len(l.versions)-1]
}

// alwaysFile reports that the path never was a folder.
func (l *life) alwaysFile() bool {
	for _, v := range l.versions {
		if v.kind == memstore.KindDir {
			return false
		}
	}
	return true
}

// put adds a version; what one step did to a path is one version.
func (l *life) put(v version) {
	if n := len(l.versions); n > 0 && l.versions[n-1].step == v.step {
		l.versions = l.versions[:n-1]
	}
	l.versions = append(l.versions, v)
}

func (l *life) end(step int) {
	if l.last().kind != 0 {
		l.put(version{step: step, whole: true})
	}
}

func (l *life) folder(step int) {
	if l.last().kind != memstore.KindDir {
		l.put(version{step: step, kind: memstore.KindDir, whole: true})
	}
}

// file adds the bytes of a file, unless they are those it has.
func (l *life) file(step int, data []byte, from string, unknown bool) {
	v := version{step: step, kind: memstore.KindFile, size: len(data), whole: true, data: data, from: from, unknown: unknown}
	last := l.last()
	if last.kind == memstore.KindFile && last.step < step {
		before := l.newest
		if before == nil {
			before = l.content(len(l.versions) - 1)
		}
		if bytes.Equal(before, data) && last.unknown == unknown {
			return
		}
		head, tail := common(before, data)
		if last.chain < longestChain && len(data)-head-tail <= len(data)/2 {
			v.whole, v.head, v.tail, v.chain = false, head, tail, last.chain+1
			v.data = bytes.Clone(data[head : len(data)-tail])
		}
	}
	l.put(v)
	l.newest = data
}

// common is how many bytes two texts have in common at their starts and at their ends.
func common(a, b []byte) (head, tail int) {
	most := min(len(a), len(b))
	for head < most && a[head] == b[head] {
		head++
	}
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// content is the bytes of a version of a file; not to be changed.
func (l *life) content(i int) []byte {
	from := i
	for !l.versions[from].whole {
		from--
	}
	data := l.versions[from].data
	for from++; from <= i; from++ {
		data = l.versions[from].of(data)
	}
	return data
}

// of is the bytes of a version of a file, made from those of the version before.
func (v version) of(before []byte) []byte {
	if v.whole {
		return v.data
	}
	data := make([]byte, 0, v.size)
	data = append(data, before[:v.head]...)
	data = append(data, v.data...)
	return append(data, before[len(before)-v.tail:]...)
}

// contents visits the versions from one on with their bytes, each made from those before it; nil: it is not a file.
// It ends where visit says no.
func (l *life) contents(from int, visit func(i int, data []byte) bool) {
	var data []byte
	if from > 0 && from < len(l.versions) && !l.versions[from].whole {
		data = l.content(from - 1)
	}
	for i := from; i < len(l.versions); i++ {
		v := l.versions[i]
		if data = v.of(data); v.kind != memstore.KindFile {
			data = nil
		}
		if !visit(i, data) {
			return
		}
	}
}
