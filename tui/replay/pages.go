package replay

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/diff"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// builder makes the page of a call, in a job.
type builder struct {
	track  *transcript.Track
	step   transcript.Step
	n      int // number of the call
	aspect aspect
	chosen string
}

func (b *builder) build(ctx context.Context) *built {
	out := &built{step: b.n, main: &page{}, path: b.file()}
	switch b.aspect {
	case asResult:
		b.result(ctx, out.main)
	case asCall:
		b.call(out.main)
	default:
		b.memory(ctx, out)
	}
	return out
}

// cleaned is an agent path as the track has it.
func cleaned(agentPath string) string {
	if name, err := memstore.ParsePath(agentPath); err == nil {
		return memstore.AgentPath(name)
	}
	return agentPath
}

// file is the path to show: the one that was chosen, else the one that the call is about, or the
// first that it changed.
func (b *builder) file() string {
	if b.chosen != "" {
		return b.chosen
	}
	own := cleaned(b.step.Path)
	if b.isFile(own) {
		return own
	}
	changes := b.track.Changes(b.n)
	for _, c := range changes {
		if c.After == memstore.KindFile {
			return c.Path
		}
	}
	for _, c := range changes {
		if c.Before == memstore.KindFile {
			return c.Path
		}
	}
	return own
}

func (b *builder) isFile(agentPath string) bool {
	_, now := b.track.Content(agentPath, b.n)
	_, before := b.track.Content(agentPath, b.n-1)
	return now || before
}

// filesAt lists the files of the memory after a step and those that the step deleted.
func filesAt(t *transcript.Track, n int) []string {
	var out []string
	for _, h := range held(t, n) {
		if h.Kind == memstore.KindFile || h.Kind == 0 {
			out = append(out, h.Path)
		}
	}
	return out
}

// held lists what the memory contains after a step, and what the step deleted (kind 0), in order.
func held(t *transcript.Track, n int) []transcript.Held {
	list := t.Held(n)
	for _, c := range t.Changes(n) {
		if c.After != 0 || c.Before != memstore.KindFile {
			continue
		}
		at := 0
		for at < len(list) && less(list[at].Path, c.Path) {
			at++
		}
		list = append(list[:at], append([]transcript.Held{{Path: c.Path, Since: n}}, list[at:]...)...)
	}
	return list
}

// less orders paths as a tree does: what is below a folder follows it.
func less(a, b string) bool {
	return strings.ReplaceAll(a, "/", "\x00") < strings.ReplaceAll(b, "/", "\x00")
}

const textNoFileThen = "No such file in the memory at this call"

// memory shows the tree, and the file with the lines marked that the call changed.
func (b *builder) memory(ctx context.Context, out *built) {
	out.tree = b.treeOf(out.path)
	before, was := b.track.Content(out.path, b.n-1)
	after, is := b.track.Content(out.path, b.n)
	d := out.main
	d.say(title, out.path)
	switch {
	case !was && !is:
		d.say(dim, textNoFileThen)
		if len(b.track.Held(b.n)) == 0 {
			d.say(dim, "The memory is empty at this call")
		}
		return
	case b.track.Unknown(out.path, b.n):
		d.say(warned, unknownText(len(after)))
		return
	case bytes.Equal(before, after) && was == is:
		numbered(d, after)
		return
	case was && b.track.Unknown(out.path, b.n-1):
		d.say(dim, "Earlier content unknown")
		before = nil
	}
	changed(ctx, d, before, after)
}

// unknownText describes a file of which only the name, and perhaps the size, is known.
func unknownText(bytes int) string {
	if bytes == 0 {
		return "Content unknown: only a listing shows this file"
	}
	return fmt.Sprintf("Content unknown: a listing shows this file, about %d bytes", bytes)
}

const textEmptyText = "(empty)"

// numbered adds a file with the numbers of its lines.
func numbered(d *page, data []byte) {
	if len(data) == 0 {
		d.say(dim, textEmptyText)
	}
	t := diff.NewText(data)
	width := len(fmt.Sprint(t.Len()))
	for i := range t.Len() {
		d.add(nil, string(t.Line(i)), part{lead: fmt.Sprintf("%*d   ", width, i+1)})
	}
}

// changed adds two versions of a text as one, with the lines marked that differ; the cursor stands
// on the first.
func changed(ctx context.Context, d *page, before, after []byte) {
	r := diff.Lines(ctx, before, after, diff.Options{})
	a, c := diff.NewText(before), diff.NewText(after)
	width := len(fmt.Sprint(max(a.Len(), c.Len())))
	view := diff.Unified(r, a, c, diff.Options{Context: -1})
	for i := range view.Len() {
		row := view.At(i).Sides[0]
		l, number, sign := kit.Line{Text: row.Text}, row.BNumber, " "
		switch row.Kind {
		case diff.Added:
			l.Look, l.Spans, sign = added, wordsIn(row.Words, addedWord), "+"
		case diff.Removed:
			l.Look, l.Spans, sign, number = removed, wordsIn(row.Words, removedWord), "-", row.ANumber
		case diff.HunkHeader:
			continue
		case diff.NoNewline, diff.Note:
			d.add(dim, string(row.Text), part{lead: strings.Repeat(" ", width+3)})
			continue
		}
		if sign != " " && d.at == 0 {
			d.at = len(d.lines)
		}
		l.Of = part{lead: fmt.Sprintf("%*d %s ", width, number, sign)}
		d.lines = append(d.lines, l)
	}
}

