package lint

import (
	"container/list"
	"sync"

	"memcurator/memstore"
)

const (
	// cacheBytes is about how much a [Cache] keeps of contents.
	cacheBytes = 64 << 20
	// cachePairs is how many comparisons it keeps, of about 100 bytes each; then it starts over.
	cachePairs = 100_000
)

// pair are two contents that were compared, the first with the second.
type pair [2]memstore.Digest

// joinedPair are two notes that were joined. What is left out depends on their past too, and so on their paths and when they changed.
type joinedPair struct {
	pair
	older, newer               string
	olderChanged, newerChanged int64
}

// overlap is how much of a text is in another.
type overlap struct {
	percent   int
	contained bool
}

// Cache keeps what was found of contents by their hash, the least used ones go first, and how much of one is in another. It is safe
// for concurrent use; the zero value is ready.
type Cache struct {
	mu    sync.Mutex
	known map[memstore.Digest]*list.Element
	order list.List // of *inspected, used last at the front
	bytes int64

	pairs outcomes[pair, overlap]      // of comparisons
	joins outcomes[joinedPair, Joined] // of what joining two notes comes to
}

// outcomes keeps up to cachePairs results of work on two texts; then it begins anew. It is safe for concurrent use.
type outcomes[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

func (o *outcomes[K, V]) get(k K) (V, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	v, ok := o.kept[k]
	return v, ok
}

func (o *outcomes[K, V]) put(k K, v V) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil || len(o.kept) >= cachePairs {
		o.kept = map[K]V{}
	}
	o.kept[k] = v
}

// get returns what is known of a content, nil if nothing is.
func (c *Cache) get(d memstore.Digest) *inspected {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[d]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*inspected)
}

// put keeps what was found under the hash of the whole content, which for one that was cut is
// not that of the part that was inspected.
func (c *Cache) put(d memstore.Digest, content *inspected) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[memstore.Digest]*list.Element{}
	}
	if d == (memstore.Digest{}) || c.known[d] != nil {
		return
	}
	content.Digest = d
	c.known[d] = c.order.PushFront(content)
	c.bytes += content.weight()
	for c.bytes > cacheBytes && c.order.Len() > 1 {
		last := c.order.Back()
		old := c.order.Remove(last).(*inspected)
		delete(c.known, old.Digest)
		c.bytes -= old.weight()
	}
}
