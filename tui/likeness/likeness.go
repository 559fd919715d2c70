// Package likeness shows which memory command a recorded change by another program is most like, with the arguments that the command
// would have had. Screens that show revisions call it.
package likeness

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// owner names the job that reads both sides of a change.
const owner = "like"

// sizeLimit is the size, in bytes, from which on the sides of a change are not compared; the journal draws the same line.
const sizeLimit = 1 << 20

// record holds the bytes of both sides of revisions, as a journal does.
type record interface {
	Bytes(ctx context.Context, s past.Side) ([]byte, error)
}

// Viewer opens a box about a change. All methods run on the Bubble Tea goroutine.
type Viewer struct {
	env      *ui.Env
	shell    *ui.Shell
	contents record
	none     string // message if a path has no revision
}

// New makes a viewer; none is its message if the change does not exist.
func New(env *ui.Env, shell *ui.Shell, contents record, none string) *Viewer {
	return &Viewer{env, shell, contents, none}
}

// likeness is a revision and the memory command that turns one side into the other.
type likeness struct {
	past.Revision
	like past.Resemblance
}

// Show opens the box about a revision, which find returns in a job; the zero revision: there is none.
func (v *Viewer) Show(find func(context.Context) (past.Revision, error)) tea.Cmd {
	return v.start(find, v.open)
}

// Tell passes on the same text instead of opening the box: the command first, its arguments below.
func (v *Viewer) Tell(r past.Revision, told func(text string)) tea.Cmd {
	find := func(context.Context) (past.Revision, error) { return r, nil }
	return v.start(find, func(l likeness) tea.Cmd {
		title, body := describe(l)
		told(title + "\n\n" + body)
		return nil
	})
}

func (v *Viewer) start(find func(context.Context) (past.Revision, error), done func(likeness) tea.Cmd) tea.Cmd {
	contents := v.contents
	return ui.Start(v.env.Jobs, ui.Job[likeness]{
		Owner: owner, Label: ui.LabelJournal, Done: done,
		Work: func(ctx context.Context, _ *ui.Progress) (likeness, error) {
			r, err := find(ctx)
			if err != nil {
				return likeness{}, err
			}
			return resemble(ctx, contents, r)
		},
	})
}

// resemble reads both sides of a revision and compares them.
func resemble(ctx context.Context, contents record, r past.Revision) (likeness, error) {
	l := likeness{Revision: r}
	if r.Rev == 0 || r.Actor != memstore.External {
		return l, nil
	}
	switch r.Command {
	case memstore.CmdCreate, memstore.CmdDelete, memstore.CmdRename:
		l.like.Command = r.Command
		return l, nil
	}
	if !r.Before.Kept || !r.After.Kept || r.Before.Size >= sizeLimit || r.After.Size >= sizeLimit {
		return l, nil
	}
	before, err := contents.Bytes(ctx, r.Before)
	if err != nil {
		return l, err
	}
	after, err := contents.Bytes(ctx, r.After)
	if err == nil {
		l.like = past.Resemble(before, after)
	}
	return l, err
}

const textUnknown = "Only the diff: one side was not kept, is binary, or is over 1 MiB"

func (v *Viewer) open(l likeness) tea.Cmd {
	if l.Rev == 0 {
		v.shell.Tell(ui.Info, v.none)
		return nil
	}
	title, body := describe(l)
	t := overlay.NewText(v.env, "like", title, body, false)
	t.SetFooter(v.env.Keyed("{overlay/overlay-copy} copies, {overlay/close} closes"))
	v.shell.Open(ui.Box{Overlay: t})
	return nil
}

// describe is the title and the text about a change.
func describe(l likeness) (title, body string) {
	switch {
	case l.Actor != memstore.External:
		return l.Command, "The memory command " + l.Command + " made this change itself. See the diff"
	case l.like.Command == "":
		return l.Command, textUnknown
	}
	return "resembles " + l.like.Command, arguments(l)
}

const textLong = "(longer than 8 KiB: see the diff)"

// arguments lists the arguments that the command would have had.
func arguments(l likeness) string {
	like := l.like
	out := "path\n" + l.Path
	field := func(name, value, none string) {
		if value == "" {
			value = none
		}
		out += "\n\n" + name + "\n" + value
	}
	switch like.Command {
	case memstore.CmdStrReplace:
		field("old_str", like.OldStr, textLong)
		if like.OldStr != "" {
			field("new_str", like.NewStr, "(empty: old_str is deleted)")
		}
	case memstore.CmdInsert:
		field("insert_line", strconv.Itoa(like.InsertLine), "")
		field("insert_text", like.InsertText, textLong)
	case memstore.CmdRename:
		out = "old_path\n" + l.OldPath + "\n\nnew_path\n" + l.Path
	}
	return out
}
