package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/jsonl"
)

// lineServer answers lines of tool calls, one at a time: the protocol of exec.
type lineServer struct {
	store *memstore.Store
	out   io.Writer

	command sync.Mutex    // held while a command runs
	turn    chan struct{} // holds a token while a command runs or its answer is written
	encoded bytes.Buffer
	view    jsonText
}

func newServer(store *memstore.Store, out io.Writer) *lineServer {
	return &lineServer{store: store, out: out, turn: make(chan struct{}, 1)}
}

// keepBuffer is the maximum capacity that the answer buffer keeps after a large answer.
const keepBuffer = 1 << 20

// lines answers line by line until in ends. Before each command it checks
// whether ctx has ended.
func (s *lineServer) lines(ctx context.Context, in io.Reader) error {
	r := jsonl.NewReader(in, memstore.MaxLine)
	for {
		line, err := r.Next()
		if long := errors.Is(err, jsonl.ErrTooLong); long || len(bytes.TrimSpace(line)) > 0 {
			read := parse
			if long {
				read = tooLong
			}
			q := read(line)
			if q.bad == nil {
				q.input = nil // don't hold a large line in memory along with its answer
				r.Release()
			}
			if err := s.serveLine(ctx, q); err != nil {
				return err
			}
			if long {
				continue
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return session.Failed(err, "Can't read the input: %s", session.Reason(err))
		}
	}
}

// serveLine runs the command of one line and writes its answer.
func (s *lineServer) serveLine(ctx context.Context, r request) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if r.bad == nil && r.command.Name == memstore.CmdView {
		if told, err := s.stream(ctx, r); told || err != nil {
			return err
		}
	}
	answer, err := s.run(ctx, r)
	if err != nil {
		return err
	}
	s.encoded.Reset()
	if err := s.encode(answer); err != nil {
		return err
	}
	_, err = s.out.Write(s.encoded.Bytes())
	if s.encoded.Cap() > keepBuffer {
		s.encoded = bytes.Buffer{}
	}
	if err != nil {
		return session.OutputError(err)
	}
	return nil
}

