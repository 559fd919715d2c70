package curate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/use"
	"memcurator/render/text"
)

// useFlags are those of stats --use.
type useFlags struct {
	use, sessions, json, all bool
	transcripts              []string
}

// check refuses flags that need --use.
func (f useFlags) check() error {
	switch {
	case !f.use && f.sessions:
		return session.WrongUse("--sessions needs --use")
	case !f.use && len(f.transcripts) > 0:
		return session.WrongUse("--transcript needs --use")
	case f.all && len(f.transcripts) > 0:
		return session.WrongUse("--transcript needs one store: leave out --all")
	}
	return nil
}

// noteUse is how the agent used a note of a store, by its transcripts and by its journal.
type noteUse struct {
	path          string
	reads, writes int
	stale         int
	tokens        int64
	read, wrote   time.Time // the last ones; zero: none, or the transcript has no times
	sessions      map[string]bool
	atStart       bool // every session loads it, or a part of it
}

// used is what is known of the use of a store.
type used struct {
	notes    []*noteUse
	sessions []sessionUse
	recorded bool // a transcript was read: tokens are known
}

type sessionUse struct {
	transcript.SessionUse
	begin time.Time
	file  string
}

// statsUse prints how the notes of stores are used.
func statsUse(run *session.Session, c *cobra.Command, args []string, flags useFlags) error {
	one := func(title bool) error { // title: the name of the store comes first
		w, err := openCurated(run, c, args, false)
		if err != nil {
			return err
		}
		defer w.close()
		missed := unread{run: run}
		missed.journal(w)
		u, err := gatherUse(run, c.Context(), w, flags.transcripts, &missed)
		if err != nil {
			return err
		}
		if flags.json {
			err = writeUse(run, u, flags.sessions)
		} else {
			p := &statsPrinter{out: run.Out.Lines(w.Settings), w: w}
			if title {
				p.line("%s", text.Clean(session.Title(w.Dir)))
			}
			if err = printUse(run, p, u); title {
				p.line("")
			}
		}
		return cmp.Or(err, missed.end())
	}
	if !flags.all {
		return one(false)
	}
	return run.EachStore(c, args, &session.Each{}, func() error { return one(true) })
}

// gatherUse joins what the transcripts of a store show with what its journal recorded. Only notes that exist count.
func gatherUse(run *session.Session, ctx context.Context, w *curating, files []string, missed *unread) (*used, error) {
	snapshot, _, err := w.scan(ctx)
	if err != nil {
		return nil, err
	}
	notes := map[string]*noteUse{}
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && !memstore.InGit(path) {
			notes[path] = &noteUse{path: path, sessions: map[string]bool{}}
		}
		return ctx.Err() == nil
	})
	u := &used{}
	if len(files) == 0 {
		files = run.Machine().AllTranscripts(ctx, w.Dir)
	}
	u.recorded = len(files) > 0
	track, err := use.Gather(ctx, files, transcript.Options{Folders: session.MemoryFolders(w.Dir)}, w.Dialect,
		func(file string, err error) { missed.add(file, session.Reason(err)) })
	if err != nil {
		return nil, err
	}
	u.addTrack(track, notes)
	if w.journal != nil {
		if err := addRecorded(ctx, w, notes); err != nil {
			return nil, session.PastError(err)
		}
	}
	start, err := w.load(run).Of(snapshot).Read(ctx, w.backend)
	if err != nil {
		return nil, err
	}
	for _, f := range start.Files {
		if n := notes[memstore.AgentPath(f.Name)]; n != nil && f.Text != nil && !start.Rule.OnDemand() {
			n.atStart = true
		}
	}
	u.notes = slices.SortedFunc(maps.Values(notes), func(a, b *noteUse) int {
		return cmp.Or(cmp.Compare(b.tokens, a.tokens), cmp.Compare(b.reads, a.reads), cmp.Compare(a.path, b.path))
	})
	return u, ctx.Err()
}

// addTrack takes in what transcripts show.
func (u *used) addTrack(track *transcript.Track, notes map[string]*noteUse) {
	steps := track.Steps()
	when := func(n int) (at time.Time) {
		if n > 0 {
			at = steps[n-1].When
		}
		return at
	}
	list, sessions := track.Use()
	for _, one := range list {
		n := notes[one.Path]
		if n == nil {
			continue
		}
		n.reads, n.writes, n.stale, n.tokens = one.Reads, one.Writes, one.Stale, one.Tokens
		n.read, n.wrote = when(one.LastRead), when(one.LastWrite)
		for _, id := range one.Sessions {
			n.sessions[id] = true
		}
	}
	for _, s := range sessions {
		u.sessions = append(u.sessions, sessionUse{s, when(s.First), steps[s.First-1].Source.File})
	}
}

