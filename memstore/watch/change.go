package watch

import (
	"errors"
	"io"
	"time"

	"memcurator/memstore"
)

// Change is one difference between two states of the store. Applied in order of
// Seq to the tree before, the changes give the tree after: missing parents are
// made on the way, a directory is deleted with everything below it.
// Immutable.
type Change struct {
	Seq   int // 1, 2, 3 … without gaps
	Time  time.Time
	Actor memstore.Actor
	// Command is the handler's for our own edits; for those of other programs
	// that of Like, or [CmdEdit] where nothing can be said of an edit.
	Command string
	Kind    memstore.Kind
	Path    string // agent path; of a rename the new one
	OldPath string // of a rename only
	// Before and After are nil where the path does not exist on that side or is
	// neither a file nor a link. Of a link they are the text it holds. Of a rename both are the same.
	Before, After *Version
	// Added and Removed count lines. Both are 0 when they are not known: a side
	// is not kept, is not text, or has 1 MiB or more.
	Added, Removed int
	// Like is the command that a change by another program is nearest to; zero
	// for our own edits.
	Like Resemblance
}

// describe fills in what is known of the bytes.
func (c *Change) describe(d difference) {
	c.Added, c.Removed = d.added, d.removed
	if c.Command == CmdEdit && c.Kind == memstore.KindFile {
		c.Like = d.like
	}
}

// The commands of changes that other programs made. Those of the memory tool
// have its names.
const (
	CmdCreate     = memstore.CmdCreate
	CmdStrReplace = memstore.CmdStrReplace
	CmdInsert     = memstore.CmdInsert
	CmdDelete     = memstore.CmdDelete
	CmdRename     = memstore.CmdRename
	CmdRewrite    = "rewrite" // several changes in one file, or most of its text
	CmdEdit       = "edit"    // the bytes are others; how they differ is not known
)

// ErrNotKept is what ReadAt of a version fails with whose bytes are not there.
var ErrNotKept = errors.New("the bytes of this version are not kept")

// Version is the content of a file at one moment. Safe for concurrent use.
type Version struct {
	size   int64
	digest memstore.Digest // zero: not known
	blob   *blob           // nil: never kept
	why    string          // why blob is nil
	seen   time.Time       // when it was read: a stamp younger than that by a moment proves nothing
	stat   memstore.Info   // of the file when it was read; Kind 0: not known
}

// Size is the number of bytes.
func (v *Version) Size() int64 { return v.size }

// Digest is the SHA-256 of the bytes, zero when they were never read.
func (v *Version) Digest() memstore.Digest { return v.digest }

func (v *Version) known() bool { return v.digest != memstore.Digest{} }

// Kept reports whether ReadAt can give the bytes, and if not why, in a sentence.
// Bytes that are kept now may be given up later when the limits are reached.
func (v *Version) Kept() (ok bool, why string) {
	if v.blob == nil {
		return false, v.why
	}
	return v.blob.kept()
}

// ReadAt reads from the kept bytes; ErrNotKept when there are none.
func (v *Version) ReadAt(p []byte, off int64) (int, error) {
	if v.blob == nil {
		return 0, ErrNotKept
	}
	return v.blob.readAt(p, off)
}

// bytes returns the whole content if it is kept and not longer than limit.
func (v *Version) bytes(limit int64) ([]byte, bool) {
	if v == nil || v.size > limit {
		return nil, v == nil
	}
	data := make([]byte, v.size)
	n, err := v.ReadAt(data, 0)
	return data, int64(n) == v.size && (err == nil || errors.Is(err, io.EOF))
}

// same reports whether two versions are known to have equal bytes.
func same(a, b *Version) bool {
	return a != nil && b != nil && a.known() && a.digest == b.digest
}
