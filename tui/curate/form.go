package curate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// ruleSoon is how far ahead the form looks.
const ruleSoon = 7 * 24 * time.Hour

// ruleKind is what a rule made on the screen may go by.
type ruleKind struct {
	key, words, limit string   // limit is the one that it starts with
	thens             []string // what a rule of the kind may do, as the configuration has it
}

var (
	expires = []string{string(config.ExpireDelete), string(config.ExpireArchive), string(config.ExpireWarn)}
	refuses = []string{string(config.ModeRefuse), string(config.ModeWarn)}

	ruleKinds = []ruleKind{
		{"max_idle", "unused for", "60d", expires},
		{"ttl", "unchanged for", "60d", expires},
		{"max_age", "older than", "60d", expires},
		{"max_file_bytes", "larger than", "16KB", refuses},
		{"max_file_lines", "longer than", "200", refuses},
	}
)

// The fields of the form.
const (
	kindField = iota
	limitField
	filesField
	thenField
	fields
)

// ruleDraft is a rule that is being made.
type ruleDraft struct {
	kind, then   int
	limit, files string
}

// ruleForm is the box in which a rule is made. What it would do now and the lines that it adds follow each key; nothing is written
// before enter.
type ruleForm struct {
	env    *kit.Env
	screen *Screen
	ruleDraft
	field   int
	effect  ruleEffect
	pending bool // the effect is that of another draft
}

// ruleEffect is what a draft would do, and how it changes the configuration.
type ruleEffect struct {
	of     ruleDraft
	edit   configEdit
	effect policy.Effect
}

// ruleChanged is the intent to work out what the draft of a form would do.
type ruleChanged struct{ form *ruleForm }

// makeRule opens the form for a rule about the folder of what is under the cursor, no harsher than what is proposed for it.
func (s *Screen) makeRule() tea.Cmd {
	if s.edits.Blocked() || s.noConfig(s.config) {
		return nil
	}
	f := &ruleForm{env: s.env, screen: s, ruleDraft: ruleDraft{limit: ruleKinds[0].limit, files: "**", then: len(expires) - 1}}
	if dir := path.Dir(s.list.Path()); s.list.Path() != memstore.Root && strings.HasPrefix(dir, memstore.Root+"/") {
		if glob, ok := globOf(dir); ok {
			f.files = glob + "/**"
		}
	}
	if a, _ := s.list.Action(); slices.Contains(expires, string(a.Do)) {
		f.then = slices.Index(expires, string(a.Do))
	}
	s.shell.Open(kit.Box{Overlay: f, Answers: map[keymap.ID]func() tea.Cmd{
		keymap.Accept: f.write, keymap.Cancel: func() tea.Cmd { return nil },
	}})
	return f.look()
}

// look works out what the draft would do, beside the keys.
func (f *ruleForm) look() tea.Cmd {
	s, d := f.screen, f.ruleDraft
	f.pending = true
	in, backend, journal := policy.Input{Snapshot: s.edits.Loaded(), Now: s.env.Now()}, s.edits.Handlers.Backend(), s.edits.Lasting
	rules, place := s.edits.Rules, s.config
	return kit.Start(s.env.Jobs, kit.Job[ruleEffect]{
		Owner: ownerEffect, Label: "Checking the rule",
		Work: func(ctx context.Context, _ *kit.Progress) (ruleEffect, error) {
			e := ruleEffect{of: d, edit: propose(place, "the rule for "+text.Clean(d.files), func(data []byte) ([]byte, error) {
				return d.in(place, rules.Store, data)
			})}
			if e.edit.why != "" || in.Snapshot == nil {
				return e, nil
			}
			c, err := config.Parse(place.File, e.edit.after, place.Home)
			if err != nil {
				return e, err
			}
			if in.Facts, err = policy.FactsOf(ctx, journal); err != nil {
				return e, err
			}
			all := c.For(place.Dir).Rules // those of the store come last
			e.effect, err = policy.NewReader(backend).Effect(ctx, rules, all[len(all)-1], ruleSoon, in)
			return e, err
		},
		Done: func(e ruleEffect) tea.Cmd {
			if e.of == f.ruleDraft {
				f.effect, f.pending = e, false
			}
			return nil
		},
	})
}

// in is the configuration with the rule.
func (d ruleDraft) in(place ConfigPlace, store string, data []byte) ([]byte, error) {
	globs := strings.FieldsFunc(d.files, func(r rune) bool { return r == ',' })
	for i, g := range globs {
		globs[i] = strings.TrimSpace(g)
	}
	if len(globs) == 0 {
		return nil, said("Name files, as in notes/** or *.md")
	}
	k, limit, act := ruleKinds[d.kind], config.Text(d.limit), "mode"
	if n, err := strconv.ParseInt(d.limit, 10, 64); err == nil && k.key == "max_file_lines" {
		limit = config.Count(n)
	}
	if slices.Equal(k.thens, expires) {
		act = "expire"
	}
	keys := []config.KeyValue{{Key: k.key, Value: limit}, {Key: act, Value: config.Text(k.thens[d.then])}}
	if k.thens[d.then] == string(config.ExpireArchive) {
		keys = append(keys, config.KeyValue{Key: "archive_to", Value: config.Text("archive")})
	}
	return appendRule(place, store, data, globs, keys)
}

// write writes the rule whose lines are on the screen.
func (f *ruleForm) write() tea.Cmd {
	e := f.effect.edit
	_, first := e.added()
	e.said = fmt.Sprintf("Wrote the rule to %s:%d; %s due", e.name(), first, kit.CountGrouped(len(f.effect.effect.Due), "file")) +
		f.env.Keyed(". {global/undo} undoes")
	return f.screen.writeConfig(e, f.screen.configWritten)
}

