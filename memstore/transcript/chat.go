package transcript

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// chat is a chat session of VS Code, put together from its log of operations: a snapshot, values that were set, elements that were
// appended, values that were removed.
type chat struct {
	root any
	at   Source // of the snapshot
}

// operation is a line of the log.
type operation struct {
	Kind *int
	K    []any // the path of keys and indexes
	V    any
	I    *int // of a push: those from here on go first
}

// The kinds of operations.
const (
	opSnapshot = iota
	opSet
	opPush
	opDelete
)

// operation takes a line of the log; false: it is none.
func (r *Reader) operation(v value) bool {
	o := v.object()
	if kind := o.get("kind"); kind.isNull() || kind[0] < '0' || kind[0] > '3' || o.get("v") == nil && o.get("k") == nil {
		return false
	}
	var op operation
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	switch err := d.Decode(&op); {
	case err != nil || op.Kind == nil:
		return false
	case *op.Kind == opSnapshot && op.K == nil:
		r.endChat()
		r.chat = &chat{op.V, r.at}
	case r.chat == nil:
		return false
	default:
		r.chat.root = op.apply(r.chat.root, op.K)
	}
	return true
}

// endChat reads the session as it is at the end of its log.
func (r *Reader) endChat() {
	c := r.chat
	if r.chat = nil; c == nil {
		return
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(c.root) == nil {
		r.at = c.at
		r.record(bytes.TrimSpace(out.Bytes()))
	}
}

// apply is what becomes of a value by an operation at a path in it.
func (op *operation) apply(in any, path []any) any {
	if len(path) == 0 {
		if *op.Kind != opPush {
			return op.V
		}
		list, _ := in.([]any)
		if op.I != nil && *op.I >= 0 && *op.I < len(list) {
			list = list[:*op.I]
		}
		more, _ := op.V.([]any)
		return append(list, more...)
	}
	removes := *op.Kind == opDelete && len(path) == 1
	switch key := path[0].(type) {
	case string:
		fields, ok := in.(map[string]any)
		if !ok && in != nil {
			return in
		}
		if fields == nil {
			fields = map[string]any{}
		}
		if fields[key] = op.apply(fields[key], path[1:]); removes {
			delete(fields, key)
		}
		return fields
	case json.Number:
		list, ok := in.([]any)
		n, err := key.Int64()
		switch {
		case !ok && in != nil, err != nil, n < 0, n > int64(len(list)):
			return in
		case removes && n < int64(len(list)):
			return slices.Delete(list, int(n), int(n)+1)
		case n == int64(len(list)):
			list = append(list, nil)
		}
		list[n] = op.apply(list[n], path[1:])
		return list
	}
	return in
}

// endStreams takes the calls whose input never ended, in the order of their indexes.
func (r *Reader) endStreams() {
	for _, index := range slices.Sorted(maps.Keys(r.streams)) {
		r.ended(index)
	}
}
