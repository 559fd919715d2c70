package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
	"memcurator/memstore/jsonl"
)

// ErrStopped is what [Serve] returns when its context ended before the input did.
var ErrStopped = errors.New("stopped before the end of the input")

// answerWithin is how long an end by the context waits for the client to take the answer of the last call.
const answerWithin = time.Second

// Serve serves one client on two streams: a message a line, of up to [memstore.MaxLine] bytes, and nothing but messages on out.
// Tool calls and reads run one after another, in the order in which they were sent; pings and
// cancellations are not held up by them.
//
// When in ends, the server answers all calls before the end and returns nil. When ctx ends, it finishes the call under way, drops
// those that wait, and returns [ErrStopped]. A Read of in that doesn't return then leaks, which is fine in a program that is about to
// exit. If in or out fails, the call under way still runs to its end, and the error is theirs.
func Serve(ctx context.Context, store *memstore.Store, o Options, in io.Reader, out io.Writer) error {
	c := newConn(ctx.Done(), in, out)
	session, err := New(store, o).Connect(context.WithoutCancel(ctx), c, nil)
	if err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = session.Wait() // the streams' own errors are in c
	}()
	select {
	case <-ended:
	case <-c.abandoned:
	}
	return c.outcome()
}

// conn is a connection over lines. It differs from the SDK's own in what a
// client can break: a line that is not a message is answered and passed over, and at the end
// of the input the calls that came before it are carried out and answered.
//
// Read is for one goroutine at a time, Write for any number.
type conn struct {
	stop      <-chan struct{} // no call is begun after it is closed
	out       io.Writer
	lines     chan inputLine
	closed    chan struct{} // by Close
	abandoned chan struct{} // the last answer is never read
	closeOnce sync.Once
	ids       *numberIDs

	// Of Read alone.
	queue []*jsonrpc.Request // calls that wait for the one before
	over  bool               // nothing is taken from lines any more

	answered chan struct{} // holds a token when pending or writing has changed

	mu      sync.Mutex
	pending map[jsonrpc.ID]bool // calls that have been handed on and have no answer yet
	busy    bool                // a call from the queue has its turn, until its answer is written
	turn    jsonrpc.ID          // of that call
	writing int                 // answers on their way
	inErr   error
	outErr  error
	stopped bool

	writeMu sync.Mutex
}

type inputLine struct {
	data []byte
	err  error // the last one has it: io.EOF at the end
	long bool  // it is too long, and data its beginning
}

// queueMost is how many calls may wait before no more lines are read.
const queueMost = 1024

func newConn(stop <-chan struct{}, in io.Reader, out io.Writer) *conn {
	c := &conn{
		stop: stop, out: out, lines: make(chan inputLine),
		closed: make(chan struct{}), abandoned: make(chan struct{}), answered: make(chan struct{}, 1),
		pending: map[jsonrpc.ID]bool{}, ids: newNumberIDs(),
	}
	go c.readLines(in)
	return c
}

// Connect implements [mcp.Transport].
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection].
func (c *conn) SessionID() string { return "" }

// Close implements [mcp.Connection]. The streams are the caller's and stay open.
func (c *conn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

func (c *conn) outcome() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return cmp.Or(c.outErr, c.inErr, ErrStopped)
	}
	return cmp.Or(c.outErr, c.inErr)
}

func (c *conn) readLines(in io.Reader) {
	r := jsonl.NewReader(in, memstore.MaxLine)
	for {
		_, err := r.Next()
		long := errors.Is(err, jsonl.ErrTooLong)
		if long {
			err = nil
		}
		select {
		case c.lines <- inputLine{data: r.Own(), err: err, long: long}:
		case <-c.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read implements [mcp.Connection].
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if c.unheard() {
			c.queue, c.over = nil, true
		}
		stop := c.stop
		if c.hasStopped() {
			stop = nil
		}
		select {
		case <-stop: // before the next call gets its turn
			c.end()
			continue
		default:
		}
		if m := c.next(); m != nil {
			return m, nil
		}
		if c.over && len(c.queue) == 0 && c.idle() {
			return nil, io.EOF
		}
		lines := c.lines
		if c.over || len(c.queue) >= queueMost {
			lines = nil
		}
		select {
		case l := <-lines:
			if m := c.take(l); m != nil {
				return m, nil
			}
		case <-stop:
			c.end()
		case <-c.answered:
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// next is the call whose turn it is, if any.
func (c *conn) next() jsonrpc.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 || c.busy {
		return nil
	}
	call := c.queue[0]
	c.queue = c.queue[1:]
	c.busy, c.turn = true, call.ID
	c.pending[call.ID] = true
	return call
}

func (c *conn) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending) == 0 && c.writing == 0
}

// unheard reports whether out has failed: the client is gone.
func (c *conn) unheard() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outErr != nil
}

func (c *conn) hasStopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}

// end is the end of the context: what waits is dropped, what runs is waited for.
func (c *conn) end() {
	c.queue, c.over = nil, true
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	go c.giveUp()
}

