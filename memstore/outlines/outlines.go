// Package outlines remembers which lines of this machine's transcripts hold memory calls, so that a transcript that hasn't changed isn't
// read again.
//
// One file beside the state folders of stores has an entry for each transcript that was read: its path, the project it belongs to, and the
// places of its lines. What the lines say stays in the transcript. The file is replaced as a whole, an entry that is damaged counts as
// missing, and a purge cleans the file of values in paths.
package outlines

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/statedir"
	"memcurator/memstore/transcript"
)

// Known are the outlines of the transcripts that were read. The zero value knows none, and keeps nothing on disk. It is safe for
// concurrent use.
type Known struct {
	base   string // the parent of the state folders; "": nothing is kept
	purged int64
	reader string // identifies the program that reads

	mu      sync.Mutex
	lines   map[key][]byte // as in the file: not decoded yet
	entries map[key]*entry
	learned bool // something that the file hasn't
	saved   time.Time
}

// key is what there is one entry of.
type key struct{ path, folders string }

// entry is what is known of one file.
type entry struct {
	Path string `json:"path"`
	// Folders identifies the folders that the reader was told of, which decide on the lines; "": none.
	Folders string `json:"folders,omitempty"`

	Size   int64  `json:"size"`
	Time   int64  `json:"time"` // of the last change, in nanoseconds since 1970
	Inode  uint64 `json:"inode,omitempty"`
	Reader string `json:"reader"`
	// Awaits identifies the calls of files read before that wait for a result, for which the outline was made, too.
	Awaits  string              `json:"awaits,omitempty"`
	Project *string             `json:"project,omitempty"`
	Outline *transcript.Outline `json:"outline,omitempty"`
}

// Limits of what is kept, in bytes: of the file, and of one entry.
const (
	mostBytes = 16 << 20
	mostEntry = 256 << 10
)

// saveEvery is how often the file is written while many transcripts are read: what was learned by then survives a kill.
const saveEvery = 5 * time.Second

// Open reads what is known below the parent of the state folders; "" keeps nothing. What can't be read is missing.
func Open(base string) *Known {
	k := &Known{base: base, reader: program(), lines: map[key][]byte{}, entries: map[key]*entry{}, saved: time.Now()}
	if base == "" {
		return k
	}
	k.purged = statedir.LastPurge(base)
	name := filepath.Join(base, statedir.TranscriptsFile)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 2*mostBytes {
		return k
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return k
	}
	for line := range bytes.Lines(data) {
		if line, ok := sealed(line); ok {
			if key, ok := keyOf(line); ok {
				k.lines[key] = line
			}
		}
	}
	return k
}

