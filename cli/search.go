package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/programs"
	"memcurator/memstore/search"
	"memcurator/render/text"
)

const searchHelp = `Search files, their history and deleted files.

Usage:
  memcurator search [DIR] WORDS...
  memcurator search --all WORDS...
  memcurator search --recall [STORE] WORDS...

Finds texts that contain all WORDS, in any order. Lowercase matches any case. An argument with
spaces, or text in double quotes, is a phrase; text between slashes is a regular expression. The
first of several arguments is DIR if it is a directory; otherwise use --dir. .git is skipped.

Each row is the first match in a text: path, line, whether it is there now, past or deleted (with
the first and last revision that had it), and the line. Present files come first, then the newest
versions. Exit status 1 if nothing matches or a file can't be read. With --all, each row begins
with its store.

--recall lists what cc-memory would recall for WORDS from its database STORE, and why: the terms of
each score. Nothing is counted as an access.

Secrets are masked, on a terminal and in a pipe, unless you pass --reveal. --json prints lines as
they are in the file, as cat, show and diff do.

Flags:
{flags}
Examples:
  memcurator search launch date
  memcurator search "launch date"
  memcurator search /sk-[a-z0-9]+/
`

type searchFlags struct{ json, reveal, all, recall bool }

func searchCommand(run *session.Session) *cobra.Command {
	var flags searchFlags
	c := &cobra.Command{
		Use: "search [DIR] WORDS", Short: "Search files, their history and deleted files", Long: searchHelp,
		RunE: func(c *cobra.Command, args []string) error {
			dir, words := splitWords(c, args)
			if strings.TrimSpace(strings.Join(words, "")) == "" {
				return session.WrongUse("Nothing to search for. Example: %s search launch date", session.Program)
			}
			if flags.recall {
				return recall(run, c, dir, words, flags.json)
			}
			w, err := search.ParseWords(words)
			if err != nil {
				return session.WrongUse("%s", output.Capital(err.Error()))
			}
			found := 0
			var e *session.Each
			if flags.all {
				e = &session.Each{}
			}
			printed := map[string]bool{}
			one := func() error {
				p, err := run.Past(c, dir, false, nil)
				if flags.all && errors.Is(err, session.ErrSealed) {
					return session.Failed(err, "Not searched: the store is encrypted")
				}
				if p == nil {
					return err
				}
				n, err := searchStore(c.Context(), p, err, searching{
					run: run, p: p, typed: words, words: w, json: flags.json, present: map[string]int64{},
					reveal: flags.reveal, masks: masksOf(run, p), each: e, printed: printed,
				})
				found += n
				return err
			}
			if flags.all {
				err = run.EachStore(c, dir, e, one)
			} else {
				err = one()
			}
			if err == nil && found == 0 {
				err = notFound(words)
			}
			return err
		},
		ValidArgsFunction: session.CompleteDirs,
	}
	session.DirFlag(c)
	session.AllFlag(c, &flags.all, "search")
	c.Flags().BoolVar(&flags.recall, "recall", false, "list what cc-memory would recall, with the terms of its scores")
	c.Flags().BoolVar(&flags.reveal, "reveal", false, "show secrets")
	c.Flags().BoolVar(&flags.json, "json", false, "print JSON Lines: path, line, start, end, state, rev, until, text; "+
		"with --all store and also_in, other stores that have the file; with --recall path, layer, score, terms, factors, via")
	for _, other := range []string{"all", "reveal"} {
		c.MarkFlagsMutuallyExclusive("recall", other)
	}
	return c
}

// splitWords separates DIR from the words to search for.
func splitWords(c *cobra.Command, args []string) (dir, words []string) {
	if len(args) > 1 && !c.Flags().Lookup("dir").Changed {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return args[:1], args[1:]
		}
		if _, ok := programs.Of(args[0]); ok {
			return args[:1], args[1:]
		}
	}
	return nil, args
}

// foundLine is a line of search --json.
type foundLine struct {
	Path  string   `json:"path"`
	Line  int      `json:"line"`
	Start int      `json:"start"`
	End   int      `json:"end"`
	State string   `json:"state"`
	Rev   int64    `json:"rev"`
	Until *int64   `json:"until"`
	Text  string   `json:"text"`
	Also  []string `json:"also_in,omitempty"`
}

var stateNames = map[past.Scope]string{past.Present: "now", past.Older: "past", past.Deleted: "deleted"}

// searching is one search in progress.
type searching struct {
	run     *session.Session
	p       *session.Recorded
	typed   []string
	words   search.Words // of typed
	json    bool
	reveal  bool
	masks   masks
	found   int
	older   []foundLine      // of the past, printed after the present
	present map[string]int64 // by path: the matching revision that is the present one according to the journal
	each    *session.Each    // nil: one store is searched
	printed map[string]bool  // matches in older versions of documents that several stores have
}

