package dir

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// compareChunk is how many bytes to compare at a time.
const compareChunk = 64 << 10

var compareBuffers = sync.Pool{New: func() any { return new([compareChunk]byte) }}

// compare checks, just before a switch, that the file still has the bytes
// that the edit was based on. If not, it returns [backend.ErrChanged].
func (p *place) compare(old []byte) error {
	if err := p.fault.check(stepCompare); err != nil {
		return err
	}
	info, err := p.root.Lstat(p.base)
	if err != nil {
		return vanished(err)
	}
	if !info.Mode().IsRegular() || info.Size() != int64(len(old)) {
		return changed(p.base)
	}
	f, err := quietfile.OpenIn(p.root, p.base, 0)
	if err != nil {
		return vanished(err)
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, now) {
		return changed(p.base)
	}
	buf := compareBuffers.Get().(*[compareChunk]byte)
	defer compareBuffers.Put(buf)
	for rest := old; ; {
		n, err := f.Read(buf[:])
		if n > len(rest) || !bytes.Equal(buf[:n], rest[:n]) {
			return changed(p.base)
		}
		rest = rest[n:]
		switch {
		case err == io.EOF && len(rest) == 0:
			return nil
		case err == io.EOF:
			return changed(p.base)
		case err != nil:
			return err
		}
	}
}

func changed(name string) error {
	return fmt.Errorf("%s: %w", name, backend.ErrChanged)
}
