package past

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/said"
	"memcurator/memstore/transcript/use"
	"memcurator/render/diff"
	"memcurator/render/text"
)

// reason is why a line of a note was written, and what followed from it.
type reason struct {
	path     string
	line     int
	text     []byte
	revision *past.Revision // nil: the line is older than the journal, or there is none
	step     int            // of the track; 0: no transcript has the call
	track    *transcript.Track
	prompt   string
}

// blameWhy prints why a line was written: the call, the prompt that it answered, what the agent had read before, and what sessions that
// read the line wrote afterwards.
func blameWhy(run *session.Session, c *cobra.Command, args, transcripts []string, asJSON bool) error {
	args, number, err := cutLine(args)
	if err != nil {
		return err
	}
	p, err := run.Past(c, args, true, nil)
	if p != nil && p.Dir != "" && p.AgentPath == "" {
		return missingPath(c)
	}
	if errors.Is(err, session.ErrNoJournal) {
		if p.Backend, err = run.Locator().OpenPlain(p.Dir, false); err != nil {
			return err
		}
		defer func() { _ = p.Backend.Close() }() // it was only read
	} else if err != nil {
		return err
	} else {
		defer p.Close()
	}
	w, err := why(run, c.Context(), p, number, transcripts)
	if err != nil {
		return session.PastError(err)
	}
	if asJSON {
		return run.Out.JSONLines().Encode(w.json())
	}
	return w.print(run, p)
}

// cutLine takes the number of the line off the last argument.
func cutLine(args []string) (rest []string, line int, err error) {
	rest = append(rest, args...)
	last := len(rest) - 1
	path, number, _ := cutLast(rest[last])
	if line, err = strconv.Atoi(number); err != nil || line < 1 || path == "" {
		return nil, 0, session.WrongUse("--why needs a line. Example: %s blame --why notes.md:12", session.Program)
	}
	rest[last] = path
	return rest, line, nil
}

func cutLast(s string) (before, after string, found bool) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}

func why(run *session.Session, ctx context.Context, p *session.Recorded, number int, files []string) (*reason, error) {
	data, err := memstore.ReadFile(p.Backend, strings.TrimPrefix(p.AgentPath, memstore.Root+"/"), memstore.Look, math.MaxInt64)
	switch {
	case errors.Is(err, memstore.ErrNotExist):
		return nil, session.Failed(err, "No file %s", p.AgentPath)
	case err != nil:
		return nil, session.Failed(err, "Can't read %s: %s", p.AgentPath, session.StoreReason(err))
	}
	lines := diff.NewText(data)
	if number > lines.Len() {
		return nil, session.Failed(nil, "%s has no line %d; its last is %d", p.AgentPath, number, lines.Len())
	}
	w := &reason{path: p.AgentPath, line: number, text: bytes.TrimSuffix(lines.Line(number-1), []byte("\n"))}
	if p.Journal != nil {
		if err := w.recorded(ctx, p); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		files = run.Machine().AllTranscripts(ctx, p.Dir)
	}
	unread := func(file string, err error) {
		run.Say(fmt.Sprintf("Not read: %s (%s)", text.Clean(file), session.Reason(err)))
	}
	w.track, err = use.Gather(ctx, files, transcript.Options{Folders: session.MemoryFolders(p.Dir)}, p.Dialect, unread)
	if err != nil {
		return nil, err
	}
	w.find(ctx, data)
	if w.step > 0 {
		if w.prompt, err = said.Prompt(w.made().Call); err != nil {
			run.Say(fmt.Sprintf("Can't read the prompt in %s: %s", text.Clean(w.made().Source.File), session.Reason(err)))
		}
	}
	return w, ctx.Err()
}

// recorded finds the revision that wrote the line.
func (w *reason) recorded(ctx context.Context, p *session.Recorded) error {
	b, err := p.Journal.Blame(ctx, p.AgentPath, 0)
	if errors.Is(err, past.ErrNotThere) || errors.Is(err, past.ErrNotKept) {
		return nil // the transcripts may know
	}
	if err != nil || w.line > len(b.Lines) || !bytes.Equal(bytes.TrimSuffix(b.Lines[w.line-1].Text, []byte("\n")), w.text) {
		return err
	}
	if r, ok := b.Revisions[b.Lines[w.line-1].Rev]; ok {
		w.revision = &r
	}
	return nil
}

// find finds the call that wrote the line. Where the transcripts end with the text that the file has, their own blame is finer: a revision
// may join what several calls did.
func (w *reason) find(ctx context.Context, data []byte) {
	n := w.track.Len()
	if now, ok := w.track.Content(w.path, n); ok && bytes.Equal(now, data) {
		if owners := w.track.Blame(ctx, w.path, n); w.line <= len(owners) {
			w.step = owners[w.line-1]
		}
	}
	if w.step == 0 && w.revision != nil {
		w.step = w.track.Made(ctx, *w.revision)
	}
}

