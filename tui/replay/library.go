package replay

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/transcript"
	"memcurator/tui/ui"
)

// The owners of the jobs of the library.
const (
	ownerFind   = "replay.transcripts"
	ownerSurvey = "replay.survey"
)

// Places is where transcripts are looked for.
type Places struct {
	Machine discover.Machine
	Store   string // the directory of the store beside the replay; "": none
	// Folders are the names by which transcripts may know the store, see [transcript.Options].
	Folders []string
	// Changed reports the names of what is written in folders, nil for all of them, until ctx ends; nil: the list is not watched.
	Changed func(ctx context.Context, folders []string) (<-chan []string, error)
}

// library is the list of the transcripts of this machine, by project, the newest first, those of the store before all
// others. Names and times come from [discover.Machine.EachTranscript] while it works; what is in a transcript is read for the
// rows in sight, then for others.
type library struct {
	env     *ui.Env
	actions *ui.Actions
	places  *Places
	open    func(files []string) tea.Cmd
	inSight func() bool
	w, h    int

	folder  string // whose transcripts are listed; "": those of this machine
	finding *finding
	entries []*entry
	byFile  map[string]*entry
	fit     []*entry // as the filter leaves them
	shown   []item
	order   string             // one of orders
	folded  map[string]bool    // projects, by their keys
	watch   context.CancelFunc // nil: nothing is watched
	walked  bool               // the cursor was moved, and stays on its row when others come in front of it
	list    ui.List
	search  *ui.RowSearch
	filter  string
	words   []string
	side    bool  // those of subagents are listed, too
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

// when is the time of the last memory call, or until that is known, and without calls, that of the file.
func (e *entry) when() time.Time {
	if e.survey != nil && !e.survey.to.IsZero() {
		return e.survey.to
	}
	return e.Changed
}

// dated is the transcript as of when.
func (e *entry) dated() discover.Transcript {
	t := e.Transcript
	t.Changed = e.when()
	return t
}

// finding is where the job leaves what it finds. Safe for concurrent use.
type finding struct {
	mu   sync.Mutex
	list []*entry
	some chan struct{} // closed at the first transcript, or when the job ends
	once sync.Once
}

func (f *finding) add(found []*entry) {
	f.mu.Lock()
	f.list = append(f.list, found...)
	f.mu.Unlock()
	f.tell()
}

func (f *finding) tell() { f.once.Do(func() { close(f.some) }) }

// take returns what was found since.
func (f *finding) take() []*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.list
	f.list = nil
	return list
}

// firstFound says that the first row can be shown.
type firstFound struct{ of *finding }

func (firstFound) ofReplay() {}

// readAhead bounds the bytes that are read for rows which the user has not scrolled to.
const readAhead = 512 << 20

// newLibrary makes an empty list and what is shown of its rows. open opens transcripts; inSight reports whether the list is on the
// screen: out of sight nothing is read.
func newLibrary(env *ui.Env, places *Places, open func([]string) tea.Cmd, inSight func() bool) *library {
	l := &library{env: env, places: places, open: open, inSight: inSight, byFile: map[string]*entry{}, left: readAhead,
		order: byProject, folded: map[string]bool{}}
	l.preview = newPreview(env, l)
	l.search = ui.NewRowSearch(env, &l.list, func(i int) string { return l.lineOf(l.shown[i]) }, func(i int) tea.Cmd {
		l.list.JumpTo(i)
		return l.moved()
	})
	l.actions = ui.NewActions(env, append(l.search.Bindings(), l.bindings()...)...)
	return l
}

// Search implements [ui.searchable].
func (l *library) Search() ui.Searcher { return l.search }

func (l *library) bindings() []ui.Action {
	return append(l.list.Bindings(func(keymap.ID) tea.Cmd { return l.moved() }),
		ui.Action{ID: keymap.Open, Run: l.openSelected},
		ui.Action{ID: keymap.ReplayMain, Run: l.toggleSide},
		ui.Action{ID: keymap.Sort, Run: l.nextOrder},
		ui.Action{ID: keymap.HunkNext, Run: func() tea.Cmd { return l.jump(1) }},
		ui.Action{ID: keymap.HunkPrev, Run: func() tea.Cmd { return l.jump(-1) }},
		ui.Action{ID: keymap.ExpandAll, Run: func() tea.Cmd { return l.foldAll(false) }},
		ui.Action{ID: keymap.CollapseAll, Run: func() tea.Cmd { return l.foldAll(true) }},
		ui.Action{ID: keymap.Left, Run: func() tea.Cmd { return l.fold(true) }},
		ui.Action{ID: keymap.Right, Run: func() tea.Cmd { return l.fold(false) }},
	)
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
		l.folder, l.entries, l.byFile = folder, nil, map[string]*entry{}
		l.filter, l.words = "", nil
		l.narrow()
	}
	return l.look()
}

