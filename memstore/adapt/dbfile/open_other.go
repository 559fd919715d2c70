//go:build !linux

package dbfile

const (
	nonblock = 0
	quiet    = 0
)
