package policy

import (
	"time"

	"memcurator/memstore"
	"memcurator/render/loadlimit"
)

// Facts are what is known of the paths of a store beside the snapshot. Whoever has a journal
// fills Journal from it; [Reader] fills Files. Keys are agent paths. A nil *Facts knows nothing.
// They are not changed while a plan is made.
type Facts struct {
	Journal map[string]Recorded
	Files   map[string]File
	// Unread are files that rules ask to be read and that could not be, sorted; [Reader] fills it.
	Unread []string
	// Swept is when another program began to read most files in a row, whose access times do not count as use; [Reader] fills it.
	// Zero: none did, or that changes nothing.
	Swept time.Time
}

// Recorded is what the journal has about one path. A zero time is unknown.
type Recorded struct {
	// FirstSeen is when the path came to be, or when the journal began with it there.
	FirstSeen time.Time
	// Changed is when its bytes last changed, regardless of who changed them; of what was there when the journal
	// began the modification time it had then.
	Changed time.Time
	// Restored is when its bytes were last restored, as by the undo of an apply.
	Restored time.Time
	// Moved is when it came to this path by a rename.
	Moved time.Time
	// Used is when the agent last viewed or wrote it.
	Used time.Time
}

// File is what was read of one file itself.
type File struct {
	// Digest is of its bytes; zero: not read.
	Digest memstore.Digest
	// Accessed is its access time; zero where the file system keeps none.
	Accessed time.Time
	// Swept: it has an access time, but that is of a program that read most files.
	Swept bool
	// Lines counts its lines; a last one without a newline counts. -1: not counted.
	Lines int64
	// Loaded is what counts of it for a client that loads its beginning. Zero: not counted.
	Loaded loadlimit.Extent
	// Tokens estimates what it costs to read it; 0 where no limit asks for that.
	Tokens int64
	// Expires is what its front matter says at expires:, "" where it says nothing.
	Expires string
}

func (f *Facts) recorded(path string) Recorded {
	if f == nil {
		return Recorded{}
	}
	return f.Journal[path]
}

func (f *Facts) file(path string) File {
	if f == nil {
		return File{Lines: -1}
	}
	if one, ok := f.Files[path]; ok {
		return one
	}
	return File{Lines: -1}
}

func (f *Facts) unread() []string {
	if f == nil {
		return nil
	}
	return f.Unread
}
