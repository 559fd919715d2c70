package memstore

import (
	"context"

	"memcurator/memstore/backend"
)

// CmdReplace is how recorders and guards see [Store.Replace]. It is not a command of the tool: [Store.Do] and the decoder refuse it.
const CmdReplace = "replace"

// Replace writes new bytes, any bytes, to an existing regular file: what a person does in an editor and none of the six commands can
// express. Like those it is whole or absent, waits for other writers, asks the guards (which see the bytes as FileText), tells the
// recorders, and with [WithExpectation] fails with [ErrChanged] if the file differs from what the caller saw. Equal bytes are not a
// change. Links that stay inside the store are followed. Files and data of more than 256 MiB are refused with [ErrTooBig].
func (s *Store) Replace(ctx context.Context, path string, data []byte) Result {
	c := Command{Name: CmdReplace, Path: path, FileText: string(data)}
	if len(data) > editLimit {
		return s.failed(c, &SizeLimitError{Size: int64(len(data)), New: true}).result()
	}
	return s.write(ctx, c)
}

// planWhole plans a Replace. It takes the bytes literally: no dialect folds line ends or requires UTF-8.
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
