package secrets

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/past"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// preview is what a redaction does to the file of a place, as a diff in which no value can be read.
type preview struct {
	*diffpane.Pane
	inSight bool
	version int // counts what changes it
}

const textNoPreview = "No value to preview"

func newPreview(env *kit.Env) *preview {
	p := &preview{Pane: diffpane.New(env, ownerPreview)}
	p.Clear(textNoPreview)
	return p
}

// Title implements [kit.Tab].
func (p *preview) Title() string { return "redaction preview" }

// Scopes implements [kit.Pane]: the keys of the values work here too.
func (p *preview) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.Diff, keymap.Secrets, keymap.Text}
}

// showPlace shows the redaction of the chosen values in the file of the place under the cursor. Dots replace the values on the side before,
// and on both for those that stay: a diff stays on the screen.
func (s *Screen) showPlace() tea.Cmd {
	r, ok := s.list.Current()
	if !ok {
		s.preview.Clear(textNoPreview)
		return nil
	}
	if s.engine == nil || !s.preview.inSight || !s.shell.Shows(keymap.ScreenSecrets) {
		return nil
	}
	at := r.at()
	here := func(secret *findings.Secret) bool {
		return slices.ContainsFunc(secret.Places, func(p findings.Place) bool { return p.Path == at.Path })
	}
	secrets := slices.DeleteFunc(s.chosen(), func(secret *findings.Secret) bool { return !here(secret) })
	hidden := slices.DeleteFunc(slices.Clone(s.survey.Secrets), func(secret *findings.Secret) bool {
		return secret != r.secret && !here(secret)
	})
	title := "Redacts " + kit.CountGrouped(len(secrets), "value")
	if len(secrets) == 0 {
		secrets, title = []*findings.Secret{r.secret}, "Not selected: would be redacted"
	}
	if at.Past {
		title += ", in an older version"
	}
	worker := s.scrubber()
	hider := s.scrubber() // of every value of the file, whatever is selected or configured
	read, mask := s.reader(at), s.dotted("••••")
	return s.preview.Show(diffpane.Comparison{
		Key: fmt.Sprintf("%d %s %x %d", s.preview.version, at.Path, at.Content, at.Start), Title: title, Path: at.Path,
		Line: at.Line, Read: func(context.Context) diffpane.Sides {
			data, why := read()
			if why != "" {
				return diffpane.Sides{Why: why}
			}
			hider.Accept(hidden)
			worker.Accept(secrets)
			clean, _ := worker.Clean(at.Path, data)
			return diffpane.Sides{Before: hider.Masked(at.Path, data, mask), After: hider.Masked(at.Path, clean, mask)}
		},
	})
}

// reader reads the content that holds a place.
func (s *Screen) reader(at findings.Place) func() ([]byte, string) {
	switch {
	case at.InName:
		return func() ([]byte, string) { return nil, "The value is in the name. A redaction renames the file" }
	case at.Past:
		return func() ([]byte, string) {
			data, err := s.Journal.Bytes(context.Background(), past.Side{Exists: true, Digest: at.Content})
			if err != nil {
				return nil, "Can't read this version: " + act.Reason(err)
			}
			return data, ""
		}
	}
	return func() ([]byte, string) { return act.Read(s.Handlers, at.Path, act.ReadLimit) }
}
