package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
)

// book holds the calls that were found, each once. It finds the call that is meant when a file has it again: in the next request of a log,
// in a copy of a session, or by its result.
type book struct {
	list    []*Call          // in the order in which they were found
	calls   map[string]*Call // by identity
	ids     map[string]*Call // by session and id: the newest; of ids that are unique by themselves without the session
	waiting []string         // ids of the newest calls without a result
	version int              // of waiting

	// Of the record under way.
	latest map[string]*Call // by id: the newest call, nil for one of another tool
	whole  bool             // it has a conversation that is given whole
	first  uint64           // hash of the first message of that
	times  map[string]int   // how often a call stood in that
}

// mostWaiting is how many results are looked for by the ids of their calls.
const mostWaiting = 8

// begin turns to another record.
func (b *book) begin() { b.latest, b.whole = map[string]*Call{}, false }

// conversation turns to a conversation that is given whole.
func (b *book) conversation(first value) {
	b.whole, b.first, b.times = true, maphash.Bytes(seed, first), map[string]int{}
}

// random distinguishes ids that are unique by themselves from those that a program counts up in each conversation: 16 characters after the
// prefix, no run of zeros, and of digits, capital and small letters at least two kinds, of which letters are one.
func random(id string) bool {
	tail := id[strings.LastIndexAny(id, "_:")+1:]
	letters := strings.ToLower(tail) != strings.ToUpper(tail)
	return len(tail) >= 16 && letters && !strings.Contains(tail, "0000") &&
		(strings.ContainsAny(tail, "0123456789") || strings.ToLower(tail) != tail && strings.ToUpper(tail) != tail)
}

// idKey is the key of an id in ids.
func idKey(id, session string) string {
	if random(id) {
		return id
	}
	return session + "\x00" + id
}

// identity is the same for all places of a file that tell of one call. Ids that are counted up tell calls apart with their session and
// input, and in a conversation that is given whole by how it begins and by how often the same stood before.
func (b *book) identity(c *Call) string {
	if random(c.ID) {
		return c.ID
	}
	key := fmt.Sprint(c.Session, "\x00", c.ID, "\x00", maphash.Bytes(seed, canonical(c.Input)))
	if !b.whole {
		return key + "\x001"
	}
	if c.Session == "" {
		key += fmt.Sprint("\x00", b.first)
	}
	b.times[key]++
	return fmt.Sprint(key, "\x00", b.times[key])
}

// add takes a call of ours unless it is known.
func (b *book) add(c *Call, s scope) {
	key := b.identity(c)
	known := b.calls[key]
	if here := b.latest[c.ID]; known == nil && here != nil && strings.HasSuffix(key, "\x001") &&
		bytes.Equal(canonical(here.Input), canonical(c.Input)) {
		known = here // a step, and the messages that it made
	}
	again := known != nil && known.Result != nil && !random(c.ID) && !b.whole && s.session == "" // the id is used for another call
	if known == nil || again {
		known = c
		c.Input = bytes.Clone(c.Input)
		b.list = append(b.list, c)
		b.waiting = append(b.waiting, c.ID)
		b.waiting = b.waiting[max(0, len(b.waiting)-mostWaiting):]
		b.version++
	}
	known.Model = cmp.Or(known.Model, c.Model)
	b.calls[key], b.latest[c.ID], b.ids[idKey(c.ID, c.Session)] = known, known, known
}

// find is the call with an id; nil: it is not ours.
func (b *book) find(id string, s scope) *Call {
	if c, here := b.latest[id]; here {
		return c
	}
	return b.ids[idKey(id, s.session)]
}

// served notes that a call has its result.
func (b *book) served(id string) {
	if at := slices.Index(b.waiting, id); at >= 0 {
		b.waiting = slices.Delete(b.waiting, at, at+1)
		b.version++
	}
}
