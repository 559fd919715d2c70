package textfile

import (
	"fmt"
	"io"
	"sync"
)

// chunkSize is how much one read takes, in bytes, and headRoom what it leaves free in front, for the
// beginning of a line whose end was read. Both fit into the cache of a processor. Tests set them lower.
var (
	chunkSize = 512 << 10
	headRoom  = 64 << 10
)

// chunksAhead is the number of chunks: one being filled, one waiting, and one being parsed.
const chunksAhead = 3

// chunks are buffers of headRoom and chunkSize bytes that are not in use.
var chunks sync.Pool

// ahead reads a stream while the caller parses what it already has. [ahead.next], free and close are for one goroutine.
type ahead struct {
	full  chan filled
	empty chan []byte // nil: not yet allocated
	stop  chan struct{}
	done  chan struct{}
	err   error // of the stream; the last thing it returns
}

type filled struct {
	chunk []byte
	err   error
}

func readAhead(in io.Reader) *ahead {
	a := &ahead{
		full: make(chan filled, chunksAhead), empty: make(chan []byte, chunksAhead),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	for range chunksAhead {
		a.empty <- nil
	}
	go a.fill(in)
	return a
}

// fill reads until the stream ends or the reader is closed. full has room for all chunks and the error.
func (a *ahead) fill(in io.Reader) {
	defer close(a.done)
	defer func() {
		if r := recover(); r != nil { // an unpacker that fails on its input ends this file only
			a.full <- filled{err: fmt.Errorf("it can't be read: %v", r)}
		}
	}()
	for {
		var chunk []byte
		select {
		case <-a.stop:
			return
		case chunk = <-a.empty:
		}
		if chunk = chunk[:cap(chunk)]; len(chunk) != headRoom+chunkSize {
			chunk = newChunk()
		}
		n := headRoom
		var err error
		for n < len(chunk) && err == nil {
			var more int
			more, err = in.Read(chunk[n:])
			n += more
		}
		a.full <- filled{chunk[:n], err}
		if err != nil {
			return
		}
	}
}

func newChunk() []byte {
	if c, ok := chunks.Get().(*[]byte); ok && len(*c) == headRoom+chunkSize {
		return *c
	}
	return make([]byte, headRoom+chunkSize)
}

// next is the next chunk, with room in front of it, and the caller's until it is freed. It is empty at the end of
// the stream, with the error that ended it.
func (a *ahead) next() ([]byte, error) {
	if a.err != nil {
		return nil, a.err
	}
	f := <-a.full
	if a.err = f.err; len(f.chunk) > headRoom {
		return f.chunk, nil
	}
	a.free(f.chunk)
	return nil, a.err
}

// free returns a chunk.
func (a *ahead) free(chunk []byte) {
	if chunk != nil {
		a.empty <- chunk
	}
}

// close ends reading and waits for that.
func (a *ahead) close() {
	close(a.stop)
	<-a.done
	for range len(a.full) {
		a.free((<-a.full).chunk)
	}
	for range len(a.empty) {
		if c := <-a.empty; cap(c) > 0 {
			c = c[:cap(c)]
			chunks.Put(&c)
		}
	}
}
