// Package bundle packs the notes of a store into a ZIP file, and reads such files, which may come from anywhere. A note has its path in the
// store and the time of its last change. Links aren't packed.
//
// ZIP, because every system opens it without another program. Nothing in it is compressed, so that a purge of the store that searches the
// bundle finds what it looks for. Called by cli.
package bundle

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

// Bounds of a bundle: all of it is in memory.
const (
	maxNotes = 100_000
	maxTotal = 256 << 20
)

// ErrFormat means that a file is not a bundle, or that it is damaged or hostile; the text around it is the reason.
var ErrFormat = errors.New("not a bundle")

// bad is [ErrFormat] with a reason.
func bad(text string, args ...any) error {
	return fmt.Errorf("%w: "+text, append([]any{ErrFormat}, args...)...)
}

// Note is a note.
type Note struct {
	Path     string // relative to the store
	Text     []byte
	Modified time.Time
}

// check refuses what no export writes.
func (n *Note) check() error {
	name, err := memstore.ParsePath(memstore.Root + "/" + n.Path)
	switch {
	case n.Path == "" || err != nil || name != n.Path || !utf8.ValidString(n.Path) || strings.Contains(n.Path, `\`):
		return bad("%s is not the path of a note", quoted(n.Path))
	case strings.EqualFold(path.Base(n.Path), backend.SealedHeader) || backend.LooksLikeGit(n.Path):
		return bad("%s is a reserved name", quoted(n.Path))
	}
	for segment := range strings.SplitSeq(n.Path, "/") {
		if backend.IsTemp(strings.ToLower(segment)) {
			return bad("%s is a reserved name", quoted(n.Path))
		}
	}
	return nil
}

// quoted is a name from a bundle, short and without control characters.
func quoted(s string) string {
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return strconv.QuoteToGraphic(s)
}
