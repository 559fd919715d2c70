// Package yamljson reads recordings in YAML, such as the cassettes of HTTP recorders, as JSON values.
package yamljson

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"sync"

	"memcurator/memstore/transcript/rawjson"

	"go.yaml.in/yaml/v4"
)

var begins = sync.OnceValue(func() *regexp.Regexp { // compiled when a transcript is read
	return regexp.MustCompile(`(?m)^(- )? *["']?(interactions|messages|requests|conversation|role|type|request|response)["']?:( |\r?$)`)
})

// Begins recognizes a recording in YAML by its beginning: one of the keys that hold conversations.
func Begins(head []byte) bool { return begins().Match(head) }

// MaxSize is the longest file in YAML that is read, in bytes: it is taken apart as a whole.
const MaxSize = 64 << 20

// errNone is what ends the writing of a value that grows out of proportion by its aliases, and of one
// that has a key twice, as lines of a log have that look like YAML.
var errNone = errors.New("it is not a transcript")

// Values are the documents of a file in YAML as JSON values, up to one that is not a recording.
func Values(data []byte) (list []rawjson.Value) {
	for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var n yaml.Node
		if err := d.Decode(&n); err != nil {
			break
		}
		w := writer{most: max(4*len(data), 1<<20)}
		if n.Kind != yaml.DocumentNode || len(n.Content) != 1 || n.Content[0].Kind == yaml.ScalarNode || w.write(n.Content[0], 0) != nil {
			break
		}
		list = append(list, w.out.Bytes())
	}
	return list
}

// writer writes a node as JSON, in the order of the file.
type writer struct {
	out  bytes.Buffer
	most int
}

func (w *writer) write(n *yaml.Node, depth int) error {
	if depth > rawjson.MaxDepth || w.out.Len() > w.most {
		return errNone
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.write(n.Alias, depth+1)
	case yaml.MappingNode:
		return w.mapping(n, depth)
	case yaml.SequenceNode:
		for i, e := range n.Content {
			w.out.WriteByte("[,"[min(i, 1)])
			if err := w.write(e, depth+1); err != nil {
				return err
			}
		}
		if len(n.Content) == 0 {
			w.out.WriteByte('[')
		}
		w.out.WriteByte(']')
		return nil
	}
	w.scalar(n)
	return nil
}

func (w *writer) mapping(n *yaml.Node, depth int) error {
	w.out.WriteByte('{')
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			w.out.WriteByte(',')
		}
		key := n.Content[i].Value
		if seen[key] {
			return errNone
		}
		seen[key] = true
		w.out.Write(rawjson.Quote(key))
		w.out.WriteByte(':')
		if err := w.write(n.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

// scalar writes what has no parts: numbers and words that JSON has too as they stand, all else as a
// string.
func (w *writer) scalar(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		w.out.WriteString("null")
		return
	case "!!bool":
		if b, err := strconv.ParseBool(n.Value); err == nil {
			w.out.WriteString(strconv.FormatBool(b))
			return
		}
	case "!!int", "!!float":
		if rawjson.Valid([]byte(n.Value)) {
			w.out.WriteString(n.Value)
			return
		}
	}
	w.out.Write(rawjson.Quote(n.Value))
}
