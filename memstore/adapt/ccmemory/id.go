package ccmemory

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"
)

// newID makes an ID as the program does, a UUID of version 7. If the name of the file ends like an ID, the ID ends so.
func newID(now time.Time, name string) string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (8 * (5 - i)))
	}
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	if base := strings.TrimSuffix(name, extension); len(base) > idShown && base[len(base)-idShown-1] == ' ' {
		if end, err := hex.DecodeString(base[len(base)-idShown:]); err == nil {
			copy(b[len(b)-len(end):], end)
		}
	}
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
