package backend

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

const (
	// TempPrefix begins the names of temporary files.
	TempPrefix = ".tmp-"
	tempRandom = 16 // hex digits; the SDKs' temporary files end in a UUID of 36 characters
)

// IsTemp reports whether base has exactly the form of NewTempName, which only this package gives to a temporary file.
func IsTemp(base string) bool {
	rest, ok := strings.CutPrefix(base, TempPrefix)
	process, random, _ := strings.Cut(rest, "-")
	if !ok || len(random) != tempRandom || strings.Trim(random, "0123456789abcdef") != "" {
		return false
	}
	pid, err := strconv.Atoi(process)
	return err == nil && pid > 0 && strconv.Itoa(pid) == process
}

// TempName reports whether base is the name of a temporary file that our handlers or those of the published SDKs write beside the target:
// ".tmp-", a process ID, "-" and random characters.
func TempName(base string) bool {
	rest, ok := strings.CutPrefix(base, ".tmp-")
	if !ok {
		return false
	}
	tail := strings.TrimLeft(rest, "0123456789")
	return len(tail) < len(rest) && len(tail) > 1 && tail[0] == '-'
}

// NewTempName names a temporary file, with the ID of this process.
func NewTempName() string {
	b := make([]byte, 0, len(TempPrefix)+8+tempRandom)
	b = append(b, TempPrefix...)
	b = strconv.AppendInt(b, int64(os.Getpid()), 10)
	b = append(b, '-')
	const digits = "0123456789abcdef"
	for r, i := rand.Uint64(), 0; i < tempRandom; i++ {
		b = append(b, digits[r&15])
		r >>= 4
	}
	return string(b)
}
