package watch

import (
	"context"
	"errors"
	"io"
	"slices"
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

// growRetries is how often a file that gives more bytes than its size says is read again, and
// readChunk how much of one is read between two looks at the context.
const (
	growRetries = 4
	readChunk   = 256 << 10
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

// read reads one file. When ctx ends it gives up, and what it says then is worth nothing.
func (r *reader) read(ctx context.Context, one *reading) {
	if one.kind == memstore.KindLink {
		r.readLink(one)
		return
	}
	for try := 0; ; try++ {
		r.readFile(ctx, one)
		emptied := one.version != nil && one.version.size == 0 && one.before != nil && one.before.size > 0
		if !emptied || try == emptyRetries || ctx.Err() != nil {
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
func (r *reader) readFile(ctx context.Context, one *reading) {
	data, info, err := r.load(ctx, one.name)
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

// load returns the bytes of a file, nil when they are more than may be kept. The size that
// the system tells bounds nothing: files of /proc and of some FUSE file systems are empty by it
// and give bytes all the same.
func (r *reader) load(ctx context.Context, name string) ([]byte, memstore.Info, error) {
	f, err := r.backend.Open(name, memstore.Look)
	if err != nil {
		return nil, memstore.Info{}, err
	}
	defer f.Close()
	var last memstore.Info
	for try := 0; ; try++ {
		info, err := f.Info()
		if err != nil || info.Size > r.maxFile {
			return nil, info, err
		}
		data, err := r.all(ctx, f, info.Size)
		if err != nil || int64(len(data)) > r.maxFile {
			return nil, info, err
		}
		// More bytes than the size says: it is growing just now, so it is read once more.
		// Where the stamps stand still the size is wrong, and what was read is the content.
		if int64(len(data)) <= info.Size || try == growRetries || try > 0 && sameStat(&last, &info) {
			return data, info, nil
		}
		last = info
	}
}

// all reads a file to its end, but no more than one byte above maxFile, which shows that
// there is too much. It never returns nil without an error.
func (r *reader) all(ctx context.Context, f io.ReaderAt, size int64) ([]byte, error) {
	// One byte more than it should hold shows its end, or that it goes on.
	data := make([]byte, 0, size+1)
	for int64(len(data)) <= r.maxFile {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, max(len(data), 512))
		}
		at := int64(len(data))
		n, err := f.ReadAt(data[at:min(at+readChunk, int64(cap(data)), r.maxFile+1)], at)
		data = data[:at+int64(n)]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, err
		case n == 0:
			return nil, io.ErrNoProgress
		}
	}
	return data, nil
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
		d.like = Resemble(old, after)
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
		b.reader.read(ctx, one)
	}
}
