package lint

import (
	"container/list"
	"sync"

	"memcurator/memstore"
)

// cacheBytes is about how much a [Cache] keeps of contents.
const cacheBytes = 64 << 20

// Cache keeps what was found of contents by their hash, the least used ones go first. It is safe for concurrent use; the zero value
// is ready.
type Cache struct {
	mu    sync.Mutex
	known map[memstore.Digest]*list.Element
	order list.List // of *inspected, used last at the front
	bytes int64
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
