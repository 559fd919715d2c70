package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/load"
	"memcurator/memstore/past"
	"memcurator/memstore/stats"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

const statsHelp = `Show how large a store is and where, how old and unused its files are, and how it grew.

Usage:
  memcurator stats [DIR]
  memcurator stats --all

Shows what a session starts with, if known; bars of the sizes by folder, by last change and by the
agent's last use; the size over time, as far back as the journal goes; the largest and the least
used files. Tokens are an estimate (four bytes of ASCII, or one character of another script, count
as one). Names what it can't read, the journal included, and then exits with 1. --all prints a row
per store, and the sum.

Flags:
{flags}
Examples:
  memcurator stats ~/agent/memories
  memcurator stats --json | jq '.folders[0]'
`

func statsCommand(run *session.Session) *cobra.Command {
	var asJSON, all bool
	c := &cobra.Command{
		Use: "stats [DIR]", Short: "Show sizes, ages and growth of a store", Long: statsHelp,
		RunE: func(c *cobra.Command, args []string) error {
			one := func(print func(*curating, *stats.Stats) error) error {
				w, err := openCurated(run, c, args, false)
				if err != nil {
					return err
				}
				defer w.close()
				missed := unread{run: run}
				s, err := gather(run, c.Context(), w, &missed)
				if err != nil {
					return err
				}
				if asJSON {
					err = run.Out.JSONLines().Encode(statsLineOf(s, w.per.Limits.MaxTokens.Value))
				} else {
					err = print(w, s)
				}
				return cmp.Or(err, missed.end())
			}
			if all {
				return statsAll(run, c, args, one, !asJSON)
			}
			return one(func(w *curating, s *stats.Stats) error { return printStats(run, w, s) })
		},
		ValidArgsFunction: session.CompleteDirs,
	}
	session.StoreFlag(c)
	session.AllFlag(c, &all, "sum up")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object: files, bytes, tokens, tokens_are (\"estimate\"), "+
		"max_tokens (null: no limit), load (as in stores; null: on demand), folders, changed, used, "+
		"growth, period_seconds, largest, least_used; with --all one object per store, with store")
	return c
}

// statsAll sums up all stores of this machine, a row each.
func statsAll(run *session.Session, c *cobra.Command, args []string, one func(func(*curating, *stats.Stats) error) error, rows bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	out := run.Out.Lines(s)
	row := func(sum stats.Sum, loaded, of string) error {
		_, err := fmt.Fprintf(out, "%11s  %7s  %13s  %14s  %s\n", output.Counted(sum.Files, "file"), memstore.FormatSize(s.Dialect, sum.Bytes),
			"~"+tokens(sum.Tokens), loaded, text.Clean(of))
		return err
	}
	e := &session.Each{}
	var total stats.Sum
	read := 0
	err = run.EachStore(c, args, e, func() error {
		return one(func(w *curating, s *stats.Stats) error {
			read++
			total.Files, total.Bytes, total.Tokens = total.Files+s.Total.Files, total.Bytes+s.Total.Bytes, total.Tokens+s.Total.Tokens
			return row(s.Total, atStart(s), session.Title(w.Dir))
		})
	})
	if rows && read > 0 {
		err = cmp.Or(row(total, "", "in "+output.Counted(read, "store")), err)
	}
	return err
}

// atStart is how many tokens a session starts with: not those of the files, which it may load in part, and puts text around.
func atStart(s *stats.Stats) string {
	if s.Start == nil {
		return "on demand"
	}
	return "~" + thousands(s.Start.Given.Tokens) + " at start"
}

// tokens is a number of them with the unit.
func tokens(n int64) string { return thousands(n) + " " + text.Plural(int(min(n, 2)), "token") }

// skippedGit reports that git's own files were skipped.
const skippedGit = "Skipped .git, which has no memories"

