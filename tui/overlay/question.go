package overlay

import (
	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Question asks for yes or no, or offers the copy menu; the default is always No.
type Question struct {
	*Text
	scope keymap.Scope
}

// NewQuestion asks with a body that names what will happen.
func NewQuestion(env *ui.Env, title, body string) *Question {
	return NewQuestionIn(env, title, body, keymap.Confirm)
}

// NewQuestionIn asks with the answers of a scope.
func NewQuestionIn(env *ui.Env, title, body string, scope keymap.Scope) *Question {
	return &Question{Text: NewText(env, "question", title, body, false), scope: scope}
}

// NewMenu offers the actions of a scope by their keys.
func NewMenu(env *ui.Env, title string, scope keymap.Scope) *Question {
	body := ""
	for _, a := range env.Keys.InScope(scope) {
		if body != "" {
			body += "\n"
		}
		body += ui.KeyLine(a, env.ASCII)
	}
	return &Question{Text: NewText(env, "menu", title, body, false), scope: scope}
}

// Scopes implements [ui.Overlay]: a question swallows every key that is not an answer. Motions
// scroll it: on a small screen a long path must not push out of sight what is asked.
func (q *Question) Scopes() []keymap.Scope { return []keymap.Scope{q.scope, keymap.Motion} }
