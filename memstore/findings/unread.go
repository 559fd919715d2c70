package findings

import (
	"cmp"
	"errors"
	"io"

	"memcurator/memstore"
)

// Skipped is something that was not searched, with the reason.
type Skipped struct {
	// Path is an agent path, or a path of the disk; "" for the journal as a whole.
	Path string
	Why  Reason
	Past bool // it is what the journal keeps
}

// Reason says why something was not searched.
type Reason string

// The reasons.
const (
	Binary     Reason = "binary"     // not a text
	NotRegular Reason = "no file"    // a pipe, a device
	tooBig     Reason = "too big"    // more bytes than are scanned
	Unreadable Reason = "unreadable" // permissions, or the device
	incomplete Reason = "incomplete" // more findings in it than are told at once
	changing   Reason = "changed"    // another program changes it all the time
	gone       Reason = "gone"       // it was there and then was not
	damaged    Reason = "damaged"    // what the journal keeps is not what it was
	leftOver   Reason = "left over"  // a killed program has left it, and only a purge removes it
	newer      Reason = "newer"      // a newer version of the program has written it
)

// ByRule reports whether such a file is skipped by a documented rule. For any other reason it could not be read, and the store
// must not be called clean.
func (r Reason) ByRule() bool { return r == Binary || r == NotRegular }

// Sentence is the reason, as a message shows it behind the path.
func (r Reason) Sentence() string {
	return cmp.Or(map[Reason]string{
		Binary:     "not text",
		NotRegular: "not a regular file",
		tooBig:     "larger than 64 MiB",
		Unreadable: "can't be read",
		incomplete: "too many findings for one report",
		changing:   "another program keeps changing it",
		gone:       "disappeared during the scan",
		damaged:    "damaged",
		leftOver:   "left by a killed program; scrub --purge-history removes it",
		newer:      "written by a newer version of memcurator",
	}[r], string(r))
}

// unread returns the entries of a list that could not be read, leaving out those skipped by rule.
func unread(list []Skipped) (more []Skipped) {
	for _, s := range list {
		if !s.Why.ByRule() {
			more = append(more, s)
		}
	}
	return more
}

// readTries is how often a file that changes while it is read is read again.
const readTries = 4

// read reads a whole file without a trace.
func read(b memstore.Backend, name string, most int64) (data []byte, why Reason) {
	for range readTries {
		if data, why = readOnce(b, name, most); why != changing {
			break
		}
	}
	return data, why
}

func readOnce(b memstore.Backend, name string, most int64) ([]byte, Reason) {
	f, err := b.Open(name, memstore.Look)
	if err != nil {
		return nil, reasonOf(err)
	}
	defer f.Close()
	before, err := f.Info()
	switch {
	case err != nil:
		return nil, reasonOf(err)
	case before.Size > most:
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

// reasonOf is why the store did not give a file.
func reasonOf(err error) Reason {
	switch {
	case errors.Is(err, memstore.ErrNotRegular):
		return NotRegular
	case errors.Is(err, memstore.ErrNotExist), errors.Is(err, memstore.ErrNotDir):
		return gone
	}
	return Unreadable
}
