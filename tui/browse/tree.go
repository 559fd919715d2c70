package browse

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
)

// Tree is the left pane: the store as a tree. It draws snapshots that aren't changed any more; cursor, folds and selection are agent
// paths, so that a new snapshot leaves them alone.
type Tree struct {
	*kit.Table[entry]
	screen   *Screen
	env      *kit.Env
	dialect  memstore.Dialect // whose way of writing sizes is used
	snapshot *memstore.Snapshot
	h        int
	at       string // the path that was shown, or that the program went to
	wish     string // the path to go to when the tree is read; "": none
	unfolded bool   // a new tree was unfolded once: from then on the user decides
	signs           // those that are shown, which are none in the past
	now      signs  // those of the present
	past     bool
}

// signs are what other parts of the program know about agent paths and the tree shows beside the names.
type signs struct {
	secrets       map[string]int  // how many places of a file have sensitive values
	secretFolders map[string]bool // folders with such files below
	unread        map[string]int  // how many changes of a path
	unreadFolders map[string]bool // folders with unread files below
	due, pinned   map[string]bool // paths that something is proposed for, or that nothing may be
	expiring      map[string]time.Time
}

// entry is a row: a name of the store.
type entry struct {
	*memstore.Node
	folder string // agent path of the folder; "" for the root
	depth  int
}

func (e entry) path() string {
	if e.depth == 0 {
		return memstore.Root
	}
	return e.folder + "/" + e.Name
}

func (e entry) isFolder() bool { return e.Kind == memstore.KindDir }

// below are the entries of a folder.
func (e entry) below() []entry {
	if !e.isFolder() {
		return nil
	}
	at, list := e.path(), make([]entry, len(e.Children))
	for i, n := range e.Children {
		list[i] = entry{n, at, e.depth + 1}
	}
	return list
}

// weight is how many bytes a name has, a folder with all that is below it.
func (e entry) weight() int64 {
	if e.isFolder() {
		return e.Bytes
	}
	return e.Size
}

// words are what words of a filter are looked for in: the path, so that those of a folder hold for what is below it, too.
func (e entry) words() string { return strings.ToLower(strings.TrimPrefix(e.path(), memstore.Root)) }

// sizesFrom is the width from which on the rows have sizes.
const sizesFrom = 24

// newTree makes an empty tree, in which sizes are written as in the dialect of the store.
func newTree(s *Screen) *Tree {
	t := &Tree{screen: s, env: s.Env, dialect: s.Store.Dialect()}
	t.Table = kit.NewTable(s.Env, kit.Spec[entry]{
		Title: "tree", Scope: keymap.Tree, Tree: true,
		Key: entry.path, Words: entry.words, Path: entry.path, Below: entry.below,
		Folded:     func(e entry) bool { return e.depth > 0 },
		Hidden:     func(e entry) bool { return e.Hidden },
		Selectable: func(e entry) bool { return e.depth > 0 },
		Why:        func(entry) string { return "Can't select /memories itself. Select what it holds" },
		Terms:      t.terms(),
		Orders: []kit.Order[entry]{
			{Name: "name"},
			{Name: "size", Compare: func(a, b entry) int { return cmp.Compare(b.weight(), a.weight()) }},
			{Name: "age", Compare: func(a, b entry) int { return b.ModTime.Compare(a.ModTime) }},
		},
		Sign:    t.sign,
		Columns: []kit.Column[entry]{{Text: t.label}, {From: sizesFrom, Most: 40, Right: true, Text: t.size, Paint: t.sizePaint}},
		Paint:   t.paint,
		Empty:   func() string { return "Reading the directory..." },
		Open:    t.open,
		Moved:   t.moved,
		More: []kit.Action{
			{ID: keymap.Open, Keys: "enter", Help: "open the file, or unfold the folder", Hint: "open",
				Run: func() tea.Cmd { return t.with(t.open) }, Arg: &kit.Arg{Takes: "a path: open notes/a.md", Run: kit.AnyArg(t.openTyped)}},
			{ID: keymap.Left, Run: func() tea.Cmd { return t.with(t.left) }},
			{ID: keymap.Right, Run: func() tea.Cmd { return t.with(t.right) }},
			{ID: keymap.CollapseAll, Run: t.collapse},
			{ID: keymap.Filter, Keys: "f", Help: "filter by words and terms: notes is:selected .md -is:hidden", Hint: "filter"},
		},
	})
	t.Prefer("", true)
	return t
}

// with does something with the entry under the cursor.
func (t *Tree) with(do func(entry) tea.Cmd) tea.Cmd {
	if e, ok := t.Current(); ok {
		return do(e)
	}
	return nil
}

// Selected returns the agent path under the cursor and what is known of it (nil while loading).
func (t *Tree) Selected() (string, *memstore.Node) {
	if e, ok := t.Current(); ok {
		return e.path(), e.Node
	}
	return memstore.Root, nil
}

