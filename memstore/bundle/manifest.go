package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

// Names in a bundle.
const (
	manifestName = "manifest.json"
	notesDir     = "notes/"
)

// format is the first value of a manifest, and the version what follows; a reader refuses a newer one. Only a bundle that needs the newest
// has it.
const (
	format  = "memcurator-bundle"
	plain   = 1
	version = 2 // with names of files other than the paths of their notes
)

// Bounds of a bundle. Those of notes are checked before anything is read into memory.
const (
	maxManifest = 64 << 20
	maxNotes    = 100_000
	maxNote     = 256 << 20
	maxTotal    = 1 << 30
)

// Errors of bundles.
var (
	// ErrFormat means that a file is not a bundle, or that it is damaged or hostile; the text around it is the reason.
	ErrFormat = errors.New("not a bundle")
	// ErrNewer means that a newer version wrote the bundle.
	ErrNewer = errors.New("a newer version wrote the bundle")
)

// bad is [ErrFormat] with a reason.
func bad(text string, args ...any) error {
	return fmt.Errorf("%w: "+text, append([]any{ErrFormat}, args...)...)
}

// Manifest lists the contents of a bundle. docs/bundles.md documents the names of its JSON.
type Manifest struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Notes   notes  `json:"notes"` // by path
}

// Note is a note, or a link.
type Note struct {
	Path     string    `json:"path"`           // relative to the store
	File     string    `json:"file,omitempty"` // name in the bundle if it isn't the path
	Bytes    int64     `json:"bytes"`
	SHA256   string    `json:"sha256"` // lowercase hex
	Mode     string    `json:"mode"`   // octal permissions; empty for a link
	Modified time.Time `json:"modified,omitzero"`
	Link     string    `json:"link,omitempty"` // target of a link, whose digest is that of the target
}

// file is the name of the note in the bundle.
func (n *Note) file() string {
	if n.File != "" {
		return n.File
	}
	return n.Path
}

// portable is a path as a file can be called on every system: a colon is %3A. No two paths have the same one.
func portable(p string) string {
	if !strings.Contains(p, ":") && !strings.Contains(p, "%3A") && !strings.Contains(p, "%25") {
		return p
	}
	return strings.NewReplacer("%", "%25", ":", "%3A").Replace(p)
}

// notes are at most [maxNotes], whatever the text that they are read from.
type notes []Note

// UnmarshalJSON implements [json.Unmarshaler]. It reads one more than is allowed, which [Manifest.check] refuses.
func (n *notes) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('[') {
		return err
	}
	for d.More() && len(*n) <= maxNotes {
		var one Note
		if err := d.Decode(&one); err != nil {
			return err
		}
		*n = append(*n, one)
	}
	return nil
}

// Bytes are the bytes of all notes.
func (m *Manifest) Bytes() (n int64) {
	for i := range m.Notes {
		n += m.Notes[i].Bytes
	}
	return n
}

// check refuses a manifest that no export wrote.
func (m *Manifest) check() error {
	switch {
	case m.Format != format:
		return bad("its manifest has another format")
	case m.Version > version:
		return ErrNewer
	case m.Version < 1:
		return bad("its manifest has no version")
	case len(m.Notes) > maxNotes:
		return bad("it has more than %d notes", maxNotes)
	}
	seen := map[string]string{}
	var total int64
	for i := range m.Notes {
		n := &m.Notes[i]
		if err := n.check(); err != nil {
			return err
		}
		if total += n.Bytes; total > maxTotal {
			return bad("its notes have more than %d bytes", maxTotal)
		}
		key := fold(n.file())
		if other, taken := seen[key]; taken {
			return bad("%s and %s have the same name on some systems", quoted(other), quoted(n.Path))
		}
		seen[key] = n.Path
	}
	for i := range m.Notes {
		for dir := path.Dir(m.Notes[i].file()); dir != "."; dir = path.Dir(dir) {
			if other, taken := seen[fold(dir)]; taken {
				return bad("%s is a note and a folder", quoted(other))
			}
		}
	}
	return nil
}

func (n *Note) check() error {
	switch {
	case checkPath(n.Path) != nil:
		return checkPath(n.Path)
	case n.File != "" && n.File != portable(n.Path):
		return bad("%s is not the name of %s in a bundle", quoted(n.File), quoted(n.Path))
	case strings.Contains(n.file(), ":"):
		return bad("%s is not the path of a note", quoted(n.Path))
	case checkPath(n.file()) != nil:
		return checkPath(n.file())
	case n.Bytes < 0 || n.Bytes > maxNote:
		return bad("%s has %d bytes", quoted(n.Path), n.Bytes)
	case !isDigest(n.SHA256):
		return bad("%s has no valid digest", quoted(n.Path))
	case !n.Modified.IsZero() && (n.Modified.Before(earliest) || n.Modified.After(latest)):
		return bad("%s has an impossible time", quoted(n.Path))
	}
	if n.Link != "" {
		return n.checkLink()
	}
	if _, err := n.mode(); err != nil {
		return bad("%s has no valid mode", quoted(n.Path))
	}
	return nil
}

// The bounds of a time in nanoseconds since 1970.
var earliest, latest = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

// checkPath refuses a path that isn't the plain name of a note. Records of other programs have colons in their names, which a directory on
// Windows doesn't take.
func checkPath(p string) error {
	name, err := memstore.ParsePath(memstore.Root + "/" + p)
	switch {
	case p == "" || err != nil || name != p || !utf8.ValidString(p) || strings.Contains(p, `\`):
		return bad("%s is not the path of a note", quoted(p))
	case strings.EqualFold(path.Base(p), backend.SealedHeader) || backend.LooksLikeGit(p):
		return bad("%s is a reserved name", quoted(p))
	}
	for segment := range strings.SplitSeq(p, "/") {
		if ours, _ := backend.IsTemp(strings.ToLower(segment)); ours {
			return bad("%s is a reserved name", quoted(p))
		}
	}
	return nil
}

// checkLink refuses a link that leaves the store.
func (n *Note) checkLink() error {
	to := path.Join(path.Dir(n.Path), n.Link)
	if path.IsAbs(n.Link) || strings.ContainsAny(n.Link, "\\:\x00") || to == ".." || strings.HasPrefix(to, "../") ||
		int64(len(n.Link)) != n.Bytes {
		return bad("the link %s leaves the store", quoted(n.Path))
	}
	return nil
}

func (n *Note) mode() (fs.FileMode, error) {
	m, err := strconv.ParseUint(n.Mode, 8, 32)
	if err == nil && m > 0o777 {
		err = strconv.ErrRange
	}
	return fs.FileMode(m), err
}

// fold is a path as systems compare it that ignore case. Two names that differ only in the form of their accents differ here.
func fold(p string) string { return strings.ToLower(strings.ToUpper(p)) }

func isDigest(s string) bool {
	return len(s) == 64 && !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

// quoted is a name from a bundle, short and without control characters.
func quoted(s string) string {
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return strconv.QuoteToGraphic(s)
}

// sort puts the notes in the order of their paths.
func (m *Manifest) sort() {
	slices.SortFunc(m.Notes, func(a, b Note) int { return strings.Compare(a.Path, b.Path) })
}
