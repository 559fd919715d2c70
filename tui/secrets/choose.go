package secrets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/tui/overlay"
)

// chooseClass asks what values of one class are to be taken for.
func (r *Review) chooseClass(groups []*findings.Group) {
	if r.engine == nil || len(groups) == 0 {
		return
	}
	classes := r.engine.Classes()
	slices.SortFunc(classes, func(a, b rule.Class) int { return cmp.Compare(a.Name, b.Name) })
	now, at := r.box.Class(groups[0]), -1
	options := make([]overlay.Option, len(classes))
	for i, c := range classes {
		options[i] = overlay.Option{Name: c.Name, Text: c.Title + " (" + c.Severity.String() + ")"}
		if c.Name == now {
			at = i
		}
	}
	question := classQuestion(len(groups), now, r.box.Masked(groups[0]))
	r.Choose(question, options, at, func(row int) { r.box.SetClass(groups, classes[row].Name) })
}

// classQuestion asks what one value, or several of a class, are to be taken for.
func classQuestion(values int, class, masked string) string {
	return "take " + ofClass(values, class, masked) + " for"
}

func ofClass(values int, class, masked string) string {
	if values == 1 {
		return masked + " (" + class + ")"
	}
	return fmt.Sprintf("%d values of the class %s", values, class)
}

// chooseAction asks what is to take the place of values of one class.
func (r *Review) chooseAction(groups []*findings.Group) {
	if r.engine == nil || len(groups) == 0 {
		return
	}
	class := r.box.Class(groups[0])
	actions := append([]redact.Action{""}, redact.Actions()...)
	options := make([]overlay.Option, len(actions))
	for i, a := range actions {
		options[i] = overlay.Option{Name: string(a), Text: actionText(string(a))}
		if a == "" {
			options[i].Name = "as configured: " + string(r.Scrubbing.Treatment.Of(class))
		}
	}
	at := slices.Index(actions, r.box.Actions()[groups[0].ID])
	r.Choose(actionQuestion(len(groups), class, r.box.Masked(groups[0])), options, at, func(row int) { r.box.SetAction(groups, actions[row]) })
}

// actionQuestion asks what is to take the place of one value, or of several of a class.
func actionQuestion(values int, class, masked string) string {
	return "what takes the place of " + ofClass(values, class, masked)
}

// actionText describes what may take the place of a value, by the name that it has in the configuration.
func actionText(name string) string {
	switch name {
	case "tag":
		return "the name of its class"
	case "pseudonym":
		return "a name that the same value always gets"
	case "partial":
		return "of a card the last digits, of an address the host; of a secret nothing"
	case "line":
		return "the whole line goes, where the format allows it"
	case "ignore":
		return "nothing: the value is rejected and stays"
	}
	return "what the configuration says for its class"
}

// replacementText describes what takes the place of a value, in words.
func (r *Review) replacementText(g *findings.Group) string {
	if r.engine == nil {
		return ""
	}
	class, t := r.box.Class(g), r.Scrubbing.Treatment
	action := cmp.Or(r.box.Actions()[g.ID], t.Of(class))
	switch action {
	case redact.Line:
		return "the line goes"
	case redact.Ignore:
		return "it stays as it is: its class says so"
	}
	t.Default, t.Classes = action, nil
	return t.Placeholder(class, r.engine.Class(class).Personal, strings.TrimSpace(g.Value()))
}

// workShownAfter is how long a scan beside the user's work goes on without a word.
const workShownAfter = 150 * time.Millisecond

// workText reports what is being done about sensitive values, "" for nothing.
func (r *Review) workText() string {
	owner := ownerScrub
	if r.stop == nil {
		owner = ownerScan
	}
	job, ok := r.env.Jobs.Of(owner)
	if !ok || owner == ownerScan && job.Since < workShownAfter {
		return ""
	}
	if owner == ownerScan {
		return findingsWork("", job.Label, job.Done, job.Total)
	}
	step, _ := r.step.Load().(findings.Step)
	stops := r.env.Keyed("{findings/close} stops")
	if r.stopping {
		stops = "stopping"
	}
	return findingsWork(stops, scrubStep(string(step), job.Done, job.Total), job.Done, job.Total)
}

// workText reports what is being done and how far it is; total 0: no one knows. What stops it, "" for nothing, comes
// first: a narrow box cuts the rest.
func findingsWork(stops, label string, done, total int64) string {
	if total > 0 {
		label += fmt.Sprintf(" %d%%", done*100/total)
	}
	if stops != "" {
		return stops + ": " + label
	}
	return label
}

// scrubStep describes what of taking values out is under way.
func scrubStep(step string, done, total int64) string {
	switch step {
	case "state":
		return "cleaning the state folder"
	case "journal":
		return "rewriting the past"
	case "proof":
		return "looking for what is left"
	}
	if total > 0 && done >= total {
		return "files are done"
	}
	return "taking values out of files"
}