// Folder is the agent folder under the cursor, with its final slash.
func (t *Tree) Folder() string {
	at, n := t.Selected()
	if n != nil && n.Kind != memstore.KindDir {
		at = path.Dir(at)
	}
	return at + "/"
}

// Resize implements [kit.Pane].
func (t *Tree) Resize(w, h int) {
	t.h = h
	t.Table.Resize(w, h)
}

// SetSnapshot takes a newer state of the store.
func (t *Tree) SetSnapshot(s *memstore.Snapshot) {
	t.snapshot = s
	if s.Root == nil {
		return
	}
	if s.Complete && !t.unfolded {
		t.unfoldSmall()
	}
	t.Set([]entry{{Node: s.Root}})
	if n := s.Find(t.wish); t.wish != "" && (n != nil || s.Complete) {
		t.Select(t.wish)
	}
	t.at, _ = t.Selected()
}

// unfoldSmall opens the folders that the agent's listing shows, if that fits the pane.
func (t *Tree) unfoldSmall() {
	t.unfolded = true
	var folders []string
	rows := 1 + len(t.snapshot.Root.Children)
	for _, n := range t.snapshot.Root.Children {
		if n.Kind == memstore.KindDir && !n.Hidden {
			rows += len(n.Children)
			folders = append(folders, memstore.Root+"/"+n.Name)
		}
	}
	if rows <= max(t.h, 10) {
		for _, at := range folders {
			t.Turn(at)
		}
	}
}

// Select moves the cursor to a path and unfolds what hides it. A path that is gone selects its folder, one that isn't read yet as soon as
// it is.
func (t *Tree) Select(to string) {
	if t.wish = ""; t.snapshot == nil || !t.snapshot.Complete {
		t.wish = to
	}
	for at := parentOf(to); len(at) > len(memstore.Root); at = parentOf(at) {
		t.Turn(at)
	}
	if strings.Contains(to, "/.") || strings.Contains(to, "/node_modules") {
		t.Prefer(t.OrderName(), true)
	} else {
		t.Arrange()
	}
	if !t.GoTo(to) && t.Filter() != "" {
		_, _ = t.Table.SetFilter("")
	}
	for !t.GoTo(to) && to != "" {
		to = parentOf(to)
	}
	t.at = to
}

// Follow moves the cursor to where the selected path was renamed to; unlike Select it leaves a filter alone.
func (t *Tree) Follow(to string) {
	if t.Filter() == "" {
		t.Select(to)
	} else if t.GoTo(to) {
		t.at = to
	}
}

func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// SetPast shows the signs of the present, or none.
func (t *Tree) SetPast(past bool) {
	t.past, t.signs = past, t.now
	if past {
		t.signs = signs{}
	}
}

// SetUnread marks the agent paths with changes that the user has not seen.
func (t *Tree) SetUnread(paths map[string]int) {
	t.now.unread, t.now.unreadFolders = paths, foldersOf(paths)
	t.SetPast(t.past)
	if t.Filter() != "" {
		t.Arrange()
	}
}

// SetFindings marks the agent paths of files with sensitive values.
func (t *Tree) SetFindings(places map[string]int) {
	t.now.secrets, t.now.secretFolders = places, foldersOf(places)
	t.SetPast(t.past)
}

// foldersOf are the folders that some paths are in, at any depth.
func foldersOf(paths map[string]int) map[string]bool {
	out := map[string]bool{}
	for path := range paths {
		for at := parentOf(path); at != "" && !out[at]; at = parentOf(at) {
			out[at] = true
		}
	}
	return out
}

// Remembered are the unfolded folders and the path under the cursor, to be remembered.
func (t *Tree) Remembered() (unfolded []string, selected string) {
	at, _ := t.Selected()
	return t.Turned(), cmp.Or(t.wish, at)
}

// Restore takes what [Tree.Remembered] returned in an earlier run, before the first snapshot; nil: no one folded anything.
func (t *Tree) Restore(unfolded []string, selected string) {
	for _, at := range unfolded {
		t.Turn(at)
	}
	t.unfolded = unfolded != nil
	if strings.HasPrefix(selected, memstore.Root+"/") {
		t.wish = selected
	}
}

// moved shows the path that the user has gone to.
func (t *Tree) moved() tea.Cmd {
	t.wish = ""
	if at, n := t.Selected(); n != nil && at != t.at {
		t.at = at
		shown := t.screen.Select(at, false)
		if t.screen.Tabs.at == Search { // its results stay in their tab
			t.screen.Tabs.at = View
			return tea.Batch(shown, t.screen.shell.Relayout())
		}
		return shown
	}
	return nil
}

// open unfolds or folds a folder; a file is shown, with the focus on it, and so is the listing of the root, which is never folded.
func (t *Tree) open(e entry) tea.Cmd {
	if e.isFolder() && e.depth > 0 {
		t.Fold(e, !t.IsFolded(e))
		return nil
	}
	return t.screen.openFile(e.path())
}

// openTyped shows the note at a typed path.
func (t *Tree) openTyped(typed string) tea.Cmd {
	return t.screen.Select(act.AgentPath(prompt.Word(typed)), true)
}

