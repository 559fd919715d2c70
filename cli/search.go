package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/programs"
	"memcurator/memstore/search"
	"memcurator/render/text"
)

const searchHelp = `Search files, their history and deleted files.

Usage:
  memcurator search [DIR] WORDS...
  memcurator search --recall [STORE] WORDS...

Finds the lines that contain WORDS, as a phrase: present lines first, then those that a revision
removed. Lowercase matches any case. Text between slashes is a regular expression. Exit status 1 if
nothing matches or a file can't be read.

Flags:
{flags}
Examples:
  memcurator search launch date
  memcurator search /sk-[a-z0-9]+/
`

type searchFlags struct{ json, recall bool }

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
			typed := strings.Join(words, " ")
			m, err := search.Compile(search.ParseQuery(typed))
			if err != nil {
				return session.WrongUse("%s", err)
			}
			p, err := run.Past(c, dir, false, nil)
			if err != nil {
				return wordsFirst(words, err)
			}
			s := searching{run: run, p: p, matcher: m, rows: run.Out.Rows(p.Settings, flags.json)}
			if err := s.all(c.Context()); err != nil || s.found > 0 {
				return err
			}
			return notFound(typed)
		},
	}
	c.Flags().BoolVar(&flags.recall, "recall", false, "list what cc-memory would recall from its database STORE, with the terms of its scores")
	c.Flags().BoolVar(&flags.json, "json", false, "print JSON Lines: path, line, start, end, state, until, text; "+
		"with --recall path, layer, score, terms, factors")
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

// wordsFirst says how to name the store where the last word is one; nil where it isn't.
func wordsFirst(args []string, err error) error {
	last := args[len(args)-1]
	if info, no := os.Stat(last); !errors.Is(err, session.ErrNoStore) || no != nil || !info.IsDir() || len(args) == 1 {
		return err
	}
	return session.WrongUse("Name the store first: %s search %s %s", session.Program, text.ShellQuoted(last),
		strings.Join(args[:len(args)-1], " "))
}

// foundLine is a line of search --json.
type foundLine struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	State string `json:"state"`
	Until *int64 `json:"until"` // the revision that removed it
	Text  string `json:"text"`
}

// The states of a line.
const (
	stateNow     = "now"
	stateRemoved = "removed"
)

// searching is one search in progress.
type searching struct {
	run     *session.Session
	p       *session.Recorded
	matcher *search.Matcher
	rows    session.Rows
	found   int
}

// all searches the present files, then the past if there is one.
func (s *searching) all(ctx context.Context) error {
	err := s.now(ctx)
	past := s.run.Need(s.p, func() error { return s.past(ctx) })
	if errors.Is(past, session.ErrNoJournal) {
		past = nil
	}
	if err != nil && past != nil {
		s.run.Say(past.Error())
	}
	return cmp.Or(err, past)
}

func notFound(typed string) error {
	hint := ""
	if strings.ToLower(typed) != typed {
		hint = ". Lowercase ignores case"
	}
	return session.Failed(nil, "No match for \"%s\"%s", text.Clean(typed), hint)
}

// past searches what was removed.
func (s *searching) past(ctx context.Context) error {
	gone, _, err := s.p.Journal.Gone(ctx, s.matcher, math.MaxInt)
	for _, g := range gone {
		by := g.By.Rev
		line := foundLine{Path: g.Path, Line: g.Line.Line, Start: g.Line.Start, End: g.Line.End, State: stateRemoved, Until: &by,
			Text: string(g.Line.Text)}
		if err := s.print(line); err != nil {
			return err
		}
	}
	return err
}

// now searches the present files.
func (s *searching) now(ctx context.Context) (err error) {
	backend, err := s.run.OpenPlain(s.p.Dir, false)
	if err != nil {
		return err
	}
	defer backend.Close() // nothing was written
	found, err := search.Store(ctx, session.Look(backend, s.p.Dialect), s.matcher, search.Options{Keep: math.MaxInt, KeepFile: math.MaxInt})
	if err != nil {
		return session.ReadError(s.p.Dir, err)
	}
	for _, f := range found.Found {
		for _, h := range f.Hits {
			text := string(h.Text)
			if f.Binary {
				text = "(not text)"
			}
			err := s.print(foundLine{Path: f.Path, Line: h.Line, Start: h.Start, End: h.End, State: stateNow, Text: text})
			if err != nil {
				return err
			}
		}
	}
	if found.Skips > 0 {
		return session.Failed(found.Skipped.Err, "Can't search %s, first %s: %s", text.Count(found.Skips, "file"), found.Skipped.Path,
			session.StoreReason(found.Skipped.Err))
	}
	return nil
}

func (s *searching) print(l foundLine) error {
	s.found++
	state := l.State
	if l.Until != nil {
		state = fmt.Sprintf("removed by #%d", *l.Until)
	}
	return s.rows.Print(l, "%s:%d (%s): %s", l.Path, l.Line, state, strings.TrimSpace(l.Text))
}
