package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// SetChunks sets how much one read takes and how much room it leaves in front, until the function it returns is called.
func SetChunks(size, room int) func() {
	was, wasRoom := chunkSize, headRoom
	chunkSize, headRoom = size, room
	return func() { chunkSize, headRoom = was, wasRoom }
}

// JoinLines joins the lines of a text as they are handed out. The error says what is wrong with them.
func JoinLines(in io.Reader, size int64) (string, error) {
	b := NewLineReader(in, size)
	defer b.Close()
	var all []byte
	for {
		found, err := b.Next()
		if errors.Is(err, io.EOF) {
			return string(all), nil
		}
		if err != nil {
			return "", err
		}
		if found.Offset != int64(len(all)) || found.Long && bytes.IndexByte(found.Text[:len(found.Text)-1], '\n') >= 0 {
			return "", fmt.Errorf("%q at %d", found.Text, found.Offset)
		}
		all = append(all, found.Text...)
	}
}
