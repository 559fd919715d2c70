// Package prompt is the line at the bottom of the screen: ":" commands, the search
// and the filters are all typed here. [Line] edits, completes and remembers. The root decides what happens with a line.
package prompt

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
)

// Spec is what a line is typed for. Lead and Accept are needed, everything else is optional.
type Spec struct {
	Lead string // in front of the line; what was accepted behind the same lead can be recalled

	Accept   func(line string) (tea.Cmd, error) // the line is closed; an error is a sentence, and opens it again
	Cancel   func() tea.Cmd                     // the line is closed
	Changed  func(line string) (cmd tea.Cmd, problem string)
	Complete func(line string) []string // whole lines
	State    func() string              // behind the line
	Hint     func() string              // above the line while there is nothing else to say there
	Handle   func(id keymap.ID) bool    // keys of a list that the line narrows
}

// historyLength bounds the lines remembered for each lead.
const historyLength = 200

// maxLength bounds a typed or pasted line, in characters.
const maxLength = 64 << 10

// Line is a one-line editor. The zero value is closed; [Line.Open] starts it.
type Line struct {
	Spec
	input   textinput.Model
	open    bool
	history map[string][]string
	at      int    // place in the history, counted from the newest; -1: the line being typed
	typed   string // what was typed before the history was asked
	choices []string
	Problem string // why the line was not taken, until the next key
}

// Open starts a line with a first text.
func (l *Line) Open(s Spec, text string) {
	l.input = textinput.New()
	l.input.Prompt = ""
	l.input.SetVirtualCursor(false)
	l.input.CharLimit = maxLength
	l.input.SetValue(text)
	l.input.CursorEnd()
	l.input.Focus()
	l.Spec, l.open, l.at, l.choices, l.Problem = s, true, -1, nil, ""
}

// Active reports whether a line is being typed.
func (l *Line) Active() bool { return l.open }

// Value is the text so far.
func (l *Line) Value() string { return l.input.Value() }

// Choices are the completions offered at the last tab when there was more than one.
func (l *Line) Choices() []string { return l.choices }

// Close ends the line.
func (l *Line) Close() {
	l.open = false
}

// accept closes the line, which can be recalled, and takes it.
func (l *Line) accept() tea.Cmd {
	value, spec := l.Value(), l.Spec
	l.Close()
	if value != "" {
		if l.history == nil {
			l.history = map[string][]string{}
		}
		h := append(slices.DeleteFunc(l.history[spec.Lead], func(s string) bool { return s == value }), value)
		l.history[spec.Lead] = h[max(0, len(h)-historyLength):]
	}
	cmd, err := spec.Accept(value)
	if err != nil {
		l.Open(spec, value)
		l.Problem = err.Error()
	}
	return cmd
}

// Forget drops what was typed before.
func (l *Line) Forget() { l.history = nil }

// Type passes a key or a paste to the editor.
func (l *Line) Type(msg tea.Msg) {
	l.input, _ = l.input.Update(msg) // its commands only blink a virtual cursor, which is off
	l.choices, l.Problem, l.at = nil, "", -1
}

// Take passes a key, an action of the Input scope, or a paste to the line, and what is typed then to whom it is for.
func (l *Line) Take(msg tea.Msg, id keymap.ID) tea.Cmd {
	switch {
	case id != "" && l.Spec.Handle != nil && l.Spec.Handle(id):
		return nil
	case id == keymap.Accept:
		return l.accept()
	case id == keymap.Cancel:
		cancel := l.Cancel
		if l.Close(); cancel == nil {
			return nil
		}
		return cancel()
	case id == "":
		l.Type(msg)
	default:
		l.handle(id)
	}
	if l.Changed == nil {
		return nil
	}
	cmd, problem := l.Changed(l.Value())
	l.Problem = problem
	return cmd
}

// handle performs the actions of the Input scope that are about the line itself.
func (l *Line) handle(id keymap.ID) {
	switch id {
	case keymap.HistoryOlder:
		l.recall(1)
	case keymap.HistoryNewer:
		l.recall(-1)
	case keymap.Complete:
		if l.Complete != nil {
			l.complete(l.Complete(l.Value()))
		}
	}
}

func (l *Line) recall(by int) {
	h := l.history[l.Lead]
	at := max(-1, min(l.at+by, len(h)-1))
	if at == l.at {
		return
	}
	if l.at < 0 {
		l.typed = l.Value()
	}
	l.at = at
	if at < 0 {
		l.input.SetValue(l.typed)
	} else {
		l.input.SetValue(h[len(h)-1-at])
	}
	l.input.CursorEnd()
}

// complete extends the line as far as all candidates agree.
func (l *Line) complete(candidates []string) {
	l.choices = nil
	if len(candidates) == 0 {
		l.Problem = "Nothing to complete here"
		return
	}
	common := candidates[0]
	for _, c := range candidates[1:] {
		for !strings.HasPrefix(c, common) {
			common = common[:len(common)-1]
		}
	}
	common = strings.ToValidUTF8(common, "")
	if len(common) > len(l.Value()) {
		l.input.SetValue(common)
		l.input.CursorEnd()
	}
	if len(candidates) > 1 {
		l.choices = candidates
	}
}

// View draws the line in exactly width cells, made visible like any text, since a line
// may be pasted. at is where the cursor is in it.
func (l *Line) View(width int) (view string, at int) {
	value := []rune(l.Value())
	cursor := min(l.input.Position(), len(value))
	line := []byte(text.Clean(string(value[:cursor])))
	at = text.Width(string(line))
	line = append(line, text.Clean(string(value[cursor:]))...)
	from := max(0, at-width+1) // the cursor stays in sight
	var b strings.Builder
	for _, s := range text.Window(line, from, width, text.Options{}) {
		b.WriteString(s.Text)
	}
	return text.Pad(b.String(), width), min(at-from, width-1)
}

// CompletePath lists the lines that could follow one whose last word is an agent path. children lists the names in an agent folder, folders
// with a final slash.
func CompletePath(line string, children func(path string) []string) (out []string) {
	cut := strings.LastIndexByte(line, ' ') + 1
	head, word := line[:cut], line[cut:]
	if word != "/memories/" && strings.HasPrefix("/memories/", word) {
		return []string{head + "/memories/"}
	}
	if cut = strings.LastIndexByte(word, '/'); cut < 0 {
		return nil
	}
	for _, n := range children(word[:cut]) {
		// A name that the line can't hold unchanged would name another file.
		if strings.HasPrefix(n, word[cut+1:]) && !strings.ContainsAny(n, " \t\"'") && text.Clean(n) == n {
			out = append(out, head+word[:cut+1]+n)
		}
	}
	return out
}
