// Package archive reads what a journal has recorded: most of what a [past.Log] is asked for. It never writes.
package archive

import (
	"memcurator/memstore/journal/database"
)

// Archive is safe for concurrent use.
type Archive struct {
	pool   *database.Pool
	failed func(op string, err error) error // wraps an error in its sentinel
}

// New reads through the connections of a pool. failed wraps an error in its sentinel.
func New(pool *database.Pool, failed func(op string, err error) error) *Archive {
	return &Archive{pool: pool, failed: failed}
}
