package undo

import "fmt"

// NothingText says for people why a plan has no step.
func (p *Plan) NothingText() string {
	already := map[string]string{"undo": "undone", "revert": "reverted"}[p.Command]
	switch {
	case p.Command == "restore":
		return "Already at this version"
	case p.Command == "redo":
		return "Nothing to redo: these changes are in the store already"
	case len(p.Asked) == 0:
		return "Nothing to change"
	case len(p.Asked) > 1:
		return fmt.Sprintf("These %d changes are already %s", len(p.Asked), already)
	case len(p.Hunks) == 1:
		return "This hunk is already " + already
	case len(p.Hunks) > 1:
		return "These hunks are already " + already
	}
	return fmt.Sprintf("#%d is already %s", p.Asked[0], already)
}
