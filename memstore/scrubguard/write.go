package scrubguard

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
)

// rounds bounds how often a text is looked at again: what a placeholder uncovers is found in the next round.
const rounds = 4

// told is one value that is reported to the agent.
type told struct {
	class rule.Class
	line  int
}

// amend checks what a write adds, and masks or refuses it.
func (k *Keeper) amend(ctx context.Context, c memstore.Command, before, after []byte) (memstore.Amendment, error) {
	e := k.now()
	if e == nil || bytes.Equal(before, after) {
		return memstore.Amendment{}, nil
	}
	text := after
	var masked, warned []told
	for range rounds {
		if ctx.Err() != nil {
			return memstore.Amendment{}, ctx.Err()
		}
		found := added(e, &k.settings, c.Path, before, text)
		var edits []scrub.Finding
		for _, f := range found {
			class := e.Class(f.Class)
			one := told{class, 1 + bytes.Count(text[:f.Start], []byte{'\n'})}
			switch k.settings.of(class) {
			case Refuse:
				return memstore.Amendment{}, &refusal{Class: class.Name, Line: one.line}
			case Mask:
				edits = append(edits, f)
				masked = append(masked, one)
			case Warn:
				if !slices.Contains(warned, one) {
					warned = append(warned, one)
				}
			}
		}
		if len(edits) == 0 {
			break
		}
		text = k.mask(e, c.Path, text, edits)
	}
	a := memstore.Amendment{Note: note(masked, warned)}
	if len(masked) > 0 {
		a.Data = text
	}
	return a, nil
}

// mask replaces findings by placeholders.
func (k *Keeper) mask(e *scrub.Engine, path string, text []byte, found []scrub.Finding) []byte {
	edits := e.Edits(path, text, found)
	for _, ed := range edits {
		for _, f := range found {
			if ed.Start <= f.Start && f.End <= ed.End && ed.Class != "" {
				k.remember(e.Plain(path, text, f), ed.Text)
			}
		}
	}
	return redact.Apply(text, edits)
}

// added are the findings that a write adds and the user has not dismissed.
func added(e *scrub.Engine, s *Settings, path string, before, after []byte) []scrub.Finding {
	return slices.DeleteFunc(e.Added(path, before, after), func(f scrub.Finding) bool { return s.dismisses(e, path, after, f) })
}

// dismisses reports whether the user has dismissed a finding of a text.
func (s *Settings) dismisses(e *scrub.Engine, path string, text []byte, f scrub.Finding) bool {
	return s.Dismissed != nil && s.Dismissed(f.Class, e.Plain(path, text, f))
}

// note is the line for the agent: how many of which class, and where.
func note(masked, warned []told) string {
	var parts []string
	if n := len(masked); n > 0 {
		parts = append(parts, fmt.Sprintf("%s masked before writing: %s. Do not write %s again.",
			text.Count(n, "sensitive value was", "sensitive values were"), places(masked), pronoun(n)))
	}
	if n := len(warned); n > 0 {
		parts = append(parts, fmt.Sprintf("Warning: %s written: %s. Secrets and personal data do not belong in memory.",
			text.Count(n, "sensitive value was", "sensitive values were"), places(warned)))
	}
	return strings.Join(parts, " ")
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// placesMost bounds how many places one note names.
const placesMost = 8

func places(list []told) string {
	var parts []string
	for _, t := range list[:min(len(list), placesMost)] {
		parts = append(parts, fmt.Sprintf("%s (line %d)", t.class.Name, t.line))
	}
	if n := len(list) - placesMost; n > 0 {
		parts = append(parts, fmt.Sprintf("%d more", n))
	}
	return strings.Join(parts, ", ")
}

// refusal is why a write is refused: a sentence for the agent without its full stop, and without the value.
type refusal struct {
	Class  string
	Line   int  // from 1
	InName bool // it is in the path, which the sentence does not repeat
}

func (r *refusal) Error() string {
	if r.InName {
		return fmt.Sprintf("The path holds a sensitive value (%s). Nothing was done. Choose a name without it", r.Class)
	}
	return fmt.Sprintf("The text holds a sensitive value in line %d (%s). Nothing was written. Leave the value out", r.Line, r.Class)
}

// recall gives an old_str as it is in the file, where values in it were masked when they were written.
func (k *Keeper) recall(_ context.Context, c memstore.Command, text []byte) string {
	e := k.now()
	if e == nil {
		return c.OldStr
	}
	known := k.known(c.OldStr)
	clean, _ := e.Scrub(c.Path, []byte(c.OldStr), nil)
	both, _ := e.Scrub(c.Path, []byte(known), nil)
	for _, form := range []string{known, string(clean), string(both)} {
		if form != c.OldStr && bytes.Contains(text, []byte(form)) {
			return form
		}
	}
	return string(both) // the answer repeats it, and must not repeat a value
}

// known is a text with placeholders for the values that were masked, the longest first.
func (k *Keeper) known(text string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var values []string
	for v := range k.masked {
		if strings.Contains(text, v) {
			values = append(values, v)
		}
	}
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, v := range values {
		text = strings.ReplaceAll(text, v, k.masked[v])
	}
	return text
}

// names looks at the names that a command gives.
func (k *Keeper) names(_ context.Context, edit *memstore.Edit) (string, error) {
	e := k.now()
	path := edit.Command.Path
	switch {
	case e == nil:
		return "", nil
	case edit.Command.Name == memstore.CmdRename:
		path = edit.Command.NewPath
	case edit.Command.Name != memstore.CmdCreate:
		return "", nil
	}
	for _, f := range e.FindName(path) {
		class := e.Class(f.Class)
		if k.settings.dismisses(e, "", []byte(path), f) {
			continue
		}
		switch k.settings.of(class) {
		case Refuse, Mask:
			return "", &refusal{Class: class.Name, InName: true}
		case Warn:
			return fmt.Sprintf("Warning: the path holds a sensitive value (%s). Choose a name without it.", class.Name), nil
		}
	}
	return "", nil
}
