package diffpane

import (
	"context"
	"strconv"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/tui/kit"
)

// Contents holds the bytes of both sides of revisions, as a journal does.
type Contents interface {
	Bytes(ctx context.Context, s past.Side) ([]byte, error)
}

// OfRevision describes a revision to a diff, with what was reverted of it since.
func OfRevision(t undo.Trail, r past.Revision, h kit.Heading) Comparison {
	return Comparison{
		Key: revisionKey + strconv.FormatInt(r.Rev, 10), Heading: h, Path: r.Path, OldPath: r.OldPath,
		Before: OfSide(t, r, r.Before), After: OfSide(t, r, r.After),
		Reverted: func(ctx context.Context) (undo.Reverted, error) { return undo.RevertedSince(ctx, t, r.Rev) },
	}
}

const revisionKey = "revision "

// OfSide returns what reads one side of a revision; a side that does not exist is empty.
func OfSide(c Contents, r past.Revision, s past.Side) func() ([]byte, string) {
	return func() ([]byte, string) {
		switch {
		case r.Kind != memstore.KindFile && r.Kind != memstore.KindLink:
			return nil, changedKindText(r.Kind, r.Command)
		case !s.Exists:
			return nil, ""
		case !s.Kept:
			return nil, s.Why
		}
		data, err := c.Bytes(context.Background(), s)
		if err != nil {
			return nil, err.Error()
		}
		if data == nil {
			data = []byte{} // there was a file
		}
		return data, ""
	}
}

// changedKindText says what happened to something without a text.
func changedKindText(kind memstore.Kind, command string) string {
	if kind == memstore.KindDir {
		return "A folder has no text to compare. Command: " + command
	}
	return "Not a regular file, no text to compare. Command: " + command
}

// RevisionOf is the number of the revision that a comparison with this key shows; false: it shows something else.
func RevisionOf(key string) (rev int64, ok bool) {
	number, ok := strings.CutPrefix(key, revisionKey)
	if !ok {
		return 0, false
	}
	rev, err := strconv.ParseInt(number, 10, 64)
	return rev, err == nil && rev > 0
}