// gather computes the statistics of a store; it adds what it could not read to missed.
func gather(run *session.Session, ctx context.Context, w *curating, missed *unread) (*stats.Stats, error) {
	snapshot, facts, err := w.scan(ctx)
	if err != nil {
		return nil, err
	}
	missed.journal(w)
	var files []stats.File
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
		known := facts.Journal[path]
		f := stats.File{Path: path, Size: n.Size, Changed: known.Changed, Used: known.Used, Uses: known.Uses}
		if f.Changed.IsZero() {
			f.Changed = n.ModTime
		}
		beginning, err := head(w.backend, path, min(n.Size, loadlimit.TokenPart))
		if err != nil && !errors.Is(err, memstore.ErrNotExist) {
			missed.add(path, findings.Unreadable.Sentence())
		}
		f.Tokens = loadlimit.EstimatePart(beginning, n.Size)
		files = append(files, f)
		return true
	})
	if ofGit {
		run.Say(skippedGit)
	}
	var growth []stats.Growth
	if w.journal != nil {
		if growth, err = growthOf(ctx, w.journal); err != nil {
			return nil, session.PastError(err)
		}
	}
	s := stats.Of(files, growth, time.Now())
	start, err := w.load(run).Of(snapshot).Read(ctx, w.backend)
	if err != nil {
		return nil, err
	}
	for _, problem := range start.Problems() {
		run.Say(problem)
	}
	if !start.Rule.OnDemand() {
		s.Start = start
	}
	return s, ctx.Err()
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

// growthOf lists what each revision added to the store.
func growthOf(ctx context.Context, j past.Lister) ([]stats.Growth, error) {
	var out []stats.Growth
	err := j.List(ctx, past.Filter{}, func(r past.Revision) bool {
		if r.Kind != memstore.KindFile || r.Shape == past.Renamed || memstore.InGit(r.Path) {
			return true
		}
		g := stats.Growth{At: r.Time}
		if r.After.Exists {
			g.Files++
			g.Bytes += r.After.Size
		}
		if r.Before.Exists {
			g.Files--
			g.Bytes -= r.Before.Size
		}
		out = append(out, g)
		return true
	})
	return out, err
}

// Lines of stats --json.
type (
	statsLine struct {
		Files     int               `json:"files"`
		Bytes     int64             `json:"bytes"`
		Tokens    int64             `json:"tokens"`
		TokensAre string            `json:"tokens_are"`
		MaxTokens *int64            `json:"max_tokens"`
		Load      *session.LoadLine `json:"load"`
		Folders   []sumLine         `json:"folders"`
		Changed   []sumLine         `json:"changed"`
		Used      []sumLine         `json:"used"`
		Growth    []pointLine       `json:"growth"`
		Period    int64             `json:"period_seconds"`
		Largest   []usedLine        `json:"largest"`
		LeastUsed []usedLine        `json:"least_used"`
	}
	sumLine struct {
		Name   string `json:"name"`
		Files  int    `json:"files"`
		Bytes  int64  `json:"bytes"`
		Tokens int64  `json:"tokens"`
	}
	pointLine struct {
		Time  string `json:"time"`
		Files int64  `json:"files"`
		Bytes int64  `json:"bytes"`
	}
	usedLine struct {
		Path    string  `json:"path"`
		Bytes   int64   `json:"bytes"`
		Tokens  int64   `json:"tokens"`
		Uses    int     `json:"uses"`
		Used    *string `json:"used"`
		Changed string  `json:"changed"`
	}
)

func statsLineOf(s *stats.Stats, maxTokens int64) statsLine {
	line := statsLine{
		Files: s.Total.Files, Bytes: s.Total.Bytes, Tokens: s.Total.Tokens, TokensAre: "estimate",
		Period:  int64(s.Period / time.Second),
		Folders: sumLines(s.Folders), Changed: sumLines(s.Ages), Used: sumLines(s.Idle), Growth: []pointLine{},
		Largest: usedLines(s.Largest), LeastUsed: usedLines(s.LeastUsed),
	}
	if maxTokens > 0 {
		line.MaxTokens = &maxTokens
	}
	if s.Start != nil {
		line.Load = session.LoadLineOf(s.Start.Gauge(), s.Start.Given)
	}
	for _, p := range s.Growth {
		line.Growth = append(line.Growth, pointLine{p.At.UTC().Format(output.JSONTime), p.Files, p.Bytes})
	}
	return line
}

func sumLines(list []stats.Sum) []sumLine {
	out := []sumLine{}
	for _, s := range list {
		out = append(out, sumLine{s.Name, s.Files, s.Bytes, s.Tokens})
	}
	return out
}

func usedLines(list []stats.File) []usedLine {
	out := []usedLine{}
	for _, f := range list {
		out = append(out, usedLine{Path: f.Path, Bytes: f.Size, Tokens: f.Tokens, Uses: f.Uses, Changed: f.Changed.UTC().Format(output.JSONTime),
			Used: output.TimeOrNull(f.Used)})
	}
	return out
}

// statsPrinter draws bars, in ASCII if the terminal needs it.
type statsPrinter struct {
	out   io.Writer
	w     *curating
	solid string   // a full cell
	parts []string // the last cell, from nearly empty to nearly full
	err   error
}

