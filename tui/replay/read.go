package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	// Folders are memory folders on the disk; see [transcript.Options].
	Folders []string
	// Start is what the replay begins with; nil: what the transcript shows.
	Start *transcript.Start
	// Dialect is the one to compare with; nil: guessed.
	Dialect *memstore.Dialect
}

// loaded is what was read of transcripts.
type loaded struct {
	track   *transcript.Track // nil: nothing was read
	rows    []row
	total   string // of the verdicts, and what was seen beside the calls; "" without calls
	empty   string // what was seen in place of calls
	problem string // what could not be read
	// elsewhere is the store that the transcripts belong to, where that is not the one beside the replay.
	elsewhere string
}

// load reads the open transcripts in a job, and shows their calls.
func (s *Screen) load() tea.Cmd {
	source, places := s.source, s.Places
	return kit.Start(s.env.Jobs, kit.Job[loaded]{
		Owner: ownerLoad, Label: "reading the transcript", Done: s.take,
		Work: func(ctx context.Context, progress *kit.Progress) (loaded, error) {
			out, err := source.load(ctx, progress)
			for _, file := range source.Files {
				if places != nil && out.elsewhere == "" {
					out.elsewhere = places.elsewhere(file)
				}
			}
			return out, err
		},
		Failed: func() { s.reading = s.env.Keyed("Can't read the transcript. {global/messages} shows why") },
	})
}

// load reads all files and replays the calls in them.
func (s Source) load(ctx context.Context, progress *kit.Progress) (out loaded, _ error) {
	reader := transcript.NewReader(transcript.Options{Folders: s.Folders})
	for _, name := range s.Files {
		if err := readFile(ctx, reader, name); err != nil {
			why := act.Reason(err)
			if errors.Is(err, fs.ErrNotExist) {
				why = "no such file"
			}
			out.problem = fmt.Sprintf("Can't read %s: %s", text.Clean(name), why)
		}
	}
	calls := reader.Calls()
	track, err := s.begin(ctx, calls)
	if err != nil {
		return out, err
	}
	out.track = track
	for i, c := range calls {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		progress.Set(int64(i), int64(len(calls)))
		out.track.Add(ctx, c)
	}
	out.rows = rowsOf(out.track)
	summary := reader.Summary()
	if total := out.track.Total(); len(calls) > 0 {
		out.total = strings.Join(append([]string{total.Counts()}, summary.Notes()...), "; ")
	}
	name := filepath.Base(s.Files[0])
	if len(s.Files) > 1 {
		name = kit.Count(len(s.Files), "transcript")
	}
	out.empty = text.Clean(cmp.Or(out.problem, summary.Describe(name)))
	return out, ctx.Err()
}

// begin makes the track.
func (s Source) begin(ctx context.Context, calls []*transcript.Call) (_ *transcript.Track, err error) {
	start := transcript.Start{Shown: true}
	if s.Start != nil {
		start = *s.Start
	}
	handler := transcript.Handler{}
	if s.Dialect != nil {
		handler.Dialect = *s.Dialect
	} else if handler, err = transcript.Guess(ctx, calls, start, memstore.Docs); err != nil {
		return nil, err
	}
	return transcript.NewTrack(start, handler)
}

// readFile reads one transcript.
func readFile(ctx context.Context, r *transcript.Reader, name string) error {
	f, err := transcript.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return r.Read(name, canceled{f, ctx})
}

// canceled ends a read with its job.
type canceled struct {
	*os.File
	ctx context.Context
}

func (c canceled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.File.Read(b)
}

// set lists calls.
func (s *Screen) set(v loaded) tea.Cmd {
	s.read = v
	s.calls.set(v)
	return tea.Batch(s.detail.follow(), s.detail.Reload())
}

// take shows what was read.
func (s *Screen) take(v loaded) tea.Cmd {
	s.reading = v.empty
	switch {
	case v.problem != "":
		s.shell.Tell(kit.Fail, v.problem)
	case v.total == "":
		s.shell.Tell(kit.Warn, v.empty)
	default:
		s.shell.Tell(kit.Info, text.Clean(v.total))
	}
	return tea.Batch(s.set(v), s.learn())
}