// program identifies this build of the program: another one may look at other lines.
func program() string {
	h := fnv.New64a()
	if info, ok := debug.ReadBuildInfo(); ok {
		_, _ = h.Write([]byte(info.String())) // a hash never fails
	}
	if exe, err := os.Executable(); err == nil {
		if info, err := os.Stat(exe); err == nil {
			_, _ = h.Write([]byte(info.ModTime().String() + strconv.FormatInt(info.Size(), 10)))
		}
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// A line of the file is an entry in JSON behind its checksum.

const sealLength = 9 // hexadecimal digits and a space

func seal(entry []byte) []byte {
	line := binarySum(entry)
	return append(append(line, ' '), entry...)
}

func binarySum(data []byte) []byte {
	sum := crc32.ChecksumIEEE(data)
	return hex.AppendEncode(nil, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

func sealed(line []byte) (entry []byte, ok bool) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) <= sealLength || !bytes.Equal(line[:sealLength-1], binarySum(line[sealLength:])) {
		return nil, false
	}
	return line[sealLength:], true
}

// keyOf is the key of an entry in JSON, which begins with it.
func keyOf(line []byte) (k key, ok bool) {
	line, ok = stringAt(line, `{"path":`, &k.path)
	if ok && bytes.HasPrefix(line, []byte(`,"folders":`)) {
		_, ok = stringAt(line, `,"folders":`, &k.folders)
	}
	return k, ok
}

func stringAt(line []byte, before string, to *string) (rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(line, []byte(before))
	end := closingQuote(rest)
	if !ok || end < 0 || json.Unmarshal(rest[:end+1], to) != nil {
		return nil, false
	}
	return rest[end+1:], true
}

func closingQuote(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// File is a file as it is now.
type File struct {
	Path    string
	Size    int64
	Changed time.Time
	ID      memstore.FileID
}

// find is the entry of a file, made if need be. The caller holds mu.
func (k *Known) find(f File, folders string) *entry {
	at := key{f.Path, folders}
	if line, ok := k.lines[at]; ok {
		delete(k.lines, at)
		e := &entry{}
		if json.Unmarshal(line, e) == nil {
			k.entries[at] = e
		}
	}
	now := entry{Path: f.Path, Folders: folders, Size: f.Size, Time: f.Changed.UnixNano(), Inode: f.ID.Inode, Reader: k.reader}
	e := k.entries[at]
	if e == nil || e.Size != now.Size || e.Time != now.Time || e.Inode != now.Inode || e.Reader != now.Reader {
		e = &now
		k.entries[at] = e
	}
	return e
}

// Project is the project of a file, which find finds if it isn't known.
func (k *Known) Project(f File, find func() (string, error)) string {
	k.mu.Lock()
	e := k.find(f, "")
	project := e.Project
	k.mu.Unlock()
	if project != nil {
		return *project
	}
	found, err := find()
	if err != nil {
		return "" // reading it reports why
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	e.Project, k.learned = &found, true
	return found
}

// Unread is how many bytes of a file have to be read: none if it is known.
func (k *Known) Unread(f File) int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.find(f, ""); e.Outline != nil && !e.Outline.Whole {
		return 0
	}
	return f.Size
}

// Read reads a file as [transcript.Reader.Read] does: only the lines that matter, if they are known. folders are those that the reader was
// told of.
func (k *Known) Read(r *transcript.Reader, file File, folders []string) error {
	ids, ok := r.Awaits()
	if !ok {
		return read(r, file.Path)
	}
	awaits := identify(ids)
	k.mu.Lock()
	e := k.find(file, identify(folders))
	o := e.Outline
	if e.Awaits != awaits {
		o = nil
	}
	k.mu.Unlock()
	switch {
	case o == nil:
	case o.Whole:
		return read(r, file.Path)
	case len(o.Lines) == 0:
		return r.ReadOutline(file.Path, nil, file.Size, *o)
	}
	f, err := transcript.Open(file.Path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if o != nil {
		return r.ReadOutline(file.Path, f, file.Size, *o)
	}
	made, err := r.Outline(file.Path, f)
	if err != nil {
		return err
	}
	now, err := f.Stat()
	if err == nil && now.Mode().IsRegular() &&
		now.Size() == file.Size && now.ModTime().Equal(file.Changed) && dir.FileID(now) == file.ID {
		k.mu.Lock()
		e.Awaits, e.Outline, k.learned = awaits, &made, true
		k.mu.Unlock()
	}
	if made.Whole {
		return read(r, file.Path)
	}
	return r.ReadOutline(file.Path, f, file.Size, made)
}

func read(r *transcript.Reader, name string) error {
	f, err := transcript.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return r.Read(name, f)
}

// identify is a short name of a list; "" of an empty one.
func identify(list []string) string {
	if len(list) == 0 {
		return ""
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(list, "\x00"))) // a hash never fails
	return strconv.FormatUint(h.Sum64(), 36)
}

// SaveSome saves what was learned if that was long ago.
func (k *Known) SaveSome() error {
	k.mu.Lock()
	due := time.Since(k.saved) >= saveEvery
	k.mu.Unlock()
	if !due {
		return nil
	}
	return k.Save()
}

// Save keeps what was learned. Entries of files that are gone are left out, and beyond the limit those that this process had no use for.
func (k *Known) Save() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.saved = time.Now()
	if !k.learned || k.base == "" {
		return nil
	}
	if statedir.LastPurge(k.base) != k.purged {
		return nil // what was loaded may have paths that the purge removed
	}
	if err := os.MkdirAll(k.base, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(k.base, statedir.TranscriptsFile+".*.tmp") // 0600
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = k.write(w)
	if err = errors.Join(err, w.Flush(), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(k.base, statedir.TranscriptsFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	k.learned = false
	return nil
}

// write writes the entries, the newest that this process used first.
func (k *Known) write(w *bufio.Writer) error {
	left := mostBytes
	put := func(line []byte) error {
		if line = seal(line); len(line)+1 > min(left, mostEntry) {
			return nil
		}
		left -= len(line) + 1
		_, err := w.Write(append(line, '\n'))
		return err
	}
	list := make([]*entry, 0, len(k.entries))
	for _, e := range k.entries {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *entry) int { return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Path, b.Path)) })
	for _, e := range list {
		if e.Outline == nil && e.Project == nil {
			continue
		}
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false) // a purge finds values as they are
		if err := enc.Encode(e); err != nil {
			return err
		}
		if err := put(bytes.TrimSpace(line.Bytes())); err != nil {
			return err
		}
	}
	for at, line := range k.lines {
		if _, err := os.Lstat(at.path); err != nil {
			continue // it is gone
		}
		if err := put(line); err != nil {
			return err
		}
	}
	return nil
}
