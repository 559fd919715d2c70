package policy

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"time"
)

// tallySize is the size of a tally in its file: five numbers and a checksum.
const tallySize = 5*8 + 4

// Share keeps the count of what the store holds in a file that all processes with caps on the store share. Each reads it under the
// store's lock and adds what it lets through; without it, several processes together could pass a cap. The file may be removed at
// any time: the store is then counted again. Call Share before the first command.
func (e *Enforcer) Share(file string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.shared = file
}

// takeUp reads the count that the processes share.
func (e *Enforcer) takeUp() {
	if e.shared == "" {
		return
	}
	e.count = tally{}
	data, err := os.ReadFile(e.shared)
	if err != nil || len(data) != tallySize || crc32.ChecksumIEEE(data[:tallySize-4]) != binary.LittleEndian.Uint32(data[tallySize-4:]) {
		return
	}
	number := func(i int) int64 { return int64(binary.LittleEndian.Uint64(data[8*i:])) }
	e.count = tally{files: number(0), bytes: number(1), tokens: number(2), at: time.Unix(0, number(3)), cost: time.Duration(number(4))}
}

// handOn writes the count for the other processes. If that fails, each process counts for itself.
func (e *Enforcer) handOn() {
	if e.shared == "" || e.count.at.IsZero() {
		return
	}
	data := make([]byte, 0, tallySize)
	for _, n := range []int64{e.count.files, e.count.bytes, e.count.tokens, e.count.at.UnixNano(), int64(e.count.cost)} {
		data = binary.LittleEndian.AppendUint64(data, uint64(n))
	}
	data = binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
	f, err := os.OpenFile(e.shared, os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteAt(data, 0)
		_ = f.Close()
	}
	if err != nil {
		_ = os.Remove(e.shared) // an old count is worse than none
		e.shared = ""
	}
}
