// Package said reads what was said around a call in its transcript: by whom, what the call answers and which
// calls were made beside it. It reads the records near the call only, and nothing of the memory.
package said

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/rawjson"
	"memcurator/memstore/transcript/textfile"
)

// Item is one thing that was said, or one call that was made, near a call.
type Item struct {
	Who  string // role: user, assistant, system; "" where the transcript has none
	Text string
	Tool string // of a call: the tool's name; Text is then its input
	ID   string // of a call
	Here bool   // the call that was asked about

	growing bool // the text comes in fragments
}

// How much of a transcript is looked at around a call, in bytes, and how many things said are kept.
const (
	aroundBytes = 512 << 10
	saidBefore  = 8
	saidAfter   = 6
	saidUpTo    = 8 << 10 // of one text
)

// Around reads what was said around a call in its transcript, oldest first. It unpacks a
// packed transcript up to the call, and seeks to it in a plain one if it can. What the call answers and what
// the agent thought are in other records; it reads those within 512 KB.
func Around(from io.Reader, c *transcript.Call) ([]Item, error) {
	v, record, err := voicesAround(from, c, aroundBytes)
	return v.focus(c, record), err
}

// voicesAround is what was said in the record of a call and within a window of bytes before it; record is how many things were
// said before that record.
func voicesAround(from io.Reader, c *transcript.Call, window int64) (v voices, record int, err error) {
	start := max(0, c.Source.Offset-window)
	in, err := textfile.Open(from, textfile.Freely)
	defer in.Free()
	if err != nil {
		return v, 0, err
	}
	if err := skip(from, &in, start); err != nil {
		return v, 0, err
	}
	record, err = v.collect(in.Reader, int(c.Source.Offset-start), start > 0)
	return v, record, err
}

// skip advances to an offset of the text.
func skip(from io.Reader, in *textfile.File, n int64) error {
	if f, ok := from.(io.Seeker); ok && !in.Packed && n > 0 {
		_, err := f.Seek(n+in.Mark, io.SeekStart)
		in.Reader = bufio.NewReaderSize(from, textfile.HeadSize)
		return err
	}
	_, err := io.CopyN(io.Discard, in, n)
	return err
}

// collect takes what is said in the records of a text; the one at offset may be spread over lines. inside: the
// text begins somewhere in a line. at is how many things were said before that record.
func (v *voices) collect(in *bufio.Reader, offset int, inside bool) (at int, err error) {
	before := make([]byte, offset)
	if _, err := io.ReadFull(in, before); err != nil {
		return 0, err
	}
	if inside {
		_, before, _ = bytes.Cut(before, []byte{'\n'})
	}
	for line := range bytes.Lines(before) {
		v.line(line)
	}
	at = len(v.list)
	record, err := readLine(in)
	if err != nil {
		return at, err
	}
	if opened := bytes.TrimSpace(record); len(opened) > 0 && (opened[0] == '{' || opened[0] == '[') && !rawjson.Valid(opened) {
		rest, err := io.ReadAll(io.LimitReader(in, textfile.MaxRecord))
		if err != nil {
			return at, err
		}
		if cut := rawjson.Split(append(record, rest...), func(e rawjson.Value, _ int) { v.walk(e, 0) }); len(cut) > 0 {
			v.walk(rawjson.Repair(cut), 0)
		}
		return at, nil
	}
	v.line(record)
	after, err := io.ReadAll(io.LimitReader(in, aroundBytes))
	for line := range bytes.Lines(after) {
		v.line(line)
	}
	return at, err
}

// readLine reads to the end of a line.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(line) < textfile.MaxRecord:
		case errors.Is(err, io.EOF), errors.Is(err, bufio.ErrBufferFull):
			return line, nil
		default:
			return line, err
		}
	}
}
