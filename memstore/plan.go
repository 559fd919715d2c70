package memstore

import (
	"bytes"
	"context"
	"errors"
	"time"

	"memcurator/memstore/backend"
)

// action is the backend call that carries out a plan.
type action uint8

const (
	doNothing action = iota // the file already has these bytes
	doCreate
	doReplace
	doRemove
	doRename
	doMakeFolder
)

// plan is what a write command is about to do: decided by reading alone, carried out by request.apply, shown by [Store.Preview]. Its
// bytes don't change.
type plan struct {
	action  action
	name    string // the path to act on
	dest    string // doRename: the new name
	old     []byte // doReplace: the bytes that the decision saw
	data    []byte // doCreate, doReplace: the bytes to write
	success string // the result text
	changes []Change
	// before is what the decision to remove saw; it is compared again just before the removal.
	before []entry
}

// request is one write command in progress. It lives for one call, on one goroutine.
type request struct {
	store  *Store
	ctx    context.Context
	c      Command
	origin Origin
	access backend.Access
	expect *Digest // of the file that is replaced; nil: any
	at     time.Time
}

func (s *Store) request(ctx context.Context, c Command) *request {
	o := s.origin(ctx)
	return &request{store: s, ctx: ctx, c: c, origin: o, access: accessOf(o), at: s.now()}
}

// paths checks the spelling of a command's paths.
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
		// A dialect that looks paths up finishes with the first before it starts on the second.
		if from, err := r.store.locate(first, false); err != nil {
			return r.failed(from, err)
		}
		return r.failed(t, err)
	}
	return nil
}

// target returns a path that paths accepted, for use in texts.
func (r *request) target(raw string) target {
	t, _ := r.store.target(raw)
	return t
}

// locate looks up a path that paths accepted.
func (r *request) locate(raw string, making bool) (target, *Error) {
	t, err := r.store.locate(raw, making)
	if err != nil {
		return t, r.failed(t, err)
	}
	return t, nil
}

// lost is the error for a path that vanished between the dialect's lookup and the read.
func (t target) lost(err error) error {
	if t.found && errors.Is(err, backend.ErrNotExist) {
		return errVanished
	}
	return err
}

// plan decides what the command will do. It only reads.
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
	case CmdEdit:
		return r.planWhole()
	}
	return nil, r.store.failed(r.c, unknownCommand(r.c.Name))
}

func (r *request) failed(t target, cause error) *Error {
	return r.store.failedAt(r.c.Name, t, cause)
}

// read returns the bytes of the regular file at name.
func (r *request) read(name string) ([]byte, error) {
	return backend.ReadFile(r.store.backend, name, r.access, MaxFile)
}

// MaxFile is the largest file, in bytes, that is read whole: to edit it, overwrite it, or pass it to guards and recorders. An edit holds
// the old and the new bytes, so a file of this size takes some 512 MiB. Memory files have kilobytes; without a limit, a sparse file of
// terabytes would kill the process.
const MaxFile = 256 << 20

// fits refuses to write a file too large for any command to edit.
func (r *request) fits(t target, data []byte) *Error {
	if len(data) <= MaxFile {
		return nil
	}
	return r.failed(t, &backend.SizeLimitError{Size: int64(len(data)), New: true})
}

// content is the bytes of a file for guards and recorders, who get the error of reading it.
func (r *request) content(name string, size int64) *Content {
	b := r.store.backend
	return &Content{size: size, load: func() ([]byte, error) { return backend.ReadFile(b, name, backend.Look, MaxFile) }}
}

// entry is one path below a directory about to be removed.
type entry struct {
	name string
	info backend.Info
	data []byte // the bytes of a single file
}

// same reports whether a path is unchanged.
func (e entry) same(o entry) bool {
	return e.name == o.name && e.info.Kind == o.info.Kind && e.info.Size == o.info.Size &&
		e.info.ModTime.Equal(o.info.ModTime) && e.info.ID == o.info.ID && bytes.Equal(e.data, o.data)
}
