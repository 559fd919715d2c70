package memstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"memcurator/memstore/backend"
)

// Actor identifies who made a change.
type Actor string

// Actors.
const (
	Agent    Actor = "agent"    // through our handlers
	External Actor = "external" // another program; seen on disk
	Curator  Actor = "curator"  // the user of memcurator
	Replay   Actor = "replay"   // from a transcript
)

// Origin identifies on whose behalf a command runs. It comes with the context
// ([WithOrigin]); [Options] fill in what the context leaves empty.
type Origin struct {
	Actor     Actor
	Session   string
	Model     string
	ToolUseID string
	Group     string // edits of one group are undone as one

	// Only the curator may set the field below, and only through the context; it is ignored for other actors.

	As string // the name to record it under: "undo", "redact"; "" for the name of the command
}

// Digest is the SHA-256 of a file's bytes, without any normalization.
type Digest [sha256.Size]byte

// Sum returns the digest of data.
func Sum(data []byte) Digest { return sha256.Sum256(data) }

// String returns the digest in lowercase hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Content is the bytes on one side of a change. Those of a file that is removed or renamed are read on demand while the edit is under way.
// It is safe for concurrent use.
type Content struct {
	size int64
	load func() ([]byte, error)

	once sync.Once
	data []byte
	sum  Digest
	err  error
}

// NewContent wraps bytes that the caller will not change again.
func NewContent(data []byte) *Content {
	return &Content{size: int64(len(data)), load: func() ([]byte, error) { return data, nil }}
}

func (c *Content) fetch() {
	c.once.Do(func() {
		c.data, c.err = c.load()
		if c.err == nil {
			c.sum = Sum(c.data)
		}
	})
}

// Size is the number of bytes.
func (c *Content) Size() int64 { return c.size }

// Bytes returns the bytes; the caller must not change them.
func (c *Content) Bytes() ([]byte, error) { c.fetch(); return c.data, c.err }

// Digest returns the SHA-256 of the bytes.
func (c *Content) Digest() (Digest, error) { c.fetch(); return c.sum, c.err }

// Change is one difference made to one path.
type Change struct {
	Kind    backend.Kind
	Path    string   // agent path after the change; the new one of a rename
	OldPath string   // agent path before a rename; else ""
	Before  *Content // nil if the side doesn't exist or is not a regular file
	After   *Content
	Undoes  int64 // the revision that it undoes ([Step]); 0: none
}

// Edit is everything that one command is about to change: one change, or one
// for each path below a deleted directory. [Store.Apply] makes one edit of several steps, with the command of the first.
type Edit struct {
	Command Command
	Origin  Origin
	Time    time.Time
	Changes []Change
}

// Guard may change, refuse or annotate what the agent does. Guards run in the order of [Options].Guards, under the store's lock. A nil
// method is skipped. A guard's message to the agent is one line after the dialect's text.
type Guard struct {
	// Amend may change the bytes that a create, str_replace, insert or replace is about to write, before the result is worded or checked.
	// before is nil for a new file. An error refuses the edit, as one from Check does. Amend must not modify the slices it is given.
	Amend func(ctx context.Context, c Command, before, after []byte) (Amendment, error)
	// Recall is called if the old_str of a str_replace is not in the text. A guard that changed what the agent wrote returns old_str as
	// the file has it now; any other guard returns the old_str it was given.
	Recall func(ctx context.Context, c Command, text []byte) (oldStr string)
	// Check sees an edit with the bytes before and after. An error refuses it: the agent gets its text after "Error: ", and nothing is
	// written. A note is appended to the success text.
	Check func(ctx context.Context, e *Edit) (note string, err error)
}

// Amendment is a guard's change to the bytes of an edit.
type Amendment struct {
	Data []byte // nil leaves the bytes as they are
	Note string // appended to the success text; "" for none
}

// Recorder keeps a record of edits. Begin is called before anything on disk changes and stores the intent durably; the returned func is
// called once with the outcome (nil: the edit is on disk). If Begin fails, an agent's edit still goes ahead and [Options].Warn is called;
// a curator's edit is refused ([ErrNotRecorded]).
type Recorder interface {
	Begin(ctx context.Context, e *Edit) (end func(error), err error)
}

// ViewRecorder is a Recorder that also records which paths the agent viewed.
type ViewRecorder interface {
	Viewed(ctx context.Context, path string, o Origin, at time.Time)
}

type originKey struct{}

// WithOrigin returns a context whose commands run on behalf of o.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}
