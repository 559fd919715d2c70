package kit

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
)

// RowSearch is "/" in a list: it finds the rows that contain every word, ignoring case. The cursor moves on enter, not while the user
// types. Make it with [NewRowSearch].
type RowSearch struct {
	// Elsewhere says where else to look if no row matches, with keys as in [Env.Keyed]; may be empty.
	Elsewhere string

	env  *Env
	list *List
	text func(row int) string
	show func(row int) tea.Cmd

	query   string
	counted counted
}

// counted is the result for the present list and cursor.
type counted struct {
	rows, cursor int
	all, at      int // number of matches, and which one is under the cursor, from 1; 0: none
}

// NewRowSearch makes an empty search; text returns the text of a row, and show moves the cursor to a row.
func NewRowSearch(env *Env, list *List, text func(row int) string, show func(row int) tea.Cmd) *RowSearch {
	return &RowSearch{env: env, list: list, text: text, show: show}
}

// Query implements [Searcher].
func (s *RowSearch) Query() string { return s.query }

// SetQuery implements [Searcher].
func (s *RowSearch) SetQuery(query string) tea.Cmd {
	s.query = query
	s.count()
	return nil
}

// Jump implements [Searcher]. A search without matches ends, so that the next esc need not clear it.
func (s *RowSearch) Jump() tea.Cmd {
	if s.count(); s.query != "" && s.counted.all == 0 {
		s.env.Emit(Say{Level: Warn, Text: s.noneText()})
		return s.SetQuery("")
	}
	if at, ok := s.list.At(); s.query == "" || ok && s.fits(at) {
		return nil
	}
	return s.step(1)
}

// SearchState implements [Searcher].
func (s *RowSearch) SearchState() string {
	if s.query == "" {
		return ""
	}
	if at, _ := s.list.At(); s.counted.rows != s.list.count || s.counted.cursor != at {
		s.count()
	}
	if s.counted.at > 0 {
		return MatchPlaceText(text.Clean(s.query), s.counted.at, s.counted.all, false)
	}
	return MatchText(text.Clean(s.query), s.counted.all, false)
}

// Bindings are n and N.
func (s *RowSearch) Bindings() []Action {
	why := func() Say {
		if s.query == "" {
			return Say{Level: Warn, Text: s.env.Keyed(TextNoSearch)}
		}
		return Say{}
	}
	return []Action{
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return s.step(1) }, Why: why},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return s.step(-1) }, Why: why},
	}
}

// step goes to the next match, wrapping around at the end.
func (s *RowSearch) step(by int) tea.Cmd {
	from, _ := s.list.At()
	for i := 1; i <= s.list.count; i++ {
		to := ((from+i*by)%s.list.count + s.list.count) % s.list.count
		if !s.fits(to) {
			continue
		}
		if (to-from)*by <= 0 {
			s.env.Emit(Say{Text: WrappedText(by < 0)})
		}
		return s.show(to)
	}
	s.env.Emit(Say{Level: Warn, Text: s.noneText()})
	return nil
}

func (s *RowSearch) fits(row int) bool { return holdsWords(s.text(row), s.query) }

func (s *RowSearch) count() {
	at, _ := s.list.At()
	s.counted = counted{rows: s.list.count, cursor: at}
	if s.query == "" {
		return
	}
	words := strings.Fields(strings.ToLower(s.query))
	for i := range s.list.count {
		if HoldsAll(s.text(i), words) {
			if s.counted.all++; i == at {
				s.counted.at = s.counted.all
			}
		}
	}
}

// nearestMost limits the rows whose words are compared with a word that was not found.
const nearestMost = 2000

// noneText says that no row matches, and suggests a similar word from the rows.
func (s *RowSearch) noneText() string {
	said := fmt.Sprintf("No match for %q", text.Clean(s.query))
	var words []string
	for i := range min(s.list.count, nearestMost) {
		words = append(words, strings.FieldsFunc(text.Clean(s.text(i)), func(r rune) bool { return strings.ContainsRune(" /.,:\n", r) })...)
	}
	if near := text.Nearest(s.query, words); near != "" {
		return said + ". Closest: " + near
	}
	if s.Elsewhere != "" {
		said += ". " + s.env.Keyed(s.Elsewhere)
	}
	return said
}

var _ Searcher = (*RowSearch)(nil)
