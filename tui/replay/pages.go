package replay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore/transcript"
	"memcurator/render/diff"
	"memcurator/render/theme"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// What lines look like.
func dim(st *theme.Styles) theme.Paint     { return st.Dim }
func title(st *theme.Styles) theme.Paint   { return st.Heading }
func added(st *theme.Styles) theme.Paint   { return st.Added }
func removed(st *theme.Styles) theme.Paint { return st.Removed }
func warned(st *theme.Styles) theme.Paint  { return st.Warning }
func good(st *theme.Styles) theme.Paint    { return st.Success }

// page is a text that is being made.
type page struct {
	lines []kit.Line
	at    int // where the cursor is put at first
}

func (p *page) doc() *kit.Doc {
	doc := kit.Lines(p.lines)
	doc.Of = p.at
	return doc
}

// say adds a line.
func (p *page) say(look kit.Look, text string) {
	p.lines = append(p.lines, kit.Line{Text: []byte(text), Look: look})
}

// body adds a text line by line.
func (p *page) body(mark string, data []byte) {
	for line := range bytes.Lines(data) {
		p.lines = append(p.lines, kit.Line{Text: bytes.TrimSuffix(line, []byte("\n")), Mark: mark})
	}
}

// builder makes the page of a call, in a job.
type builder struct {
	page
	row
	track *transcript.Track
	path  string // of the file to show
}

const textNoFileThen = "No such file in the memory at this call"

// diff shows the file after the call, with the lines marked that the call changed.
func (b *builder) diff(ctx context.Context) {
	before, was := b.track.File(b.path, b.number-1)
	after, is := b.track.File(b.path, b.number)
	switch {
	case !b.Changed && (was != is || !bytes.Equal(before.Data, after.Data)):
		b.say(dim, "This call changed nothing. It shows what changed before it")
	case !b.Changed:
		b.say(dim, "This call changed nothing")
	}
	switch {
	case !was && !is && !b.Changed:
		return
	case !was && !is:
		b.say(dim, textNoFileThen)
		return
	case after.Unknown:
		b.say(warned, "Content unknown: no call shows it")
		return
	case before.Unknown:
		b.say(dim, "Earlier content unknown")
		before.Data = nil
	case len(before.Data)+len(after.Data) == 0:
		b.say(dim, textEmptyText)
	}
	b.changed(ctx, before.Data, after.Data)
}

const textEmptyText = "(empty)"

// changed adds two versions of a text as one, with the lines marked that differ; the cursor stands on the first.
func (b *builder) changed(ctx context.Context, before, after []byte) {
	r := diff.Lines(ctx, before, after, diff.Options{})
	x, y := diff.NewText(before), diff.NewText(after)
	width := len(fmt.Sprint(max(x.Len(), y.Len())))
	view := diff.Unified(r, x, y, diff.WholeText)
	for i := range view.Len() {
		row := view.At(i).Sides[0]
		if row.Kind == diff.HunkHeader {
			continue
		}
		if view.At(i).Changed() && b.at == 0 {
			b.at = len(b.lines)
		}
		l, number := diffpane.Row(row, false), ""
		if n := cmp.Or(row.BNumber, row.ANumber); n > 0 {
			number = strconv.Itoa(n)
		}
		l.Mark = fmt.Sprintf("%*s %1s ", width, number, l.Mark)
		b.lines = append(b.lines, l)
	}
}

// memory lists the files after the call, and what the call did to each.
func (b *builder) memory() {
	add := func(mark string, look kit.Look, path string) {
		if path == b.path {
			b.at = len(b.lines)
		}
		b.lines = append(b.lines, kit.Line{Text: []byte(kit.PathText(path)), Look: look, Mark: mark, Of: path})
	}
	for _, path := range b.track.Changes(b.number) {
		if _, is := b.track.File(path, b.number); !is {
			add("- ", removed, path)
		}
	}
	for _, f := range b.track.Files(b.number) {
		_, was := b.track.File(f.Path, b.number-1)
		switch {
		case f.Unknown:
			add("? ", warned, f.Path)
		case f.Since < b.number:
			add("  ", nil, f.Path)
		case was:
			add("~ ", warned, f.Path)
		default:
			add("+ ", added, f.Path)
		}
	}
	if len(b.lines) == 0 {
		b.say(dim, "The memory is empty at this call")
	}
}

