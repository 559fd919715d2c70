package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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

Tokens are an estimate: four bytes of ASCII, or one character of another script, count as one. Names
what it can't read, and then exits with 1.

Flags:
{flags}
Example:
  memcurator stats --json | jq '.folders[0]'
`

func statsCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "stats [DIR]", Short: "Show how large a store is, by folder", Long: statsHelp,
		RunE: func(c *cobra.Command, args []string) error { return printStats(run, c, args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object: files, bytes, tokens, tokens_are (\"estimate\"), "+
		"load (as in stores; null: on demand), folders")
	return c
}

// skippedGit reports that git's own files were skipped.
const skippedGit = "Skipped .git, which has no memories"

// statsLine is stats --json; the keys are a contract.
type statsLine struct {
	Files     int               `json:"files"`
	Bytes     int64             `json:"bytes"`
	Tokens    int64             `json:"tokens"`
	TokensAre string            `json:"tokens_are"`
	Load      *session.LoadLine `json:"load"`
	Folders   []folderLine      `json:"folders"` // of the top level, the largest first; "." has the files beside them
}

type folderLine struct {
	Name   string `json:"name"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Tokens int64  `json:"tokens"`
}

func printStats(run *session.Session, c *cobra.Command, args []string, asJSON bool) error {
	o, err := run.OpenNamed(c, args, false)
	if err != nil {
		return err
	}
	defer o.Backend.Close()
	snapshot, err := session.Look(o.Backend, o.Dialect).Scan(c.Context(), memstore.ScanOptions{})
	if err != nil {
		return session.ReadError(o.Dir, err)
	}
	missed := unread{run: run}
	stats := measure(run, o.Backend, snapshot, &missed)
	start, err := run.LoadRule(o.Dir)().Read(c.Context(), o.Backend)
	if err != nil {
		return err
	}
	for _, problem := range start.Problems() {
		run.Say(problem)
	}
	if asJSON {
		if !start.Rule.OnDemand() {
			stats.Load = session.LoadLineOf(start.Gauge(), start.Given)
		}
		return cmp.Or(run.Out.JSONLines().Encode(stats), missed.end())
	}
	lines := []string{fmt.Sprintf("%s, %s, about %s", text.Count(stats.Files, "file"),
		memstore.FormatSize(o.Dialect, stats.Bytes), text.Count(int(stats.Tokens), "token"))}
	if !start.Rule.OnDemand() {
		lines = append(lines, startLine(start))
	}
	lines = append(lines, "", "By folder")
	for _, f := range stats.Folders {
		lines = append(lines, fmt.Sprintf("  %7s  %9s  %s", memstore.FormatSize(o.Dialect, f.Bytes), text.Count(f.Files, "file"),
			output.OneLine(f.Name)))
	}
	_, err = io.WriteString(run.Out.Lines(o.Settings), strings.Join(lines, "\n")+"\n")
	return cmp.Or(err, missed.end())
}

// measure adds up a store, by folder.
func measure(run *session.Session, b memstore.Backend, snapshot *memstore.Snapshot, missed *unread) statsLine {
	stats := statsLine{TokensAre: "estimate", Folders: []folderLine{}}
	folders := map[string]*folderLine{}
	git := false
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		if memstore.InGit(path) {
			git = true
			return true
		}
		if n.Problem != nil {
			missed.add(path, findings.Unreadable.Sentence())
		}
		if n.Kind != memstore.KindFile {
			return true
		}
		name, _, below := strings.Cut(strings.TrimPrefix(path, memstore.Root+"/"), "/")
		if !below {
			name = "."
		}
		f := folders[name]
		if f == nil {
			f = &folderLine{Name: name}
			folders[name] = f
		}
		beginning, err := head(b, path)
		if err != nil && !errors.Is(err, memstore.ErrNotExist) {
			missed.add(path, findings.Unreadable.Sentence())
		}
		tokens := loadlimit.EstimatePart(beginning, n.Size)
		f.Files, f.Bytes, f.Tokens = f.Files+1, f.Bytes+n.Size, f.Tokens+tokens
		stats.Files, stats.Bytes, stats.Tokens = stats.Files+1, stats.Bytes+n.Size, stats.Tokens+tokens
		return true
	})
	if git {
		run.Say(skippedGit)
	}
	for _, f := range folders {
		stats.Folders = append(stats.Folders, *f)
	}
	slices.SortFunc(stats.Folders, func(a, b folderLine) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name)) })
	return stats
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

// head reads the beginning of a file.
func head(b memstore.Backend, agentPath string) ([]byte, error) {
	f, err := b.Open(memstore.BackendName(agentPath), memstore.Look)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return io.ReadAll(io.NewSectionReader(f, 0, loadlimit.TokenPart))
}
