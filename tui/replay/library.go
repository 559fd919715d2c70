package replay

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// library is the list of the transcripts of this machine, by project, that of the store before all others. A row says what the first
// lines of the transcript tell.
type library struct {
	*kit.Table[item]
	env     *kit.Env
	machine discover.Machine
	places  *Places
	open    func(item) tea.Cmd // replays a row
	folder  string             // whose transcripts are listed; "": those of this machine
	alone   bool               // the folder was asked for: if it is of one project, that is replayed at once
	about   *kit.Text          // what is known of the row under the cursor
}

// item is a row of the list: a project, or one of its transcripts.
type item struct {
	discover.Transcript
	head discover.Head // its first lines

	name string // of a project
	list []item // its transcripts; nil: the row is a transcript
}

const textSide = "subagent"

// newLibrary makes an empty list.
func newLibrary(s *Screen) *library {
	l := &library{env: s.env, places: s.Places, machine: discover.Local("", nil)}
	if s.Places != nil {
		l.machine = s.Places.Machine
	}
	l.open = func(i item) tea.Cmd { return s.Open(Source{Files: i.files()}) }
	l.Table = kit.NewTable(s.env, kit.Spec[item]{
		Title: "transcripts",
		Scope: keymap.Transcripts,
		Key:   func(i item) string { return i.name + i.File },
		Words: func(i item) string {
			return strings.ToLower(strings.Join([]string{i.Agent, i.Project, i.label(), i.File}, "\n"))
		},
		Below:   func(i item) []item { return i.list },
		Heading: func(i item) bool { return i.list != nil },
		Hidden:  func(i item) bool { return i.Side },
		HiddenText: func(n int) string {
			return kit.Count(n, "transcript") + " of subagents  ({list/show-hidden} shows them)"
		},
		Terms: []kit.Term[item]{
			{Key: "agent", Fits: func(i item, name string) bool { return strings.HasPrefix(strings.ToLower(i.Agent), name) }},
		},
		Columns: []kit.Column[item]{
			{Head: "when", Width: 15, Text: func(i item) string { return kit.When(i.Changed, s.env.Now()) }},
			{Head: "agent", Width: 11, From: 90, Text: func(i item) string { return i.Agent }},
			{Head: "first prompt", Text: func(i item) string { return s.env.MaskedText(i.label()) }},
		},
		Whole: l.heading,
		Paint: func(i item, st *theme.Styles) theme.Paint {
			if i.list != nil {
				return st.Bold
			}
			return st.Text
		},
		Empty: func() string {
			if s.env.Jobs.Running(ownerFind) {
				return "Looking for transcripts..."
			}
			return s.env.Keyed(textNone)
		},
		Path:  func(i item) string { return i.File },
		Open:  l.open,
		Moved: l.moved,
	})
	l.about = kit.NewText(s.env, kit.TextSpec{Title: "transcript", Scope: keymap.Transcripts, More: []kit.Action{
		{ID: keymap.Open, Run: func() tea.Cmd {
			if i, ok := l.Current(); ok {
				return l.open(i)
			}
			return nil
		}},
	}})
	return l
}

const textNone = "No transcripts here. :replay FILE replays one from elsewhere"

// files are those that are replayed as one memory, the oldest first.
func (i item) files() (files []string) {
	if i.list == nil {
		return []string{i.File}
	}
	for _, t := range slices.Backward(i.list) {
		files = append(files, t.File)
	}
	return files
}

// label is what a transcript is about, and whether it is a subagent's.
func (i item) label() string {
	label := ""
	if i.Side {
		label = textSide + " "
	}
	return label + i.head.Title
}

// heading is the row of a project; "" for a transcript.
func (l *library) heading(i item) string {
	if i.list == nil {
		return ""
	}
	shown := slices.DeleteFunc(slices.Clone(i.list), func(t item) bool { return t.Side })
	return l.tilde(i.name) + "  " + kit.Count(len(shown), "transcript")
}

// tilde writes a path below the home folder as people do.
func (l *library) tilde(path string) string { return text.Clean(text.Tilde(path, l.machine.Home)) }

// in lists the transcripts of a folder; "" for those of this machine.
func (l *library) in(folder string) tea.Cmd {
	l.alone = folder != ""
	if folder != l.folder {
		l.folder = folder
		_, _ = l.SetFilter("")
		l.take(nil)
	}
	return l.look()
}

// look searches the machine or the folder, and reads the first lines of transcripts that have told no title yet.
func (l *library) look() tea.Cmd {
	if l.places == nil && l.folder == "" {
		return nil
	}
	machine, folder, store := l.machine, l.folder, ""
	if l.places != nil {
		store = l.places.Store
	}
	known := map[string]item{}
	for _, p := range l.Items() {
		for _, t := range p.list {
			known[t.File] = t
		}
	}
	return kit.Start(l.env.Jobs, kit.Job[[]item]{
		Owner: ownerFind, Label: "finding transcripts",
		Work: func(ctx context.Context, _ *kit.Progress) (list []item, _ error) {
			projects := map[string]string{} // by the agent's own folder: one transcript in it tells that of all
			var found []discover.Transcript
			if folder != "" {
				found = machine.TranscriptsIn(ctx, folder)
			} else {
				found = machine.AllTranscripts(ctx, store)
			}
			for _, t := range found {
				i := item{Transcript: t, head: known[t.File].head}
				if i.head.Title == "" {
					i.head, _ = machine.Head(ctx, t.File) // without one, its time and place remain
				}
				project, told := projects[t.Folder]
				if !told || t.Folder == "" {
					project = cmp.Or(i.head.Project, t.Project)
					projects[t.Folder] = project
				}
				i.Project = project
				list = append(list, i)
			}
			return list, ctx.Err()
		},
		Done: func(list []item) tea.Cmd {
			l.take(list)
			if rows := l.Items(); l.alone && len(rows) == 1 {
				l.alone = false
				return l.open(rows[0])
			}
			return nil
		},
	})
}

// take lists transcripts by project: that of the store first, then the one that was written last.
func (l *library) take(found []item) {
	first := len(l.Items()) == 0
	var rows []item
	at := map[string]int{} // the row of a project
	for _, i := range found {
		name := cmp.Or(i.Project, "unknown project")
		n, known := at[name]
		if !known {
			n = len(rows)
			at[name], rows = n, append(rows, item{name: name})
		}
		rows[n].list = append(rows[n].list, i)
	}
	l.Set(rows)
	if first && len(rows) > 0 {
		l.GoTo(l.Key(rows[0].list[0]))
	}
	l.moved()
}

// moved shows what is known of the row under the cursor.
func (l *library) moved() tea.Cmd {
	p := &page{}
	i, ok := l.Current()
	switch {
	case ok && i.list != nil:
		p.say(nil, l.heading(i))
	case ok:
		p.say(dim, l.tilde(i.File))
		p.say(dim, memstore.FormatSize(memstore.Docs, i.Size)+"  in "+l.tilde(cmp.Or(i.Project, "an unknown project")))
		p.say(nil, "")
		p.say(nil, i.label())
	}
	l.about.Set("", kit.Lines(p.lines))
	return nil
}

// Name implements [kit.Named]: what the transcript under the cursor was about, else its file.
func (l *library) Name() string {
	i, ok := l.Current()
	if !ok || i.list != nil {
		return ""
	}
	return text.Clean(cmp.Or(i.label(), filepath.Base(i.File)))
}

// title heads the list.
func (l *library) title() string {
	if l.folder != "" {
		return "transcripts in " + l.tilde(l.folder)
	}
	return "transcripts on this machine"
}
