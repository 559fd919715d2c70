package memstore

import (
	"context"

	"memcurator/memstore/backend"
)

// CmdReplace is what recorders and guards see of [Store.Replace]. It is not a command of the
// tool: [Store.Do] and the decoder refuse it.
const CmdReplace = "replace"

// Replace gives an existing regular file new bytes, any bytes: what a person did in an editor,
// which none of the six commands can say. Like those it is whole or absent, takes its turn
// among the writers, asks the guards (which see the bytes as FileText), tells the recorders,
// and with [WithExpectation] fails with [ErrChanged] when the file is not what was looked at.
// Bytes that stay the same are not a change. Links that stay inside the store are followed.
// Files and data of more than 256 MiB are refused with [ErrTooBig].
func (s *Store) Replace(ctx context.Context, path string, data []byte) Result {
	c := Command{Name: CmdReplace, Path: path, FileText: string(data)}
	if len(data) > editLimit {
		return s.failed(c, &SizeLimitError{Size: int64(len(data)), New: true}).result()
	}
	return s.write(ctx, c)
}

// planWhole decides a Replace. The bytes are taken as they are: no dialect folds line ends
// or asks for UTF-8.
func (r *request) planWhole() (*plan, *Error) {
	t, bad := r.locate(r.c.Path, false)
	if bad != nil {
		return nil, bad
	}
	old, err := r.read(t.name)
	switch {
	case err != nil && r.store.isDir(t.name, err):
		return nil, r.failed(t, backend.ErrIsDir)
	case err != nil:
		return nil, r.failed(t, t.lost(err))
	}
	if bad := r.met(t, old); bad != nil {
		return nil, bad
	}
	a, bad := r.amend(old, []byte(r.c.FileText))
	if bad != nil {
		return nil, bad
	}
	if bad := r.fits(t, a.data); bad != nil {
		return nil, bad
	}
	return r.planReplace(t, old, a.data, "The file "+t.show+" has been written."+a.notes), nil
}
