package sidecar

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Endings notes which edits of a Journal had a success and are not settled yet, by the numbers of
// their intents, 8 bytes each, in a file beside the database. A process that is killed leaves it to the
// one that settles its intents: where another program has put the old bytes back meanwhile, or removed
// the new file, the disk looks as if the edit had never been carried out. The file is not flushed: a
// power cut may take it, a killed process does not. Safe for concurrent use.
type Endings struct {
	path string

	mu     sync.Mutex
	file   *os.File // made by the first edit
	size   int64
	broken bool
}

// endingsMost is the size, in bytes, from which on a file whose edits are all settled is emptied.
const endingsMost = 64 << 10

// endingsPrefix is what the names of these files begin with; number of the process and owner follow.
const endingsPrefix = Database + "-ended-"

// NewEndings is the file of an owner in this process, beside a database.
func NewEndings(database, owner string) *Endings {
	return &Endings{path: endingsFile(database, os.Getpid(), owner)}
}

func endingsFile(database string, pid int, owner string) string {
	return filepath.Join(filepath.Dir(database), fmt.Sprintf("%s%d-%s", endingsPrefix, pid, owner))
}

// Note writes down that an edit had a success. After an error it does no more: then the disk is asked,
// as far as it can tell.
func (e *Endings) Note(id int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.broken || e.path == "" {
		return nil
	}
	err := e.write(id)
	e.broken = err != nil
	return err
}

func (e *Endings) write(id int64) (err error) {
	if e.file == nil {
		if e.file, err = os.OpenFile(e.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
			return err
		}
	}
	_, err = e.file.Write(binary.LittleEndian.AppendUint64(nil, uint64(id)))
	e.size += 8
	return err
}

// Settled says that the notes are no longer needed.
func (e *Endings) Settled() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.size >= endingsMost && e.file.Truncate(0) == nil {
		e.size = 0
	}
}

// Close frees the file; left: it is needed by the next start.
func (e *Endings) Close(left bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.broken = true
	if e.file == nil {
		return
	}
	_ = e.file.Close() // it was only appended to, and is not flushed
	if !left {
		_ = os.Remove(e.path) // the next start tries it again
	}
}

// HasEnded reports whether an edit of a process that died was noted as carried out.
func HasEnded(database string, pid int, owner string, id int64) bool {
	data, err := os.ReadFile(endingsFile(database, pid, owner))
	if err != nil {
		return false
	}
	for ; len(data) >= 8; data = data[8:] {
		if int64(binary.LittleEndian.Uint64(data)) == id {
			return true
		}
	}
	return false
}

// SweepEndings removes the files of those who are no longer needed.
func SweepEndings(database string, needed func(pid int, owner string) bool) {
	dir := filepath.Dir(database)
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, file := range files {
		name, ok := strings.CutPrefix(file.Name(), endingsPrefix)
		number, owner, _ := strings.Cut(name, "-")
		if pid, err := strconv.Atoi(number); ok && err == nil && !needed(pid, owner) {
			_ = os.Remove(filepath.Join(dir, file.Name())) // the next start tries it again
		}
	}
}
