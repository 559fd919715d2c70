package replay

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/discover"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// The owners of the jobs of the library.
const (
	ownerFind    = "replay.transcripts"
	ownerSurvey  = "replay.survey"
	ownerPreview = "replay.preview"
)

// Places is where transcripts are looked for.
type Places struct {
	Machine discover.Machine
	Store   string // the directory of the store beside the replay; "": none
	// Folders are the names by which transcripts may know the store, see [transcript.Options].
	Folders []string
}

// library is the list of the transcripts of this machine, by project, that of the store before all others. Names and times come
// from [discover.Machine.EachTranscript]; what is in a transcript is read for the rows in sight, then for others.
type library struct {
	*kit.Table[item]
	env     *kit.Env
	places  *Places
	open    func(files []string) tea.Cmd
	inSight func() bool

	folder  string // whose transcripts are listed; "": those of this machine
	entries []*entry
	left    int64 // bytes that may be read for rows out of sight
	preview *preview
}

// entry is a transcript, and what is known of its content.
type entry struct {
	discover.Transcript
	root   string         // the folder that the agent worked in, "" if unknown
	head   *discover.Head // nil: not read yet
	survey *survey        // nil: not read yet
}

// item is a row of the list: a project, or one of its transcripts.
type item struct {
	*project
	*entry // nil: the project
}

// project is the heading of transcripts.
type project struct {
	key, name     string
	own           bool // it is that of the store
	list          []item
	newest        time.Time
	calls, differ int
}

// readAhead bounds the bytes that are read for rows which the user has not scrolled to.
const readAhead = 512 << 20

// newLibrary makes an empty list and what is shown of its rows. open opens transcripts; inSight reports whether the list is on the
// screen: out of sight nothing is read.
func newLibrary(env *kit.Env, places *Places, open func([]string) tea.Cmd, inSight func() bool) *library {
	l := &library{env: env, places: places, open: open, inSight: inSight, left: readAhead}
	l.Table = kit.NewTable(env, kit.Spec[item]{
		Title: "transcripts",
		Scope: keymap.Transcripts,
		Key: func(i item) string {
			if i.entry == nil {
				return i.project.key
			}
			return i.File
		},
		Words: func(i item) string { return strings.ToLower(l.words(i)) },
		Below: func(i item) []item {
			if i.entry == nil {
				return i.list
			}
			return nil
		},
		Heading: func(i item) bool { return i.entry == nil },
		Hidden:  func(i item) bool { return i.entry != nil && i.Side },
		HiddenText: func(n int) string {
			return kit.Count(n, "transcript") + " of subagents  ({list/show-hidden} shows them)"
		},
		Terms: []kit.Term[item]{
			{Key: "agent", Fits: func(i item, name string) bool { return strings.HasPrefix(strings.ToLower(i.Agent), name) }},
			{Key: "is", Values: []string{"differing"}, Fits: func(i item, _ string) bool { return i.survey != nil && i.survey.differ > 0 }},
		},
		Columns: []kit.Column[item]{
			{Head: "when", Width: 15, Text: func(i item) string { return kit.When(i.when(), env.Now()) }},
			{Head: "agent", Width: 11, From: 90, Text: func(i item) string { return i.Agent }},
			{Head: "calls", Width: 5, From: 48, Right: true, Text: func(i item) string { return i.survey.count() }},
			{Head: "replay", Width: 10, From: 72, Text: func(i item) string { return i.survey.word() }, Paint: paintOutcome},
			{Head: "first prompt", Text: func(i item) string { return i.label() }},
		},
		Whole: l.heading,
		Paint: paintItem,
		Empty: l.emptyText,
		Path: func(i item) string {
			if i.entry == nil {
				return ""
			}
			return i.File
		},
		Open:  l.openItem,
		Moved: l.moved,
	})
	l.preview = newPreview(env, l)
	return l
}

