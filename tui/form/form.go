// Package form is the box in which a memory command with text is typed: create,
// str_replace and insert, one field for each argument of the tool. It says while one types
// what the agent would get, shows the result and the diff before anything is written, and
// leaves writing to the root.
//
// The root makes it with [New], hands it keys and pastes, and carries out its intents
// ([Compare], [Write], [Leave]). It reads the store in jobs and never changes it.
package form

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/ui"
)

// Compare is the intent to show what would change in the pane that New was given.
type Compare struct {
	Path, Title   string
	Before, After func() (data []byte, why string)
}

// Write is the intent to run the command, after its result and its diff were shown.
type Write struct {
	Command memstore.Command
	Path    string           // agent path of the file, cleaned
	Digest  *memstore.Digest // of the file that the preview is about; nil: none yet
	Before  func() (data []byte, why string)
	Result  memstore.Result // what the preview has shown
}

// Leave is the intent to close the form.
type Leave struct{ Lost bool } // Lost: something typed would be lost

// page is what the box shows.
type page uint8

const (
	editing page = iota
	previewing
)

// Form is one box. All methods run on the Bubble Tea goroutine. Make it with [New].
type Form struct {
	env      *ui.Env
	store    *memstore.Store
	children func(path string) []string
	diff     ui.Pane

	name   string // of the command
	fields []*field
	at     int // field that is typed in
	page   page
	w, h   int

	diffTop int // row of the preview in which the diff begins

	seen      *outcome // newest answer
	submitted bool     // show the next answer as the preview
	writing   bool
	changed   bool     // the file changed while its preview was shown
	whole     bool     // the result takes the preview's place
	problem   string   // why the last key or paste was not taken
	choices   []string // paths that tab offers
}

// field is one argument of the tool.
type field struct {
	*editor
	name    string
	initial string
	offered bool // path: tab has shown the names that can follow
}

// arguments are the fields of each command, in the order of the tool's documentation.
var arguments = map[string][]string{
	memstore.CmdCreate:     {argPath, "file_text"},
	memstore.CmdStrReplace: {argPath, argOld, argNew},
	memstore.CmdInsert:     {argPath, argLine, "insert_text"},
}

const (
	argPath = "path"
	argOld  = "old_str"
	argNew  = "new_str"
	argLine = "insert_line"
)

// Has reports whether there is a form for a memory command.
func Has(command string) bool { return arguments[command] != nil }

// New makes the form of a command for which there is one. values fill the first fields;
// children lists the names in an agent folder, folders with a final slash; diff draws
// what a [Compare] asks for.
func New(env *ui.Env, store *memstore.Store, command string, values []string, children func(string) []string, diff ui.Pane) *Form {
	f := &Form{env: env, store: store, children: children, diff: diff, name: command, at: -1}
	for i, name := range arguments[command] {
		value := ""
		if i < len(values) {
			value = values[i]
		}
		single := name == argPath || name == argLine
		f.fields = append(f.fields, &field{editor: newEditor(env, value, single), name: name, initial: value})
		if f.at < 0 && !f.fields[i].filled() {
			f.at = i
		}
	}
	if f.at < 0 {
		f.at = len(f.fields) - 1
	}
	return f
}

// filled reports whether a field holds enough to ask the tool about.
func (d *field) filled() bool {
	switch d.name {
	case argPath:
		return !d.empty() && !strings.HasSuffix(d.text(), "/")
	case argOld, argLine:
		return !d.empty()
	}
	return true
}

// value is the text of a field.
func (f *Form) value(name string) string {
	for _, d := range f.fields {
		if d.name == name {
			return d.text()
		}
	}
	return ""
}

// Command is the name of the memory command.
func (f *Form) Command() string { return f.name }

// Values are the texts of the fields, in their order.
func (f *Form) Values() []string {
	values := make([]string, len(f.fields))
	for i, d := range f.fields {
		values[i] = d.text()
	}
	return values
}

// Restore puts texts into the fields as if the user had typed them.
func (f *Form) Restore(values []string) {
	for i, d := range f.fields[:min(len(values), len(f.fields))] {
		d.replace(values[i])
	}
}

// missing is the first field that must be filled in; "": none.
func (f *Form) missing() string {
	for _, d := range f.fields {
		if !d.filled() {
			return d.name
		}
	}
	return ""
}

// command is what the fields say. line is not nil where insert_line is not a number.
func (f *Form) command() (c memstore.Command, line error) {
	c = memstore.Command{Name: f.name, Path: f.value(argPath)}
	switch f.name {
	case memstore.CmdCreate:
		c.FileText = f.value("file_text")
	case memstore.CmdStrReplace:
		c.OldStr, c.NewStr = f.value(argOld), f.value(argNew)
	case memstore.CmdInsert:
		c.InsertText = f.value("insert_text")
		c.InsertLine, line = strconv.Atoi(strings.TrimSpace(f.value(argLine)))
	}
	return c, line
}

// Path is the agent path that the form is about, cleaned where it is one.
func (f *Form) Path() string { return cleaned(f.value(argPath)) }

func cleaned(path string) string {
	if name, err := memstore.ParsePath(path); err == nil {
		return memstore.AgentPath(name)
	}
	return path
}

