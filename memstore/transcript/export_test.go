package transcript

// SetMaxUnpacked lowers the bytes that a packed file may grow to, until the function it returns is called.
func SetMaxUnpacked(n int64) func() {
	was := maxUnpacked
	maxUnpacked = n
	return func() { maxUnpacked = was }
}

// The errors of files that are not read.
var ErrBomb, ErrEmpty = errBomb, errEmpty

// PairAt is pairAt.
var PairAt = pairAt
