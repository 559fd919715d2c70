// Package adapt opens the memory of another program as a store: records of a database or of a file of its own, shown as files.
//
// An adapter is a package below this one, one for each program. It says which files on this
// machine are its program's, reads them whole as an [Image] of files, and carries out edits if it can ([Editor]).
// [Open] makes a backend of it, so that screens, commands, journal and search need not know it. What a text can't say of a record
// is in its [Record].
//
// Two rules hold for every adapter. Looking leaves the program's files as they are: bytes, times, modes, access counts. And the
// bytes of a text change only with an edit: what changes with time, such as how long a record has left, is in its Record, never in its
// text.
package adapt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Adapter is how the memories of one program are found and read. It is immutable, and safe for concurrent use.
type Adapter struct {
	// Kind is what "stores --json" calls stores of the program: "graph", "cc-memory", "sqlite".
	Kind string
	// Beside are the endings of files beside the memory that have a part of it: "-wal".
	Beside []string
	// Recognize reports whether the file at a path is the program's memory. It reads little, and changes nothing.
	Recognize func(path string) bool
	// Read reads the memory at a path whole; it need not have been recognized. The image doesn't change afterwards. An error, one of those
	// of package backend, says that nothing could be read: what can't be understood of a memory that can is an entry with the program's own
	// bytes, and one of the image's Problems.
	Read func(ctx context.Context, path string) (*Image, error)
}

// Editor changes the memory that an image was read of. It is safe for concurrent use.
type Editor interface {
	// Edit works out an edit, and changes nothing yet. The error for one that the memory can't take is a [*backend.Refusal].
	Edit(e Edit) (Edited, error)
}

// Edit is one change to the files of an image: bytes for a file, which may be new (New), a file or a folder that moves (To), or one that
// goes (neither).
type Edit struct {
	Name string // slash-separated, relative to the store
	New  []byte
	// Exact is set if New is to be kept as it is. Else the memory gives it the form of its own.
	Exact bool
	To    string // the new name; "" if it stays
}

// Edited is an edit that was worked out.
type Edited struct {
	Text []byte // of the file afterwards; nil of a folder, and of what goes
	// Write carries the edit out, whole or not at all. If the memory changed since the image was read, it changes nothing and returns
	// [backend.ErrChanged]. It is called with the lock of the store held.
	Write func(ctx context.Context) error
}

// Image is what a memory holds, as files.
type Image struct {
	// Entries are in order of their names, without the folders that follow from them.
	Entries []Entry
	// Digest identifies the bytes that were read, within this process.
	Digest string
	// Problems say what could not be understood, a sentence without a full stop each.
	Problems []string
	// ReadOnly says why nothing can be changed, as a sentence without a full stop; "" if edits are possible.
	ReadOnly string
	// Editor makes the edits; nil if the image is read-only.
	Editor Editor
}

// Entry is one file of an image.
type Entry struct {
	Name    string // slash-separated, relative to the store
	ID      string // of the record, in the program's own words: it stays while the name changes; "" where there is none
	Text    []byte
	Changed time.Time // zero if the program doesn't record it
	Expires time.Time // when the program deletes the record by itself; zero if it doesn't
	// Record describes the record, without its ID and when it expires: a list of all files needs only a few of them.
	Record func() Record
	// Fixed says why the bytes of this file can't be changed, as a sentence without a full stop; "" if they can. Whether it can be removed
	// or renamed is up to the Editor.
	Fixed string
}

// Record describes one record of a program, in the program's own words and scales. Zero times are unknown, or never. Its JSON form is that
// of "ls --json".
type Record struct {
	ID         string            `json:"id"` // of the entry
	Layer      string            `json:"layer,omitzero"`
	Kind       string            `json:"kind,omitzero"`
	Created    time.Time         `json:"created,omitzero"`
	Updated    time.Time         `json:"updated,omitzero"`
	Accessed   time.Time         `json:"accessed,omitzero"`
	Expires    time.Time         `json:"expires,omitzero"`
	Importance *float64          `json:"importance,omitzero"`
	Accesses   *int              `json:"accesses,omitzero"`
	Tags       []string          `json:"tags,omitempty"`
	Links      []Link            `json:"links,omitempty"`
	More       map[string]string `json:"more,omitempty"` // everything else worth showing
}

// Link is a relation from a record to another.
type Link struct {
	Relation string `json:"relation"`
	Path     string `json:"path,omitzero"` // agent path; "" if nothing is there, and then Title says what was meant
	Title    string `json:"title"`
	Back     bool   `json:"back"` // the relation is the other record's
}

// Digest identifies bytes for [Image].
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
