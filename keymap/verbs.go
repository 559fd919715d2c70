package keymap

import (
	"fmt"
	"strings"
)

// Verb is the first word of the action's help. On the screens a key has one verb, whatever it acts on.
func (a Action) Verb() string {
	verb, _, _ := strings.Cut(a.Help, " ")
	return strings.TrimRight(verb, ":,")
}

// Verbs are the verbs of the keys on the screens, with what each does.
var Verbs = []struct{ Verb, Does string }{
	{"approve", "agree: mark changes as read, apply proposals, redact or purge secrets"},
	{"browse", "show the file of the row in Browse"},
	{"clear", "empty the selection"},
	{"commit", "make a commit of the files you changed"},
	{"compare", "mark one thing, then show how another differs from it"},
	{"copy", "put text on the clipboard"},
	{"create", "make a new file, rule or replay"},
	{"decline", "keep a proposed file, dismiss a value that is not a secret"},
	{"delete", "move to the trash"},
	{"discard", "drop text you have not written"},
	{"down", "go down a row"},
	{"edit", "change a text, a proposal or a class by hand"},
	{"explain", "say what something is, and why it is there"},
	{"extend", "select from here to where the cursor goes"},
	{"filter", "narrow a list"},
	{"find", "go to a match in the text or the list"},
	{"first", "go to the first row"},
	{"flip", "go to the next or the previous file"},
	{"focus", "go to another pane"},
	{"follow", "stay with what is newest: the agent, the end of a file, the calls"},
	{"go", "go to a point in time, a line, a byte or a call"},
	{"help", "list the keys that work here"},
	{"hide", "leave rows out, or list them again"},
	{"ignore", "leave whitespace out of diffs"},
	{"insert", "add text to a file"},
	{"jump", "go to the next or the previous block: hunk, group, file, turn"},
	{"keep", "let a note live longer, shorter, or for good"},
	{"last", "go to the last row"},
	{"leave", "go one step out"},
	{"left", "fold, scroll, or go to the pane beside"},
	{"less", "fold all, fewer lines around a hunk, a lower speed"},
	{"list", "show everything you can do here"},
	{"load", "show what a session starts with"},
	{"mark", "list a change as unread again"},
	{"mend", "bring an index in step with its files"},
	{"more", "unfold all, more lines around a hunk, a higher speed"},
	{"move", "rename, or move to another folder or store"},
	{"open", "go one step in"},
	{"order", "sort a list another way"},
	{"pick", "choose an action by what it does"},
	{"pin", "keep proposals away from a file"},
	{"quit", "end memcurator"},
	{"raise", "set a higher limit for a file"},
	{"recall", "show what was said or typed before"},
	{"redact", "replace values in files"},
	{"redo", "do again what you undid"},
	{"redraw", "draw the screen again"},
	{"refresh", "scan, search or list again"},
	{"replace", "change a line of a file"},
	{"resolve", "open the remedy of an alert"},
	{"restore", "bring back an old version or a deleted file"},
	{"reveal", "show a masked value while the key is held"},
	{"revert", "undo one change, whoever made it; later edits stay"},
	{"review", "go to what needs you next: unread, undecided, different"},
	{"right", "unfold, scroll, or go to the pane beside"},
	{"run", "type an action or a memory command"},
	{"scroll", "move the text, not the cursor's row"},
	{"search", "search the names and the text of the store"},
	{"select", "add rows to the selection, or clear them"},
	{"show", "go to a screen"},
	{"split", "show a diff side by side"},
	{"step", "go to the older or the newer version"},
	{"suspend", "go to the shell; fg returns"},
	{"switch", "go to the next tab, theme or dialect"},
	{"trace", "go to the call in the transcript that made a change"},
	{"travel", "view the store as of a revision"},
	{"undo", "undo your last act"},
	{"up", "go up a row"},
	{"verify", "record that a file is true, until it changes"},
	{"wrap", "wrap long lines, or cut them"},
	{"zoom", "give a pane the whole screen"},
}

// Kind is the scope as printed. A scope open over the screen is a dialog, a menu or input, with keys of its own.
func (s Scope) Kind() string {
	switch s {
	case Copy, ActionMenu:
		return "menu"
	case Input, Form:
		return "input"
	}
	if !s.OnScreen() {
		return "dialog"
	}
	return string(s)
}

// Row is a line of the printed table: one key of an action. Its fields are a contract.
type Row struct {
	Scope  string `json:"scope"`
	Key    string `json:"key"` // ":name" if only the prompt runs it
	Action ID     `json:"action"`
	Verb   string `json:"verb"`
	Help   string `json:"help"`
}

// Rows returns the table, one row for each key, in the order of the help.
func (m *Map) Rows() []Row {
	var rows []Row
	for _, s := range Scopes() {
		for _, a := range m.InScope(s) {
			keys := a.Keys
			if len(keys) == 0 {
				keys = []string{":" + a.Name}
			}
			for _, k := range keys {
				rows = append(rows, Row{s.Kind(), k, a.ID, a.Verb(), a.Help})
			}
		}
	}
	return rows
}

// Text formats the table for people, by scope.
func (m *Map) Text() string {
	var b strings.Builder
	for _, s := range Scopes() {
		for i, a := range m.InScope(s) {
			if i == 0 {
				fmt.Fprintf(&b, "%s\n", s.Title())
			}
			keys := a.KeyText(true)
			if keys == "" {
				keys = ":" + a.Name
			}
			fmt.Fprintf(&b, "  %-22s %s\n", keys, a.Help)
		}
	}
	return b.String()
}

// VerbsMarkdown formats the table of verbs, with the keys that have each on the screens.
func (m *Map) VerbsMarkdown() string {
	keys := map[string][]string{}
	seen := map[string]bool{}
	for _, a := range m.actions {
		for _, k := range a.Keys {
			if v := a.Verb(); a.Scope.OnScreen() && !seen[v+" "+k] {
				seen[v+" "+k] = true
				keys[v] = append(keys[v], "`"+k+"`")
			}
		}
	}
	var b strings.Builder
	b.WriteString("| verb | keys | does |\n| --- | --- | --- |\n")
	for _, v := range Verbs {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", v.Verb, strings.Join(keys[v.Verb], " "), v.Does)
	}
	return b.String()
}