// encode appends v and a newline to encoded.
func (s *lineServer) encode(v any) error {
	e := json.NewEncoder(&s.encoded)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Ends of a streamed answer.
const (
	viewEnd = `","is_error":false}` + "\n"
	viewCut = `\n` + errorPrefix + `The view ends here: the file was changed or could not be read any further. View it again` +
		`","is_error":true}` + "\n"
)

// stream writes the answer to a view while the view runs, so that memory is bounded whatever the size of the file: as JSON, its text can
// be six times as long. told is false if the view failed before writing anything; then there is no answer yet.
//
// A shutdown by signal doesn't wait for a view, unlike a command that changes something: the client determines how long it takes.
func (s *lineServer) stream(ctx context.Context, r request) (told bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s.encoded.Reset()
	if r.block == nil {
		s.encoded.WriteString(`{"content":"`)
	} else {
		if err := s.encode(r.block.ToolUseID); err != nil {
			return false, err
		}
		id := strings.TrimSuffix(s.encoded.String(), "\n")
		s.encoded.Reset()
		s.encoded.WriteString(`{"type":"` + typeToolResult + `","tool_use_id":` + id + `,"content":"`)
	}
	s.view.Reset(s.out, s.encoded.Bytes())
	end := viewEnd
	if err := s.store.ViewTo(r.origin(ctx), &s.view, r.command); err != nil && s.view.err == nil {
		if !s.view.sent {
			return false, nil
		}
		end = viewCut
	}
	// The rest of the buffers is written together with the end.
	if err := s.view.End(end); err != nil {
		return false, session.OutputError(err)
	}
	return true, nil
}

func (s *lineServer) run(ctx context.Context, r request) (any, error) {
	s.command.Lock()
	defer s.command.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.answer(ctx, r), nil
}

// plainAnswer is the line for a bare input.
type plainAnswer struct {
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

// blockAnswer is the line for a tool_use block: the block for the next
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
	lineTooLong     = errorPrefix + "The line is too long: it may have %s bytes. Write a large text in several commands"
	blockIncomplete = errorPrefix + "The field `%s` of the tool_use block is required and must be a string"
)

// request is a parsed line.
type request struct {
	block   *blockAnswer // for the tool_use block, without its content; nil: a bare input
	refused bool         // the answer is known, and no command runs
	refusal plainAnswer  // for a bare input that is refused
	input   []byte       // of the tool
	command memstore.Command
	bad     error // why input is not a command
}

func parse(line []byte) request {
	fields, isBlock := toolUse(line)
	if !isBlock {
		r := request{input: line}
		r.command, r.bad = memstore.DecodeCommand(line)
		return r
	}
	id, hasID := stringField(fields, "id")
	name, hasName := stringField(fields, "name")
	r := request{block: &blockAnswer{Type: typeToolResult, ToolUseID: id}, input: fields["input"], refused: true, bad: memstore.ErrInput}
	switch {
	case !hasID:
		r.block.plainAnswer = refusal(blockIncomplete, "id")
	case !hasName:
		r.block.plainAnswer = refusal(blockIncomplete, "name")
	case name != toolName:
		r.block.plainAnswer = refusal(errorPrefix+"There is no tool %s here, only "+toolName, name)
	default:
		r.refused = false
		r.command, r.bad = memstore.DecodeCommand(r.input)
	}
	return r
}

// tooLong is the request for a line that is too long; start is its beginning.
func tooLong(start []byte) request {
	r := request{refused: true, bad: memstore.ErrInput, refusal: refusal(lineTooLong, strconv.Itoa(memstore.MaxLine))}
	fields := map[string]json.RawMessage{"type": jsonl.Field(start, "type"), "id": jsonl.Field(start, "id")}
	kind, _ := stringField(fields, "type")
	if id, ok := stringField(fields, "id"); ok && kind == typeToolUse {
		r.block = &blockAnswer{Type: typeToolResult, ToolUseID: id, plainAnswer: r.refusal}
	}
	return r
}

// origin adds the origin given in the line to ctx.
func (r request) origin(ctx context.Context) context.Context {
	if r.block == nil {
		return ctx
	}
	return memstore.WithOrigin(ctx, memstore.Origin{ToolUseID: r.block.ToolUseID})
}

// answer carries out one line.
func (s *lineServer) answer(ctx context.Context, r request) any {
	switch {
	case r.block == nil && r.refused:
		return r.refusal
	case r.block == nil:
		return s.bare(ctx, r)
	case !r.refused:
		result := s.do(r.origin(ctx), r)
		r.block.plainAnswer = plainAnswer{Content: result.Content, IsError: result.IsError}
	}
	return *r.block
}

// do runs the command. Invalid input goes to the store unchanged, since the store has the sentence for it.
func (s *lineServer) do(ctx context.Context, r request) memstore.Result {
	if r.bad != nil {
		return s.store.DoJSON(ctx, r.input)
	}
	return s.store.Do(ctx, r.command)
}

// bare runs a line that is the tool's input. A line that is not JSON has another error than JSON that is not an object: the caller made
// another mistake.
func (s *lineServer) bare(ctx context.Context, r request) plainAnswer {
	result := s.do(ctx, r)
	var input *memstore.InputError
	if errors.As(result.Err, &input) && input.Field == "" && utf8.Valid(r.input) && !json.Valid(r.input) {
		return plainAnswer{Content: notJSON, IsError: true}
	}
	return plainAnswer{Content: result.Content, IsError: result.IsError}
}

func refusal(format, what string) plainAnswer {
	return plainAnswer{Content: strings.Replace(format, "%s", what, 1), IsError: true}
}

// toolUse recognizes a block by its type, and returns the fields of the object. A line that contains the type neither literally nor
// possibly in \u escapes is not a block, so most lines are only decoded once, by the store.
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