// Title implements [kit.Overlay].
func (f *ruleForm) Title() string { return "New rule" }

// Scopes implements [kit.Overlay].
func (f *ruleForm) Scopes() []keymap.Scope { return []keymap.Scope{keymap.RuleMaker} }

// Handle implements [kit.Overlay]: enter answers only to a rule whose lines are on the screen.
func (f *ruleForm) Handle(id keymap.ID) bool {
	was := f.ruleDraft
	switch id {
	case keymap.Accept:
		return f.pending || f.effect.edit.why != ""
	case keymap.FieldNext, keymap.Down:
		f.field = (f.field + 1) % fields
	case keymap.FieldPrev, keymap.Up:
		f.field = (f.field + fields - 1) % fields
	case keymap.Right:
		f.step(1)
	case keymap.Left:
		f.step(-1)
	case keymap.DeleteBack:
		if typed := f.typed(); typed != nil {
			_, n := utf8.DecodeLastRuneInString(*typed)
			*typed = (*typed)[:len(*typed)-n]
		}
	case keymap.DeleteToStart:
		if typed := f.typed(); typed != nil {
			*typed = ""
		}
	default:
		return false
	}
	f.changed(was)
	return true
}

// typed is the text of the field; nil: it is a choice.
func (f *ruleForm) typed() *string {
	switch f.field {
	case limitField:
		return &f.limit
	case filesField:
		return &f.files
	}
	return nil
}

// step chooses the next of what the field offers, or the one before.
func (f *ruleForm) step(by int) {
	switch f.field {
	case kindField:
		was := ruleKinds[f.kind]
		f.kind = (f.kind + by + len(ruleKinds)) % len(ruleKinds)
		if k := ruleKinds[f.kind]; k.limit != was.limit {
			f.limit, f.then = k.limit, len(k.thens)-1
		}
	case thenField: // it ends at both ends: one key too many must not turn a warning into a deletion
		f.then = min(max(f.then+by, 0), len(ruleKinds[f.kind].thens)-1)
	}
}

// Type takes a key that is not bound here.
func (f *ruleForm) Type(msg tea.KeyPressMsg) {
	was, key := f.ruleDraft, text.Clean(msg.Text)
	if typed := f.typed(); typed != nil && len(*typed)+len(key) <= 200 {
		*typed += key
	}
	f.changed(was)
}

func (f *ruleForm) changed(was ruleDraft) {
	if f.ruleDraft != was {
		f.pending = true
		f.env.Emit(ruleChanged{f})
	}
}

// Size implements [kit.Overlay].
func (f *ruleForm) Size(maxW, maxH int) (w, h int) { return min(maxW, 66), min(maxH, 19) }

// Cursor implements [kit.Overlay].
func (f *ruleForm) Cursor() (kit.Point, bool) {
	x := formIndent
	if typed := f.typed(); typed != nil {
		x += min(text.Width(*typed), typedWidth)
	}
	return kit.Point{X: x, Y: f.field}, true
}

// formIndent is where the values of the form begin, typedWidth the room for what is typed.
const (
	formIndent = 8
	typedWidth = 28
)

// Footer implements [kit.Overlay].
func (f *ruleForm) Footer() string {
	return f.env.Keyed("{rule-maker/accept} writes it, {rule-maker/field-next} next field, {rule-maker/cancel} cancels")
}

// Rows implements [kit.Overlay].
func (f *ruleForm) Rows(w, h int) []string {
	st, k := f.env.Styles, ruleKinds[f.kind]
	var rows []string
	add := func(p theme.Paint, line string) {
		rows = append(rows, p.Apply(text.Pad(text.Truncate(text.Clean(line), w, st.Glyphs.Ellipsis), w)))
	}
	for i, one := range [fields][2]string{
		{"When", k.words}, {"Limit", text.TruncateLeft(f.limit, typedWidth, st.Glyphs.Ellipsis)},
		{"Files", text.TruncateLeft(text.Clean(f.files), typedWidth, st.Glyphs.Ellipsis)},
		{"Then", k.thens[f.then] + "  (of " + strings.Join(k.thens, ", ") + ")"},
	} {
		paint := st.Text
		if i == f.field {
			paint = st.Selected
		}
		add(paint, " "+text.Pad(one[0], formIndent-1)+one[1])
	}
	add(st.Text, "")
	switch e := f.effect.effect; {
	case f.pending:
		add(st.Dim, " Checking"+st.Glyphs.Ellipsis)
	case f.effect.edit.why != "":
		add(st.Error, " "+f.effect.edit.why)
	default:
		add(st.Text, fmt.Sprintf(" %s of %s match", kit.Number(e.Matches), kit.Count(e.Files, "file")))
		due := " Nothing is due now"
		if len(e.Due) > 0 {
			due = " Due now: " + kit.CountGrouped(len(e.Due), "file")
		}
		add(st.Bold, due+". Due within 7 days: "+kit.Number(e.Soon))
		for _, a := range e.Due[:min(3, len(e.Due))] {
			add(st.Dim, "   "+inStore(a.Path)+"  "+a.Reason)
		}
		add(st.Text, "")
		add(st.Dim, " "+f.effect.edit.intro())
		lines, _ := f.effect.edit.added()
		for _, line := range lines {
			add(st.Added, "   + "+line)
		}
	}
	return kit.FillRows(rows[:min(h, len(rows))], w, h)
}
