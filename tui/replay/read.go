package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// Source describes what to replay.
type Source struct {
	Files []string
	// Folders are memory folders on the disk; see [transcript.NewReader].
	Folders []string
	// Dialect is the one to compare with; nil: guessed.
	Dialect *memstore.Dialect
}

// loaded is what was read of transcripts.
type loaded struct {
	track   *transcript.Track // nil: nothing was read
	rows    []row
	total   string // of the calls and those that differ, and what was seen beside the calls; "" without calls
	problem string // what could not be read, or was seen in place of calls
}

// load reads the open transcripts in a job, and shows their calls.
func (s *Screen) load() tea.Cmd {
	source := s.source
	return kit.Start(s.env.Jobs, kit.Job[loaded]{
		Owner: ownerLoad, Label: "reading the transcript", Done: s.take,
		Work: func(ctx context.Context, _ *kit.Progress) (loaded, error) {
			return source.load(ctx)
		},
		Failed: func() { s.reading = s.env.Keyed("Can't read the transcript. {global/messages} shows why") },
	})
}

// load reads all files and replays the calls in them.
func (s Source) load(ctx context.Context) (out loaded, _ error) {
	reader := transcript.NewReader(s.Folders)
	for _, name := range s.Files {
		if err := reader.ReadFile(ctx, name); err != nil {
			why := act.Reason(err)
			if errors.Is(err, fs.ErrNotExist) {
				why = "no such file"
			}
			out.problem = fmt.Sprintf("Can't read %s: %s", text.Clean(name), why)
		}
	}
	calls := reader.Calls()
	track, err := transcript.NewTrack(ctx, calls, s.Dialect)
	if err != nil {
		return out, err
	}
	out.track, out.rows = track, rowsOf(track)
	summary := reader.Summary()
	if len(calls) > 0 {
		total := kit.Count(len(calls), "call")
		if n := transcript.TotalOf(track.Steps).By[transcript.Differs]; n > 0 {
			total += ", " + text.Count(n, "differs", "differ")
		}
		out.total = strings.Join(append([]string{total}, summary.Notes()...), "; ")
	}
	name := filepath.Base(s.Files[0])
	if len(s.Files) > 1 {
		name = kit.Count(len(s.Files), "transcript")
	}
	if len(calls) == 0 {
		out.problem = cmp.Or(out.problem, summary.Describe(name))
	}
	return out, ctx.Err()
}

// set lists calls.
func (s *Screen) set(v loaded) tea.Cmd {
	s.read = v
	s.calls.set(v)
	return tea.Batch(s.detail.follow(), s.detail.Reload())
}

// take shows what was read.
func (s *Screen) take(v loaded) tea.Cmd {
	s.reading = text.Clean(v.problem)
	if v.problem != "" {
		s.shell.Tell(kit.Warn, s.reading)
	} else {
		s.shell.Tell(kit.Info, text.Clean(v.total))
	}
	return tea.Batch(s.set(v), s.learn())
}
