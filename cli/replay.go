package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
)

const replayHelp = `Replay the memory calls of transcripts and show where the results differ.

Usage:
  memcurator replay [FILE|DIR]... [flags]

In a terminal, replay alone lists the transcripts of this machine. FILE is a transcript: sessions
of Claude Code, bodies and logs of the Messages API, chats of VS Code, and more; - is standard
input. Of the files below DIR, those of one project share a memory. Calls run on a memory of their
own, never on a store.

Each gets a verdict: identical, dialect (the same outcome in other words), differs, cleared (a
placeholder replaced the result), no result, not replayable, or unknown handler.

--dir DIR also counts what file tools did in the store DIR.

Flags:
{flags}
Examples:
  memcurator replay ~/.claude/projects --check
  memcurator replay session.jsonl --at 37 --into ~/agent/memories
`

type replayFlags struct {
	json, check, all, yes bool
	at                    int    // 0: to the end
	into                  string // where to write the files then; "": nowhere
}

// screen reports whether to open the interface: no flag asks for output or files.
func (f replayFlags) screen() bool {
	return !f.json && !f.check && !f.all && f.at == 0 && f.into == ""
}

func replayCommand(run *session.Session) *cobra.Command {
	var flags replayFlags
	c := &cobra.Command{
		Use: "replay [FILE|DIR]...", Short: "Replay the memory calls of transcripts, and compare", Long: replayHelp,
		RunE: func(c *cobra.Command, args []string) error { return replayFiles(run, c, args, flags) },
	}
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "one JSON object per line: id, session, agent, turn, time, model, tool, input, result, is_error, "+
		"verdict, detail, transcript; the summary goes to standard error")
	f.BoolVar(&flags.check, "check", false, "exit with 3 if a call differs, with 1 if there are no calls")
	f.BoolVar(&flags.all, "all", false, "replay all transcripts of this machine")
	f.IntVar(&flags.at, "at", 0, "end with call `N`")
	f.StringVar(&flags.into, "into", "", "write the files as they are then into the live store `DIR`; asks first, "+
		"and records them with the actor replay")
	f.BoolVar(&flags.yes, "yes", false, "with --into: don't ask")
	return c
}

func replayFiles(run *session.Session, c *cobra.Command, args []string, flags replayFlags) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	if c.Flags().Changed("at") && flags.at < 1 {
		return session.WrongUse("--at %d is not a call; the first is 1", flags.at)
	}
	if flags.into == "" && flags.yes {
		return session.WrongUse("--yes needs --into DIR")
	}
	if err := run.CanConfirm(flags.yes || flags.into == "", "write into "+flags.into); err != nil {
		return err
	}
	if flags.screen() && screen.Fits(run, s) && !slices.Contains(args, "-") {
		return replayScreen(run, c, s, args)
	}
	if len(args) == 0 && !flags.all {
		return session.WrongUse("Missing FILE or DIR. In a terminal, %s replay lists this machine's transcripts", session.Program)
	}
	groups, err := groupsOf(run, c.Context(), args, flags.all)
	if err != nil {
		return err
	}
	if len(groups) != 1 && (flags.into != "" || flags.at > 0) {
		return session.WrongUse("--at and --into need the transcripts of one memory, not of %d", len(groups))
	}
	sum := sum{unread: true}
	for _, g := range groups {
		if err := replayGroup(run, c, s, g, flags, &sum); err != nil {
			return err
		}
	}
	return sum.end(run, flags.check, len(groups))
}

// group is the transcripts of one memory.
type group struct {
	files   []string
	found   bool      // in a folder: report an unreadable one and replay the others
	changed time.Time // when the newest was written last
}

// groupsOf groups transcripts by memory: those named on the command line belong to one agent, those of a folder belong together if they
// share a project.
func groupsOf(run *session.Session, ctx context.Context, args []string, all bool) ([]group, error) {
	var named group
	var found []discover.Transcript
	machine := run.Machine()
	if all {
		found = machine.AllTranscripts(ctx, "")
	}
	for _, name := range args {
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			found = append(found, machine.TranscriptsIn(ctx, name)...)
			continue
		}
		named.files = append(named.files, name)
	}
	groups := byMemory(ctx, machine, found)
	if len(named.files) > 0 {
		groups = append([]group{named}, groups...)
	}
	if len(groups) == 0 {
		if all {
			args = append(slices.Clone(args), "the folders of agents on this machine")
		}
		return nil, session.Failed(nil, "No transcripts in %s", strings.Join(args, ", "))
	}
	return groups, ctx.Err()
}