// left folds the folder under the cursor, or goes to the one that it is in.
func (t *Tree) left(e entry) tea.Cmd {
	if e.isFolder() && e.depth > 0 && !t.IsFolded(e) && t.Filter() == "" {
		t.Fold(e, true)
	} else {
		t.GoTo(e.folder)
	}
	return t.moved()
}

// right unfolds the folder under the cursor, or goes to the pane beside.
func (t *Tree) right(e entry) tea.Cmd {
	if e.isFolder() && t.IsFolded(e) && t.Filter() == "" {
		t.Fold(e, false)
		return nil
	}
	return t.screen.shell.FocusDetail()
}

// collapse folds all folders.
func (t *Tree) collapse() tea.Cmd {
	t.UnturnAll()
	e, _ := t.Current()
	t.Arrange()
	for at := e.path(); !t.GoTo(at) && at != ""; {
		at = parentOf(at)
	}
	return t.moved()
}

// Chosen lists what a key is about: the selected paths, without those that are below another one, or the path under the cursor.
func (t *Tree) Chosen() []string {
	selected := t.Keys()
	if e, ok := t.Current(); ok && len(selected) == 0 {
		selected = []string{e.path()}
	}
	if slices.Contains(selected, memstore.Root) {
		t.env.Emit(kit.Say{Text: "/memories itself stays; delete or move what it holds"})
		return nil
	}
	return outermost(selected)
}

// outermost are those of sorted paths that aren't below another one.
func outermost(paths []string) (out []string) {
	for _, path := range paths {
		if !slices.ContainsFunc(out, func(top string) bool { return strings.HasPrefix(path, top+"/") }) {
			out = append(out, path)
		}
	}
	return out
}

// sign is what a name is or that it has changed. A folded folder shows that of its contents.
func (t *Tree) sign(e entry) string {
	at, g := e.path(), t.env.Styles.Glyphs
	switch {
	case t.isUnreadable(e):
		return g.Denied
	case t.unread[at] > 0, e.isFolder() && t.unreadFolders[at] && t.IsFolded(e):
		return g.Unread
	case t.due[at]:
		return g.Due
	case t.pinned[at]:
		return g.Pinned
	case e.Hidden:
		return g.HiddenMark
	}
	return " "
}

// label is the name behind its indentation, with the sign that a folder is folded or not.
func (t *Tree) label(e entry) string {
	g := t.env.Styles.Glyphs
	fold := g.Expanded
	if t.IsFolded(e) && t.Filter() == "" {
		fold = g.Collapsed
	}
	if e.depth == 0 {
		return fold + " " + memstore.Root
	}
	indent, name := strings.Repeat("  ", min(e.depth, max(0, t.Width()/4))), t.env.MaskedText(text.Clean(e.Name))
	switch {
	case e.isFolder() && memstore.InGit(e.Name): // its files aren't listed: it would look empty
		return indent + "  " + name + "/ git repository"
	case e.isFolder():
		return indent + fold + " " + name + "/"
	case e.Kind == memstore.KindLink:
		return indent + "  " + name + " " + g.Link
	}
	return indent + "  " + name
}

// size is how large a file is, or how long it has left, after the sign of one with sensitive values.
func (t *Tree) size(e entry) string {
	at, said := e.path(), ""
	if e.Kind == memstore.KindFile {
		said = memstore.FormatSize(t.dialect, e.Size)
		if end, ok := t.expiring[at]; ok {
			said, _ = kit.Left(end.Sub(t.env.Now()))
		}
	}
	if t.hasSecret(e) {
		said = t.env.Styles.Glyphs.Sensitive + " " + said
	}
	return text.Pad(said, text.Width(said)+1)
}

func (t *Tree) hasSecret(e entry) bool {
	return t.secrets[e.path()] > 0 || t.secretFolders[e.path()] && t.IsFolded(e)
}

func (t *Tree) sizePaint(e entry, st *theme.Styles) theme.Paint {
	if t.hasSecret(e) {
		return st.Error
	}
	return t.paint(e, st)
}

// listedDepth is how far below a directory the agent's listing looks; deeper rows are dimmed because that listing does not name them.
const listedDepth = 2

// isUnreadable reports whether an entry can't be read, as far as that shows without trying: a folder that could not be listed, a file that
// nobody may read, and a pipe or a device. The modes of the past are not all known.
func (t *Tree) isUnreadable(e entry) bool {
	return e.Problem != nil || e.Kind == memstore.KindOther || e.Kind == memstore.KindFile && e.Mode.Perm()&0o444 == 0 && !t.past
}

func (t *Tree) paint(e entry, st *theme.Styles) theme.Paint {
	switch {
	case t.isUnreadable(e):
		return st.Warning
	case t.unread[e.path()] > 0:
		return st.Unread
	case e.Hidden || e.depth > listedDepth:
		return st.Hidden
	case e.isFolder():
		return st.Directory
	case e.Kind == memstore.KindLink:
		return st.Link
	}
	return st.Text
}
