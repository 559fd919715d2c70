package past

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

var revision, revisionRange = regexp.MustCompile(`^[0-9]+$`), regexp.MustCompile(`^[0-9]+$|^` + point + `\.\.(` + point + `)?$`)

// point is a revision or a time, as parsePoint reads them; a single time may be the name of a directory.
const point = `(?:[0-9]+[mhdw]?|now|\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d\S*)?)?)`

func isRevision(s string) bool { return revision.MatchString(s) }

// parseRevision reads a number that isRevision has let through.
func parseRevision(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, session.WrongUse("%s is not a revision.", s)
	}
	return n, nil
}

// parsePoint reads a revision or a time into a revision.
func parsePoint(p *session.Recorded, ctx context.Context, s string) (int64, error) {
	if isRevision(s) {
		rev, err := parseRevision(s)
		if err != nil {
			return 0, err
		}
		last, err := p.Journal.Last(ctx)
		if err == nil && rev > last {
			err = session.WrongUse("There is no revision %d; the newest is %d.", rev, last)
		}
		return rev, err
	}
	if s == "now" {
		return p.Journal.Last(ctx)
	}
	at, err := session.ParseWhen(s, time.Now())
	if err != nil {
		return 0, err
	}
	return p.Journal.At(ctx, at)
}

// rowOf is a revision in a list of text.
func rowOf(r past.Revision) string {
	path := r.Path
	if r.OldPath != "" {
		path = r.OldPath + " -> " + r.Path
	}
	unread := " "
	if r.Unread {
		unread = "*"
	}
	row := fmt.Sprintf("%6d %s %s  %-8s  %-11s  %8s  %s", r.Rev, unread, output.Clock(r.Time), text.Clean(string(r.Actor)),
		text.Clean(r.Command), counts(r), text.Clean(path))
	if r.Note != "" {
		row += "  (" + text.Clean(string(r.Note)) + ")"
	}
	return row
}

// counts are the lines that a revision added and removed.
func counts(r past.Revision) string {
	if r.Added == 0 && r.Removed == 0 {
		return ""
	}
	return fmt.Sprintf("+%d -%d", r.Added, r.Removed)
}

// revisionOf finds a revision; the error is a sentence for the user.
func revisionOf(p *session.Recorded, ctx context.Context, word string) (past.Revision, error) {
	rev, err := parseRevision(word)
	if err != nil {
		return past.Revision{}, err
	}
	r, err := p.Journal.Revision(ctx, rev)
	if errors.Is(err, past.ErrNoRevision) {
		return r, session.Failed(err, "There is no revision %d.", rev)
	}
	return r, err
}
