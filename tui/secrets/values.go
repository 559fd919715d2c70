package secrets

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// row is a value, or with a place above 0 one of its places.
type row struct {
	secret *findings.Secret
	place  int // from 1; 0: the value itself
}

// at is the place of a row, of a value the first one.
func (r row) at() findings.Place { return r.secret.Places[max(1, r.place)-1] }

// newList makes the list of the values, with the places of each below it.
func (s *Screen) newList() *kit.Table[row] {
	return kit.NewTable(s.env, kit.Spec[row]{
		Title:      "secrets",
		Scope:      keymap.Secrets,
		Key:        func(r row) string { return fmt.Sprint(r.secret.ID, " ", r.place) },
		Words:      s.words,
		Below:      placesOf,
		Folded:     func(row) bool { return true },
		Selectable: func(r row) bool { return r.place == 0 && r.secret.Dismissal == nil },
		Hidden:     func(r row) bool { return r.place == 0 && r.secret.Dismissal != nil },
		HiddenText: func(n int) string { return fmt.Sprintf("%d dismissed  ({list/show-hidden} shows them)", n) },
		Todo:       s.undecided,
		NoTodo:     "No value in a file is undecided. {secrets/redact} also purges those in older versions",
		Terms: []kit.Term[row]{
			{Key: "is", Values: []string{"open", "selected", "dismissed", "past"}, Fits: s.is},
		},
		Columns: []kit.Column[row]{
			{Width: len("critical"), From: 60, Text: func(r row) string { return r.secret.Severity.String() }},
			{Most: 30, Text: func(r row) string { return s.classTitle(r.secret) }},
			{Most: 22, From: 60, Text: func(r row) string { return s.masked(r.secret) }, Over: s.revealed},
			{Most: 30, From: 130, Text: func(r row) string { return s.env.Styles.Glyphs.Arrow + " " + redact.Placeholder(r.secret.Class) }},
			{Text: placesText, Fit: func(r row, cells int) string {
				if whole := placesText(r); text.Width(whole) <= cells || r.secret.Dismissal != nil {
					return text.Truncate(whole, cells, s.env.Styles.Glyphs.Ellipsis)
				}
				past := pastText(r)
				return past + text.FitPath(placeName(r.at()), cells-len(past), s.env.Styles.Glyphs.Ellipsis)
			}},
		},
		Whole: whole,
		Paint: paint,
		Above: s.unreadText,
		Empty: s.emptyText,
		Path:  func(r row) string { return r.at().Path },
		Line:  func(r row) string { return r.at().Before + r.secret.Masked() + r.at().After },
		Open:  func(row) tea.Cmd { return s.open() },
		Moved: s.turned,
	})
}

// placesOf are the rows below a value.
func placesOf(r row) (list []row) {
	if r.place > 0 {
		return nil
	}
	for n := range r.secret.Places {
		list = append(list, row{r.secret, n + 1})
	}
	return list
}

// setSurvey takes the outcome of a scan; nil: what is known is forgotten.
func (s *Screen) setSurvey(survey *findings.Survey) {
	s.survey = survey
	var rows []row
	if survey != nil {
		for _, secret := range survey.Secrets {
			rows = append(rows, row{secret: secret})
		}
	}
	s.list.Set(rows)
	s.Masks.set(survey)
}

// words are those of a value: its class, severity, paths, and what its mask leaves.
func (s *Screen) words(r row) string {
	secret := r.secret
	words := []string{secret.Class, s.classTitle(secret), secret.Severity.String(), secret.Masked()}
	for i := range secret.Places {
		words = append(words, secret.Places[i].Path)
	}
	return strings.ToLower(strings.Join(slices.Compact(words), "\n"))
}

// is reports whether a value is in a state that the filter can name.
func (s *Screen) is(r row, state string) bool {
	value := row{secret: r.secret}
	switch state {
	case "open":
		return s.undecided(value)
	case "selected":
		return s.list.Selected(value)
	case "dismissed":
		return r.secret.Dismissal != nil
	}
	return r.secret.Live == 0
}

// undecided reports whether a value waits for the user.
func (s *Screen) undecided(r row) bool {
	return r.place == 0 && waits(r.secret) && !s.list.Selected(r)
}

// waits reports whether a value is in a file and not dismissed. One that only older versions have was redacted.
func waits(secret *findings.Secret) bool { return secret.Live > 0 && secret.Dismissal == nil }

// turned is called when another row is under the cursor, or other values are selected.
func (s *Screen) turned() tea.Cmd {
	s.preview.version++
	return s.showPlace()
}

func groupsOf(rows []row) (list []*findings.Secret) {
	for _, r := range rows {
		list = append(list, r.secret)
	}
	return list
}

// chosen are the selected values; without a selection the one under the cursor.
func (s *Screen) chosen() []*findings.Secret { return groupsOf(s.list.Chosen()) }

// classTitle is the class of a value as people call it.
func (s *Screen) classTitle(secret *findings.Secret) string {
	if s.engine == nil {
		return secret.Class
	}
	return text.Clean(s.engine.Class(secret.Class).Title)
}

