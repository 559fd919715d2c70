package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/lint"
)

// textLimit bounds the notes that are merged or repaired, in bytes.
const textLimit = 1 << 20

// errTooLarge is why a text is not rewritten.
var errTooLarge = errors.New("larger than 1 MB")

// Text is what an action that rewrites does to one file.
type Text struct {
	Path   string
	Before []byte
	After  []byte
	// LeftOut are the lines of a note that is merged which the other one had once.
	LeftOut [][]byte
	Gone    bool // the file is deleted
}

// joins reports whether a note can be joined with another line by line, by its name: one of JSON, say, would be broken.
func joins(agentPath string, size int64) bool {
	if size > textLimit {
		return false
	}
	switch strings.ToLower(path.Ext(agentPath)) {
	case "", ".md", ".markdown", ".txt", ".text", ".log", ".rst", ".org", ".adoc":
		return true
	}
	return false
}

// Texts works out what an action that rewrites does, the file that shrinks or goes last, so that nothing is lost when it stops
// half way. The error is [memstore.ErrChanged] where a file changed since the action was proposed.
//
// What a merge leaves out was decided when it was proposed: the same action has the same texts, so that what is applied is what was
// shown. The texts of a review are those of the merge that it is about, where it is about one ([Action.Compares]).
func (a *Action) Texts(ctx context.Context, b memstore.Backend) ([]Text, error) {
	data, err := readText(b, a.Path, a.Hash)
	if err != nil {
		return nil, err
	}
	switch {
	case a.Do == Merge, a.Compares():
		other := a.Found.Others[0]
		kept, err := readText(b, other, a.Other)
		if err != nil {
			return nil, err
		}
		m := lint.Merge(ctx, data, kept, a.Found.Joined.Removed)
		if err := ctx.Err(); err != nil {
			return nil, err // a comparison that was stopped finds no line in both
		}
		return []Text{
			{Path: other, Before: kept, After: m.Text},
			{Path: a.Path, Before: data, Gone: true, LeftOut: m.LeftOut},
		}, nil
	case a.Do.inPlace():
		return []Text{{Path: a.Path, Before: data, After: repaired(data, a.Found.Repairs)}}, nil
	}
	return nil, fmt.Errorf("%s rewrites nothing", a.Do)
}

// repaired replaces the spans of a text that repairs name, in the order of the text. Of two that overlap the first counts.
func repaired(data []byte, repairs []lint.Repair) []byte {
	var out bytes.Buffer
	at := int64(0)
	for _, r := range repairs {
		if r.Start < at || r.End > int64(len(data)) {
			continue // two readings of the same place
		}
		out.Write(data[at:r.Start])
		out.WriteString(r.Text)
		at = r.End
	}
	out.Write(data[at:])
	return out.Bytes()
}

// readText reads a note that must have the digest.
func readText(b memstore.Backend, agentPath string, want memstore.Digest) ([]byte, error) {
	data, err := memstore.ReadFile(b, memstore.BackendName(agentPath), memstore.Look, textLimit)
	switch {
	case errors.Is(err, memstore.ErrTooBig):
		return nil, errTooLarge
	case err != nil:
		return nil, err
	case memstore.Sum(data) != want:
		return nil, memstore.ErrChanged
	}
	return data, nil
}
