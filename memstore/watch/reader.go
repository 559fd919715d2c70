package watch

import (
	"context"
	"errors"
	"io"
	"time"

	"memcurator/memstore"
	"memcurator/render/diff"
)

// countBelow is the size from which the lines of a change are not counted and
// nothing is said of the command that it is like.
const countBelow = 1 << 20

// emptyRetries is how often a file that was not empty and now is gets another
// look after emptyPause: it may stand between truncation and write.
const (
	emptyRetries = 4
	emptyPause   = 5 * time.Millisecond
)

// reading is one file to be read, and what came of it.
type reading struct {
	name    string
	kind    memstore.Kind
	before  *Version // nil: a new path
	version *Version // nil: it is not there any more, or is something else
	difference
}

// difference is how two contents differ, as far as that is known.
type difference struct {
	added, removed int // lines
	like           Resemblance
}

// reader reads contents on behalf of the owner, on another goroutine.
type reader struct {
	backend   memstore.Backend
	spill     *spill
	maxFile   int64
	forChange bool
}

func (o *owner) reader(forChange bool) *reader {
	return &reader{o.backend, o.w.spill, o.w.options.MaxFile, forChange}
}

func (r *reader) read(one *reading) {
	if one.kind == memstore.KindLink {
		r.readLink(one)
		return
	}
	for try := 0; ; try++ {
		r.readFile(one)
		emptied := one.version != nil && one.version.size == 0 && one.before != nil && one.before.size > 0
		if !emptied || try == emptyRetries {
			return
		}
		time.Sleep(emptyPause)
	}
}

func (r *reader) readLink(one *reading) {
	info, err := r.backend.Lstat(one.name)
	if err != nil || info.Kind != memstore.KindLink {
		return
	}
	text, err := r.backend.Readlink(one.name)
	if err != nil {
		return
	}
	one.version = r.keep([]byte(text), info)
}

// readFile reads without leaving a trace in the access time.
func (r *reader) readFile(one *reading) {
	data, info, err := r.load(one.name)
	if err != nil {
		one.version = nil
		if info, gone := r.backend.Lstat(one.name); gone == nil && info.Kind == memstore.KindFile {
			one.version = &Version{size: info.Size, stat: info, seen: time.Now(), why: whyUnreadable}
		}
		return
	}
	if data == nil {
		one.version = &Version{size: info.Size, stat: info, seen: time.Now(), why: whyTooBig}
		return
	}
	one.version = r.keep(data, info)
	if r.forChange && !same(one.before, one.version) {
		one.difference = differ(one.before, data)
	}
}

// load returns the bytes of a file, nil when they are more than may be kept.
func (r *reader) load(name string) ([]byte, memstore.Info, error) {
	f, err := r.backend.Open(name, memstore.Look)
	if err != nil {
		return nil, memstore.Info{}, err
	}
	defer f.Close()
	for {
		info, err := f.Info()
		if err != nil || info.Size > r.maxFile {
			return nil, info, err
		}
		// One byte more than it should hold shows that it is growing just now.
		data := make([]byte, info.Size+1)
		n, err := f.ReadAt(data, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, info, err
		}
		if int64(n) <= info.Size {
			return data[:n], info, nil
		}
	}
}

func (r *reader) keep(data []byte, info memstore.Info) *Version {
	v := &Version{size: int64(len(data)), digest: memstore.Sum(data), stat: info, seen: time.Now()}
	v.blob, v.why = r.spill.put(data, v.digest, r.forChange)
	return v
}

// differ compares two contents; nil is no content.
func differ(before *Version, after []byte) (d difference) {
	if len(after) >= countBelow {
		return d
	}
	old, ok := before.bytes(countBelow - 1)
	if !ok {
		return d
	}
	if before != nil && after != nil {
		d.like = resemble(old, after)
	}
	if added, removed, ok := diff.Counts(old, after); ok {
		d.added, d.removed = added, removed
	}
	return d
}

// differVersions is differ for two versions; nil is no content.
func differVersions(before, after *Version) difference {
	data, ok := after.bytes(countBelow - 1)
	if !ok {
		return difference{}
	}
	return differ(before, data)
}

// read reads the files of the batch. It touches nothing of the owner's.
func (b *batch) read(ctx context.Context) {
	for _, one := range b.reads {
		if ctx.Err() != nil {
			return
		}
		b.reader.read(one)
	}
}
