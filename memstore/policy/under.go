package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// need is what a store is over its caps.
type need struct{ files, bytes, tokens int64 }

func (n need) met() bool { return n.files <= 0 && n.bytes <= 0 && n.tokens <= 0 }

func (n need) without(c *candidate) need {
	return need{n.files - 1, n.bytes - c.node.Size, n.tokens - c.file.Tokens}
}

// underCaps proposes what brings the store under its caps once the other actions are carried out.
func (w *planning) underCaps() {
	over := w.over()
	if over.met() {
		return
	}
	chosen, left := oldest(w.removable(), over)
	key, rule := "max_files", w.settings.Limits.MaxFiles.From
	switch {
	case over.bytes > 0:
		key, rule = "max_bytes", w.settings.Limits.MaxBytes.From
	case over.tokens > 0:
		key, rule = "max_tokens", w.settings.Limits.MaxTokens.From
	}
	goes := map[string]bool{}
	for _, c := range chosen {
		goes[c.path] = true
	}
	// What would be archived and goes now is not archived first.
	w.plan.Actions = slices.DeleteFunc(w.plan.Actions, func(a Action) bool { return a.Do == Archive && goes[a.Path] })
	for _, c := range chosen {
		w.plan.Actions = append(w.plan.Actions, Action{
			Do: Delete, Group: UnderCap, Path: c.path, Key: key, Rule: rule, Reason: c.reason(w.in.Now),
			Info: c.node.Info, Bytes: c.node.Size, Hash: c.file.Digest, Since: c.used().time,
		})
	}
	if !left.met() {
		w.plan.Notes = append(w.plan.Notes, "The store stays over its limits: all other files are pinned, locked, archived or hidden")
	}
}

// reason says how long a file was left alone.
func (c *candidate) reason(now time.Time) string {
	at := c.used().time
	if at.IsZero() {
		return "of unknown age"
	}
	return "not used or changed for " + span(max(now.Sub(at), 0))
}

// over is what the store is over its caps after the actions so far.
func (w *planning) over() need {
	l := w.settings.Limits
	if l.Mode.Or(config.ModeRefuse) == config.ModeOff {
		return need{}
	}
	files, bytes, tokens := int64(w.plan.Files), w.plan.Bytes, w.plan.Tokens
	for _, a := range w.plan.Actions {
		if a.Do.Removes() && !memstore.InGit(a.Path) {
			files--
			bytes -= a.Bytes
			tokens -= w.in.Facts.file(a.Path).Tokens
		}
	}
	var n need
	if limit := l.MaxFiles.Value; limit > 0 {
		n.files = files - limit
	}
	if limit := l.MaxBytes.Value; limit > 0 {
		n.bytes = bytes - limit
	}
	if limit := l.MaxTokens.Value; limit > 0 {
		n.tokens = tokens - limit
	}
	return n
}

// removable are the files that could go: not what goes already, what is pinned or locked, and what is
// hidden from the agent's listing. What will be archived is judged by its place in the archive, or
// the next plan would find more to take.
func (w *planning) removable() []candidate {
	about := map[string]*Action{}
	for i, a := range w.plan.Actions {
		if a.Do.Changes() {
			about[a.Path] = &w.plan.Actions[i]
		}
	}
	var out []candidate
	w.in.Snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind != memstore.KindFile {
			return true
		}
		lies, hidden := at, n.Hidden
		if a := about[at]; a != nil {
			if a.Do != Archive {
				return true
			}
			lies, hidden = a.To, hiddenPath(a.To)
		}
		rules := w.rules(lies, false)
		if hidden || rules.Pin.Value || w.Locked(lies) {
			return true
		}
		out = append(out, candidate{path: at, node: n, rules: rules, recorded: w.in.Facts.recorded(at), file: w.in.Facts.file(at)})
		return true
	})
	return out
}

// hiddenPath reports whether the agent's listing leaves a path out.
func hiddenPath(agentPath string) bool {
	return namesHidden(strings.TrimPrefix(agentPath, memstore.Root+"/"))
}

// oldest chooses the files that were left alone longest until the need is met; left is what none of them meets.
func oldest(files []candidate, n need) (chosen []candidate, left need) {
	slices.SortFunc(files, func(a, b candidate) int {
		return cmp.Or(a.used().time.Compare(b.used().time), strings.Compare(a.path, b.path))
	})
	for i := range files {
		if n.met() {
			break
		}
		if n.files <= 0 && files[i].node.Size == 0 {
			continue // frees nothing that is needed
		}
		n = n.without(&files[i])
		chosen = append(chosen, files[i])
	}
	return chosen, n
}
