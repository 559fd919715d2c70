package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt/ccmemory"
	"memcurator/render/text"
)

// recalledLine is a line of search --recall --json; the keys are a contract.
type recalledLine struct {
	Path    string            `json:"path"`
	Layer   string            `json:"layer"` // working, episodic, semantic
	Score   float64           `json:"score"`
	Terms   []ccmemory.Term   `json:"terms"`
	Factors []ccmemory.Factor `json:"factors"`
	Via     *string           `json:"via"` // the entity over whose relation the score came
}

var errNoRecall = errors.New("the store has no scores")

// recall lists what the program of a memory would recall.
func recall(run *session.Session, c *cobra.Command, dir, words []string, asJSON bool) error {
	target, err := run.Target(c, dir, false)
	if err != nil {
		return err
	}
	if !ccmemory.Adapter.Recognize(target.Dir) {
		return session.Failed(errNoRecall, "%s is not a database of cc-memory, the only program whose recall is known. Search without --recall",
			target.Dir)
	}
	found, err := ccmemory.RecallFrom(c.Context(), target.Dir, strings.Join(words, " "), time.Now())
	if err != nil {
		return session.ReadError(target.Dir, err)
	}
	if len(found.Ignored) > 0 {
		quoted := make([]string, len(found.Ignored))
		for i, word := range found.Ignored {
			quoted[i] = strconv.Quote(word)
		}
		run.Say("Warning: cc-memory never finds " + strings.Join(quoted, ", ") + ": words of one or two characters don't match there")
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	total, rows := 0, run.Out.Rows(s, asJSON)
	for _, layer := range []struct {
		name string
		list []ccmemory.Recalled
	}{{"working", found.Working}, {"episodic", found.Episodes}, {"semantic", found.Entities}} {
		total += len(layer.list)
		for _, r := range layer.list {
			if err := printRecalled(rows, layer.name, r); err != nil {
				return err
			}
		}
	}
	if total == 0 {
		return session.Failed(errNotFound, "cc-memory recalls nothing for %s", text.Clean(strings.Join(words, " ")))
	}
	return nil
}

func printRecalled(rows session.Rows, layer string, r ccmemory.Recalled) error {
	line := recalledLine{Path: memstore.AgentPath(r.File), Layer: layer, Score: r.Score, Terms: append([]ccmemory.Term{}, r.Terms...),
		Factors: append([]ccmemory.Factor{}, r.Times...)}
	if r.Via != "" {
		line.Via = output.OrNull(memstore.AgentPath(r.Via))
	}
	return rows.Print(line, "%.3f  %s\n       %s", r.Score, output.OneLine(line.Path), output.OneLine(reckoned(r)))
}

// reckoned is how a score came about: "match 0.33 x 0.4 + recency 0.75 x 0.3".
func reckoned(r ccmemory.Recalled) string {
	short := func(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }
	var terms []string
	for _, t := range r.Terms {
		if r.Via != "" {
			terms = append(terms, short(t.Value)+" of "+memstore.AgentPath(r.Via))
			continue
		}
		terms = append(terms, fmt.Sprintf("%s %s x %s", t.Name, short(t.Value), short(t.Weight)))
	}
	sum := strings.Join(terms, " + ")
	if len(r.Times) > 0 && len(terms) > 1 {
		sum = "(" + sum + ")"
	}
	for _, f := range r.Times {
		sum += fmt.Sprintf(" x %s %s", f.Name, short(f.Value))
	}
	return sum
}
