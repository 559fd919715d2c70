package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

var revision = regexp.MustCompile(`^#?[0-9]+$`)

func isRevision(s string) bool { return revision.MatchString(s) }

// isRange reports whether a positional is a revision, a time or a range of them, rather than a directory or a path.
func isRange(s string) bool {
	if isRevision(s) {
		return true
	}
	if info, err := os.Stat(s); err == nil && info.IsDir() || strings.Contains(s, "/") {
		return false
	}
	from, to, ranged := strings.Cut(s, "..")
	return isPoint(from) && (!ranged || to == "" || isPoint(to))
}

func isPoint(s string) bool {
	_, err := config.ParseMoment(s, time.Now())
	return err == nil || isRevision(s)
}

// parseRevision reads a number that isRevision accepted.
func parseRevision(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(s, "#"), 10, 64)
	if err != nil {
		return 0, session.WrongUse("Can't parse the revision %s", s)
	}
	return n, nil
}

// parsePoint reads a revision or a time as a revision.
func parsePoint(p *session.Recorded, ctx context.Context, s string) (int64, error) {
	if isRevision(s) {
		rev, err := parseRevision(s)
		if err != nil {
			return 0, err
		}
		if last, err := p.Journal.Last(ctx); err != nil || rev <= last {
			return rev, err
		}
		return 0, noRevision(p, ctx, rev, past.ErrNoRevision)
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

// noRevision is the error for a revision that the journal doesn't have.
func noRevision(p *session.Recorded, ctx context.Context, rev int64, cause error) error {
	last, err := p.Journal.Last(ctx)
	if err != nil {
		return err
	}
	return session.Failed(cause, "%s", past.NoRevisionText(rev, last))
}

// rowOf formats a revision for a list.
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
	if r.Session != "" {
		row += "  (session " + text.FitID(r.Session, text.LongID) + ")"
	}
	if r.Transfer != "" {
		row += "  (" + text.Clean(r.Transfer) + ")"
	}
	if r.Note != "" {
		row += "  (" + text.Clean(string(r.Note)) + ")"
	}
	return row
}

// counts formats the numbers of lines that a revision added and removed.
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
		return r, noRevision(p, ctx, rev, err)
	}
	return r, err
}