// addRecorded takes in what the journal has: of what both know, the one that knows more counts, as a call may be in both.
func addRecorded(ctx context.Context, w *curating, notes map[string]*noteUse) error {
	views, err := w.journal.Uses(ctx)
	if err != nil {
		return err
	}
	for path, v := range views {
		if n := notes[path]; n != nil {
			n.reads = max(n.reads, v.Views)
			n.read = later(n.read, v.Last)
			if v.Session != "" {
				n.sessions[v.Session] = true
			}
		}
	}
	writes := map[string]int{}
	err = w.journal.List(ctx, past.Filter{}, func(r past.Revision) bool {
		if n := notes[r.Path]; n != nil && (r.Actor == memstore.Agent || r.Actor == memstore.External && r.Session != "") {
			writes[r.Path]++
			n.wrote = later(n.wrote, r.Time)
			if r.Session != "" {
				n.sessions[r.Session] = true
			}
		}
		return ctx.Err() == nil
	})
	for path, count := range writes {
		notes[path].writes = max(notes[path].writes, count)
	}
	return err
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Lines of stats --use --json, and with --sessions.
type (
	useLine struct {
		Path      string  `json:"path"`
		Reads     int     `json:"reads"`
		Writes    int     `json:"writes"`
		LastRead  *string `json:"last_read"`
		LastWrite *string `json:"last_write"`
		Stale     int     `json:"stale_reads"`
		Tokens    *int64  `json:"tokens_loaded"`
		Sessions  int     `json:"sessions"`
	}
	sessionLine struct {
		Session    *string `json:"session"`
		Model      *string `json:"model"`
		Begin      *string `json:"begin"`
		Start      int64   `json:"tokens_start"`
		End        int64   `json:"tokens_end"`
		Loaded     int64   `json:"tokens_loaded"`
		Reads      int     `json:"reads"`
		Writes     int     `json:"writes"`
		Transcript string  `json:"transcript"`
	}
)

func writeUse(run *session.Session, u *used, sessions bool) error {
	out := run.Out.JSONLines()
	if sessions {
		for _, s := range u.sessions {
			if err := out.Encode(sessionLine{output.OrNull(s.Session), output.OrNull(s.Model), output.TimeOrNull(s.begin), s.Start, s.End, s.Loaded,
				s.Reads, s.Writes, s.file}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, n := range u.notes {
		line := useLine{n.path, n.reads, n.writes, output.TimeOrNull(n.read), output.TimeOrNull(n.wrote), n.stale, &n.tokens, len(n.sessions)}
		if !u.recorded {
			line.Tokens = nil
		}
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func printUse(run *session.Session, p *statsPrinter, u *used) error {
	never, reads, loaded := 0, 0, int64(0)
	for _, n := range u.notes {
		reads, loaded = reads+n.reads, loaded+n.tokens
		if n.reads == 0 && !n.atStart {
			never++
		}
	}
	sum := fmt.Sprintf("%s, %d never read; %s", output.Counted(len(u.notes), "note"), never, output.Counted(reads, "read"))
	if u.recorded {
		sum += fmt.Sprintf(" that loaded about %s", tokens(loaded))
	}
	p.line("%s", sum)
	if len(u.notes) > 0 {
		p.line("\n%5s  %5s  %7s  %6s  %-16s  %s", "reads", "stale", "loaded", "writes", "last read", "note")
	}
	for _, n := range u.notes {
		read := "never"
		switch {
		case !n.read.IsZero():
			read = n.read.Local().Format(minutes)
		case n.reads > 0:
			read = "unknown"
		case n.atStart:
			read = "at each start"
		}
		cost := "-"
		if n.tokens > 0 {
			cost = "~" + thousands(n.tokens)
		}
		p.line("%5d  %5s  %7s  %6d  %-16s  %s", n.reads, orDash(n.stale), cost, n.writes, read, text.Clean(n.path))
	}
	if len(u.sessions) > 0 {
		p.line("\n%-16s  %-8s  %8s  %7s  %7s  %5s  %6s", "session began", "session", "at start", "growth", "loaded", "reads", "writes")
	}
	for _, s := range u.sessions {
		begin := "unknown"
		if !s.begin.IsZero() {
			begin = s.begin.Local().Format(minutes)
		}
		p.line("%-16s  %-8s  %8s  %+7d  %7s  %5d  %6d", begin, text.ShortID(s.Session), "~"+thousands(s.Start), s.End-s.Start,
			"~"+thousands(s.Loaded), s.Reads, s.Writes)
	}
	if !u.recorded {
		run.Say("No transcripts of this store, so tokens and stale reads are unknown. --transcript FILE names some")
	}
	if p.w.journal == nil {
		run.Say("No journal (" + p.w.noRecord + "), so only reads and writes in transcripts count")
	}
	return p.err
}

// minutes is the form of times in these tables.
const minutes = "2006-01-02 15:04"

func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
