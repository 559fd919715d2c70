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

// Question asks before something is done. Below its text stand the answers, which repeat the verb of the title. Enter cancels, except
// where something is typed first.
type Question struct {
	*Text
	scope   keymap.Scope
	title   string
	answers []answer

	word, typed string // what must be typed, and what is
	wrong       bool   // enter was pressed before the word was there
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
	q := &Question{Text: NewText(env, "question", title, body, false), scope: scope, title: title}
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
		Text: NewText(env, "question", title, body, false), scope: keymap.Input, title: title, word: word,
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

// Type adds a character to the word, or deletes the last one.
func (q *Question) Type(msg tea.KeyPressMsg) {
	q.wrong = false
	switch {
	case msg.String() == "backspace":
		_, n := utf8.DecodeLastRuneInString(q.typed)
		q.typed = q.typed[:len(q.typed)-n]
	case len(q.typed) < len(q.word):
		q.typed += text.Clean(msg.Text)
	}
}

// Handle implements [kit.Overlay]: enter waits for the word.
func (q *Question) Handle(id keymap.ID) bool {
	switch {
	case id == keymap.Accept:
		q.wrong = q.typed != q.word
		return q.wrong
	case q.scope == keymap.Input && id == keymap.HistoryOlder:
		id = keymap.Up
	case q.scope == keymap.Input && id == keymap.HistoryNewer:
		id = keymap.Down
	}
	return q.Text.Handle(id)
}

// span is where an answer is drawn.
type span struct {
	row, from, to int
	answer        answer
	key           string
}

// spans places the answers in rows of width cells.
func (q *Question) spans(width int) []span {
	var out []span
	first := margin(width)
	row, at := 0, first
	for _, a := range q.answers {
		if a.label == "" {
			continue
		}
		key := "[" + q.env.Keys.KeyFor(q.scope, a.id) + "]"
		for i, label := range broken(text.Clean(a.label), width-2*first-text.Width(key)-1) {
			if i > 0 {
				row, at, key = row+1, first, strings.Repeat(" ", text.Width(key))
			}
			cells := text.Width(key) + 1 + text.Width(label)
			if at > first && at+cells > width-first {
				row, at = row+1, first
			}
			out = append(out, span{row, at, min(width, at+cells), answer{a.id, label}, key})
			at += cells + 2
		}
	}
	return out
}

// broken is a label in lines of width cells, broken at blanks.
func broken(label string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(label) {
		if line != "" && text.Width(line)+1+text.Width(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// foot draws the word and the answers, where there is little room without blank rows.
func (q *Question) foot(width int, tight bool) []string {
	st := q.env.Styles
	var rows []string
	if !tight {
		rows = append(rows, text.Pad("", width))
	}
	if q.word != "" {
		line := strings.Repeat(" ", margin(width)) + textTypeWord(q.word) + q.typed
		rows = append(rows, st.Bold.Apply(text.Pad(text.Truncate(line, width, ""), width)))
		below := ""
		if q.wrong {
			below = strings.Repeat(" ", margin(width)) + textWrongWord(q.word, q.env.Keys.KeyFor(q.scope, keymap.Cancel))
		}
		if !tight || q.wrong {
			rows = append(rows, st.Warning.Apply(text.Pad(text.Truncate(below, width, st.Glyphs.Ellipsis), width)))
		}
	}
	row, at := "", 0
	end := func() { rows = append(rows, row+strings.Repeat(" ", max(0, width-at))) }
	for i, s := range q.spans(width) {
		if i > 0 && s.from == margin(width) {
			end()
			row, at = "", 0
		}
		row += strings.Repeat(" ", s.from-at)
		key := text.Truncate(s.key, s.to-s.from, "")
		row += st.KeyName.Apply(key)
		paint := theme.Paint{}
		if s.answer.id == keymap.Accept && q.typed != q.word {
			paint = st.Dim
		}
		room := s.to - s.from - text.Width(key)
		label := text.Pad(text.Truncate(" "+text.Clean(s.answer.label), room, st.Glyphs.Ellipsis), room)
		row, at = row+paint.Apply(label), s.to
	}
	end()
	return rows
}

// textTypeWord asks for a word.
func textTypeWord(word string) string { return "Type " + word + " to confirm: " }

// textWrongWord is said when enter comes before the word.
func textWrongWord(word, cancel string) string {
	return "Type the whole word: " + word + ". " + cancel + " cancels"
}

// Size implements [kit.Overlay].
func (q *Question) Size(maxW, maxH int) (int, int) {
	w, h := q.Text.Size(maxW, maxH)
	for _, s := range q.spans(maxW) {
		w = max(w, min(maxW, s.to+1))
	}
	if q.word != "" {
		wrong := textWrongWord(q.word, q.env.Keys.KeyFor(q.scope, keymap.Cancel))
		w = max(w, min(maxW, max(text.Width(textTypeWord(q.word))+len(q.word), text.Width(wrong))+3))
	}
	_, h = q.Text.Size(w, maxH)
	return w, min(maxH, h+len(q.foot(w, false)))
}

// Rows implements [kit.Overlay]. The answers are cut last.
func (q *Question) Rows(w, h int) []string {
	foot := q.foot(w, false)
	q.w, q.wordAt = w, 1
	if _, lines := q.Text.Size(w, h); q.word != "" && lines+len(foot) > h {
		foot, q.wordAt = q.foot(w, true), 0
	}
	q.wordAt += max(0, h-len(foot))
	if room := max(1, h-1); len(foot) > room { // a row of the text remains, to scroll in
		foot = foot[len(foot)-room:]
	}
	return append(q.Text.Rows(w, h-len(foot)), foot...)
}

// Footer implements [kit.Overlay]: it says when more text follows below.
func (q *Question) Footer() string {
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