// masked is a value with dots, in ASCII where the terminal has only that.
func (s *Screen) masked(secret *findings.Secret) string { return s.dotted(text.Clean(secret.Masked())) }

func (s *Screen) dotted(masked string) string {
	if s.env.ASCII {
		masked = strings.ReplaceAll(masked, "•", "*")
	}
	return masked
}

// called is what a question calls some values. Selected ones may be out of sight.
func (s *Screen) called(secrets []*findings.Secret) string {
	switch {
	case len(s.list.Selection()) > 0:
		return kit.CountGrouped(len(secrets), "selected value")
	case len(secrets) == 1:
		return s.masked(secrets[0])
	}
	return kit.CountGrouped(len(secrets), "value")
}

// names lists values, up to eight of them.
func (s *Screen) names(secrets []*findings.Secret) string {
	const named = 8
	var lines []string
	for _, secret := range secrets[:min(len(secrets), named)] {
		lines = append(lines, s.masked(secret)+" ("+s.classTitle(secret)+")")
	}
	if n := len(secrets) - named; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}

// whole is the text of a row without columns, which is one of a place.
func whole(r row) string {
	if r.place > 0 {
		return r.line()
	}
	return ""
}

// revealed is the value under the cursor while it is revealed.
func (s *Screen) revealed(r row) string {
	if now, _ := s.list.Current(); s.Masks.revealed && now.secret == r.secret {
		return r.secret.Value()
	}
	return ""
}

// placesText is where a value is, which tells values with the same mask apart, and how often; or since when it does not count.
func placesText(r row) string {
	switch secret := r.secret; {
	case secret.Dismissal != nil:
		return "dismissed " + secret.Dismissal.At.Local().Format("2 Jan 2006")
	}
	out, live, past := pastText(r)+placeName(r.at()), r.secret.Live, len(r.secret.Places)-r.secret.Live
	switch {
	case live+past == 1:
		return out
	case live == 1: // which is named
		return out + ", " + kit.Number(past) + " in older versions"
	}
	return out + ", " + countText(live, past)
}

// pastText marks a value that only older versions have.
func pastText(r row) string {
	if r.secret.Live == 0 && r.secret.Dismissal == nil {
		return "was in "
	}
	return ""
}

// countText counts the rows of places: those in files as they are now, and those that only older versions have.
func countText(live, past int) string {
	var parts []string
	if live > 0 || past == 0 {
		parts = append(parts, kit.CountGrouped(live, "place"))
	}
	if past > 0 {
		parts = append(parts, kit.Number(past)+" in older versions")
	}
	return strings.Join(parts, ", ")
}

// line is the row of a place.
func (r row) line() string {
	p := r.at()
	line := placeName(p)
	switch {
	case p.Past && p.Rev > 0:
		line += fmt.Sprintf("  in older versions since #%d", p.Rev)
	case p.Past:
		line += "  in older versions from before the first revision"
	}
	if p.Why != "" {
		line += "  " + text.Clean(p.Why)
	}
	return line
}

// relative is an agent path below the root of the store.
func relative(path string) string { return text.Clean(strings.TrimPrefix(path, memstore.Root+"/")) }

// placeName is where a place is: path and line, or that it is in the name.
func placeName(p findings.Place) string {
	if p.InName {
		return relative(p.Path) + " (in the name)"
	}
	return fmt.Sprintf("%s:%d", relative(p.Path), p.Line)
}

func paint(r row, st *theme.Styles) theme.Paint {
	switch secret := r.secret; {
	case r.place > 0:
		return st.Dim
	case secret.Dismissal != nil:
		return st.Hidden
	case secret.Severity >= rule.Critical:
		return st.Error
	case secret.Severity >= rule.High:
		return st.Warning
	}
	return st.Text
}

// emptyText explains why no values are listed.
func (s *Screen) emptyText() string {
	v := s.survey
	switch {
	case s.o.Scrubbing == nil:
		return "No rules are loaded, so this store is not scanned"
	case s.Watched == watch.Unavailable:
		return "The folder is unavailable, so its files are not scanned"
	case v == nil && s.env.Jobs.Running(ownerScan):
		return "Scanning files and older versions"
	case v == nil:
		return s.env.Keyed("Not scanned yet. {global/refresh} scans files and older versions")
	case len(v.Unread()) > 0:
		return "No secrets in what could be read"
	case v.Contents > 0:
		return "No secrets in " + kit.CountGrouped(v.Files, "file") + " and " + kit.CountGrouped(v.Contents, "older version")
	}
	return "No secrets in " + kit.CountGrouped(v.Files, "file")
}

// unreadText is what the last scan could not read; "": it has read everything.
func (s *Screen) unreadText() string {
	if s.survey == nil || len(s.survey.Unread()) == 0 {
		return ""
	}
	list := s.survey.Unread()
	out := fmt.Sprintf("Not read: %s (%s)", text.Clean(unreadName(list[0])), list[0].Why.Sentence())
	if more := len(list) - 1; more > 0 {
		out += fmt.Sprintf(", %s more", kit.Number(more))
	}
	return out
}
