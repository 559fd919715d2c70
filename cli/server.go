package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"memcurator/memstore"
)

// server answers lines of tool calls, one at a time: the protocol of exec.
type server struct {
	store     *memstore.Store
	prefixAll bool // "Error: " before every error
	out       io.Writer

	command sync.Mutex    // held while a command runs
	turn    chan struct{} // holds a token while a command runs or its answer is written
	encoded bytes.Buffer
}

func newServer(store *memstore.Store, prefixAll bool, out io.Writer) *server {
	return &server{store: store, prefixAll: prefixAll, out: out, turn: make(chan struct{}, 1)}
}

// keepBuffer is the most that a buffer holds on to after a large line.
const keepBuffer = 1 << 20

// lines answers line by line until in ends. Before each command it looks
// whether ctx has ended.
func (s *server) lines(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	var buf []byte
	for {
		line, next, err := readLine(r, buf)
		if len(bytes.TrimSpace(line)) > 0 {
			if err := s.serveLine(ctx, line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return failed(err, "The input cannot be read: %s.", reason(err))
		}
		if buf = next; cap(buf) > keepBuffer {
			buf = nil
		}
	}
}

// readLine reads up to the next newline, however far that is. The line is valid until the next
// call; next is the buffer to pass then. A last line without a newline comes with [io.EOF].
func readLine(r *bufio.Reader, buf []byte) (line, next []byte, err error) {
	line, err = r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, buf, err
	}
	buf = buf[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		buf = append(buf, line...)
		line, err = r.ReadSlice('\n')
	}
	buf = append(buf, line...)
	return buf, buf, err
}

// serveLine runs the command of one line and writes its answer.
func (s *server) serveLine(ctx context.Context, line []byte) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	answer, err := s.run(ctx, line)
	if err != nil {
		return err
	}
	s.encoded.Reset()
	e := json.NewEncoder(&s.encoded)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		return err
	}
	_, err = s.out.Write(s.encoded.Bytes())
	if s.encoded.Cap() > keepBuffer {
		s.encoded = bytes.Buffer{}
	}
	if err != nil {
		return outputError(err)
	}
	return nil
}

func (s *server) run(ctx context.Context, line []byte) (any, error) {
	s.command.Lock()
	defer s.command.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.answer(ctx, line), nil
}

// plainAnswer is the line for a bare input.
type plainAnswer struct {
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

// blockAnswer is the line for a tool_use block: the block that goes into the next
// message to the model.
type blockAnswer struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	plainAnswer
}

const (
	toolName        = "memory"
	typeToolUse     = "tool_use"
	typeToolResult  = "tool_result"
	errorPrefix     = "Error: "
	notJSON         = errorPrefix + "The line is not valid JSON"
	blockIncomplete = errorPrefix + "The field `%s` of the tool_use block is required and must be a string"
)

// answer carries out one line.
func (s *server) answer(ctx context.Context, line []byte) any {
	fields, isBlock := toolUse(line)
	if !isBlock {
		return s.bare(ctx, line)
	}
	id, hasID := stringField(fields, "id")
	name, hasName := stringField(fields, "name")
	answer := blockAnswer{Type: typeToolResult, ToolUseID: id}
	switch {
	case !hasID:
		answer.plainAnswer = refusal(blockIncomplete, "id")
	case !hasName:
		answer.plainAnswer = refusal(blockIncomplete, "name")
	case name != toolName:
		answer.plainAnswer = refusal(errorPrefix+"There is no tool %s here, only "+toolName, name)
	default:
		ctx = memstore.WithOrigin(ctx, memstore.Origin{ToolUseID: id})
		answer.plainAnswer = s.result(s.store.DoJSON(ctx, fields["input"]))
	}
	return answer
}

// bare carries out a line that is the tool's input. That a line is no JSON at all
// is told apart from JSON that is no object: it is another mistake of the caller.
func (s *server) bare(ctx context.Context, line []byte) plainAnswer {
	r := s.store.DoJSON(ctx, line)
	var input *memstore.InputError
	if errors.As(r.Err, &input) && input.Field == "" && utf8.Valid(line) && !json.Valid(line) {
		return plainAnswer{Content: notJSON, IsError: true}
	}
	return s.result(r)
}

func refusal(format, what string) plainAnswer {
	return plainAnswer{Content: strings.Replace(format, "%s", what, 1), IsError: true}
}

// result is a result on the wire.
func (s *server) result(r memstore.Result) plainAnswer {
	if s.prefixAll && r.IsError && !strings.HasPrefix(r.Content, errorPrefix) {
		r.Content = errorPrefix + r.Content
	}
	return plainAnswer{Content: r.Content, IsError: r.IsError}
}

// toolUse tells a block from a bare input by its type, and returns the fields of
// an object. A line that holds the type neither as it is nor, perhaps, in \u escapes is no
// block: most lines are decoded once, by the store.
func toolUse(line []byte) (fields map[string]json.RawMessage, isBlock bool) {
	if !bytes.Contains(line, []byte(typeToolUse)) && !bytes.Contains(line, []byte(`\u`)) {
		return nil, false
	}
	if !utf8.Valid(line) || json.Unmarshal(line, &fields) != nil {
		return nil, false
	}
	kind, _ := stringField(fields, "type")
	return fields, kind == typeToolUse
}

func stringField(fields map[string]json.RawMessage, name string) (string, bool) {
	var s *string
	if json.Unmarshal(fields[name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}
