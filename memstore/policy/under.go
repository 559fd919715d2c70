package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// loss is a file that could go to bring a store under its caps.
type loss struct {
	candidate
	score Score
	worth float64 // what is lost with it
}

// goingCosts is lost with any file beside its score, so that of equal losses the one with fewer
// files is the smaller.
const goingCosts = 1

// need is what a store is over its caps.
type need struct{ files, bytes, tokens int64 }

func (n need) met() bool { return n.files <= 0 && n.bytes <= 0 && n.tokens <= 0 }

func (n need) without(l *loss) need {
	return need{n.files - 1, n.bytes - l.node.Size, n.tokens - l.file.Tokens}
}

// underCaps proposes what brings the store under its caps once the other actions are carried out.
func (w *planning) underCaps() {
	over := w.over()
	if over.met() {
		return
	}
	chosen, left := smallest(w.losses(), over)
	key, rule := "max_files", w.settings.Limits.MaxFiles.From
	switch {
	case over.bytes > 0:
		key, rule = "max_bytes", w.settings.Limits.MaxBytes.From
	case over.tokens > 0:
		key, rule = "max_tokens", w.settings.Limits.MaxTokens.From
	}
	goes := map[string]bool{}
	for _, l := range chosen {
		goes[l.path] = true
	}
	// What would be archived and goes now is not archived first.
	w.plan.Actions = slices.DeleteFunc(w.plan.Actions, func(a Action) bool { return a.Do == Archive && goes[a.Path] })
	for _, l := range chosen {
		w.plan.Actions = append(w.plan.Actions, Action{
			Do: Delete, Group: UnderCap, Path: l.path, Key: key, Rule: rule, Reason: l.reason(),
			Info: l.node.Info, Bytes: l.node.Size, Hash: l.file.Digest, Score: l.score, Since: l.used().time,
		})
	}
	if !left.met() {
		w.plan.Notes = append(w.plan.Notes, "The store stays over its limits: all other files are pinned, locked, archived or hidden")
	}
}

// reason names the terms that a score is made of.
func (l *loss) reason() string {
	why := make([]string, len(l.score.Terms))
	for i, t := range l.score.Terms {
		why[i] = t.Why
	}
	return fmt.Sprintf("worth %.0f of 100: %s", l.score.Value, strings.Join(why, ", "))
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

// losses are the files that could go: not what goes already, what is pinned or locked, and what is
// hidden from the agent's listing. What will be archived is judged by its place in the archive, or
// the next plan would find more to take.
func (w *planning) losses() []loss {
	about := map[string]*Action{}
	for i, a := range w.plan.Actions {
		if a.Do.Changes() {
			about[a.Path] = &w.plan.Actions[i]
		}
	}
	var out []loss
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
		l := loss{candidate: candidate{path: at, node: n, rules: rules, recorded: w.in.Facts.recorded(at), file: w.in.Facts.file(at)}}
		l.score = l.candidate.score(w.in.Now, w.links())
		l.worth = l.score.Value + goingCosts
		out = append(out, l)
		return true
	})
	return out
}

// hiddenPath reports whether the agent's listing leaves a path out.
func hiddenPath(agentPath string) bool {
	return namesHidden(strings.TrimPrefix(agentPath, memstore.Root+"/"))
}

// smallest chooses files that meet the need with a small loss; left is what no choice meets. Finding the
// smallest of all is a knapsack. Two orders are tried, by loss and by loss per byte; each is cut where it meets the
// need, and what is not needed after all is dropped again, the dearest first. The smaller of both counts: no file of it
// could stay.
func smallest(files []loss, n need) (chosen []loss, left need) {
	byLoss := func(a, b loss) int {
		return cmp.Or(cmp.Compare(a.worth, b.worth), cmp.Compare(b.node.Size, a.node.Size), strings.Compare(a.path, b.path))
	}
	perByte := func(a, b loss) int {
		return cmp.Or(cmp.Compare(a.worth*float64(b.node.Size+1), b.worth*float64(a.node.Size+1)), strings.Compare(a.path, b.path))
	}
	best, least := []loss(nil), 0.0
	for _, order := range []func(a, b loss) int{byLoss, perByte} {
		slices.SortFunc(files, order)
		some, rest := prefix(files, n)
		if !rest.met() {
			slices.SortFunc(some, byLoss)
			return some, rest
		}
		slices.SortFunc(some, byLoss)
		some = putBack(some, rest)
		if sum := lost(some); best == nil || sum < least {
			best, least = some, sum
		}
	}
	return best, need{}
}

// prefix takes files in their order until the need is met; the rest is negative by what is more than needed.
func prefix(files []loss, n need) (some []loss, rest need) {
	for i := range files {
		if n.met() {
			break
		}
		if n.files <= 0 && files[i].node.Size == 0 {
			continue // frees nothing that is needed
		}
		n = n.without(&files[i])
		some = append(some, files[i])
	}
	return some, n
}

// putBack leaves out what is not needed, the dearest first. some is in the order of loss.
func putBack(some []loss, rest need) []loss {
	kept := some[:0:0]
	for i := len(some) - 1; i >= 0; i-- {
		more := need{rest.files + 1, rest.bytes + some[i].node.Size, rest.tokens + some[i].file.Tokens}
		if more.met() {
			rest = more
			continue
		}
		kept = append(kept, some[i])
	}
	slices.Reverse(kept)
	return kept
}

func lost(some []loss) (sum float64) {
	for i := range some {
		sum += some[i].worth
	}
	return sum
}
