package shape

import "bytes"

// IsPrefixOfNetwork reports an address of IPv4 whose bits behind the first n are all 0: that of a network, not of a host.
func IsPrefixOfNetwork(address []byte, n int) bool {
	var bits uint32
	for part := range bytes.SplitSeq(address, []byte(".")) {
		number := uint32(0)
		for _, c := range part {
			number = number*10 + uint32(c-'0')
		}
		bits = bits<<8 | number&255
	}
	return n > 0 && n < 32 && bits<<n == 0
}