// when is the time of the last memory call, or until that is known, and without calls, that of the file.
func (e *entry) when() time.Time {
	if e.survey != nil && !e.survey.to.IsZero() {
		return e.survey.to
	}
	return e.Changed
}

func (e *entry) title() string {
	if e.head == nil {
		return ""
	}
	return e.head.Title
}

// label is what a transcript is about, and whether it is a subagent's.
func (e *entry) label() string {
	if e.Side {
		return textSide + " " + e.title()
	}
	return e.title()
}

// folderOf is the folder that the agent worked in, "" if unknown.
func (e *entry) folderOf() string {
	if e.head != nil && e.head.Project != "" {
		return e.head.Project
	}
	return e.root
}

// words are what a filter and a search look in.
func (l *library) words(i item) string {
	if i.entry == nil {
		return i.name
	}
	return strings.Join([]string{i.Agent, i.folderOf(), i.title(), i.File, i.survey.word()}, "\n")
}

// heading sums up a project; "" for a transcript.
func (l *library) heading(i item) string {
	if i.entry != nil {
		return ""
	}
	transcripts := 0
	for _, one := range i.list {
		if !one.Side {
			transcripts++
		}
	}
	parts := []string{kit.Count(transcripts, "transcript")}
	if i.calls > 0 {
		parts = append(parts, kit.Count(i.calls, "call"))
	}
	if i.differ > 0 {
		parts = append(parts, text.Count(i.differ, "differs", "differ"))
	}
	return cmp.Or(text.Clean(l.tilde(i.name)), "unknown project") + "  " + strings.Join(parts, ", ")
}

func paintItem(i item, st *theme.Styles) theme.Paint {
	switch {
	case i.entry == nil:
		return st.Bold
	case i.survey != nil && i.survey.calls == 0 && !i.survey.large:
		return st.Dim
	}
	return st.Text
}

func paintOutcome(i item, st *theme.Styles) theme.Paint {
	if i.survey != nil && i.survey.differ > 0 {
		return st.Error
	}
	return paintItem(i, st)
}

// arrange lists the transcripts by project: that of the store first, then the one with the newest calls.
func (l *library) arrange() {
	var projects []*project
	byKey := map[string]*project{}
	for _, e := range l.entries {
		key := "project " + cmp.Or(e.root, e.Folder, e.Project)
		p := byKey[key]
		if p == nil {
			p = &project{key: key, name: cmp.Or(e.root, e.Project)}
			projects, byKey[key] = append(projects, p), p
		}
		p.list = append(p.list, item{p, e})
		p.own = p.own || e.Own
		if when := e.when(); when.After(p.newest) {
			p.newest = when
		}
		if e.survey != nil {
			p.calls, p.differ = p.calls+e.survey.calls, p.differ+e.survey.differ
		}
	}
	slices.SortFunc(projects, func(a, b *project) int {
		if a.own != b.own {
			if a.own {
				return -1
			}
			return 1
		}
		return cmp.Or(b.newest.Compare(a.newest), strings.Compare(a.key, b.key))
	})
	var rows []item
	for _, p := range projects {
		slices.SortStableFunc(p.list, func(a, b item) int { return b.when().Compare(a.when()) })
		rows = append(rows, item{project: p})
	}
	first := len(l.Items()) == 0
	l.Set(rows)
	if first && len(rows) > 0 {
		l.GoTo(rows[0].list[0].File)
	}
	l.preview.refresh()
}

// enter is called when the list comes into sight. Sessions may have begun or grown since it was last seen.
func (l *library) enter() tea.Cmd {
	if l.env.Jobs.Running(ownerFind) {
		return l.read()
	}
	return tea.Batch(l.read(), l.look())
}

// in lists the transcripts of a folder; "" for those of this machine.
func (l *library) in(folder string) tea.Cmd {
	if folder != l.folder {
		l.folder, l.entries = folder, nil
		_, _ = l.SetFilter("")
		l.arrange()
	}
	return l.look()
}

