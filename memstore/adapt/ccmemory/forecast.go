package ccmemory

import (
	"cmp"
	"math"
	"slices"
	"time"
)

const day = int64(24 * time.Hour / time.Millisecond)

// What the program does by itself, or when an agent asks it to, where the caller names nothing else.
const (
	capacity    = 7    // items of working memory; a further one evicts
	lookedAt    = 1000 // how many episodes decay and boost look at: the newest
	decayAfter  = day  // since the last access
	growth      = 1.5  // how many times as long an episode lasts with each access
	legacyDecay = 0.95
	boostAfter  = 5 // accesses
	boost       = 1.1
)

// Event is what may befall a record.
type Event string

// The events, in the order of lists.
const (
	Expires Event = "expires" // an item of working memory is deleted
	Evicted Event = "evicted" // the next new item of working memory makes an episode of this one
	Kept    Event = "kept"    // the end of a session makes an episode of the item
	Decays  Event = "decays"  // memory_decay lowers the importance of the episode
	Fades   Event = "fades"   // memory_decay with use_ebbinghaus=false does
	Boosted Event = "boosted" // memory_boost raises it
)

// Fate is what would befall one record if nothing else happened before.
type Fate struct {
	Event    Event
	ID       string    // of the item or of the episode
	At       time.Time // Expires: when
	From, To float64   // the importance of an episode; of an item that becomes one, To
	Secrets  int       // in what becomes an episode
}

// Forecast says what the program would do with records from now on: what expires within a time; what the next new item and the end of a
// session make permanent, what has secrets first; what decay and boost would make of importances. Secrets counts those of a text; it may be
// nil.
func (m *Memory) Forecast(now time.Time, within time.Duration, secrets func(text string) int) []Fate {
	live := m.live(now)
	var all []Fate
	for _, w := range live {
		if at := w.Expires.Time(); !at.After(now.Add(within)) {
			all = append(all, Fate{Event: Expires, ID: w.ID, At: at})
		}
	}
	slices.SortStableFunc(all, func(a, b Fate) int { return a.At.Compare(b.At) })
	permanent := func(event Event, items []Working, importance map[string]float64) {
		from := len(all)
		for _, w := range items {
			f := Fate{Event: event, ID: w.ID, To: importance[w.Priority]}
			if secrets != nil {
				f.Secrets = secrets(w.Key + "\n" + string(w.Value))
			}
			all = append(all, f)
		}
		slices.SortStableFunc(all[from:], func(a, b Fate) int { return cmp.Compare(min(b.Secrets, 1), min(a.Secrets, 1)) })
	}
	permanent(Evicted, evicted(live, now), map[string]float64{"high": 6, "medium": 4, "low": 2})
	permanent(Kept, slices.DeleteFunc(slices.Clone(live), func(w Working) bool { return w.Priority != "high" && w.Priority != "medium" }),
		map[string]float64{"high": 7, "medium": 5})
	episodes := newest(m.Episodes, func(e Episode) Millis { return e.Timestamp }, lookedAt)
	for _, change := range []struct {
		event Event
		to    func(e Episode, now int64) float64
	}{{Decays, Episode.decayed}, {Fades, Episode.faded}, {Boosted, Episode.boosted}} {
		for _, e := range episodes {
			if to := change.to(e, now.UnixMilli()); to != e.Importance {
				all = append(all, Fate{Event: change.event, ID: e.ID, From: e.Importance, To: math.Max(1, math.Min(10, to))})
			}
		}
	}
	return all
}

// live are the items that have not expired, the latest update first.
func (m *Memory) live(now time.Time) []Working {
	return slices.DeleteFunc(newest(m.Working, func(w Working) Millis { return w.Updated }, len(m.Working)),
		func(w Working) bool { return w.Expired(now) })
}

// evicted are the items that go when an agent puts in one more, of the priority that items have unless it says otherwise: the least
// important, and of those the ones that are longest unchanged.
func evicted(live []Working, now time.Time) []Working {
	if len(live) < capacity {
		return nil
	}
	all := append(slices.Clone(live), Working{Priority: "medium", Updated: millisOf(now)})
	rank := map[string]int{"low": 0, "medium": 1, "high": 2}
	slices.SortStableFunc(all, func(a, b Working) int {
		return cmp.Or(cmp.Compare(rank[a.Priority], rank[b.Priority]), cmp.Compare(a.Updated, b.Updated))
	})
	return slices.DeleteFunc(all[:len(all)-capacity], func(w Working) bool { return w.ID == "" }) // the new one, if the others matter more
}

// decayed is the importance after the program's forgetting curve: what is left of it after the days since the last access, which each
// access makes less steep.
func (e Episode) decayed(now int64) float64 {
	since := now - int64(e.LastAccessed)
	if since <= decayAfter || e.Importance <= 1 {
		return e.Importance
	}
	left := math.Exp(-(float64(since) / float64(day)) / math.Pow(growth, float64(e.AccessCount)))
	return math.Min(e.Importance, math.Max(1, math.Floor(e.Importance*left+0.5)))
}

// faded is the importance after the program's older way of decay.
func (e Episode) faded(now int64) float64 {
	if now-int64(e.LastAccessed) <= decayAfter || e.Importance <= 1 {
		return e.Importance
	}
	return math.Max(1, math.Floor(e.Importance*legacyDecay))
}

// boosted is the importance after the program has rewarded accesses.
func (e Episode) boosted(int64) float64 {
	if e.AccessCount < boostAfter || e.Importance >= 10 {
		return e.Importance
	}
	return math.Min(10, math.Ceil(e.Importance*boost))
}
