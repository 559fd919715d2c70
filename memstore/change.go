package memstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"memcurator/memstore/backend"
)

// Actor says who made a change.
type Actor string

// The actors (DESIGN: words).
const (
	Agent    Actor = "agent"    // through our handlers
	External Actor = "external" // seen on disk, made by another program
	Curator  Actor = "curator"  // the user of memcurator
	Replay   Actor = "replay"   // from a transcript
)

// Origin says on whose behalf a command runs. It travels in the context
// ([WithOrigin]); what the context leaves empty comes from [Options].
type Origin struct {
	Actor     Actor
	Session   string
	Model     string
	ToolUseID string
	Group     string // several edits that are undone as one

	// What follows is the curator's alone: of others it is ignored, and it comes from the context only.

	As     string // the name under which it is recorded: "undo", "scrub"; "" for that of the command
	Undoes int64  // the revision that is undone; 0: none
	// Redoable: it undoes what the user did, and a redo brings that back. As and Undoes do not tell: steps that take
	// back no revision of their own, such as the removal of a folder left empty, are part of it, and so are some that
	// are recorded as "revert".
	Redoable bool
}

// Digest is the SHA-256 of a file's bytes, no normalization.
type Digest [sha256.Size]byte

// Sum returns the digest of data.
func Sum(data []byte) Digest { return sha256.Sum256(data) }

// String returns the digest in lowercase hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Content is the bytes on one side of a change. Small content is held, big
// content can be read on demand while the edit is under way. Safe for concurrent use.
type Content struct {
	size int64
	load func() ([]byte, error)

	once sync.Once
	data []byte
	sum  Digest
	err  error
}

// NewContent wraps bytes that the caller does not change any more.
func NewContent(data []byte) *Content {
	return &Content{size: int64(len(data)), load: func() ([]byte, error) { return data, nil }}
}

// lazyContent wraps bytes that load fetches at the first use.
func lazyContent(size int64, load func() ([]byte, error)) *Content {
	return &Content{size: size, load: load}
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
	Path    string   // agent path afterwards (of a rename: the new one)
	OldPath string   // agent path before, for a rename only
	Before  *Content // nil where the side does not exist or is not a regular file
	After   *Content
}

// Edit is everything that one command is about to do: one change, or one for
// each path below a directory that is deleted.
type Edit struct {
	Command Command
	Origin  Origin
	Time    time.Time
	Changes []Change
	// Temp is the agent path of the temporary file that the edit is written through, or of what a
	// folder that is deleted is moved aside to; "" where there is none, or none is known beforehand. Whoever finds it
	// after the process died can tell that it is ours.
	Temp string
	// Made is how many of the folders right above the path of the first change are missing, and are made for it.
	Made int
}

// Guard may rewrite, refuse or annotate what the agent does. Guards are called
// in the order of [Options].Guards, under the store's lock but for the removal of a folder, which is looked at before
// it has its turn, and compared with what they saw after. A nil method is
// skipped. What a guard has to tell the agent is one line after the dialect's text.
type Guard struct {
	// Rewrite may change a command before it is matched against the file. What a command does stays.
	Rewrite func(ctx context.Context, c Command) Command
	// Amend may change the bytes that a create, str_replace, insert or replace is going to leave in its
	// file, before anything is worded or checked. before is nil where there is no file yet. An error
	// refuses the edit as one of Check does. The bytes given are not to be changed in place.
	Amend func(ctx context.Context, c Command, before, after []byte) (Amendment, error)
	// Recall is asked when the old_str of a str_replace is not in the text: a guard that changed what the
	// agent wrote gives old_str as it is in the file now, any other old_str itself.
	Recall func(ctx context.Context, c Command, text []byte) (oldStr string)
	// Check sees an edit with the bytes before and after. An error refuses it: its
	// text, prefixed with "Error: ", is the result and nothing is written. A note is appended to the success text.
	Check func(ctx context.Context, e *Edit) (note string, err error)
	// Mask names the parts of a file's text that the agent does not get to see. It is given the whole text at the path that links
	// lead to, whatever rows of it are shown; as many lines are shown as there are. Edits match what is shown, and one that
	// would show what was masked before it is refused.
	Mask func(ctx context.Context, path string, text []byte) []Masked
	// Filter may change a result before the agent gets it: of views, and of edits, which show lines about the place.
	Filter func(ctx context.Context, c Command, r Result) Result
	// Idle reports that Check, Mask and Filter have nothing to say just now; a store then collects nothing for
	// them. Nil: they always may have. It is for guards whose rules change while the store is open.
	Idle func() bool
}

// checks reports whether Check is to be asked.
func (g *Guard) checks() bool { return g.Check != nil && (g.Idle == nil || !g.Idle()) }

// filters reports whether Filter is to be asked.
func (g *Guard) filters() bool { return g.Filter != nil && (g.Idle == nil || !g.Idle()) }

// Amendment is what a guard makes of the bytes of an edit.
type Amendment struct {
	Data []byte // nil: they stay
	Note string // appended to the success text, "" for nothing
}

// Recorder keeps a record of edits. Begin is called before anything on disk
// changes and settles an intent durably; the returned func is called once with the
// outcome (nil: the edit is on disk). When Begin fails, edits of the agent go
// on and [Options].Warn is told; edits of the curator are refused ([ErrNotRecorded]).
type Recorder interface {
	Begin(ctx context.Context, e *Edit) (end func(error), err error)
}

// ViewRecorder is a Recorder that also wants to know which paths the agent viewed.
type ViewRecorder interface {
	Viewed(ctx context.Context, path string, o Origin, at time.Time)
}

type contextKey uint8

const (
	originKey contextKey = iota
	expectKey
)

// WithOrigin returns a context whose commands run on behalf of o.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey, o)
}

// Expectation is the content a caller has looked at: a write to Path that finds other
// bytes there fails with [ErrChanged] before anything is written (guarantee G3).
type Expectation struct {
	Path   string // agent path
	Digest Digest
}

// WithExpectation returns a context whose write commands (str_replace, insert,
// delete, rename) are carried out only if the file still has the expected bytes.
func WithExpectation(ctx context.Context, e Expectation) context.Context {
	return context.WithValue(ctx, expectKey, e)
}