// byMemory groups transcripts that share a project, the newest first.
func byMemory(ctx context.Context, machine discover.Machine, found []discover.Transcript) (groups []group) {
	slices.SortStableFunc(found, func(a, b discover.Transcript) int { return a.Changed.Compare(b.Changed) })
	byProject := map[string]int{}
	for _, t := range found {
		project := t.Folder
		if project == "" {
			project, _ = machine.Project(ctx, t.File) // a file that can't be read is reported when its calls are
		}
		at, ok := byProject[project]
		if !ok || project == "" {
			at = len(groups)
			byProject[project] = at
			groups = append(groups, group{found: true})
		}
		g := &groups[at]
		g.files, g.changed = append(g.files, t.File), t.Changed
	}
	slices.SortStableFunc(groups, func(a, b group) int { return b.changed.Compare(a.changed) })
	return groups
}

// sum is the result of replaying several memories.
type sum struct {
	calls, differ int
	first         string // first call that differs
	files         int    // without calls
	none          string // what was seen in those of the last memory without calls
	unread        bool   // there is nothing that could be a transcript
}

// end prints the sum of several, and returns the error for --check.
func (s *sum) end(run *session.Session, check bool, groups int) error {
	if s.calls == 0 {
		if groups > 1 {
			s.none = fmt.Sprintf("No memory calls in %s", text.Count(s.files, "transcript"))
		}
		if check || s.unread {
			return session.Failed(nil, "%s", s.none)
		}
		run.Say(s.none)
		return nil
	}
	if groups > 1 {
		run.SayPlain(fmt.Sprintf("%s in %s, %s", text.Count(s.calls, "call"), text.Count(groups, "memory", "memories"),
			text.Count(s.differ, "differs", "differ")))
	}
	if check && s.differ > 0 {
		return &session.ExitError{Code: session.ExitPending, Text: s.first}
	}
	return nil
}

// replayGroup replays the transcripts of one memory.
func replayGroup(run *session.Session, c *cobra.Command, s session.Settings, g group, flags replayFlags, sum *sum) error {
	dir := c.Flags().Lookup("dir").Value.String()
	folders := session.MemoryFolders(dir)
	reader := transcript.NewReader(folders)
	if err := readTranscripts(run, c.Context(), g, reader); err != nil {
		return err
	}
	calls := reader.Calls()
	seen := reader.Summary()
	if len(calls) == 0 {
		sum.files += len(g.files)
		sum.none = seen.Describe(namesOf(g.files))
		sum.unread = sum.unread && seen.Records == 0
		return nil
	}
	n := len(calls)
	if flags.at > n {
		return session.WrongUse("--at %d is not a call; the last is %d", flags.at, n)
	} else if flags.at > 0 {
		n = flags.at
	}
	track, err := transcript.NewTrack(c.Context(), calls, givenDialect(c, s))
	if err != nil {
		return err
	}
	if g.found && !flags.json {
		fmt.Fprintf(run.Out.Lines(s), "%s\n", text.Clean(strings.Join(g.files, ", ")))
	}
	if err := printCalls(run, track.Steps[:n], flags.json, s); err != nil {
		return err
	}
	total := transcript.TotalOf(track.Steps[:n])
	tellTotal(run, total, seen, track.Dialect)
	if err := putInto(run, c, s, track, n, flags); err != nil {
		return err
	}
	sum.calls += total.Calls
	sum.differ += total.By[transcript.Differs]
	if total.First > 0 && sum.first == "" {
		sum.first = fmt.Sprintf("The transcript differs at call %d (%s)", total.First, track.Steps[total.First-1].Path)
	}
	return nil
}

// givenDialect is the dialect that was asked for; nil: none was.
func givenDialect(c *cobra.Command, s session.Settings) *memstore.Dialect {
	if c.Flags().Changed("dialect") {
		return &s.Dialect
	}
	return nil
}

// namesOf describes a list of transcripts.
func namesOf(files []string) string {
	switch {
	case len(files) != 1:
		return text.Count(len(files), "transcript")
	case files[0] == "-":
		return "standard input"
	}
	return text.Clean(filepath.Base(files[0]))
}

// readTranscripts reads the transcripts of a memory.
func readTranscripts(run *session.Session, ctx context.Context, g group, reader *transcript.Reader) error {
	for _, name := range g.files {
		var err error
		if name == "-" {
			err = reader.Read("standard input", run.Env.Stdin)
		} else {
			err = reader.ReadFile(ctx, name)
		}
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		why := err.Error()
		var path *fs.PathError
		if errors.As(err, &path) {
			why = session.Reason(err)
		}
		if !g.found {
			return session.Failed(err, "Can't read %s: %s", name, why)
		}
		run.Say(fmt.Sprintf("Can't read %s: %s", name, why))
	}
	return nil
}

// printCalls prints each call.
func printCalls(run *session.Session, steps []transcript.Step, asJSON bool, s session.Settings) error {
	rows, purged := run.Out.Rows(s, asJSON), purgedValues(run)
	for i, step := range steps {
		err := rows.Print(callLineOf(step, purged), "%5d  turn %-5d %-15s  %-11s %s", i+1, step.Turn, step.Verdict, text.Clean(step.Op()),
			text.Clean(string(purged.Mask([]byte(aboutStep(step))))))
		if err != nil {
			return err
		}
	}
	return nil
}
