package lint

import (
	"sync"

	"memcurator/memstore"
)

// maxKept is how many contents a [Cache] keeps.
const maxKept = 10_000

// Cache keeps what was found of contents by their hash, and begins anew when it is full. It is safe for concurrent use; the zero value is
// ready.
type Cache struct {
	mu    sync.Mutex
	known map[memstore.Digest]*inspected
}

// get returns what is known of a content, nil if nothing is.
func (c *Cache) get(d memstore.Digest) *inspected {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[d]
}

// put keeps what was found under the hash of the whole content, which for one that was cut is
// not that of the part that was inspected.
func (c *Cache) put(d memstore.Digest, content *inspected) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d == (memstore.Digest{}) {
		return
	}
	if c.known == nil || len(c.known) == maxKept {
		c.known = map[memstore.Digest]*inspected{}
	}
	c.known[d] = content
}
