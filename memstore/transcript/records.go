package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// sniff is how much of a file is looked at to tell its format, in bytes.
const sniff = 256 << 10

// lines hands out the lines of a stream without their ends, in a buffer that grows with the
// longest of them and is used again.
type lines struct {
	in   *bufio.Reader
	long []byte
	n    int   // of the line handed out, from 1
	at   int64 // where it begins
	end  int64 // where the next one begins
}

// errLong is a line of more than [MaxRecord] bytes; it was skipped.
var errLong = errors.New("line too long")

// next is the next line; ended is false for one without an end. The error is io.EOF after the last.
func (l *lines) next() (line []byte, ended bool, err error) {
	l.n++
	l.at = l.end
	line, err = l.in.ReadSlice('\n')
	l.end += int64(len(line))
	if err == nil {
		return line[:len(line)-1], true, nil
	}
	l.long = l.long[:0]
	for tooLong, more := false, false; ; more = true {
		if more {
			line, err = l.in.ReadSlice('\n')
			l.end += int64(len(line))
		}
		if tooLong = tooLong || len(l.long)+len(line) > MaxRecord; tooLong {
			l.long = l.long[:0]
		} else {
			l.long = append(l.long, line...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return nil, err == nil, errLong
		case err == nil:
			return l.long[:len(l.long)-1], true, nil
		case errors.Is(err, io.EOF) && len(l.long) > 0:
			return l.long, false, nil
		}
		return nil, false, err
	}
}

// readAll is the file as one record, for a JSON value that is spread over lines.
func readAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxRecord+1))
	if len(data) > MaxRecord {
		return nil, errLong
	}
	return data, err
}

// values yields the JSON values that stand one after another in data. rest is what is no whole value.
func values(data []byte, visit func(v value, offset int)) (rest []byte) {
	for i := blanks(data, 0); i < len(data); i = blanks(data, i) {
		end := len(data)
		if data[i] == '{' || data[i] == '[' {
			end = valueEnd(data, i)
		}
		if !json.Valid(data[i:end]) {
			return data[i:]
		}
		visit(data[i:end:end], i)
		i = end
	}
	return nil
}

// relevant tells which lines may hold a call or the result of one that waits for it. It
// errs on the side of yes: every spelling of the word memory in JSON passes.
func relevant(line []byte, waiting map[string]int) bool {
	if bytes.Contains(line, []byte("memory")) || escaped(line) {
		return true
	}
	for _, words := range boundaryWords {
		if bytes.Contains(line, words) {
			return true
		}
	}
	if len(waiting) > mostWaiting {
		for _, mark := range resultMarks {
			if bytes.Contains(line, mark) {
				return true
			}
		}
		return false
	}
	for id := range waiting {
		if bytes.Contains(line, []byte(id)) {
			return true
		}
	}
	return false
}

// mostWaiting is the number of calls without result up to which each of them is looked for.
const mostWaiting = 8

var resultMarks = [][]byte{
	[]byte("tool_result"), []byte("tool_call_id"), []byte("tool_use_id"), []byte("toolResult"), []byte("call_id"),
	[]byte("toolCallId"), []byte("tool-return"), []byte("tool-result"), []byte("toolCallResults"),
}

// escaped reports whether a line holds an escape of a lowercase letter (\u0061 to \u007a), behind
// which any word may hide.
func escaped(line []byte) bool {
	for {
		i := bytes.Index(line, []byte(`\u00`))
		if i < 0 {
			return false
		}
		if i+4 < len(line) && (line[i+4] == '6' || line[i+4] == '7') {
			return true
		}
		line = line[i+4:]
	}
}
