package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

const statsHelp = `Show how large a store is and where, and what a session starts with.

Usage:
  memcurator stats [DIR]

Shows files, bytes and tokens, what a session starts with, if known, and the sizes by folder. Tokens
are an estimate (four bytes of ASCII, or one character of another script, count as one). Names what
it can't read, and then exits with 1.

Flags:
{flags}
Examples:
  memcurator stats ~/agent/memories
  memcurator stats --json | jq '.folders[0]'
`

func statsCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "stats [DIR]", Short: "Show how large a store is, by folder", Long: statsHelp,
		RunE: func(c *cobra.Command, args []string) error {
			missed := unread{run: run}
			m, s, err := measure(run, c, args, &missed)
			switch {
			case err != nil:
				return err
			case asJSON:
				err = run.Out.JSONLines().Encode(statsLineOf(m))
			default:
				err = printStats(run, s, m)
			}
			return cmp.Or(err, missed.end())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object: files, bytes, tokens, tokens_are (\"estimate\"), "+
		"max_tokens (null: no limit), load (as in stores; null: on demand), folders")
	return c
}

// tokens is a number of them with the unit.
func tokens(n int64) string { return thousands(n) + " " + text.Plural(int(min(n, 2)), "token") }

// skippedGit reports that git's own files were skipped.
const skippedGit = "Skipped .git, which has no memories"

// amount is how much a part of a store has.
type amount struct {
	name   string
	files  int
	bytes  int64
	tokens int64
}

func (s *amount) add(o amount) {
	s.files, s.bytes, s.tokens = s.files+o.files, s.bytes+o.bytes, s.tokens+o.tokens
}

// measured is how large a store is.
type measured struct {
	total     amount
	folders   []amount    // of the top level, the largest first; "." has the files beside them
	start     *load.Start // nil: the agent reads on demand
	maxTokens int64       // 0: no limit
}

// measure reads the store that a command names.
func measure(run *session.Session, c *cobra.Command, args []string, missed *unread) (*measured, session.Settings, error) {
	ctx := c.Context()
	s, err := run.Settings()
	if err != nil {
		return nil, s, err
	}
	target, err := run.Target(c, args, false)
	if err != nil {
		return nil, s, err
	}
	if s, err = run.ForStore(s, target.Dir); err != nil {
		return nil, s, err
	}
	b, err := run.OpenBackend(target.Opening)
	if err != nil {
		return nil, s, err
	}
	defer b.Close()
	snapshot, err := memstore.New(b, memstore.Options{ReadOnly: true, Workers: runtime.NumCPU()}).Scan(ctx, nil)
	if err != nil {
		return nil, s, session.Failed(err, "Can't read the store %s: %s", s.Dir, session.StoreReason(err))
	}
	per := s.OfStore()
	m := &measured{maxTokens: per.Limits.MaxTokens.Value}
	folders := map[string]*amount{}
	ofGit := false
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		if memstore.InGit(path) {
			ofGit = true
			return true
		}
		if n.Problem != nil {
			missed.add(path, findings.Unreadable.Sentence())
		}
		if n.Kind != memstore.KindFile || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		beginning, err := head(b, path, min(n.Size, loadlimit.TokenPart))
		if err != nil && !errors.Is(err, memstore.ErrNotExist) {
			missed.add(path, findings.Unreadable.Sentence())
		}
		folder, _, below := strings.Cut(strings.TrimPrefix(path, memstore.Root+"/"), "/")
		if !below {
			folder = "."
		}
		if folders[folder] == nil {
			folders[folder] = &amount{name: folder}
		}
		file := amount{files: 1, bytes: n.Size, tokens: loadlimit.EstimatePart(beginning, n.Size)}
		folders[folder].add(file)
		m.total.add(file)
		return true
	})
	if ofGit {
		run.Say(skippedGit)
	}
	for _, folder := range folders {
		m.folders = append(m.folders, *folder)
	}
	slices.SortFunc(m.folders, func(a, b amount) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.name, b.name)) })
	start, err := run.LoadSource(s.Dir, session.LoadLimits(per)).Of(snapshot).Read(ctx, b)
	if err != nil {
		return nil, s, err
	}
	for _, problem := range start.Problems() {
		run.Say(problem)
	}
	if !start.Rule.OnDemand() {
		m.start = start
	}
	return m, s, ctx.Err()
}

// head reads the beginning of a file.
func head(b memstore.Backend, agentPath string, size int64) ([]byte, error) {
	f, err := b.Open(strings.TrimPrefix(agentPath, memstore.Root+"/"), memstore.Look)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read: closing can't lose anything
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

// statsLine is a line of stats --json.
type statsLine struct {
	Files     int               `json:"files"`
	Bytes     int64             `json:"bytes"`
	Tokens    int64             `json:"tokens"`
	TokensAre string            `json:"tokens_are"`
	MaxTokens *int64            `json:"max_tokens"`
	Load      *session.LoadLine `json:"load"`
	Folders   []sumLine         `json:"folders"`
}

type sumLine struct {
	Name   string `json:"name"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Tokens int64  `json:"tokens"`
}

func statsLineOf(m *measured) statsLine {
	line := statsLine{Files: m.total.files, Bytes: m.total.bytes, Tokens: m.total.tokens, TokensAre: "estimate", Folders: []sumLine{}}
	if m.maxTokens > 0 {
		line.MaxTokens = &m.maxTokens
	}
	if m.start != nil {
		line.Load = session.LoadLineOf(m.start.Gauge(), m.start.Given)
	}
	for _, f := range m.folders {
		line.Folders = append(line.Folders, sumLine{f.name, f.files, f.bytes, f.tokens})
	}
	return line
}

func printStats(run *session.Session, s session.Settings, m *measured) error {
	lines := []string{fmt.Sprintf("%s, %s, about %s", output.Counted(m.total.files, "file"), memstore.FormatSize(s.Dialect, m.total.bytes),
		tokens(m.total.tokens))}
	if m.maxTokens > 0 {
		g := loadlimit.Gauge{Have: loadlimit.Extent{Tokens: m.total.tokens}, Limit: loadlimit.Extent{Tokens: m.maxTokens}}
		lines = append(lines, "Limit of the store: "+g.Bar()+" "+g.Words())
	}
	if m.start != nil {
		lines = append(lines, startLine(m.start))
	}
	lines = append(lines, "", "By folder")
	for _, f := range m.folders {
		lines = append(lines, fmt.Sprintf("  %7s  %9s  %s", memstore.FormatSize(s.Dialect, f.bytes), output.Counted(f.files, "file"),
			output.OneLine(f.name)))
	}
	_, err := io.WriteString(run.Out.Lines(s), strings.Join(lines, "\n")+"\n")
	return err
}

// startLine says what a session starts with.
func startLine(s *load.Start) string {
	g := s.Gauge()
	parts := []string{g.Words()}
	if state := g.State(); state != "" {
		parts = append(parts, state)
	}
	how := ", " + loadlimit.Estimate(s.Given.Tokens)
	if g.Level() == loadlimit.Unlimited { // its words are the tokens
		how = " (" + loadlimit.TokensAre + ")"
	}
	return "Session start: " + strings.Join(parts, ", ") + how
}

// thousands formats a number for people: 950, 12k, 3.4M.
func thousands(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
