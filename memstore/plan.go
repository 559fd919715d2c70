package memstore

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"memcurator/memstore/backend"
)

// action is the one backend call that carries out a plan.
type action uint8

const (
	doNothing action = iota // the file already has the bytes it would get
	doCreate
	doReplace
	doRemove
	doRename
	doMakeFolder
)

// plan is what a write command is going to do: decided by reading alone, carried
// out by request.apply, shown by [Store.Preview]. Its bytes are not changed any more.
type plan struct {
	action  action
	name    string // the path acted on
	dest    string // doRename: the new name
	old     []byte // doReplace: the bytes that were decided on
	data    []byte // doCreate, doReplace: the bytes to write
	success string // the result text
	changes []Change
	// link: the path acted on is a link that gives way, of a doRename the new one.
	link bool
	// fails is what the command answers all the same: the folder made is all that is
	// left of it. See leaving.
	fails *Error
	// before is what a removal was decided on, looked at once more just before it.
	before []entry
	// temp is the name of the temporary file of a doCreate or doReplace; keeper is nil where it is not chosen.
	temp   string
	keeper backend.TempKeeper
	// moved is the name that what was at name has been moved aside to, nil until then.
	moved atomic.Pointer[string]
}

// request is one write command on its way. It lives for one call, on one goroutine.
type request struct {
	store  *Store
	ctx    context.Context
	c      Command
	origin Origin
	access backend.Access
	// detailed: a guard or recorder needs the changes. Only then anything beyond what
	// the command needs is read or kept.
	detailed bool
	at       time.Time
	height   *height // of the tree that a rename moves, measured before the turn
	key      CommitKey
}

func (s *Store) request(ctx context.Context, c Command) *request {
	o := s.origin(ctx)
	r := &request{store: s, ctx: ctx, c: c, origin: o, access: accessOf(o)}
	r.detailed = len(s.options.Recorders) > 0
	for i := range s.options.Guards {
		r.detailed = r.detailed || s.options.Guards[i].checks()
	}
	if r.detailed || s.sessions != nil {
		r.at = s.now()
	}
	if s.sessions != nil {
		r.key = newCommitKey()
	}
	return r
}

// paths checks how the paths of a command are spelled.
func (r *request) paths() *Error {
	first := r.c.Path
	if r.c.Name == CmdRename {
		first = r.c.OldPath
	}
	t, err := r.store.target(first)
	if err == nil && r.c.Name == CmdCreate {
		err = backend.CheckDepth(first, t.name)
	}
	if err != nil {
		return r.failed(t, err)
	}
	if r.c.Name != CmdRename {
		return nil
	}
	t, err = r.store.target(r.c.NewPath)
	if err == nil {
		err = backend.CheckDepth(r.c.NewPath, t.name)
	}
	if err != nil {
		// A dialect that looks paths up is done with the first before it comes to the second.
		if from, err := r.store.locate(first, false); err != nil {
			return r.failed(from, err)
		}
		return r.failed(t, err)
	}
	return nil
}

// target parses a path that paths has let through, for its text.
func (r *request) target(raw string) target {
	t, _ := r.store.target(raw)
	return t
}

// locate finds what a path that paths has let through means.
func (r *request) locate(raw string, making bool) (target, *Error) {
	t, err := r.store.locate(raw, making)
	if err != nil {
		return t, r.failed(t, err)
	}
	return t, nil
}

// lost words an error of reading what the dialect has found at t.
func (t target) lost(err error) error {
	if t.found && errors.Is(err, backend.ErrNotExist) {
		return errVanished
	}
	return err
}

// plan decides what the command is going to do. It only reads.
func (r *request) plan() (*plan, *Error) {
	switch r.c.Name {
	case CmdCreate:
		return r.planCreate()
	case CmdStrReplace:
		return r.planStrReplace()
	case CmdInsert:
		return r.planInsert()
	case CmdDelete:
		return r.planDelete()
	case CmdRename:
		return r.planRename()
	case CmdReplace:
		return r.planWhole()
	}
	return nil, r.store.failed(r.c, unknownCommand(r.c.Name))
}

func (r *request) failed(t target, cause error) *Error {
	return r.store.failedAt(r.c.Name, t, cause)
}

// expected returns the digest that the caller expects at a path, if there is one.
func (r *request) expected(t target) (d Digest, ok bool) {
	e, ok := r.ctx.Value(expectKey).(Expectation)
	if !ok {
		return d, false
	}
	at, err := r.store.locate(e.Path, false)
	return e.Digest, err == nil && at.name == t.name
}

// met compares the bytes at a path with what the caller has looked at, if that was this path.
func (r *request) met(t target, data []byte) *Error {
	if d, ok := r.expected(t); ok && d != Sum(data) {
		return r.failed(t, backend.ErrChanged)
	}
	return nil
}

// metUnread is met for a command that does not read the file itself.
func (r *request) metUnread(t target) *Error {
	if _, ok := r.expected(t); !ok {
		return nil
	}
	data, err := r.read(t.name)
	switch {
	case errors.Is(err, backend.ErrNotRegular), errors.Is(err, backend.ErrIsDir), errors.Is(err, backend.ErrNotExist):
		return r.failed(t, backend.ErrChanged) // something without bytes is not what was seen
	case err != nil:
		return r.failed(t, err)
	}
	return r.met(t, data)
}

// read returns the bytes of the regular file at name.
func (r *request) read(name string) ([]byte, error) {
	return backend.ReadFile(r.store.backend, name, r.access, editLimit)
}

// editLimit is the largest file, in bytes, that is read whole: to be edited, overwritten,
// compared with what a caller expects, or handed to guards and recorders. An edit holds
// the old and the new bytes, so that one of this size takes some 512 MiB. A memory file
// has kilobytes; without a limit a sparse file of terabytes would end the process.
const editLimit = 256 << 20

// fits refuses to leave a file that no command could edit any more.
func (r *request) fits(t target, data []byte) *Error {
	if len(data) <= editLimit {
		return nil
	}
	return r.failed(t, &SizeLimitError{Size: int64(len(data)), New: true})
}

// Bytes that a change holds in memory while its edit is under way: files above
// the first size, and all files once the edit holds the second, are read when asked for.
const (
	eagerFile = 8 << 20
	eagerEdit = 64 << 20
)

// content wraps the bytes of a file for guards and recorders. held counts what the edit holds.
func (r *request) content(name string, size int64, held *int64) *Content {
	return r.contentAt(func() string { return name }, size, held)
}

// contentAt is content for a file that may get another name meanwhile.
func (r *request) contentAt(name func() string, size int64, held *int64) *Content {
	b := r.store.backend
	load := func() ([]byte, error) { return backend.ReadFile(b, name(), backend.Look, editLimit) }
	if size > eagerFile || *held+size > eagerEdit {
		return lazyContent(size, load)
	}
	data, err := load()
	if err != nil {
		return lazyContent(size, load) // the error goes to the caller that reads the bytes
	}
	*held += int64(len(data))
	return NewContent(data)
}

// entry is one path below a directory that is going to be removed.
type entry struct {
	name string
	info backend.Info
	data []byte // of a single file: its bytes
}

// same reports whether a path still is what it was.
func (e entry) same(o entry) bool {
	return e.name == o.name && e.info.Kind == o.info.Kind && e.info.Size == o.info.Size &&
		e.info.ModTime.Equal(o.info.ModTime) && e.info.ID == o.info.ID && bytes.Equal(e.data, o.data)
}
