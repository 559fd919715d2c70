package transcript

// SetFreely lowers the bytes that a packed file may grow to, until the function it returns is called.
func SetFreely(n int64) func() {
	was := freely
	freely = n
	return func() { freely = was }
}
