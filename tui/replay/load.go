package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Source describes what to replay.
type Source struct {
	Files  []string
	Format string // "": what looking at a file finds
	// Folders are memory folders on the disk; see [transcript.Options].
	Folders []string
	// Start returns what the replay begins with; nil: what the transcript shows.
	Start func(context.Context, []*transcript.Call) (transcript.Start, error)
	// Elsewhere returns the store that a transcript belongs to; "" if that is the replay's own, or unknown; nil: always "".
	Elsewhere func(file string) string
	// Dialect is the one to compare with; nil: guessed.
	Dialect *memstore.Dialect
	// Grown reports files that grow, until ctx ends; nil: nothing is followed.
	Grown func(ctx context.Context, files []string) <-chan struct{}
}

// session is a set of transcripts that is open.
type session struct {
	source Source
	cancel context.CancelFunc
}

// loaded is the outcome of a job that read transcripts.
type loaded struct {
	of      *session
	track   *transcript.Track
	rows    []row
	changed []bool
	summary transcript.Summary
	problem string // what could not be read
	// elsewhere is the store that the transcripts belong to, where that is not the one beside the replay.
	elsewhere string
	grown     bool // an open transcript was read again
}

// Message says that an open transcript grew, and carries the channel on to the next wait.
type Message struct {
	of    *session
	grown <-chan struct{}
}

// Open reads transcripts and shows their calls.
func (p *callList) Open(s Source) tea.Cmd {
	p.Close()
	ctx, cancel := context.WithCancel(context.Background())
	p.session = &session{source: s, cancel: cancel}
	p.state, p.notes, p.grew = loading, "", false
	_, _ = p.SetFilter("")
	p.setCalls(loaded{})
	p.detail.follow()
	if s.Grown == nil {
		return p.read(false)
	}
	return tea.Batch(p.read(false), waitFor(p.session, func() <-chan struct{} { return s.Grown(ctx, s.Files) }))
}

// read reads the open transcripts in a job.
func (p *callList) read(grown bool) tea.Cmd {
	open := p.session
	return kit.Start(p.env.Jobs, kit.Job[loaded]{
		Owner: ownerLoad, Label: "reading the transcript", Done: p.take,
		Work: func(ctx context.Context, progress *kit.Progress) (loaded, error) {
			out, err := open.load(ctx, progress)
			out.grown = grown
			return out, err
		},
		Failed: func() {
			if p.state == loading {
				p.state = failed
			}
		},
	})
}

// Close ends following.
func (p *callList) Close() {
	if p.session != nil {
		p.session.cancel()
	}
}

// Files are the transcripts that are open.
func (p *callList) Files() []string {
	if p.session == nil {
		return nil
	}
	return p.session.source.Files
}

// waitFor waits until a file of open transcripts grows. begin does I/O.
func waitFor(open *session, begin func() <-chan struct{}) tea.Cmd {
	return func() tea.Msg {
		grown := begin()
		if _, ok := <-grown; !ok {
			return nil
		}
		return Message{open, grown}
	}
}

// Take reads transcripts again that have grown.
func (p *callList) Take(m Message) tea.Cmd {
	if m.of != p.session {
		return nil
	}
	next := waitFor(m.of, func() <-chan struct{} { return m.grown })
	if p.grew = p.env.Jobs.Running(ownerLoad); p.grew {
		return next
	}
	return tea.Batch(next, p.read(true))
}

// load reads all files and replays the calls in them.
func (s *session) load(ctx context.Context, progress *kit.Progress) (loaded, error) {
	out := loaded{of: s}
	reader, err := transcript.NewReader(transcript.Options{
		Format: s.source.Format, Folders: s.source.Folders, Growing: s.source.Grown != nil && s.growing(),
	})
	if err != nil {
		return out, err
	}
	for _, name := range s.source.Files {
		if err := readFile(ctx, reader, name, progress); err != nil {
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			out.problem = unreadText(name, sentence(err))
		}
	}
	calls := reader.Calls()
	track, err := s.begin(ctx, calls)
	if err != nil {
		return out, err
	}
	for i, c := range calls {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		progress.Set(int64(i), int64(len(calls)))
		track.Add(ctx, c)
	}
	track.SetBoundaries(reader.Boundaries())
	out.track, out.rows, out.changed = track, rowsOf(calls), track.Changed()
	out.summary = reader.Summary()
	for _, file := range s.source.Files {
		if s.source.Elsewhere != nil && out.elsewhere == "" {
			out.elsewhere = s.source.Elsewhere(file)
		}
	}
	for _, b := range track.Boundaries() {
		if b.Step < len(out.rows) {
			out.rows[b.Step].after = "after " + b.Kind
		}
	}
	return out, nil
}

