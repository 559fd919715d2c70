package diff

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// compareBlock is how many bytes to compare at once; bytes.Equal runs at
// memory speed, the search inside a differing block doesn't.
const compareBlock = 4096

// commonHead returns the length of the longest common prefix of whole lines.
// A last line without a newline counts only if both texts end there.
func commonHead(a, b []byte) int {
	n := commonPrefix(a, b)
	if n == len(a) && n == len(b) {
		return n
	}
	return bytes.LastIndexByte(a[:n], '\n') + 1
}

// commonTail returns the length of the longest common suffix of whole lines.
// Both texts begin at a line start.
func commonTail(a, b []byte) int {
	n := commonSuffix(a, b)
	if n == 0 || lineStart(a, len(a)-n) && lineStart(b, len(b)-n) {
		return n
	}
	tail := a[len(a)-n:]
	i := bytes.IndexByte(tail, '\n')
	if i < 0 {
		return 0
	}
	return n - i - 1
}

func lineStart(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

func commonPrefix(a, b []byte) int {
	limit := min(len(a), len(b))
	n := 0
	for n+compareBlock <= limit && bytes.Equal(a[n:n+compareBlock], b[n:n+compareBlock]) {
		n += compareBlock
	}
	for n+8 <= limit {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < limit && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	limit := min(len(a), len(b))
	a, b = a[len(a)-limit:], b[len(b)-limit:]
	end := limit
	for end >= compareBlock && bytes.Equal(a[end-compareBlock:end], b[end-compareBlock:end]) {
		end -= compareBlock
	}
	for end >= 8 {
		if x := binary.LittleEndian.Uint64(a[end-8:]) ^ binary.LittleEndian.Uint64(b[end-8:]); x != 0 {
			return limit - end + bits.LeadingZeros64(x)/8
		}
		end -= 8
	}
	for end > 0 && a[end-1] == b[end-1] {
		end--
	}
	return limit - end
}
