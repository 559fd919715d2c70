package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/render/text"
)

// journaledStore is a store with its journal, as the commands about the past open it.
type journaledStore struct {
	settings
	target
	journal *journal.Journal
	backend memstore.Backend
	words   []string // the positionals that are neither DIR nor AGENT-PATH
}

// errNoJournal is a store of which nothing was recorded yet.
var errNoJournal = errors.New("nothing was recorded yet")

// past opens the journal of the store that a command names. isWord tells the positionals of the
// command from DIR and AGENT-PATH.
func (a *app) past(c *cobra.Command, args []string, takesPath bool, isWord func(string) bool) (*journaledStore, error) {
	var p journaledStore
	var err error
	if p.settings, err = a.settings(); err != nil {
		return nil, err
	}
	var others []string
	for _, arg := range args {
		if isWord != nil && isWord(arg) {
			p.words = append(p.words, arg)
		} else {
			others = append(others, arg)
		}
	}
	if p.target, err = a.target(c, others, takesPath); err != nil {
		return nil, err
	}
	if p.settings, err = a.forStore(p.settings, p.target.dir); err != nil {
		return nil, err
	}
	if sealed, err := age.Found(p.dir); err != nil {
		return nil, openError(p.dir, err, false)
	} else if sealed {
		return nil, failed(nil, "The store %s is encrypted: nothing is recorded of it, since the journal would hold it in clear.", p.dir)
	}
	return &p, a.openPast(&p)
}

func (a *app) openPast(p *journaledStore) error {
	state, err := statedir.Path(a.stateBase(), p.dir)
	if err != nil {
		return failed(err, "The journal cannot be found: %s.", journalReason(err))
	}
	if !journal.Exists(state) {
		return errNoJournal
	}
	if p.backend, err = openPlain(p.dir, false); err != nil {
		return err
	}
	p.journal, err = a.openJournal(p.dir, journal.Options{Backend: p.backend, Process: "cli"})
	if errors.Is(err, past.ErrReadOnly) {
		p.journal, err = a.openJournal(p.dir, journal.Options{Look: true, Backend: p.backend})
	}
	if err != nil {
		_ = p.backend.Close()
		return failed(err, "The journal of %s cannot be opened: %s.", p.dir, journalReason(err))
	}
	return nil
}

func (p *journaledStore) close() {
	_ = p.journal.Close() // what it could not settle stays for the next start
	_ = p.backend.Close()
}

// noJournal is what a command that needs a revision says where nothing was recorded.
func (p *journaledStore) noJournal() error {
	return failed(nil, "Nothing was recorded of %s yet: edits are from the first start of %s exec, mcp or the user interface on.", p.dir, program)
}

// list is a command that lists: where nothing was recorded it lists nothing.
func (a *app) list(p *journaledStore, err error, run func() error) error {
	if errors.Is(err, errNoJournal) {
		a.say("Nothing was recorded yet.")
		return nil
	}
	if err != nil {
		return err
	}
	defer p.close()
	return pastError(run())
}

// need is a command that needs something recorded.
func need(p *journaledStore, err error, run func() error) error {
	if errors.Is(err, errNoJournal) {
		return p.noJournal()
	}
	if err != nil {
		return err
	}
	defer p.close()
	return pastError(run())
}

// pastError is the sentence for what the journal says no to.
func pastError(err error) error {
	var j *past.Error
	if err == nil || isExit(err) || !errors.As(err, &j) {
		return err
	}
	return failed(err, "The journal says: %s.", journalReason(err))
}

// lines is standard output for what agents may have written.
func (a *app) lines(s settings) io.Writer {
	if a.env.StdoutTerminal {
		return &screenWriter{w: a.out, options: text.Options{ASCII: s.theme.ASCII}}
	}
	return a.out
}

// jsonLines writes one object a line.
func (a *app) jsonLines() *json.Encoder {
	e := json.NewEncoder(a.jsonOut())
	e.SetEscapeHTML(false)
	return e
}

var revision, revisionRange = regexp.MustCompile(`^[0-9]+$`), regexp.MustCompile(`^[0-9]+$|^` + point + `\.\.(` + point + `)?$`)

// point is a revision or a time, as parsePoint reads them; a single time may be the name of a directory.
const point = `(?:[0-9]+[mhdw]?|now|\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d\S*)?)?)`

func isRevision(s string) bool { return revision.MatchString(s) }

// parseRevision reads a number that isRevision has let through.
func parseRevision(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, wrongUse("%s is no revision.", s)
	}
	return n, nil
}

// The forms of a time on the command line, in the zone of the machine where they name none.
var timeForms = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02"}

// parseWhen reads a time, or how long ago one was: 30m, 24h, 7d, 8w.
func parseWhen(s string, now time.Time) (time.Time, error) {
	if d, ok := config.ParseDuration(s); ok {
		return now.Add(-d), nil
	}
	for _, form := range timeForms {
		if t, err := time.ParseInLocation(form, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, wrongUse("%q is no time; write 2026-01-31, \"2026-01-31 15:04\", or how long ago: 30m, 24h, 7d.", s)
}

// parsePoint reads a revision or a time into a revision.
func (p *journaledStore) parsePoint(ctx context.Context, s string) (int64, error) {
	if isRevision(s) {
		rev, err := parseRevision(s)
		if err != nil {
			return 0, err
		}
		last, err := p.journal.Last(ctx)
		if err == nil && rev > last {
			err = wrongUse("There is no revision %d; the newest is %d.", rev, last)
		}
		return rev, err
	}
	if s == "now" {
		return p.journal.Last(ctx)
	}
	at, err := parseWhen(s, time.Now())
	if err != nil {
		return 0, err
	}
	return p.journal.At(ctx, at)
}

// clock is a time in a list.
func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

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
	row := fmt.Sprintf("%6d %s %s  %-8s  %-11s  %8s  %s", r.Rev, unread, clock(r.Time), text.Clean(string(r.Actor)), text.Clean(r.Command), counts(r), text.Clean(path))
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

// revisionOf finds a revision, with a sentence where there is none.
func (p *journaledStore) revisionOf(ctx context.Context, word string) (past.Revision, error) {
	rev, err := parseRevision(word)
	if err != nil {
		return past.Revision{}, err
	}
	r, err := p.journal.Revision(ctx, rev)
	if errors.Is(err, past.ErrNoRevision) {
		return r, failed(err, "There is no revision %d.", rev)
	}
	return r, err
}