// typed reports whether something would be lost with the form.
func (f *Form) typed() bool {
	for _, d := range f.fields {
		if d.text() != d.initial {
			return true
		}
	}
	return false
}

// focused is the field that is typed in.
func (f *Form) focused() *field { return f.fields[f.at] }

// GoTo puts the cursor at the end of a line of the field that is typed in, counted from 0.
func (f *Form) GoTo(line int) {
	d := f.focused()
	line = max(0, min(line, len(d.lines)-1))
	d.moveTo(line, len(strings.TrimSuffix(d.lines[line], "\r")))
}

// Click puts the cursor where the mouse was pressed, in cells of the box.
func (f *Form) Click(x, y int) {
	if f.page == previewing {
		if c, ok := f.diff.(interface{ Click(row int) bool }); ok && y >= f.diffTop {
			c.Click(y - f.diffTop)
		}
		return
	}
	for _, s := range f.arrange(f.w, f.h).slots {
		if y < s.y || y >= s.top+s.h || f.writing {
			continue
		}
		f.forget()
		f.at = slices.Index(f.fields, s.field)
		if y >= s.top && x >= s.x {
			s.clicked(x-s.x, y-s.top)
		}
	}
}

// Init asks for the first answer.
func (f *Form) Init() tea.Cmd { return f.check(false) }

// Type takes a key that is not an action.
func (f *Form) Type(msg tea.KeyPressMsg) tea.Cmd {
	if f.page != editing || f.writing || msg.Text == "" || msg.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper|tea.ModHyper) != 0 {
		return nil
	}
	return f.insert(msg.Text, true)
}

// Paste takes a pasted text unchanged. Terminals send the ends of lines as "\r"; where no
// "\n" comes with them they are turned back.
func (f *Form) Paste(content string) tea.Cmd {
	if f.page != editing || f.writing {
		return nil
	}
	if !strings.Contains(content, "\n") {
		content = strings.ReplaceAll(content, "\r", "\n")
	}
	if f.focused().single {
		content = strings.TrimRight(content, "\r\n")
	}
	return f.insert(content, false)
}

func (f *Form) insert(s string, typed bool) tea.Cmd {
	f.forget()
	if refusal := f.focused().insert(s, typed); refusal != "" {
		f.problem = refusal
		return nil
	}
	f.focused().goal = -1
	return f.check(false)
}

// forget clears the message about the last key.
func (f *Form) forget() { f.problem, f.choices = "", nil }

// Handle implements the root's overlay: a wheel moves what a motion would.
func (f *Form) Handle(id keymap.ID) bool {
	switch id {
	case keymap.Up, keymap.Down:
		_, ok := f.Perform(id)
		return ok
	}
	return false
}

// Perform does an action; false: not one of the form's.
func (f *Form) Perform(id keymap.ID) (tea.Cmd, bool) {
	if f.writing {
		return nil, true
	}
	f.forget()
	if f.page == previewing {
		return f.previewAction(id)
	}
	switch id {
	case keymap.FieldNext:
		return f.next()
	case keymap.FieldPrev:
		f.at = (f.at + len(f.fields) - 1) % len(f.fields)
	case keymap.Preview:
		return f.check(true), true
	case keymap.Accept:
		if !f.focused().single {
			return f.insert(f.focused().lineBreak(), true), true
		}
		f.at = (f.at + 1) % len(f.fields)
	case keymap.InsertTab:
		return f.insert("\t", true), true
	case keymap.Cancel:
		return f.leave(), true
	default:
		changed, ok := f.focused().perform(id)
		if !changed {
			return nil, ok
		}
		return f.check(false), ok
	}
	return nil, true
}

// leave gives up a check that takes long, else the form.
func (f *Form) leave() tea.Cmd {
	if f.submitted {
		f.submitted = false
		f.env.Jobs.Cancel(Owner)
		return nil
	}
	f.env.Emit(Leave{Lost: f.typed()})
	return nil
}

// next completes the path, or goes to the next field.
func (f *Form) next() (tea.Cmd, bool) {
	if d := f.focused(); d.name == argPath {
		if extended, choices := complete(d.text(), f.children); extended != "" || len(choices) > 1 && !d.offered {
			f.choices, d.offered = choices, extended == ""
			if extended != "" {
				d.replace(extended)
			}
			return f.check(false), true
		}
		d.offered = false
	}
	f.at = (f.at + 1) % len(f.fields)
	return nil, true
}

// Refused takes the answer of a command that the root ran in vain; what was typed stays.
func (f *Form) Refused(result memstore.Result) {
	f.page, f.writing = editing, false
	c, _ := f.command()
	f.seen = &outcome{command: c, result: result}
}

// Resume goes back to the fields after the root did not write.
func (f *Form) Resume() tea.Cmd {
	f.page, f.writing = editing, false
	return f.check(false)
}

// Changed is called when the file of the form changed in the store.
func (f *Form) Changed() tea.Cmd {
	switch {
	case f.writing:
		return nil
	case f.page == previewing:
		f.changed = true
		return nil
	case f.submitted:
		return f.check(true)
	}
	return f.check(false)
}
