package past

import "errors"

// The errors of a record, for errors.Is. Their texts are the end of a sentence ("The journal cannot be opened: it is
// damaged"); none holds a path.
var (
	ErrCorrupt  = errors.New("it is damaged")
	ErrReadOnly = errors.New("it can only be read")
	ErrFull     = errors.New("no space is left on the device")
	ErrBusy     = errors.New("another process has held it for too long")
	ErrClosed   = errors.New("it is closed")

	ErrNoRevision = errors.New("there is no such revision")
	ErrNotKept    = errors.New("the bytes were not kept")
	ErrNothing    = errors.New("there is nothing to undo")
	ErrNotThere   = errors.New("nothing was there")
	ErrPurged     = errors.New("a purge has rewritten the journal since")
	ErrConflict   = errors.New("the file has changed since")
)