func (p *statsPrinter) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// barWidth is the length of a full bar, in cells.
const barWidth = 28

// bar draws a share of the longest, to a fraction of a cell: a small share looks small, but not empty.
func (p *statsPrinter) bar(part, most int64) string {
	share := stats.Share(part, most) * barWidth
	n := int(share)
	bar := strings.Repeat(p.solid, n)
	rest := int(math.Round((share - float64(n)) * float64(len(p.parts))))
	switch {
	case rest == len(p.parts):
		bar += p.solid
	case rest > 0:
		bar += p.parts[rest]
	case part > 0 && n == 0:
		bar += p.parts[0]
	}
	return text.Pad(bar, barWidth)
}

func (p *statsPrinter) size(n int64) string { return memstore.FormatSize(p.w.Dialect, n) }

func printStats(run *session.Session, w *curating, s *stats.Stats) error {
	p := &statsPrinter{out: run.Out.Lines(w.Settings), w: w, solid: "█", parts: []string{"·", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}}
	if w.Theme.ASCII {
		p.solid, p.parts = "#", []string{".", ":"}
	}
	p.line("%s, %s, about %s", output.Counted(s.Total.Files, "file"), p.size(s.Total.Bytes), tokens(s.Total.Tokens))
	if limit := w.per.Limits.MaxTokens.Value; limit > 0 {
		g := loadlimit.Gauge{Have: loadlimit.Extent{Tokens: s.Total.Tokens}, Limit: loadlimit.Extent{Tokens: limit}}
		p.line("Limit of the store: %s %s", g.Bar(), g.Words())
	}
	if s.Start != nil {
		p.start(s.Start)
	}
	p.sums("By folder", s.Folders)
	p.sums("Last changed", s.Ages)
	p.sums("Last used by the agent", s.Idle)
	if len(s.Growth) > 1 {
		p.growth(s)
	}
	p.files("Largest", s.Largest, func(f stats.File) string { return "~" + tokens(f.Tokens) })
	p.files("Used least", s.LeastUsed, func(f stats.File) string {
		if f.Used.IsZero() {
			return "no recorded use, changed " + f.Changed.Format(time.DateOnly)
		}
		return output.Counted(f.Uses, "use") + ", last " + f.Used.Format(time.DateOnly)
	})
	if w.journal == nil {
		run.Say("No journal (" + w.noRecord + "), so growth and uses are unknown; times are those of the disk")
	}
	return p.err
}

// start says what a session starts with.
func (p *statsPrinter) start(s *load.Start) {
	g := s.Gauge()
	parts := []string{g.Words()}
	if state := g.State(); state != "" {
		parts = append(parts, state)
	}
	how := ", " + loadlimit.Estimate(s.Given.Tokens)
	if g.Level() == loadlimit.Unlimited { // its words are the tokens
		how = " (" + loadlimit.TokensAre + ")"
	}
	p.line("Session start: %s%s", strings.Join(parts, ", "), how)
}

func (p *statsPrinter) sums(title string, list []stats.Sum) {
	most, wide := int64(0), 0
	for _, s := range list {
		most = max(most, s.Bytes)
		wide = max(wide, min(text.Width(text.Clean(s.Name)), output.WidestPath))
	}
	p.line("\n%s", title)
	for _, s := range list {
		name := text.Pad(text.Truncate(text.Clean(s.Name), wide, "~"), wide)
		p.line("  %s  %s %7s  %s", name, p.bar(s.Bytes, most), p.size(s.Bytes), output.Counted(s.Files, "file"))
	}
}

func (p *statsPrinter) growth(s *stats.Stats) {
	most := int64(0)
	for _, one := range s.Growth {
		most = max(most, one.Bytes)
	}
	layout := time.DateOnly
	if s.Period < 24*time.Hour {
		layout = "01-02 15:04"
	}
	p.line("\nGrowth")
	for _, one := range s.Growth {
		p.line("  %-11s %s %7s  %s", one.At.Local().Format(layout), p.bar(max(one.Bytes, 0), most), p.size(max(one.Bytes, 0)),
			output.Counted(int(one.Files), "file"))
	}
}

func (p *statsPrinter) files(title string, list []stats.File, what func(stats.File) string) {
	p.line("\n%s", title)
	wide := 0
	for _, f := range list {
		wide = max(wide, min(text.Width(text.Clean(f.Path)), output.WidestPath))
	}
	for _, f := range list {
		p.line("  %7s  %s  %s", p.size(f.Size), text.Pad(text.TruncateLeft(text.Clean(f.Path), wide, "~"), wide), what(f))
	}
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
