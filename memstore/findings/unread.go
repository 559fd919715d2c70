package findings

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"memcurator/memstore"
)

// Skipped is something that was not searched, and why.
type Skipped struct {
	// Path is an agent path, or a disk path; "" for the whole journal.
	Path string
	Why  Reason
	Past bool // in the journal
}

// Reason says why something was not searched.
type Reason string

// Reasons for skipping something.
const (
	Binary     Reason = "binary"     // not a text
	encoded    Reason = "utf-16"     // a text that the engine can't read
	NotRegular Reason = "no file"    // a pipe, a device
	OfGit      Reason = "git"        // git's own folder
	Linked     Reason = "link"       // a link out of the store: agents with file tools of their own may read what it leads to
	tooBig     Reason = "too big"    // larger than the limit
	compressed Reason = "compressed" // an archive or the like
	Unreadable Reason = "unreadable" // permissions, or the device
	incomplete Reason = "incomplete" // more findings than are reported at once
	changing   Reason = "changed"    // another program keeps changing it
	gone       Reason = "gone"       // it vanished
	damaged    Reason = "damaged"    // its recorded content is damaged
	ofVersion  Reason = "version"    // written by another version of the program
	unwritable Reason = "unwritable" // permissions
	fixed      Reason = "read-only"  // a file that the store doesn't change
)

// ByRule reports whether a documented rule skips such a file. Any other reason means that it could not be read, and the store must not be
// called clean.
func (r Reason) ByRule() bool { return r == Binary || r == NotRegular || r == OfGit || r == Linked }

// Sentence returns the reason as shown in a message after the path.
func (r Reason) Sentence() string {
	return cmp.Or(map[Reason]string{
		Binary:     "not text",
		encoded:    "in UTF-16; save it as UTF-8 to have it searched",
		NotRegular: "not a regular file",
		OfGit:      "git's own files",
		Linked:     "a link out of the store",
		tooBig:     "larger than 64 MiB",
		compressed: "compressed, so values in it were not searched",
		Unreadable: "can't be read",
		incomplete: "too many findings for one report",
		changing:   "another program keeps changing it",
		gone:       "disappeared during the scan",
		damaged:    "damaged",
		ofVersion:  "written by another version of memcurator",
		unwritable: "can't be written",
		fixed:      "read-only in this store; edit the file itself",
	}[r], string(r))
}

// isUTF16 reports whether a text begins with the mark of UTF-16, as some programs on Windows write one.
func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// unread returns the entries of a list that could not be read, without those skipped by rule.
func unread(list []Skipped) (more []Skipped) {
	for _, s := range list {
		if !s.Why.ByRule() {
			more = append(more, s)
		}
	}
	return more
}

// readTries is how often to read a file that keeps changing.
const readTries = 4

// read reads a file of up to maxFile without leaving a trace.
func read(b memstore.Backend, name string) (data []byte, why Reason) {
	for range readTries {
		if data, why = readOnce(b, name); why != changing {
			break
		}
	}
	return data, why
}

func readOnce(b memstore.Backend, name string) ([]byte, Reason) {
	f, err := b.Open(name, memstore.Look)
	if err != nil {
		return nil, reasonOf(err)
	}
	defer f.Close()
	before, err := f.Info()
	switch {
	case err != nil:
		return nil, reasonOf(err)
	case before.Size > maxFile:
		return nil, tooBig
	}
	data := make([]byte, before.Size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, reasonOf(err)
	}
	after, err := f.Info()
	switch {
	case err != nil:
		return nil, reasonOf(err)
	case int64(n) != before.Size || after.Size != before.Size || !after.ModTime.Equal(before.ModTime):
		return nil, changing
	}
	return data, ""
}

// reasonOf is why a file could not be read.
func reasonOf(err error) Reason {
	switch {
	case errors.Is(err, memstore.ErrNotRegular):
		return NotRegular
	case errors.Is(err, memstore.ErrNotExist), errors.Is(err, memstore.ErrNotDir):
		return gone
	}
	return Unreadable
}
