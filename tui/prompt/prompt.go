// Package prompt is the line at the bottom of the screen: ":" commands, the search
// and the filters are all typed here. [ParseCommand] reads the memory commands among them; [Line] edits, completes
// and remembers. The root decides what happens with a line.
package prompt

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/search/fuzzy"
	"memcurator/render/text"
)

// Purpose is what a line is typed for.
type Purpose uint8

// The purposes. Search, Filter and Choice take effect while they are typed.
const (
	Command Purpose = iota
	Search
	Filter
	StoreSearch
	Choice // of a row in the list on top
	Passphrase
	Identity // the path of an identity file
)

// historyLength bounds the lines remembered for each purpose.
const historyLength = 200

// maxLength bounds a typed or pasted line, in characters.
const maxLength = 64 << 10

// Line is a one-line editor. The zero value is closed; [Line.Open] starts it.
type Line struct {
	input   textinput.Model
	purpose Purpose
	open    bool
	history map[Purpose][]string
	at      int    // place in the history, counted from the newest; -1: the line being typed
	typed   string // what was typed before the history was asked
	choices []string
	Problem string // why the line was not taken, until the next key
}

// Open starts a line with a first text.
func (l *Line) Open(p Purpose, text string) {
	l.input = textinput.New()
	l.input.Prompt = ""
	l.input.SetVirtualCursor(false)
	l.input.CharLimit = maxLength
	l.input.SetValue(text)
	l.input.CursorEnd()
	l.input.Focus()
	l.purpose, l.open, l.at, l.choices, l.Problem = p, true, -1, nil, ""
}

// Active reports whether a line is being typed.
func (l *Line) Active() bool { return l.open }

// Purpose is what the prompt asks for.
func (l *Line) Purpose() Purpose { return l.purpose }

// Value is the text so far.
func (l *Line) Value() string { return l.input.Value() }

// Choices are the completions offered at the last tab when there was more than one.
func (l *Line) Choices() []string { return l.choices }

// Close ends the line; keep puts it into the history.
func (l *Line) Close(keep bool) {
	l.open = false
	value := l.Value()
	if l.purpose == Passphrase {
		l.input.Reset()
	}
	if !keep || value == "" || l.purpose == Passphrase {
		return
	}
	if l.history == nil {
		l.history = map[Purpose][]string{}
	}
	h := slices.DeleteFunc(l.history[l.purpose], func(s string) bool { return s == value })
	h = append(h, value)
	l.history[l.purpose] = h[max(0, len(h)-historyLength):]
}

// Forget drops what was typed before.
func (l *Line) Forget() { l.history = nil }

// Type passes a key or a paste to the editor.
func (l *Line) Type(msg tea.Msg) {
	if paste, ok := msg.(tea.PasteMsg); ok && l.purpose == Command && !strings.HasPrefix(strings.TrimSpace(l.Value()+paste.Content), "{") {
		// In a quoted text a line break is part of the text; in JSON it is only layout.
		content := strings.ReplaceAll(strings.TrimRight(paste.Content, "\r\n"), "\r\n", "\n")
		paste.Content = strings.ReplaceAll(content, "\n", `\n`)
		msg = paste
	}
	l.input, _ = l.input.Update(msg) // its commands only blink a virtual cursor, which is off
	l.choices, l.Problem, l.at = nil, "", -1
}

// Handle performs the actions of the Input scope that are about the line itself.
func (l *Line) Handle(id keymap.ID, complete func(line string) []string) bool {
	switch id {
	case keymap.HistoryOlder:
		l.recall(1)
	case keymap.HistoryNewer:
		l.recall(-1)
	case keymap.Complete:
		if l.purpose == Command || l.purpose == Filter || l.purpose == Identity {
			l.complete(complete(l.Value()))
		}
	default:
		return false
	}
	return true
}

func (l *Line) recall(by int) {
	h := l.history[l.purpose]
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
	if l.purpose == Passphrase {
		value = []rune(strings.Repeat("*", len(value)))
	}
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

// Complete lists the lines that could follow one: names of actions and commands for the first word, agent paths for the rest. takes
// reports whether an action takes an argument; children lists the names in an agent folder, folders with a final slash.
func Complete(line string, keys *keymap.Map, takes func(name string) bool, children func(path string) []string) []string {
	head, word := "", line
	if cut := strings.LastIndexByte(line, ' '); cut >= 0 {
		head, word = line[:cut+1], line[cut+1:]
	}
	var out []string
	if head == "" {
		begun := slices.DeleteFunc(append(keys.Names(), commands...), func(n string) bool { return !strings.HasPrefix(n, word) })
		if len(begun) == 0 {
			begun = alike(word, keys)
		}
		for _, n := range begun {
			if slices.Contains(commands, n) || takes(n) {
				n += " "
			}
			out = append(out, n)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if word != "/memories/" && strings.HasPrefix("/memories/", word) {
		return []string{head + "/memories/"}
	}
	cut := strings.LastIndexByte(word, '/')
	if cut < 0 {
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

// alike lists the names that a word may mean: by their letters, or by what they do.
func alike(word string, keys *keymap.Map) (out []string) {
	if len(word) < 2 {
		return nil
	}
	named := slices.DeleteFunc(slices.Clone(keys.Actions()), func(a keymap.Action) bool { return a.Name == "" })
	for _, i := range fuzzy.Parse(word).Best(len(named), func(i int) fuzzy.Entry {
		return fuzzy.Entry{Names: []string{named[i].Name}, Text: named[i].Help}
	}) {
		out = append(out, named[i].Name)
	}
	return out
}
