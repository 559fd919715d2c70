package transcript

// SetFreely lowers the bytes that a packed file may grow to, until the function it returns is called.
func SetFreely(n int64) func() {
	was := freely
	freely = n
	return func() { freely = was }
}

// PairAt is pairAt.
var PairAt = pairAt

// WorthALook tells whether a line is looked into.
func WorthALook(line []byte) bool {
	n := newNeedles(nil)
	n.begin(line)
	return n.next(0) < len(line)
}

// FindFrom looks for a text by the bytes of it which are rarest in another.
func FindFrom(text, block []byte, from int, rates []byte) int {
	n := needle{text: text}
	n.tune(sample(rates))
	return n.find(block, from)
}
