package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/adapt/tables"
	"memcurator/render/text"
)

// recall lists what the program of a memory would recall.
func recall(run *session.Session, c *cobra.Command, dir, words []string, asJSON bool) error {
	target, err := run.Target(c, dir, false)
	if err != nil {
		return err
	}
	if !tables.CCMemory.Recognize(target.Dir) {
		return session.Failed(nil, "%s is not a database of cc-memory, the only program whose recall is known. Search without --recall",
			target.Dir)
	}
	found, ignored, err := tables.RecallFrom(c.Context(), target.Dir, strings.Join(words, " "), time.Now())
	if err != nil {
		return session.ReadError(target.Dir, err)
	}
	if len(ignored) > 0 {
		quoted := make([]string, len(ignored))
		for i, word := range ignored {
			quoted[i] = strconv.Quote(word)
		}
		run.Say("Warning: cc-memory never finds " + strings.Join(quoted, ", ") + ": words of one or two characters don't match there")
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	rows := run.Out.Rows(s, asJSON)
	for _, r := range found {
		if err := rows.Print(r, "%.3f  %s\n       %s", r.Score, output.OneLine(r.Path), output.OneLine(reckoned(r))); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return session.Failed(nil, "cc-memory recalls nothing for %s", text.Clean(strings.Join(words, " ")))
	}
	return nil
}

// reckoned is how a score came about: "match 0.33 x 0.4 + recency 0.75 x 0.3".
func reckoned(r tables.Recalled) string {
	short := func(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }
	var terms []string
	for _, t := range r.Terms {
		terms = append(terms, fmt.Sprintf("%s %s x %s", t.Name, short(t.Value), short(t.Weight)))
	}
	sum := strings.Join(terms, " + ")
	for _, f := range r.Factors {
		sum = fmt.Sprintf("(%s) x %s %s", sum, f.Name, short(f.Value))
	}
	return sum
}
