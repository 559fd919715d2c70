package content

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

func TestDeltaRestoresTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		base := memtest.Note(r.IntN(9000), r.Uint64())
		text := memtest.Rewritten(r, base)
		if r.IntN(20) == 0 {
			text = memtest.Note(r.IntN(3000), r.Uint64())
		}
		delta, ok := deltaOf(base, text, 1<<30)
		if !ok {
			t.Fatal("there was room for every delta, but none was made")
		}
		got, err := applyDelta(base, delta, int64(len(text)))
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q on %q: %v", text, base, err)
		}
	}
}

// Do not trust what the database holds: it may be damaged, or crafted.
func FuzzDelta(f *testing.F) {
	base := memtest.Note(500, 1)
	delta, _ := deltaOf(base, memtest.Rewritten(rand.New(rand.NewPCG(1, 2)), base), 1000)
	_, packed := packDelta(bytes.Repeat([]byte{1, 'x', 0}, 100))
	f.Add(delta, int64(500), codecDelta)
	f.Add(packed, int64(100), codecDeltaZstd)
	f.Add([]byte{0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0}, int64(1)<<40, codecDelta)
	f.Add(binary.AppendUvarint(nil, 1<<62), int64(1<<30), codecDeltaZstd)
	f.Fuzz(func(t *testing.T, data []byte, size int64, codec int) {
		p := packedAs(data, size, codec)
		p.base = &basis{Packed: packedAs(base, int64(len(base)), codecPlain)}
		text, err := p.Unpack(nil)
		switch {
		case err != nil && !errors.Is(err, past.ErrCorrupt):
			t.Errorf("the error is %v", err)
		case err == nil && int64(len(text)) != size:
			t.Errorf("%d bytes instead of %d", len(text), size)
		}
	})
}

func packedAs(data []byte, size int64, codec int) Packed {
	return Packed{Data: data, Size: size, Codec: codec}
}

// A number in a delta, or a size beside it, must not make room for what never comes.
func TestHostileDeltaTakesNoMemory(t *testing.T) {
	base := &basis{Packed: Packed{Data: []byte("abc"), Size: 3}}
	huge := binary.AppendUvarint(nil, 900<<20)
	for name, p := range map[string]Packed{
		"a size":       {Data: []byte{1, 'x', 0}, Size: 900 << 20, Codec: codecDelta, base: base},
		"a length":     {Data: huge, Size: 10, Codec: codecDelta, base: base},
		"a copy":       {Data: append([]byte{0}, huge...), Size: 900 << 20, Codec: codecDelta, base: base},
		"a frame":      {Data: append([]byte{10}, zeros(64<<20)...), Size: 64 << 20, Codec: codecDeltaZstd, base: base},
		"above all":    {Data: nil, Size: 1 << 50, Codec: CodecZstd},
		"below zero":   {Data: nil, Size: -1, Codec: codecDelta, base: base},
		"without base": {Data: []byte{0, 1, 0}, Size: 1, Codec: codecDelta},
		"no codec":     {Data: []byte{0, 1, 0}, Size: 3, Codec: 9},
	} {
		var err error
		if got := allocated(func() { _, err = p.Unpack(nil) }); got > 1<<20 {
			t.Errorf("%s: %d bytes were taken", name, got)
		}
		if !errors.Is(err, past.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// zeros is a frame of n zeros.
func zeros(n int) []byte {
	_, data := pack(make([]byte, n))
	return data
}

// allocated is how many bytes f takes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