// wordsIn are the words of a line that changed.
func wordsIn(words [][2]int, look func(*theme.Styles, theme.Paint) theme.Paint) (spans []kit.Span) {
	for _, w := range words {
		spans = append(spans, kit.Span{Start: w[0], End: w[1], Look: look})
	}
	return spans
}

func addedWord(st *theme.Styles, base theme.Paint) theme.Paint   { return base.With(st.AddedWord) }
func removedWord(st *theme.Styles, base theme.Paint) theme.Paint { return base.With(st.RemovedWord) }

// treeOf lists the memory with what the call did to each path.
func (b *builder) treeOf(shown string) *page {
	d := &page{}
	d.say(folder, memstore.Root)
	for _, h := range held(b.track, b.n) {
		depth := strings.Count(h.Path, "/") - 1
		name, mark := path.Base(h.Path), " "
		var look kit.Look
		switch {
		case h.Kind == 0:
			mark, look = "-", removed
		case h.Kind == memstore.KindDir:
			name, look = name+"/", folder
		case h.Unknown:
			mark, look = "?", warned
		case h.Since == b.n && b.isNew(h.Path):
			mark, look = "+", added
		case h.Since == b.n:
			mark, look = "~", warned
		}
		if h.Path == shown {
			d.at = len(d.lines)
			name += " <"
		}
		d.add(look, name, part{lead: mark + strings.Repeat("  ", depth), path: h.Path})
	}
	return d
}

func (b *builder) isNew(agentPath string) bool {
	_, was := b.track.Content(agentPath, b.n-1)
	return !was
}

// result shows what was recorded against what our handlers answer.
func (b *builder) result(ctx context.Context, d *page) {
	s := b.step
	var look kit.Look = good
	if s.Verdict != transcript.Identical {
		look = warned
	}
	d.say(look, verdictOf(s))
	switch {
	case s.Result == nil && s.Ours == nil:
		d.say(dim, "not replayed")
	case s.Result == nil:
		d.say(dim, "No result recorded. This is what the replay answers")
		exact(d, []byte(s.Ours.Content), s.Ours.IsError)
	case s.Family == transcript.Files && s.Verdict.Diverges():
		b.fileResult(ctx, d)
	case s.Ours == nil:
		d.say(dim, "as recorded")
		exact(d, []byte(s.Result.Text), s.Result.IsError)
	case s.Result.Text == s.Ours.Content:
		d.say(warned, "The text is identical; is_error differs")
		exact(d, []byte(s.Result.Text), s.Result.IsError)
	default:
		recorded, ours := []byte(s.Result.Text), []byte(s.Ours.Content)
		head := 0
		for head < min(len(recorded), len(ours)) && recorded[head] == ours[head] {
			head++
		}
		d.say(dim, "recorded (-), replayed (+)")
		d.say(dim, fmt.Sprintf("first difference at byte %d; recorded %d bytes, replayed %d", head, len(recorded), len(ours)))
		if s.Result.IsError != s.Ours.IsError {
			d.say(warned, fmt.Sprintf("is_error: recorded %v, replayed %v", s.Result.IsError, s.Ours.IsError))
		}
		changed(ctx, d, recorded, ours)
	}
}

// fileResult shows the file that a file tool met in the recording against that of the replay, and the recorded result. The replay
// carries such a call out on its file; it words no result.
func (b *builder) fileResult(ctx context.Context, d *page) {
	s := b.step
	recorded, existed, known := s.FileBefore()
	ours, exists := b.track.Content(s.Path, b.n-1)
	switch {
	case !known:
		d.say(dim, "Nothing to compare: the transcript doesn't record the whole file before this call")
	case b.track.Unknown(s.Path, b.n-1):
		d.say(dim, "Nothing to compare: the transcript shows no content of this file before")
	default:
		d.say(dim, "the file before the call: recorded (-), replayed (+)")
		if !existed {
			d.say(warned, "no file in the recording")
		}
		if !exists {
			d.say(warned, "no file in the replay")
		}
		changed(ctx, d, []byte(recorded), ours)
		d.say(nil, "")
	}
	d.say(dim, "as recorded")
	exact(d, []byte(s.Result.Text), s.Result.IsError)
}

// exact adds a result unchanged.
func exact(d *page, data []byte, isError bool) {
	if isError {
		d.say(warned, "is_error: true")
	}
	if len(data) == 0 {
		d.say(dim, textEmptyText)
	}
	d.body("  ", data)
}
