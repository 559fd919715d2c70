package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/said"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// why shows what a call answered, what its agent had read before, and what it led to.
func (b *builder) why(ctx context.Context, out *built) {
	d, s := out.main, b.step
	d.say(title, strings.Join(b.facts(), "  "))
	d.say(dim, fmt.Sprintf("%s line %d", s.Source.File, s.Source.Line))
	d.say(title, "Prompt")
	prompt, err := said.Prompt(s.Call)
	switch {
	case err != nil:
		d.say(dim, "Can't read it: "+sentence(err))
	case prompt == "":
		d.say(dim, "The transcript has none before this call")
	default:
		d.body("  ", []byte(prompt), plain)
	}
	before := b.track.ReadBefore(b.n())
	d.say(title, "Read before it")
	for _, r := range before {
		b.other(d, r.Step, r.Path, plain)
	}
	if len(before) == 0 {
		d.say(dim, "No note")
	}
	lines := b.track.Wrote(ctx, out.path, b.n())
	head := "Written by sessions that read what it wrote"
	if len(lines) == 0 {
		head = "Written by sessions that read " + out.path + " from here on"
	}
	d.say(title, head)
	led := b.track.LedTo(out.path, lines, b.n())
	for _, e := range led {
		b.other(d, e.Step, e.Path, warned)
	}
	if len(led) == 0 {
		d.say(dim, "Nothing")
	}
}

// other adds a row about another call, which enter goes to.
func (b *builder) other(d *document, n int, path string, l look) {
	steps := b.track.Steps()
	o := steps[n-1]
	what := path + "  " + o.Op()
	if o.Session != b.step.Session {
		what += ", session " + text.ShortID(o.Session)
	}
	width := len(fmt.Sprint(len(steps))) + 1
	d.add(line{lead: text.Pad(fmt.Sprintf("#%d", n), width) + "  ", text: []byte(what), look: l, step: n})
}

// use shows how the notes are used in all of the transcripts, and what the memory costs each session.
func (b *builder) use(d *document) {
	notes, sessions := b.track.Use()
	slices.SortStableFunc(notes, func(a, b transcript.Use) int { return int(b.Tokens - a.Tokens) })
	d.say(title, "Read   tokens  note")
	for _, never := range []bool{false, true} {
		if never {
			d.say(title, "Never read")
		}
		none := true
		for _, n := range notes {
			if (n.Reads == 0) != never {
				continue
			}
			none = false
			b.useOf(d, n)
		}
		if none {
			d.say(dim, "None")
		}
	}
	d.say(title, "Sessions: tokens at the start, growth")
	steps := b.track.Steps()
	for _, s := range sessions {
		when := ""
		if at := steps[s.First-1].When; !at.IsZero() {
			when = at.Local().Format("_2 Jan 15:04") + "  "
		}
		name := "no name"
		if s.Session != "" {
			name = text.ShortID(s.Session)
		}
		d.add(line{lead: fmt.Sprintf("%7s %+6d  ", loadlimit.About(s.Start), s.End-s.Start), step: s.First,
			text: []byte(fmt.Sprintf("%s%s  loaded %s in %s, %s", when, name, loadlimit.About(s.Loaded), text.Count(s.Reads, "read"),
				text.Count(s.Writes, "write")))})
	}
}

// useOf adds the row of a note; enter goes to the last read, or the last write of what was never read.
func (b *builder) useOf(d *document, n transcript.Use) {
	l := line{text: []byte(n.Path), step: n.LastRead}
	lead := fmt.Sprintf("%5d %7s  ", n.Reads, loadlimit.About(n.Tokens))
	if n.Reads == 0 {
		lead, l.step = strings.Repeat(" ", len(lead)), n.LastWrite
	}
	l.lead = lead
	var about []string
	if n.Writes > 0 {
		about = append(about, text.Count(n.Writes, "write"))
	}
	if n.Stale > 0 {
		about = append(about, text.Count(n.Stale, "stale read"))
		l.look = warned
	}
	if n.LastRead > 0 {
		about = append(about, fmt.Sprintf("last read at call %d", n.LastRead))
	}
	if n.Gone {
		about = append(about, "gone")
		l.look = dim
	}
	if len(about) > 0 {
		l.text = append(l.text, "  "+strings.Join(about, ", ")...)
	}
	d.add(l)
}