// result shows what was recorded against what our handlers answer, then the call itself.
func (b *builder) result(ctx context.Context) {
	var look kit.Look = good
	if b.Verdict != transcript.Identical {
		look = warned
	}
	b.say(look, strings.TrimSuffix(string(b.Verdict)+": "+b.Detail, ": "))
	switch {
	case b.Result == nil && b.Ours == nil:
		b.say(dim, "not replayed")
	case b.Result == nil:
		b.say(dim, "No result recorded. This is what the replay answers")
		b.exact([]byte(b.Ours.Content), b.Ours.IsError)
	case b.Family == transcript.Files && b.Verdict == transcript.Differs:
		b.fileResult(ctx)
	case b.Ours == nil:
		b.say(dim, "as recorded")
		b.exact([]byte(b.Result.Text), b.Result.IsError)
	case b.Result.Text == b.Ours.Content:
		if b.Result.IsError != b.Ours.IsError {
			b.say(warned, "The text is identical; is_error differs")
		}
		b.exact([]byte(b.Result.Text), b.Result.IsError)
	default:
		b.bothResults(ctx, []byte(b.Result.Text), []byte(b.Ours.Content))
	}
	b.call()
}

// bothResults shows two results that differ.
func (b *builder) bothResults(ctx context.Context, recorded, ours []byte) {
	head := 0
	for head < min(len(recorded), len(ours)) && recorded[head] == ours[head] {
		head++
	}
	b.say(dim, fmt.Sprintf("recorded (-) %d bytes, replayed (+) %d; first difference at byte %d", len(recorded), len(ours), head))
	if b.Result.IsError != b.Ours.IsError {
		b.say(warned, fmt.Sprintf("is_error: recorded %v, replayed %v", b.Result.IsError, b.Ours.IsError))
	}
	b.changed(ctx, recorded, ours)
}

// fileResult shows the file that a file tool met in the recording against that of the replay, and the recorded result. The replay
// carries such a call out on its file; it words no result.
func (b *builder) fileResult(ctx context.Context) {
	recorded, existed, known := b.FileBefore()
	ours, exists := b.track.File(b.Path, b.number-1)
	if !known || ours.Unknown {
		b.say(dim, "Nothing to compare: the transcript doesn't show the whole file before this call")
	} else {
		b.say(dim, "the file before the call: recorded (-), replayed (+)")
		if !existed {
			b.say(warned, "no file in the recording")
		}
		if !exists {
			b.say(warned, "no file in the replay")
		}
		b.changed(ctx, []byte(recorded), ours.Data)
	}
	b.say(dim, "as recorded")
	b.exact([]byte(b.Result.Text), b.Result.IsError)
}

// exact adds a result unchanged.
func (b *builder) exact(data []byte, isError bool) {
	if isError {
		b.say(warned, "is_error: true")
	}
	if len(data) == 0 {
		b.say(dim, textEmptyText)
	}
	b.body("  ", data)
}

// call shows the call itself.
func (b *builder) call() {
	facts := []string{fmt.Sprintf("Call %d, turn %d", b.number, b.Turn), b.Tool, b.Model, b.Session, agentText(b.Agent)}
	if !b.When.IsZero() {
		facts = append(facts, b.When.Format(time.RFC3339))
	}
	b.say(title, strings.Join(slices.DeleteFunc(facts, func(s string) bool { return s == "" }), "  "))
	b.input()
}

// input adds the fields of an input in their order, texts line by line.
func (b *builder) input() {
	dec := json.NewDecoder(bytes.NewReader(b.Input))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		b.body("  ", b.Input)
		return
	}
	for dec.More() {
		key, err := dec.Token()
		var v json.RawMessage
		if err != nil || dec.Decode(&v) != nil {
			return
		}
		s := string(v)
		if json.Unmarshal(v, &s) != nil || !strings.Contains(s, "\n") {
			b.say(nil, fmt.Sprintf("  %v: %s", key, s))
			continue
		}
		b.say(nil, fmt.Sprintf("  %v:", key))
		b.body("    ", []byte(s))
	}
}