// stillFor is how long a file was not written to whose last line counts though it is not whole.
const stillFor = 10 * time.Second

// growing reports whether one of the files is being written to.
func (s *session) growing() bool {
	return slices.ContainsFunc(s.source.Files, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && time.Since(info.ModTime()) < stillFor
	})
}

// unreadText explains why a transcript was not read.
func unreadText(name, why string) string {
	return fmt.Sprintf("Can't read %s: %s", text.Clean(name), why)
}

// begin makes the track.
func (s *session) begin(ctx context.Context, calls []*transcript.Call) (_ *transcript.Track, err error) {
	start, _ := transcript.Begin(calls)
	if s.source.Start != nil {
		if start, err = s.source.Start(ctx, calls); err != nil {
			return nil, err
		}
	}
	handler := transcript.Handler{}
	if s.source.Dialect != nil {
		handler.Dialect = *s.source.Dialect
	} else if handler, err = transcript.Guess(ctx, calls, start, memstore.Docs); err != nil {
		return nil, err
	}
	return transcript.NewTrack(start, handler)
}

// readFile reads one transcript.
func readFile(ctx context.Context, r *transcript.Reader, name string, progress *kit.Progress) error {
	f, err := transcript.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	return r.Read(name, &tracked{ctx: ctx, r: f, progress: progress, size: size})
}

// Stat lets the reader size its buffer once.
func (t *tracked) Stat() (fs.FileInfo, error) { return t.r.Stat() }

// tracked ends a read with its job and reports its progress.
type tracked struct {
	ctx      context.Context
	r        *os.File
	progress *kit.Progress
	n, size  int64
}

func (t *tracked) Read(b []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := t.r.Read(b)
	t.n += int64(n)
	t.progress.Set(t.n, t.size)
	return n, err
}

// sentence is the end of a sentence that explains why a file was not read.
func sentence(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Sprint(p.Err)
	}
	return err.Error()
}

// setCalls lists calls. A cursor on the last call follows the end of a transcript that grows.
func (p *callList) setCalls(v loaded) {
	last := v.grown && p.Call() == len(p.calls.rows)
	p.calls.set(v)
	p.words = map[int]string{}
	rows := make([]int, len(v.rows))
	for i := range rows {
		rows[i] = i
	}
	p.Set(rows)
	if last {
		p.GoTo(strconv.Itoa(len(rows) - 1))
	}
}

// take shows what was read.
func (p *callList) take(v loaded) tea.Cmd {
	if v.of != p.session {
		return nil
	}
	before := len(p.calls.rows)
	p.state = ready
	p.empty = v.problem
	if v.problem == "" {
		p.empty = v.summary.Describe(nameOf(v.of.source.Files))
	}
	p.notes, p.elsewhere = strings.Join(v.summary.Notes(), ", "), v.elsewhere
	p.setCalls(v)
	p.tell(v, before)
	shown := tea.Batch(p.detail.follow(), p.detail.Reload(), p.learn(p.calls.track))
	if p.grew {
		p.grew = false
		return tea.Batch(shown, p.read(true))
	}
	return shown
}

// tell reports what was read.
func (p *callList) tell(v loaded, before int) {
	switch {
	case v.problem != "":
		p.env.Emit(kit.Say{Level: kit.Fail, Text: v.problem})
	case v.grown:
		if more := len(v.rows) - before; more > 0 {
			p.env.Emit(kit.Say{Text: "Transcript updated: " + kit.Count(more, "new call")})
		}
	case len(v.rows) == 0:
		p.env.Emit(kit.Say{Level: kit.Warn, Text: p.empty})
	default:
		total := v.track.Total()
		p.env.Emit(kit.Say{Text: total.String()})
		if p.notes != "" {
			p.env.Emit(kit.Say{Level: kit.Warn, Text: p.notes})
		}
	}
}

// nameOf is what a set of transcripts is called.
func nameOf(files []string) string {
	if len(files) == 1 {
		return text.Clean(filepath.Base(files[0]))
	}
	return kit.Count(len(files), "transcript")
}