// giveUp waits until only an answer remains that the client has not read for [answerWithin].
func (c *conn) giveUp() {
	tick := time.NewTicker(answerWithin / 4)
	defer tick.Stop()
	for waited := 0; waited <= 4; waited++ {
		select {
		case <-c.closed:
			return
		case <-tick.C:
		}
		c.mu.Lock()
		if len(c.pending) > 0 || c.writing == 0 {
			waited = 0
		}
		c.mu.Unlock()
	}
	close(c.abandoned)
}

// take looks at one line and returns the message to hand on, nil if there is none.
func (c *conn) take(l inputLine) jsonrpc.Message {
	if l.err != nil {
		c.over = true
		if !errors.Is(l.err, io.EOF) {
			c.mu.Lock()
			c.inErr = l.err
			c.mu.Unlock()
			return nil // half a line is not a message
		}
	}
	if l.long {
		c.refuseLong(l.data)
		return nil
	}
	data := bytes.TrimSpace(l.data)
	if len(data) == 0 {
		return nil
	}
	m, err := jsonrpc.DecodeMessage(data)
	if err != nil || !json.Valid(data) {
		c.refuse(data)
		return nil
	}
	r, ok := m.(*jsonrpc.Request)
	if ok {
		c.ids.take(r, data)
	}
	switch {
	case !ok:
	case r.Method == methodCancelled && c.unqueue(r):
		return nil
	case !r.IsCall():
	case inTurn[r.Method]:
		c.queue = append(c.queue, r)
		return nil
	case r.Method != methodListen: // which has no answer before the client cancels it
		c.mu.Lock()
		c.pending[r.ID] = true
		c.mu.Unlock()
	}
	return m
}

// inTurn are the methods that wait for their turn: what a read or a list shows depends on the calls before it.
var inTurn = map[string]bool{"tools/call": true, "resources/read": true, "resources/list": true}

// The methods that the connection treats in a way of their own.
const (
	methodListen    = "subscriptions/listen"
	methodCancelled = "notifications/cancelled"
)

// unqueue withdraws a call that was canceled before its turn. It gets no
// answer, as the protocol wants it.
func (c *conn) unqueue(r *jsonrpc.Request) bool {
	var params struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &params) != nil {
		return false
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	if err != nil || !id.IsValid() {
		return false
	}
	for i, call := range c.queue {
		if call.ID == id {
			c.queue = append(c.queue[:i], c.queue[i+1:]...)
			c.ids.forget(id)
			return true
		}
	}
	return false
}

// refuse answers a line that is not a message.
func (c *conn) refuse(data []byte) {
	answer := refusal{Version: "2.0", ID: json.RawMessage("null")}
	answer.Error.Code, answer.Error.Message = jsonrpc.CodeParseError, "The line is not valid JSON"
	if json.Valid(data) {
		answer.Error.Code, answer.Error.Message = jsonrpc.CodeInvalidRequest, "The line is not a JSON-RPC 2.0 message"
		var probe struct {
			ID json.RawMessage `json:"id"`
		}
		if data[0] == '[' {
			answer.Error.Message = "Batches are not served; send one message a line"
		} else if json.Unmarshal(data, &probe) == nil && isID(probe.ID) {
			answer.ID = probe.ID
		}
	}
	c.answer(answer)
}

// refuseLong answers a line that is too long, of which start is the beginning.
func (c *conn) refuseLong(start []byte) {
	answer := refusal{Version: "2.0", ID: json.RawMessage("null")}
	answer.Error.Code = jsonrpc.CodeInvalidRequest
	answer.Error.Message = "The message is too long: it may have " + strconv.Itoa(memstore.MaxLine) +
		" bytes. Write a large text in several commands"
	if id := jsonl.Field(start, "id"); isID(id) {
		answer.ID = id
	}
	c.answer(answer)
}

func (c *conn) answer(answer refusal) {
	line, err := json.Marshal(answer)
	if err == nil {
		err = c.writeLine(line)
	}
	if err != nil {
		c.fail(err)
	}
}

type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// isID reports whether raw is a string or a number, the two kinds of id.
func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// Write implements [mcp.Connection].
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	answer, ok := m.(*jsonrpc.Response)
	if ok {
		line = c.ids.give(answer.ID, line)
		c.mu.Lock()
		delete(c.pending, answer.ID)
		c.writing++
		c.mu.Unlock()
	}
	if err = c.writeLine(line); err != nil {
		c.fail(err)
	}
	if ok {
		c.mu.Lock()
		c.writing--
		c.busy = c.busy && c.turn != answer.ID
		c.mu.Unlock()
		c.wake()
	}
	return err
}

// writeLine writes a message in one piece.
func (c *conn) writeLine(line []byte) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	_, err := c.out.Write(append(line, '\n'))
	return err
}

// fail keeps the first error of out, which ends the connection.
func (c *conn) fail(err error) {
	c.mu.Lock()
	if c.outErr == nil {
		c.outErr = err
	}
	c.mu.Unlock()
	c.wake()
}

func (c *conn) wake() {
	select {
	case c.answered <- struct{}{}:
	default:
	}
}