// look searches the machine or the folder.
func (l *library) look() tea.Cmd {
	if l.places == nil && l.folder == "" {
		return nil
	}
	places, folder := l.where(), l.folder
	roots := map[string]string{}
	for _, e := range l.entries {
		roots[home(e.Transcript)] = e.root
	}
	return kit.Start(l.env.Jobs, kit.Job[[]*entry]{
		Owner: ownerFind, Label: "finding transcripts",
		Work: func(ctx context.Context, _ *kit.Progress) (list []*entry, err error) {
			add := func(found []discover.Transcript) {
				for _, t := range found {
					root, known := roots[home(t)]
					if !known {
						root, _ = places.Machine.Project(ctx, t.File) // "": its own agent's name of the project stands for it
						roots[home(t)] = root
					}
					list = append(list, &entry{Transcript: t, root: root})
				}
			}
			if folder != "" {
				places.Machine.EachIn(ctx, folder, add)
			} else {
				places.Machine.EachTranscript(ctx, places.Store, add)
			}
			return list, ctx.Err()
		},
		Done: func(list []*entry) tea.Cmd {
			l.take(list)
			return l.read()
		},
	})
}

// home is the agent's own folder of a project, of which one transcript tells the project of all; where an agent has none, the file.
func home(t discover.Transcript) string { return cmp.Or(t.Folder, t.File) }

// where is the machine; without places it is this one, with only a folder listed.
func (l *library) where() Places {
	if l.places == nil {
		return Places{Machine: discover.Local("", nil)}
	}
	return *l.places
}

// take lists what was found, with what is known already of transcripts that have not changed.
func (l *library) take(found []*entry) {
	for _, e := range found {
		was := l.of(e.File)
		if was == nil {
			continue
		}
		e.head, e.survey = was.head, was.survey
		if e.Size != was.Size || !e.Changed.Equal(was.Changed) {
			e.survey = nil
		}
	}
	l.entries = found
	l.arrange()
}

// of is the transcript of a file, nil if it isn't listed.
func (l *library) of(file string) *entry {
	if i := slices.IndexFunc(l.entries, func(e *entry) bool { return e.File == file }); i >= 0 {
		return l.entries[i]
	}
	return nil
}

// about is the first prompt of a transcript that is listed, "" if it is unknown.
func (l *library) about(files []string) string {
	if len(files) == 1 {
		if e := l.of(files[0]); e != nil {
			return e.title()
		}
	}
	return ""
}

func (l *library) openItem(i item) tea.Cmd {
	if i.entry == nil {
		l.Fold(i, !l.IsFolded(i))
		return l.moved()
	}
	return l.open([]string{i.File})
}

func (l *library) moved() tea.Cmd {
	l.preview.refresh()
	return l.read()
}

// Name implements [kit.Named]: what the transcript under the cursor was about, else its project and time.
func (l *library) Name() string {
	i, ok := l.Current()
	switch {
	case !ok || i.entry == nil:
		return ""
	case i.title() != "":
		return text.Clean(i.title())
	}
	return strings.TrimSpace(text.Clean(l.tilde(i.folderOf())) + " " + kit.When(i.Changed, l.env.Now()))
}

// title heads the list.
func (l *library) title() string {
	if l.folder != "" {
		return "transcripts in " + text.Clean(l.tilde(l.folder))
	}
	return "transcripts on this machine"
}

// tilde writes a path below the home folder as people do.
func (l *library) tilde(path string) string { return text.Tilde(path, l.where().Machine.Home) }

// place counts the transcripts.
func (l *library) place() string {
	all := 0
	for _, e := range l.entries {
		if !e.Side {
			all++
		}
	}
	if all == 0 {
		return ""
	}
	return kit.Count(all, "transcript")
}

const textNone = "No transcripts here. {replay-transcripts/replay-open-path} opens a file or folder"

func (l *library) emptyText() string {
	if l.env.Jobs.Running(ownerFind) {
		return "Looking for transcripts..."
	}
	return l.env.Keyed(textNone)
}