// ledTo is what sessions wrote that had read the line.
func (w *reason) ledTo() []transcript.Effect { return w.track.LedTo(w.path, [][]byte{w.text}, w.step) }

// made is the call that wrote the line.
func (w *reason) made() transcript.Step { return w.track.Steps()[w.step-1] }

// The line of blame --why --json.
type (
	whyLine struct {
		Path       string      `json:"path"`
		Line       int         `json:"line"`
		Text       string      `json:"text"`
		Rev        *int64      `json:"rev"`
		Time       *string     `json:"time"`
		Session    *string     `json:"session"`
		Model      *string     `json:"model"`
		Turn       *int        `json:"turn"`
		Prompt     *string     `json:"prompt"`
		Transcript *string     `json:"transcript"`
		Before     []otherLine `json:"read_before"`
		After      []otherLine `json:"written_after"`
	}
	otherLine struct {
		Path    string  `json:"path"`
		Time    *string `json:"time"`
		Session *string `json:"session"`
		Turn    int     `json:"turn"`
		Command string  `json:"command"`
	}
)

func (w *reason) json() whyLine {
	line := whyLine{Path: w.path, Line: w.line, Text: string(w.text), Before: []otherLine{}, After: []otherLine{}}
	if r := w.revision; r != nil {
		line.Rev, line.Time, line.Session, line.Model = &r.Rev, output.TimeOrNull(r.Time), output.OrNull(r.Session), output.OrNull(r.Model)
		if r.Turn > 0 {
			line.Turn = &r.Turn
		}
	}
	if w.step == 0 {
		return line
	}
	s := w.made()
	line.Session, line.Turn, line.Prompt, line.Transcript = output.OrNull(s.Session), &s.Turn, output.OrNull(w.prompt), &s.Source.File
	if !s.When.IsZero() {
		line.Time = output.TimeOrNull(s.When)
	}
	if s.Model != "" {
		line.Model = &s.Model
	}
	steps := w.track.Steps()
	other := func(path string, n int) otherLine {
		o := steps[n-1]
		return otherLine{path, output.TimeOrNull(o.When), output.OrNull(o.Session), o.Turn, o.Op()}
	}
	for _, r := range w.track.ReadBefore(w.step) {
		line.Before = append(line.Before, other(r.Path, r.Step))
	}
	for _, e := range w.ledTo() {
		line.After = append(line.After, other(e.Path, e.Step))
	}
	return line
}

func (w *reason) print(run *session.Session, p *session.Recorded) error {
	out := run.Out.Lines(p.Settings)
	var err error
	say := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(out, format+"\n", args...)
		}
	}
	l := w.json()
	say("%s:%d  %s", text.Clean(w.path), w.line, text.Clean(string(w.text)))
	if r := w.revision; r != nil {
		say("revision    %d, %s by %s, %s", r.Rev, r.Command, r.Actor, output.Clock(r.Time))
	} else {
		say("revision    none: %s", w.unrecorded(p))
	}
	if w.step == 0 {
		run.Say("No transcript has the call that wrote this line. --transcript FILE names others")
		return err
	}
	s := w.made()
	say("call        %s", w.callText(w.step))
	say("model       %s", orUnknown(s.Model))
	say("transcript  %s:%d", text.Clean(s.Source.File), s.Source.Line)
	for i, row := range strings.SplitN(orUnknown(w.prompt), "\n", promptRows+1) {
		name := [2]string{"prompt", ""}[min(i, 1)]
		if i == promptRows {
			row = "..."
		}
		say("%-10s  %s", name, text.Clean(row))
	}
	say("\nRead before it: %s", output.Counted(len(l.Before), "note"))
	for _, r := range w.track.ReadBefore(w.step) {
		say("  %s  %s", w.callText(r.Step), text.Clean(r.Path))
	}
	say("\nWritten after a session read this line: %s", output.Counted(len(l.After), "change"))
	for _, e := range w.ledTo() {
		say("  %s  %s", w.callText(e.Step), text.Clean(e.Path))
	}
	return err
}

// promptRows is how many lines of a prompt are printed.
const promptRows = 8

// unrecorded says why there is no revision.
func (w *reason) unrecorded(p *session.Recorded) string {
	if p.Journal == nil {
		return "no journal yet"
	}
	return "the line is older than the journal"
}

// callText names a call by its time, session and turn.
func (w *reason) callText(n int) string {
	s := w.track.Steps()[n-1]
	when := "unknown time"
	if !s.When.IsZero() {
		when = output.Clock(s.When)
	}
	parts := []string{when}
	if s.Session != "" {
		parts = append(parts, "session "+text.ShortID(s.Session))
	}
	return strings.Join(append(parts, fmt.Sprintf("turn %d", s.Turn), text.Clean(s.Op())), ", ")
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
