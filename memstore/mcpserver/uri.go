package mcpserver

import (
	"strings"

	"memcurator/memstore"
)

// uriPrefix is what the address of a resource begins with; the agent path follows,
// so that the store itself is memory:///memories.
const uriPrefix = "memory://"

// rootURI and fileTemplate are the two kinds of resource.
const (
	rootURI      = uriPrefix + memstore.Root
	fileTemplate = rootURI + "/{+path}"
)

// uriOf is the address of an agent path. What a path in a URI cannot hold as it is
// (RFC 3986, section 3.3) is percent-encoded.
func uriOf(agentPath string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(uriPrefix) + len(agentPath))
	b.WriteString(uriPrefix)
	for i := range len(agentPath) {
		if c := agentPath[i]; inPath(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// inPath reports whether c stands for itself in the path of a URI.
func inPath(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0
}

// pathOf is the agent path in an address, which may be spelled otherwise than [uriOf]
// spells it. Whether the path is one that the tool accepts is for the store to say.
func pathOf(uri string) (agentPath string, ok bool) {
	rest, ok := strings.CutPrefix(uri, uriPrefix)
	if !ok || rest != memstore.Root && !strings.HasPrefix(rest, memstore.Root+"/") {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch c {
		case '?', '#': // a query or a fragment, which no resource of ours has
			return "", false
		case '%':
			if i+2 >= len(rest) {
				return "", false
			}
			high, okHigh := hexDigit(rest[i+1])
			low, okLow := hexDigit(rest[i+2])
			if !okHigh || !okLow {
				return "", false
			}
			c = high<<4 | low
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
