package ccmemory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"memcurator/memstore/adapt"
)

const day = int64(24 * time.Hour / time.Millisecond)

// What the program does by itself, or when an agent asks it to, where the caller names nothing else.
const (
	ahead      = 24 * time.Hour // how far the list of what expires looks
	capacity   = 7              // items of working memory; a further one evicts
	lookedAt   = 1000           // how many episodes decay and boost look at: the newest
	decayAfter = day            // since the last access
	growth     = 1.5            // how many times as long an episode lasts with each access
	boostAfter = 5              // accesses
	boost      = 1.1
)

var _ adapt.Proposer = (*Source)(nil)

// Propose implements [adapt.Proposer]: what expires; what the next new item and the end of a session make permanent; what decay and boost
// would make of importances.
func (s *Source) Propose(ctx context.Context, image *adapt.Image, now time.Time, secrets func(string) int) ([]adapt.Proposal, error) {
	st, err := s.of(ctx, image)
	if err != nil {
		return nil, err
	}
	return st.propose(now, secrets), nil
}

func (s *state) propose(now time.Time, secrets func(string) int) []adapt.Proposal {
	live := s.live(now)
	var all []adapt.Proposal
	for _, w := range slices.SortedStableFunc(slices.Values(live), func(a, b *row) int {
		return cmp.Compare(a.millis("expires_at"), b.millis("expires_at"))
	}) {
		if left := w.time("expires_at").Sub(now); left <= ahead {
			all = append(all, adapt.Proposal{Name: s.names[w], Kind: adapt.Expires, Reason: "expires in " + inWords(left)})
		}
	}
	evicted := evicted(live, now)
	for _, w := range live {
		reason := ""
		switch kept := w.values["priority"] != "low"; {
		case slices.Contains(evicted, w) && kept:
			reason = "eviction makes this a permanent episode, as does the end of a session"
		case slices.Contains(evicted, w):
			reason = "eviction makes this a permanent episode"
		case kept:
			reason = "the end of a session makes this a permanent episode"
		default:
			continue
		}
		one := adapt.Proposal{Name: s.names[w], Kind: adapt.Permanent, Reason: reason}
		if secrets != nil && secrets(w.values["key"]+"\n"+w.values["value"]) > 0 {
			one.Urgent, one.Reason = true, "has a secret; "+reason
		}
		all = append(all, one)
	}
	for _, e := range newest(s.of(episodeTable), "timestamp", lookedAt) {
		importance := e.number("importance")
		decayed, boosted := e.decayed(now.UnixMilli()), e.boosted()
		if decayed != importance {
			all = append(all, s.changed(e, adapt.Decay, "decay lowers importance", decayed))
		}
		if boosted != importance {
			one := s.changed(e, adapt.Boost, "memory_boost raises importance", boosted)
			if decayed != importance { // both can't be carried out
				one.Text, one.Edits = nil, nil
				one.Reason += ", decay lowers it"
			}
			all = append(all, one)
		}
	}
	return all
}

// changed proposes to do now what the program would do to an importance.
func (s *state) changed(e *row, kind adapt.Kind, words string, to float64) adapt.Proposal {
	one := adapt.Proposal{Name: s.names[e], Kind: kind,
		Reason: fmt.Sprintf("%s %s to %s", words, e.values["importance"], numberText(to)), Text: s.encode(e)}
	line := []byte("\nimportance: ")
	at := bytes.Index(one.Text, line) + len(line) // the fields come first
	one.Edits = []adapt.Span{{Start: int64(at), End: int64(at + len(e.values["importance"])), Text: numberText(to)}}
	return one
}

// live are the items that have not expired, the latest update first.
func (m *memory) live(now time.Time) []*row {
	items := newest(m.of(workingTable), "updated_at", math.MaxInt)
	return slices.DeleteFunc(items, func(w *row) bool { return w.millis("expires_at") <= now.UnixMilli() })
}

// newest are at most n of the records, the newest first.
func newest(all []*row, when string, n int) []*row {
	slices.SortStableFunc(all, func(a, b *row) int { return cmp.Compare(b.millis(when), a.millis(when)) })
	return all[:min(n, len(all))]
}

// evicted are the items that go when an agent puts in one more, of the priority that items have unless it says otherwise: the least
// important, and of those the ones that are longest unchanged.
func evicted(live []*row, now time.Time) []*row {
	if len(live) < capacity {
		return nil
	}
	added := &row{values: map[string]string{"priority": "medium", "updated_at": millisText(now)}}
	all := append(slices.Clone(live), added)
	slices.SortStableFunc(all, func(a, b *row) int { // priorities begin with the highest
		return cmp.Or(slices.Index(priorities, b.values["priority"])-slices.Index(priorities, a.values["priority"]),
			cmp.Compare(a.millis("updated_at"), b.millis("updated_at")))
	})
	return all[:len(all)-capacity]
}

// decayed is the importance after the program's forgetting curve: what is left of it after the days since the last access, which each
// access makes less steep.
func (r *row) decayed(now int64) float64 {
	importance, since := r.number("importance"), now-r.millis("last_accessed")
	if since <= decayAfter || importance <= 1 {
		return importance
	}
	left := math.Exp(-(float64(since) / float64(day)) / math.Pow(growth, r.number("access_count")))
	return math.Min(importance, math.Max(1, math.Floor(importance*left+0.5)))
}

// boosted is the importance after the program has rewarded accesses.
func (r *row) boosted() float64 {
	importance := r.number("importance")
	if r.number("access_count") < boostAfter || importance >= 10 {
		return importance
	}
	return math.Min(10, math.Ceil(importance*boost))
}

// inWords is a remaining time in words.
func inWords(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}