// searchStore searches the past, then the present files, and counts the matches. opened is the error of opening the journal.
func searchStore(ctx context.Context, p *session.Recorded, opened error, s searching) (int, error) {
	var errs []error
	switch {
	case opened == nil:
		defer p.Close()
		errs = append(errs, session.PastError(s.past(ctx)))
	case errors.Is(opened, session.ErrNoJournal):
	default:
		errs = append(errs, opened)
	}
	errs = append(errs, s.now(ctx))
	errs = append(errs, s.printOlder(ctx))
	for i, err := range errs {
		if err != nil {
			for _, other := range errs[i+1:] {
				if other != nil {
					s.run.Say(other.Error())
				}
			}
			return s.found, err
		}
	}
	return s.found, nil
}

func notFound(words []string) error {
	typed := strings.Join(words, " ")
	hint := ""
	if strings.ToLower(typed) != typed {
		hint = ". Lowercase ignores case"
	}
	return session.Failed(errNotFound, "No match for %s%s", text.Clean(typed), hint)
}

// errNotFound is the cause of the error if nothing matches.
var errNotFound = errors.New("no match")

// past searches the journal, and remembers which revisions should be the present ones.
func (s *searching) past(ctx context.Context) error {
	searchErr := s.p.Journal.Search(ctx, past.Query{Words: s.typed, Scope: past.Everywhere}, func(h past.Hit) bool {
		if h.Scope == past.Present {
			s.present[h.Path] = h.Rev
			return true
		}
		line := foundLine{Path: h.Path, Line: h.Line, Start: h.Start, End: h.End, State: stateNames[h.Scope], Rev: h.Rev, Text: string(h.Text),
			Until: output.OrNull(h.Until)}
		s.older = append(s.older, line)
		return true
	})
	return searchErr
}

// printOlder prints the matches in the past, newest first. A line that several consecutive versions have is printed once, except for
// programs.
func (s *searching) printOlder(ctx context.Context) error {
	slices.SortStableFunc(s.older, func(a, b foundLine) int { return cmp.Compare(b.Rev, a.Rev) })
	var rows []foundLine
	newest := map[string]int{} // by path: the row of the version last printed
	for _, l := range s.older {
		at, ok := newest[l.Path]
		if ok && !s.json && l.Until != nil && *l.Until == rows[at].Rev && rows[at].Text == l.Text && rows[at].State == l.State {
			rows[at].Rev = l.Rev
			continue
		}
		newest[l.Path] = len(rows)
		rows = append(rows, l)
	}
	for _, l := range rows {
		if err := s.print(l, func() []byte { return s.masks.recorded(ctx, l.Rev) }); err != nil {
			return err
		}
	}
	return nil
}

// now searches the present files.
func (s *searching) now(ctx context.Context) (err error) {
	backend, err := s.run.Locator().OpenPlain(s.p.Dir, false)
	if err != nil {
		return err
	}
	defer backend.Close() // nothing was written
	look := memstore.New(backend, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator},
		Workers: runtime.NumCPU()})
	totals, searchErr := s.words.Present(ctx, look, s.leaves, func(path string, h search.Hit) bool {
		text := string(h.Text)
		if h.Text == nil {
			text = "(not text)"
		}
		err = s.print(foundLine{Path: path, Line: h.Line, Start: int(h.Start), End: int(h.End), State: stateNames[past.Present],
			Rev: s.present[path], Text: text}, func() []byte { return session.NoteToMask(backend, path) })
		return err == nil
	})
	switch {
	case err != nil:
		return err
	case searchErr != nil:
		return session.Failed(searchErr, "Can't read the store %s: %s", s.p.Dir, session.StoreReason(searchErr))
	case totals.Skips > 0:
		return session.Failed(totals.Skipped[0].Err, "Can't search %s, first %s: %s", output.Counted(totals.Skips, "file"),
			totals.Skipped[0].Path, session.StoreReason(totals.Skipped[0].Err))
	}
	return nil
}

// leaves reports whether a file isn't searched: it is git's own, or another store has it too and searches it.
func (s *searching) leaves(path string) bool { return memstore.InGit(path) || !s.each.Counts(path) }

// print prints a row; whole loads its note. Each store records the versions of a document that several have: a match is printed once.
func (s *searching) print(l foundLine, whole func() []byte) error {
	if document := s.each.Document(l.Path); document != "" && l.State != stateNames[past.Present] {
		key := fmt.Sprintf("%s\x00%s\x00%d\x00%s", document, l.State, l.Line, l.Text)
		if s.printed[key] {
			return nil
		}
		s.printed[key] = true
	}
	s.found++
	l.Also = s.each.Others(l.Path)
	if s.json {
		return s.run.Out.JSONLines().Encode(l)
	}
	state := l.State
	switch {
	case l.Until == nil:
	case *l.Until-1 <= l.Rev:
		state = fmt.Sprintf("%s, %d", state, l.Rev)
	default: // the next version begins with Until
		state = fmt.Sprintf("%s, %d to %d", state, l.Rev, *l.Until-1)
	}
	if also := s.each.AlsoIn(l.Path); also != "" {
		state += ", " + also
	}
	if !s.reveal {
		l.Text = s.masks.line(l.Path, l.Line, l.Text, whole)
	}
	_, err := fmt.Fprintf(s.run.Out.Lines(s.p.Settings), "%s%s:%d (%s): %s\n",
		s.run.StoreColumn(), l.Path, l.Line, state, strings.TrimSpace(l.Text))
	return err
}
