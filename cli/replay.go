package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
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
of Claude Code, bodies and logs of the Messages API, streamed answers, chats of VS Code, and more;
gzip and zstd are unpacked, - is standard input. Several files are one agent's, in order of
time. Of the files below DIR, those of one project share a memory. Calls run on a memory of their
own, never on a store. Each gets a verdict:

  identical        the recorded result is ours, byte for byte
  dialect          the same outcome in other words
  differs          other content, or one side failed (--json: drift, error)
  cleared          a placeholder replaced the result;  no result: none was recorded
  not replayable   a shell command, or an incomplete input
  unknown handler  no known handler has this wording

Flags:
{flags}
Examples:
  memcurator replay
  memcurator replay ~/.claude/projects --check
  memcurator replay session.jsonl --at 37 --out ./memory-at-37
`

type replayFlags struct {
	json, check, all bool
	at, out, from    string
	into             intoFlags
}

// screen reports whether to open the interface: no flag asks for output or files.
func (f replayFlags) screen() bool {
	return !f.json && !f.check && !f.all && f.at == "" && f.out == "" && f.into.dir == ""
}

func replayCommand(run *session.Session) *cobra.Command {
	var flags replayFlags
	c := &cobra.Command{
		Use: "replay [FILE|DIR]...", Short: "Replay the memory calls of transcripts, and compare", Long: replayHelp,
		RunE: func(c *cobra.Command, args []string) error { return replayFiles(run, c, args, flags) },
	}
	session.DirFlag(c)
	f := c.Flags()
	f.Lookup("dir").Usage = "also count what file tools did in the store `DIR`, and add session, model and call to its journal"
	f.BoolVar(&flags.json, "json", false, "one JSON object per line: id, session, turn, time, model, tool, input, result, is_error, "+
		"verdict, detail, transcript; the summary goes to standard error")
	f.BoolVar(&flags.check, "check", false, "exit with 3 if a call differs, with 1 if there are no calls")
	f.BoolVar(&flags.all, "all", false, "replay all transcripts of this machine")
	f.StringVar(&flags.at, "at", "", "stop after call `N`, or at a time")
	f.StringVar(&flags.out, "out", "", "write the memory as of then to the new folder `DIR`")
	f.StringVar(&flags.from, "from", startAuto, "begin with `START`: auto (default), empty, transcript (rebuilt from it), "+
		"a memory directory, "+
		"or DIR@REV")
	flags.into.add(c)
	session.Complete(c, "from", startAuto, startEmpty, startTranscript)
	return c
}

func replayFiles(run *session.Session, c *cobra.Command, args []string, flags replayFlags) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	until, err := parseUntil(flags.at)
	if err != nil {
		return err
	}
	if err := flags.into.check(run); err != nil {
		return err
	}
	if flags.screen() && screen.Why(run, s) == "" && !slices.Contains(args, "-") {
		return replayScreen(run, c, s, args, flags)
	}
	if len(args) == 0 && !flags.all {
		return session.WrongUse("Missing FILE or DIR. In a terminal, %s replay lists this machine's transcripts", session.Program)
	}
	if err := freeFolder(flags.out); err != nil {
		return err
	}
	defer lean()()
	groups, err := groupsOf(run, c.Context(), args, flags.all)
	if err != nil {
		return err
	}
	if len(groups) != 1 && (flags.out != "" || flags.into.dir != "" || flags.at != "") {
		return session.WrongUse("--at, --out and --into need the transcripts of one memory, not of %d", len(groups))
	}
	var sum sum
	for _, g := range groups {
		if err := replayGroup(run, c, s, g, until, flags, &sum); err != nil {
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
	size    int64     // in bytes
}

// groupsOf groups transcripts by memory: those named on the command line belong to one agent, those of a folder belong together if they
// share a project.
func groupsOf(run *session.Session, ctx context.Context, args []string, all bool) ([]group, error) {
	var named group
	var found []discover.Transcript
	add := func(list []discover.Transcript) { found = append(found, list...) }
	machine := run.Machine()
	if all {
		machine.EachTranscript(ctx, "", add)
	}
	for _, name := range args {
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			machine.EachIn(ctx, name, add)
			continue
		}
		named.files = append(named.files, name)
	}
	groups := byMemory(ctx, machine, found)
	if len(named.files) > 0 {
		groups = append([]group{named}, groups...)
	}
	if len(groups) == 0 {
		return nil, session.Failed(nil, "No transcripts in %s", where(args, all))
	}
	return groups, ctx.Err()
}

// readAtOnce is how many bytes of transcripts are read in about a tenth of a second.
const readAtOnce = 64 << 20

// byMemory groups transcripts that share a project, the newest first. A row is printed once its group is read, so groups that take long to
// read come last.
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
		g.size += t.Size
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.size/readAtOnce, b.size/readAtOnce), b.changed.Compare(a.changed))
	})
	return groups
}

// where describes what was searched for transcripts.
func where(dirs []string, all bool) string {
	if all {
		dirs = append(slices.Clone(dirs), "the folders of agents on this machine")
	}
	return strings.Join(dirs, ", ")
}

// sum is the result of replaying several memories.
type sum struct {
	calls, differ int
	first         string // first call that differs
	files         []string
	seen          transcript.Summary // instead of calls, for transcripts without any
}

// end prints the sum of several, and returns the error for --check.
func (s *sum) end(run *session.Session, check bool, groups int) error {
	if s.calls == 0 {
		if len(s.seen.Tools) == 0 {
			s.seen.Tools = toolsIn(s.files)
		}
		says := s.seen.Describe(namesOf(s.files))
		if check || s.seen.Records == 0 && s.seen.Mentions == 0 { // otherwise it is a transcript, or a log
			return session.Failed(nil, "%s", says)
		}
		run.Say(says)
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

// toolCall finds the name of a called tool before its input. The transcript reader skips records that don't mention memory.
var toolCall = regexp.MustCompile(`"name"\s*:\s*"([A-Za-z][\w.-]{0,63})"\s*,\s*"(?:input|arguments|args|parameters)"`)

// Limits on the search for tool names, at the beginning of each file.
const (
	toolFiles = 8
	toolBytes = 4 << 20
)

// toolsIn counts the tool calls at the beginning of transcripts.
func toolsIn(files []string) map[string]int {
	tools := map[string]int{}
	for _, name := range files[:min(len(files), toolFiles)] {
		f, err := transcript.Open(name)
		if err != nil {
			continue // standard input, or already reported
		}
		data, err := io.ReadAll(io.LimitReader(f, toolBytes))
		_ = f.Close() // nothing was written
		if err != nil {
			continue
		}
		for _, m := range toolCall.FindAllSubmatch(data, -1) {
			tools[string(m[1])]++
		}
	}
	return tools
}

// replayGroup replays the transcripts of one memory.
func replayGroup(run *session.Session, c *cobra.Command, s session.Settings, g group, until until, flags replayFlags, sum *sum) error {
	dir := c.Flags().Lookup("dir").Value.String()
	folders := session.MemoryFolders(dir)
	reader := transcript.NewReader(transcript.Options{Folders: folders})
	if err := readTranscripts(run, g, reader); err != nil {
		return err
	}
	calls := reader.Calls()
	seen := reader.Summary()
	if len(calls) == 0 {
		sum.files = append(sum.files, g.files...)
		sum.seen.Add(seen)
		return writeOut(run, nil, flags.out)
	}
	if err := sayUntil(run, until, calls); err != nil {
		return err
	}
	start, err := replayStart(run, c.Context(), s, flags.from)
	if err != nil {
		return err
	}
	handler := transcript.Handler{Dialect: s.Dialect}
	if !c.Flags().Changed("dialect") {
		if handler, err = transcript.Guess(c.Context(), calls, start.files, s.Dialect); err != nil {
			return session.Failed(err, "%s", output.Capital(err.Error()))
		}
	}
	p, err := transcript.NewReplay(start.files, handler)
	if err != nil {
		return session.Failed(err, "%s", output.Capital(err.Error()))
	}
	if !c.Flags().Changed("dir") {
		start.files = transcript.Start{} // the replay has its own copy
	}
	makers := map[string]*transcript.Call{}
	if g.found && !flags.json {
		fmt.Fprintf(run.Out.Lines(s), "%s\n", text.Clean(strings.Join(g.files, ", ")))
	}
	total, err := replayCalls(run, c, p, until.cut(calls), flags, s, makers)
	if err != nil {
		return err
	}
	tellTotal(run, total, seen, start.name, handler)
	if list := p.Unknown(); len(list) > 0 && (flags.out != "" || flags.into.dir != "") {
		run.SayPlain(text.Clean(fmt.Sprintf("Skipped, a listing names them but no call shows their text: %s",
			strings.Join(list, ", "))))
	}
	if err := writeOut(run, p, flags.out); err != nil {
		return err
	}
	if c.Flags().Changed("dir") {
		if err := linkTranscripts(run, c.Context(), dir, calls, start.files, handler); err != nil {
			return err
		}
	}
	if err := putInto(run, c, s, p, flags.into, makers); err != nil {
		return err
	}
	sum.calls += total.Calls
	sum.differ += total.By[transcript.Drift] + total.By[transcript.Divergent]
	if total.First != nil && sum.first == "" {
		sum.first = fmt.Sprintf("The transcript differs at call %d (%s)", total.Number, total.First.Path)
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

// leanPercent and leanLimit keep a replay's memory low: it makes little garbage, but one line may be 100 MB, and by default its copies
// would wait to be collected.
const (
	leanPercent = 50
	leanLimit   = 400 << 20
)

// lean makes the collector run earlier until the returned function is called.
func lean() func() {
	session.CollectsLean.Store(true)
	percent, limit := debug.SetGCPercent(leanPercent), debug.SetMemoryLimit(leanLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// readTranscripts reads the transcripts of a memory.
func readTranscripts(run *session.Session, g group, reader *transcript.Reader) error {
	for _, name := range g.files {
		err := readTranscript(run, reader, name)
		if err == nil {
			continue
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

func readTranscript(run *session.Session, reader *transcript.Reader, name string) error {
	if name == "-" {
		return reader.Read("standard input", run.Env.Stdin)
	}
	f, err := transcript.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return reader.Read(name, f)
}

// until is where a replay stops: after a number of calls, or before calls after a given time.
type until struct {
	n    int // 0: at the end
	when time.Time
}

func parseUntil(at string) (until, error) {
	if at == "" {
		return until{}, nil
	}
	if n, err := strconv.Atoi(at); err == nil {
		if n < 1 {
			return until{}, session.WrongUse("--at %s is not a call; the first is 1", at)
		}
		return until{n: n}, nil
	}
	when, err := session.ParseWhen(at, time.Now())
	return until{when: when}, err
}

func (u until) cut(calls []*transcript.Call) []*transcript.Call {
	if u.n > 0 {
		return calls[:min(u.n, len(calls))]
	}
	if u.when.IsZero() {
		return calls
	}
	for i, c := range calls {
		if c.When.After(u.when) {
			return calls[:i]
		}
	}
	return calls
}

// sayUntil says if a number is beyond the last call, and refuses a time if no call has one.
func sayUntil(run *session.Session, u until, calls []*transcript.Call) error {
	if u.n > len(calls) {
		run.Say(fmt.Sprintf("No call %d; using the last, %d", u.n, len(calls)))
	}
	if !u.when.IsZero() && !slices.ContainsFunc(calls, func(c *transcript.Call) bool { return !c.When.IsZero() }) {
		return session.Failed(nil, "The calls have no times; pass --at with a call number, 1 to %d", len(calls))
	}
	return nil
}

// replayCalls runs the calls and prints each. makers gets the last call of each path.
func replayCalls(run *session.Session, c *cobra.Command, p *transcript.Replay, calls []*transcript.Call, flags replayFlags,
	s session.Settings, makers map[string]*transcript.Call) (transcript.Total, error) {
	var total transcript.Total
	out, lines := bufio.NewWriter(run.Out.JSONOut()), run.Out.Lines(s)
	for _, call := range calls {
		if err := c.Context().Err(); err != nil {
			return total, errors.Join(err, out.Flush())
		}
		step := p.Step(c.Context(), call)
		total.Add(step)
		makers[step.Path] = call
		var err error
		if flags.json {
			err = writeCall(out, step)
		} else {
			err = printStep(lines, total.Calls, step)
		}
		if err != nil {
			return total, err
		}
	}
	return total, out.Flush()
}

// freeFolder refuses a folder for --out that isn't empty.
func freeFolder(dir string) error {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return session.Failed(err, "Can't use %s for --out: %s", dir, session.Reason(err))
	case len(entries) > 0:
		return session.Failed(nil, "%s is not empty; --out needs a new folder", dir)
	}
	return nil
}

// writeOut writes the memory of a replay, which may be nil, to a new folder; "" for none.
func writeOut(run *session.Session, from *transcript.Replay, dir string) error {
	if dir == "" {
		return nil
	}
	to, err := memstore.OpenDir(dir, memstore.DirOptions{Create: true})
	if err != nil {
		return session.OpenError(dir, err, true)
	}
	defer func() { _ = to.Close() }()
	if from == nil {
		return nil
	}
	unknown := from.Unknown()
	err = eachMemory(from.Backend(), func(name string, data []byte) error {
		if slices.Contains(unknown, memstore.AgentPath(name)) {
			return nil
		}
		return to.Create(name, data)
	}, to.MakeFolder)
	if err != nil {
		return session.Failed(err, "Can't write the memory to %s: %s", filepath.Clean(dir), session.Reason(err))
	}
	return nil
}
