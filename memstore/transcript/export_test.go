package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"memcurator/memstore"
)

// SetFreely lowers the bytes that a packed file may grow to, until the function it returns is called.
func SetFreely(n int64) func() {
	was := freely
	freely = n
	return func() { freely = was }
}

// PairAt is pairAt.
var PairAt = pairAt

// WorthALook reports whether a line is looked into.
func WorthALook(line []byte) bool {
	n := newNeedles(nil)
	n.begin(line)
	return n.next(0) < len(line)
}

// FindFrom looks for a text by the bytes of it which are rarest in another.
func FindFrom(text, block []byte, from int, rates []byte) int {
	n := needle{text: text}
	n.tune(sample(rates))
	return n.find(block, from)
}

// Valid is valid.
var Valid = valid

// TextOf is the text of a JSON string, decoded in both ways.
func TextOf(v []byte) (text, bytes string) { return value(v).text(), string(value(v).textBytes()) }

// SetChunks sets how much is read at once and how much room is left in front, until the function it returns is called.
func SetChunks(size, room int) func() {
	was, wasRoom := chunkSize, headRoom
	chunkSize, headRoom = size, room
	return func() { chunkSize, headRoom = was, wasRoom }
}

// Lines joins the lines of a text as they are handed out. The error says what is wrong with them.
func Lines(in io.Reader, size int64) (string, error) {
	b := blocks{ahead: readAhead(in), size: size}
	defer b.ahead.close()
	var all []byte
	for {
		found, err := b.next()
		if errors.Is(err, io.EOF) {
			return string(all), nil
		}
		if err != nil {
			return "", err
		}
		if found.offset != int64(len(all)) || found.long && bytes.IndexByte(found.text[:len(found.text)-1], '\n') >= 0 {
			return "", fmt.Errorf("%q at %d", found.text, found.offset)
		}
		all = append(all, found.text...)
	}
}

// Decode is decode with all texts.
func Decode(input []byte) (memstore.Command, error) { return decode(input, true) }

// SetHeldWhole lowers how much of a file that is one JSON value is held as a whole, until the function it returns is called.
func SetHeldWhole(n int) func() {
	was := heldWhole
	heldWhole = n
	return func() { heldWhole = was }
}
