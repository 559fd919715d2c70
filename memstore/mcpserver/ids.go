package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// numberIDs lets calls keep the ids that they were sent with. The SDK holds a number as an
// int64: to it 1.5 is 1, and 9007199254740993 the number before. Such a call goes by a string of
// ours while it is under way. Safe for concurrent use.
type numberIDs struct {
	prefix string // of those strings, which no client can guess

	mu   sync.Mutex
	sent map[jsonrpc.ID]json.RawMessage // the ids as they were sent, of calls under way
}

func newNumberIDs() *numberIDs {
	return &numberIDs{prefix: rand.Text() + ":", sent: map[jsonrpc.ID]json.RawMessage{}}
}

// own is the id that stands for a number which the SDK would change. ok is false for any other JSON.
func (n *numberIDs) own(raw json.RawMessage) (id jsonrpc.ID, ok bool) {
	if !isID(raw) || raw[0] == '"' {
		return id, false
	}
	if i, err := strconv.ParseInt(string(raw), 10, 64); err == nil && int64(float64(i)) == i && strconv.FormatInt(i, 10) == string(raw) {
		return id, false
	}
	id, err := jsonrpc.MakeID(n.prefix + string(raw))
	return id, err == nil
}

// take gives a request the id that it goes by here, and a notice of cancellation that of the
// request which it means. line is the message as it came.
func (n *numberIDs) take(r *jsonrpc.Request, line []byte) {
	if r.Method == methodCancelled {
		n.takeCancelled(r)
		return
	}
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	if !r.IsCall() || json.Unmarshal(line, &message) != nil {
		return
	}
	if id, ok := n.own(message.ID); ok {
		n.mu.Lock()
		n.sent[id] = message.ID
		n.mu.Unlock()
		r.ID = id
	}
}

func (n *numberIDs) takeCancelled(r *jsonrpc.Request) {
	var params map[string]json.RawMessage
	if json.Unmarshal(r.Params, &params) != nil {
		return
	}
	id, ok := n.own(params["requestId"])
	if !ok {
		return
	}
	params["requestId"], _ = json.Marshal(id.Raw()) // a string
	if changed, err := json.Marshal(params); err == nil {
		r.Params = changed
	}
}

// give puts the id as it was sent into the line of an answer.
func (n *numberIDs) give(id jsonrpc.ID, line []byte) []byte {
	n.mu.Lock()
	sent, ok := n.sent[id]
	delete(n.sent, id)
	n.mu.Unlock()
	if !ok {
		return line
	}
	own, _ := json.Marshal(id.Raw())
	return bytes.Replace(line, append([]byte(`"id":`), own...), append([]byte(`"id":`), sent...), 1)
}

// forget drops the id of a call that gets no answer.
func (n *numberIDs) forget(id jsonrpc.ID) {
	n.mu.Lock()
	delete(n.sent, id)
	n.mu.Unlock()
}
