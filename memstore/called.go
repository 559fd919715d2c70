package memstore

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore/backend"
)

// Call is a command of an agent that changed nothing.
type Call struct {
	Command, Path string // as the agent wrote it
	Origin        Origin
	Time          time.Time
	Failed        string // the reason in a few words, without any text from the agent; "" for a view
}

// CallRecorder is a [Recorder] that also records commands that changed nothing: views and failures.
type CallRecorder interface {
	Called(c Call)
}

// called reports a command that changed nothing, unless it is the curator's.
func (s *Store) called(ctx context.Context, c Command, err error) {
	if err == nil && c.Name != CmdView || len(s.options.Recorders) == 0 {
		return
	}
	o := s.origin(ctx)
	if o.Actor == Curator {
		return
	}
	call := Call{Command: c.Name, Path: c.Path, Origin: o, Time: s.now()}
	if c.Name == CmdRename {
		call.Path = c.OldPath
	}
	if err != nil {
		call.Failed = whyFailed(err)
		if errors.Is(err, ErrRefused) {
			call.Path = Root // a guard may have refused the path because of a value in it
		}
	}
	for _, rec := range s.options.Recorders {
		if r, ok := rec.(CallRecorder); ok {
			r.Called(call)
		}
	}
}

// whyFailed returns in a few words why a command failed.
func whyFailed(err error) string {
	for _, f := range []struct {
		is  error
		why string
	}{
		{ErrNoMatch, "old_str not found or not unique"}, {ErrRange, "line outside the file"}, {ErrInput, "invalid input"},
		{ErrRefused, "refused by a guard"}, {ErrReadOnly, "read-only"}, {ErrNotText, "not text"}, {ErrReserved, "reserved name"},
		{ErrTooLong, "too many lines"}, {backend.ErrNotExist, "no such file"}, {backend.ErrExist, "exists already"},
	} {
		if errors.Is(err, f.is) {
			return f.why
		}
	}
	return "refused"
}
