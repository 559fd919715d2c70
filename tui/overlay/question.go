package overlay

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// Question asks before something is done. Below its text stand the answers, which repeat the verb of the title. Enter is the first
// of them; what has no undo asks for a word first.
type Question struct {
	*Text
	scope   keymap.Scope
	answers []answer

	word, typed string // what must be typed, and what is
	refused     bool   // enter was pressed before it was, or a key that is no answer
	w, wordAt   int    // the width and the row of the word as they were drawn last
}

// answer is a key with what it does.
type answer struct {
	id    keymap.ID
	label string
}

// NewQuestion asks with a body that names the things, their size and the way back. The title is what yes does, with a question mark.
func NewQuestion(env *kit.Env, title, body string) *Question {
	return NewQuestionIn(env, title, body, keymap.Confirm)
}

// NewQuestionIn asks with the answers of a scope.
func NewQuestionIn(env *kit.Env, title, body string, scope keymap.Scope) *Question {
	q := &Question{Text: NewText(env, title, body, false), scope: scope}
	for _, a := range env.Keys.InScope(scope) {
		switch {
		case a.ID == keymap.No:
			q.answers = append(q.answers, answer{a.ID, textCancel})
		case a.ID == keymap.Yes && scope == keymap.Confirm:
			q.answers = append(q.answers, answer{a.ID, strings.TrimSuffix(title, "?")})
		case a.Hint != "":
			q.answers = append(q.answers, answer{a.ID, capital(a.Hint)})
		}
	}
	return q
}

const textCancel = "Cancel"

// NewTypedQuestion asks for a word that must be typed before enter does the act. Without a word enter acts immediately: it follows
// something that was typed.
func NewTypedQuestion(env *kit.Env, title, body, word, act string) *Question {
	return &Question{
		Text: NewText(env, title, body, false), scope: keymap.Input, word: word,
		answers: []answer{{keymap.Accept, act}, {keymap.Cancel, textCancel}},
	}
}

// Label says what an answer does, in place of what the key table calls it. An answer without a label is not shown.
func (q *Question) Label(id keymap.ID, label string) *Question {
	for i, a := range q.answers {
		if a.id == id {
			q.answers[i].label = label
		}
	}
	return q
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[n:]
}

// Scopes implements [kit.Overlay]: a question swallows every key that is not an answer. Motions
// scroll it: on a small screen a long path must not push out of sight what is asked.
func (q *Question) Scopes() []keymap.Scope {
	if q.scope == keymap.Input {
		return []keymap.Scope{keymap.Input}
	}
	return []keymap.Scope{q.scope, keymap.Motion}
}

// Type adds a character to the word, or deletes the last one, or all of it.
func (q *Question) Type(msg tea.KeyPressMsg) {
	switch {
	case q.word == "":
		q.refused = true
	case msg.String() == "backspace":
		_, n := utf8.DecodeLastRuneInString(q.typed)
		q.typed = q.typed[:len(q.typed)-n]
	case msg.String() == "ctrl+u":
		q.typed = ""
	case len(q.typed) < len(q.word):
		q.typed += text.Clean(msg.Text)
	}
}

// Handle implements [kit.Overlay]: enter waits for the word.
func (q *Question) Handle(id keymap.ID) bool {
	switch {
	case id == keymap.Accept:
		q.refused = q.typed != q.word
		return q.refused
	case q.scope == keymap.Input && id == keymap.HistoryOlder:
		id = keymap.Up
	case q.scope == keymap.Input && id == keymap.HistoryNewer:
		id = keymap.Down
	}
	return q.Text.Handle(id)
}

// foot draws the word and the answers, one below the other, below a blank row.
func (q *Question) foot(width int) []string {
	st, blank := q.env.Styles, strings.Repeat(" ", margin(width))
	rows := []string{text.Pad("", width)}
	if q.word != "" {
		rows = append(rows, st.Bold.Apply(text.Pad(text.Truncate(blank+textTypeWord(q.word)+q.typed, width, ""), width)))
	}
	for _, a := range q.answers {
		if a.label == "" {
			continue
		}
		paint := theme.Paint{}
		if a.id == keymap.Accept && q.typed != q.word {
			paint = st.Dim
		}
		key := q.keyed(a)
		room := max(0, width-len(blank)-text.Width(key))
		for i, line := range q.env.Wrapped(a.label, room-len(blank)) {
			if i > 0 {
				key = strings.Repeat(" ", text.Width(key))
			}
			rows = append(rows, blank+st.KeyName.Apply(key)+paint.Apply(text.Pad(text.Truncate(line, room, ""), room)))
		}
	}
	return rows
}

// keyed is the keys of an answer as they stand before its label.
func (q *Question) keyed(a answer) string {
	keys := ""
	for _, row := range q.env.Keys.InScope(q.scope) {
		if row.ID == a.id {
			keys = row.KeyText(q.env.ASCII)
		}
	}
	return "[" + keys + "] "
}

// textTypeWord asks for a word.
func textTypeWord(word string) string { return "Type " + word + " to confirm: " }

// Size implements [kit.Overlay].
func (q *Question) Size(maxW, maxH int) (int, int) {
	w, _ := q.Text.Size(maxW, maxH)
	for _, a := range q.answers {
		w = max(w, min(maxW, text.Width(q.keyed(a)+text.Clean(a.label))+2*margin(maxW)))
	}
	if q.word != "" {
		w = max(w, min(maxW, text.Width(textTypeWord(q.word))+len(q.word)+2*margin(maxW)))
	}
	_, h := q.Text.Size(w, maxH)
	return w, min(maxH, h+len(q.foot(w)))
}

// Rows implements [kit.Overlay]. The blank row goes first where there is little room, and the answers last.
func (q *Question) Rows(w, h int) []string {
	foot := q.foot(w)
	q.w, q.wordAt = w, h-len(foot)+1
	if _, lines := q.Text.Size(w, h); lines+len(foot) > h {
		foot = foot[1:]
	}
	if room := max(1, h-1); len(foot) > room { // a row of the text remains, to scroll in
		foot = foot[len(foot)-room:]
	}
	return append(q.Text.Rows(w, h-len(foot)), foot...)
}

// Footer implements [kit.Overlay]: it says what enter waits for, or when more text follows below.
func (q *Question) Footer() string {
	switch {
	case q.refused && q.word == "":
		return "Only the keys above answer"
	case q.refused:
		return "Type " + q.word + " first"
	}
	if more := len(q.rows) - q.top - q.h; more > 0 {
		return kit.Count(more, "more line") + ", down scrolls"
	}
	return q.Text.Footer()
}

// Cursor implements [kit.Overlay]: it is behind what is typed.
func (q *Question) Cursor() (kit.Point, bool) {
	if q.word == "" {
		return kit.Point{}, false
	}
	return kit.Point{X: min(q.w-1, margin(q.w)+text.Width(textTypeWord(q.word))+text.Width(q.typed)), Y: q.wordAt}, true
}