// look searches the machine or the folder, again if need be.
func (l *library) look() tea.Cmd {
	if l.places == nil && l.folder == "" {
		return nil
	}
	f := &finding{some: make(chan struct{})}
	l.finding = f
	places, folder := l.where(), l.folder
	job := ui.Start(l.env.Jobs, ui.Job[struct{}]{
		Owner: ownerFind, Label: "finding transcripts",
		Work: func(ctx context.Context, _ *ui.Progress) (struct{}, error) {
			defer f.tell()
			roots := map[string]string{}
			add := func(found []discover.Transcript) { f.add(places.located(ctx, roots, found)) }
			if folder != "" {
				places.Machine.EachIn(ctx, folder, add)
			} else {
				places.Machine.EachTranscript(ctx, places.Store, add)
			}
			return struct{}{}, ctx.Err()
		},
		Done: func(struct{}) tea.Cmd {
			l.sync()
			return tea.Batch(l.read(), l.follow())
		},
	})
	return tea.Batch(job, func() tea.Msg { <-f.some; return firstFound{f} })
}

// where is the machine; without places it is this one, with only a folder listed.
func (l *library) where() Places {
	if l.places == nil {
		return Places{Machine: discover.Local("", nil)}
	}
	return *l.places
}

// take continues once a row can be shown.
func (l *library) take(msg firstFound) tea.Cmd {
	if msg.of != l.finding {
		return nil
	}
	l.sync()
	return l.read()
}

// sync takes in what was found since.
func (l *library) sync() {
	if l.finding == nil {
		return
	}
	found := l.finding.take()
	if len(found) == 0 {
		return
	}
	l.addAll(found)
}

// addAll takes in transcripts that are new or have changed.
func (l *library) addAll(found []*entry) {
	for _, t := range found {
		e := l.byFile[t.File]
		if e != nil {
			e.root = t.root
		}
		switch {
		case e == nil:
			l.byFile[t.File] = t
			l.entries = append(l.entries, t)
		case e.Size != t.Size || !e.Changed.Equal(t.Changed):
			if e.survey == nil || t.Size < e.Size || t.Size <= readOften || t.Size-e.survey.size > t.Size/16 {
				e.survey = nil
			}
			e.Transcript = t.Transcript
		}
	}
	l.sort()
}

// readOften is the size up to which a transcript is read again whenever it has grown, in bytes; a larger one once it has
// grown by a sixteenth.
const readOften = 4 << 20

// line is what the words of a filter are looked for in.
func (e *entry) line() string {
	line := e.Agent + " " + e.project() + " " + e.title() + " " + e.File
	if e.survey != nil {
		line += " " + e.survey.word()
	}
	return line
}

