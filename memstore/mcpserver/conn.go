package mcpserver

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// ErrStopped is what [Serve] returns when its context ended before the input did.
var ErrStopped = errors.New("stopped before the end of the input")

// stopWithin is how long a server that is stopped waits for the calls under way, and for the client to take their answers.
const stopWithin = 10 * time.Second

// Serve serves one client on two streams: a message a line, of up to [memstore.MaxLine] bytes, and nothing but messages on out. The
// streams stay open. Tool calls run one after another, in the order in which they were sent.
//
// When in ends, the server answers all calls before the end and returns nil. A line that is not a message of the protocol ends it in the
// same way, with an error. When ctx ends, it finishes the calls under way and returns [ErrStopped]. A Read of in that doesn't return then
// leaks, which is fine in a program that is about to exit.
func Serve(ctx context.Context, store *memstore.Store, o Options, in io.Reader, out io.Writer) error {
	t := &transport{stop: ctx, IOTransport: mcp.IOTransport{
		Reader: io.NopCloser(in), Writer: openWriter{out}, MaxLineLength: memstore.MaxLine,
	}}
	session, err := New(store, o).Connect(context.WithoutCancel(ctx), t, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case <-ended:
		case <-time.After(stopWithin):
		}
		err = ErrStopped
	}
	return err
}

// transport is the SDK's, and ends when stop does.
type transport struct {
	mcp.IOTransport
	stop context.Context
}

// Connect implements [mcp.Transport].
func (t *transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	return &conn{Connection: c, stop: t.stop, pending: map[jsonrpc.ID]bool{}}, err
}

// conn holds back what follows calls under way until they are answered: a call that may depend on them, since the SDK runs all that it has
// read together, and the end of the input, at which it would cancel them.
type conn struct {
	mcp.Connection
	stop context.Context

	mu       sync.Mutex
	pending  map[jsonrpc.ID]bool // calls without an answer
	answered chan struct{}       // set by a Read that waits, and closed once no call is pending
	writeErr error
}

// Read implements [mcp.Connection].
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.stop, cancel)()
	m, err := c.Connection.Read(ctx)
	r, ok := m.(*jsonrpc.Request)
	if err != nil || ok && r.Method == "tools/call" {
		c.allAnswered()
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	if ok && r.IsCall() {
		c.mu.Lock()
		c.pending[r.ID] = true
		c.mu.Unlock()
	}
	return m, nil
}

// allAnswered waits until no call is under way.
func (c *conn) allAnswered() {
	c.mu.Lock()
	if len(c.pending) == 0 || c.writeErr != nil {
		c.mu.Unlock()
		return
	}
	answered := make(chan struct{})
	c.answered = answered
	c.mu.Unlock()
	<-answered
}

// Write implements [mcp.Connection].
func (c *conn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer, ok := m.(*jsonrpc.Response); ok {
		delete(c.pending, answer.ID)
	}
	if err != nil {
		c.writeErr = err
	}
	if c.answered != nil && (len(c.pending) == 0 || err != nil) {
		close(c.answered)
		c.answered = nil
	}
	return err
}

// openWriter is a writer that its user can't close.
type openWriter struct{ io.Writer }

func (openWriter) Close() error { return nil }
