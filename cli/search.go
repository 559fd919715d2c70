package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore/journal"
	"memcurator/memstore/search"
)

const searchHelp = `Find words in all that a store holds or ever held: files, older versions, deleted files.

Usage:
  memcurator search [DIR] WORDS

WORDS are looked for as they stand, in any language; small letters find capitals too. Between
slashes it is a regular expression. DIR is the first of two words or more where it is a
directory; else use --dir. Contents that the journal does not keep are not searched.

Each line is the first match in one text: the path, the line, where it is (now, past or
deleted, with the revisions from which and up to which it was there), and the line itself.

Flags:
      --dir DIR       the memory directory
      --now           in files as they are only
      --past          in older versions of files only
      --deleted       in deleted files only
      --json          one JSON object a match: path, line, start, end, state, rev, until, text
Flags of every command: see memcurator help

Examples:
  memcurator search "launch date"
  memcurator search /sk-[a-z0-9]+/ --deleted
`

type searchFlags struct{ now, past, deleted, json bool }

func (f searchFlags) scope() (s journal.Scope) {
	for _, one := range []struct {
		on    bool
		scope journal.Scope
	}{{f.now, journal.Present}, {f.past, journal.Past}, {f.deleted, journal.Deleted}} {
		if one.on {
			s |= one.scope
		}
	}
	return s
}

func (a *app) searchCommand() *cobra.Command {
	var flags searchFlags
	c := &cobra.Command{
		Use: "search [DIR] WORDS", Short: "Find words in present, past and deleted text", Long: searchHelp,
		RunE: func(c *cobra.Command, args []string) error {
			dir, words := splitWords(c, args)
			if words == "" {
				return wrongUse("Say what to search for, as in: %s search \"launch date\"", program)
			}
			m, err := search.Compile(search.ParseQuery(words))
			if err != nil {
				return wrongUse("%s", err)
			}
			p, err := a.past(c, dir, false, nil)
			return a.list(p, err, func() error { return a.search(c, p, m, flags) })
		},
		ValidArgsFunction: completeDirs,
	}
	dirFlag(c)
	c.Flags().BoolVar(&flags.now, "now", false, "files as they are")
	c.Flags().BoolVar(&flags.past, "past", false, "older versions")
	c.Flags().BoolVar(&flags.deleted, "deleted", false, "deleted files")
	c.Flags().BoolVar(&flags.json, "json", false, "one JSON object a match")
	return c
}

// splitWords tells DIR from the words to search for.
func splitWords(c *cobra.Command, args []string) (dir []string, words string) {
	if len(args) > 1 && !c.Flags().Lookup("dir").Changed {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			dir, args = args[:1], args[1:]
		}
	}
	return dir, strings.Join(args, " ")
}

// foundLine is a line of search --json.
type foundLine struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	State string `json:"state"`
	Rev   int64  `json:"rev"`
	Until *int64 `json:"until"`
	Text  string `json:"text"`
}

var stateNames = map[journal.Scope]string{journal.Present: "now", journal.Past: "past", journal.Deleted: "deleted"}

func (a *app) search(c *cobra.Command, p *past, m *search.Matcher, flags searchFlags) (err error) {
	q := journal.Query{Scope: flags.scope(), Match: func(data []byte) (int, int) {
		match, ok, err := m.Find(c.Context(), bytes.NewReader(data), int64(len(data)), 0, false)
		if err != nil || !ok {
			return -1, -1
		}
		return int(match[0]), int(match[1])
	}}
	out, lines := a.jsonLines(), a.lines(p.settings)
	searchErr := p.journal.Search(c.Context(), q, func(h journal.Hit) bool {
		if flags.json {
			line := foundLine{Path: h.Path, Line: h.Line, Start: h.Start, End: h.End, State: stateNames[h.Scope], Rev: h.Rev, Text: string(h.Text)}
			if h.Until != 0 {
				line.Until = &h.Until
			}
			err = out.Encode(line)
			return err == nil
		}
		state := stateNames[h.Scope]
		if h.Until != 0 {
			state = fmt.Sprintf("%s, %d to %d", state, h.Rev, h.Until)
		}
		_, err = fmt.Fprintf(lines, "%s:%d (%s): %s\n", h.Path, h.Line, state, bytes.TrimSpace(h.Text))
		return err == nil
	})
	return errors.Join(err, searchErr)
}