// project is the name of the folder that the agent worked in.
func (e *entry) project() string {
	root := e.root
	if e.head != nil && e.head.Project != "" {
		root = e.head.Project
	}
	if root != "" {
		whole := strings.TrimRight(root, `/\`)
		return whole[strings.LastIndexAny(whole, `/\`)+1:]
	}
	return e.Project
}

func (e *entry) title() string {
	if e.head == nil {
		return ""
	}
	return e.head.Title
}

// about is the first prompt of a transcript that is listed, "" if it is unknown.
func (l *library) about(files []string) string {
	if len(files) == 1 {
		for _, e := range l.entries {
			if e.File == files[0] {
				return e.title()
			}
		}
	}
	return ""
}

// current is the row under the cursor.
func (l *library) current() (item, bool) {
	at, ok := l.list.At()
	if !ok || at >= len(l.shown) {
		return item{}, false
	}
	return l.shown[at], true
}

// selected is the transcript under the cursor; false on the heading of a project.
func (l *library) selected() (*entry, bool) {
	it, ok := l.current()
	return it.entry, ok && it.entry != nil
}

func (l *library) openSelected() tea.Cmd {
	if it, ok := l.current(); ok && it.entry == nil {
		return l.fold(!l.folded[it.project])
	}
	e, ok := l.selected()
	if !ok {
		l.env.Emit(ui.Say{Text: l.env.Keyed(textNone)})
		return nil
	}
	return l.open([]string{e.File})
}

// toggleSide lists the transcripts of subagents, or hides them.
func (l *library) toggleSide() tea.Cmd {
	l.side = !l.side
	l.narrow()
	return l.read()
}

func (l *library) moved() tea.Cmd {
	l.walked = true
	l.preview.refresh()
	return l.read()
}

// batch is how many transcripts one job reads, so that rows which come into sight do not wait long.
const batch = 4

// wanted are the transcripts to read next: the one under the cursor, those in sight, then others as long as there are bytes left.
func (l *library) wanted() (list []*entry) {
	add := func(e *entry, ahead bool) {
		if len(list) == batch || e == nil || e.head != nil && e.survey != nil || slices.Contains(list, e) {
			return
		}
		if ahead {
			if l.left < e.Size {
				return
			}
			l.left -= e.Size
		}
		list = append(list, e)
	}
	if e, ok := l.selected(); ok {
		add(e, false)
	}
	top := l.list.Top()
	for i := top; i < min(top+l.h, len(l.shown)); i++ {
		add(l.shown[i].entry, false)
	}
	for _, it := range l.shown {
		add(it.entry, true)
	}
	return list
}

// headless are the visible transcripts without a title so far. Titles are read before all else: that takes a few milliseconds.
func (l *library) headless() (list []*entry) {
	top := l.list.Top()
	for _, it := range l.shown[min(top, len(l.shown)):min(top+l.h, len(l.shown))] {
		if it.entry != nil && it.head == nil {
			list = append(list, it.entry)
		}
	}
	return list
}

// reading is what was read of a transcript.
type reading struct {
	file   string
	head   discover.Head
	survey *survey // nil: only the head was read
}

// read reads what is missing of the rows, those in sight first.
func (l *library) read() tea.Cmd {
	if !l.inSight() || l.env.Jobs.Running(ownerSurvey) {
		return nil
	}
	list, heads := l.headless(), true
	if len(list) == 0 {
		list, heads = l.wanted(), false
	}
	if len(list) == 0 {
		return nil
	}
	places, now := l.where(), l.env.Now()
	var files []discover.Transcript
	for _, e := range list {
		files = append(files, e.Transcript)
	}
	return ui.Start(l.env.Jobs, ui.Job[[]reading]{
		Owner: ownerSurvey, Label: "counting memory calls",
		Work: func(ctx context.Context, progress *ui.Progress) ([]reading, error) {
			var out []reading
			for _, t := range files {
				r := reading{file: t.File}
				var err error
				if r.head, err = places.Machine.Head(ctx, t.File); err != nil {
					r.survey = &survey{size: t.Size, problem: sentence(err)}
				} else if !heads {
					r.survey = surveyOf(ctx, t, places.Folders, now, progress)
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				out = append(out, r)
			}
			return out, nil
		},
		Done: l.learn,
	})
}

// learn takes in what was read, and reads on.
func (l *library) learn(list []reading) tea.Cmd {
	dated := false
	for _, r := range list {
		if e := l.byFile[r.file]; e != nil {
			was := e.when()
			if e.head = &r.head; r.survey != nil {
				e.survey = r.survey
			}
			dated = dated || !e.when().Equal(was)
		}
	}
	switch {
	case dated:
		l.sort()
	case len(l.words) > 0:
		l.narrow()
	}
	l.preview.refresh()
	return l.read()
}

// setFilter narrows the list to the rows that hold all words of a line.
func (l *library) setFilter(line string) tea.Cmd {
	l.filter, l.words = strings.TrimSpace(line), strings.Fields(strings.ToLower(line))
	l.narrow()
	return l.read()
}

// survey is what is known of a transcript that was read once.
type survey struct {
	size          int64 // of the file
	calls, writes int
	differ        int // verdicts that differ
	rows          []row
	verdicts      []transcript.Verdict
	from, to      time.Time
	empty         string // what was seen in place of calls
	problem       string // why it was not read
	large         bool   // it is read only when it is opened
}

const (
	surveyLimit = 64 << 20 // bytes of a transcript that is read without being asked for
	surveyRows  = 200      // that the preview shows
	surveyCalls = 5000     // that are replayed without being asked for
)

// surveyOf reads a transcript and replays its calls.
func surveyOf(ctx context.Context, t discover.Transcript, folders []string, now time.Time, progress *ui.Progress) *survey {
	s := &survey{size: t.Size}
	if t.Size > surveyLimit {
		s.large = true
		return s
	}
	reader, err := transcript.NewReader(transcript.Options{Folders: folders, Growing: now.Sub(t.Changed) < stillFor})
	if err == nil {
		err = readFile(ctx, reader, t.File, progress)
	}
	if err != nil {
		s.problem = sentence(err)
		return s
	}
	calls := reader.Calls()
	s.calls = len(calls)
	if len(calls) == 0 {
		s.empty = reader.Summary().Describe(filepath.Base(t.File))
		return s
	}
	rows := rowsOf(calls)
	for _, r := range rows {
		if r.writes() {
			s.writes++
		}
	}
	s.rows = rows[:min(len(rows), surveyRows)]
	s.from, s.to = rows[0].when, rows[len(rows)-1].when
	s.replay(ctx, calls[:min(len(calls), surveyCalls)])
	return s
}

// replay compares the calls with what our handlers answer.
func (s *survey) replay(ctx context.Context, calls []*transcript.Call) {
	start, _ := transcript.Begin(calls)
	handler, err := transcript.Guess(ctx, calls, start, memstore.Docs)
	if err != nil {
		return
	}
	replay, err := transcript.NewReplay(start, handler)
	if err != nil {
		return
	}
	for _, c := range calls {
		if ctx.Err() != nil {
			return
		}
		verdict := replay.Step(ctx, c).Verdict
		if verdict.Diverges() {
			s.differ++
		}
		s.verdicts = append(s.verdicts, verdict)
	}
}
