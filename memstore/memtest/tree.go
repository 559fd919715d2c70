package memtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Tree is what a store holds: names, kinds, bytes and targets of links; modes and times do
// not count. A name is slash-separated and relative to the store. Names that begin with
// "../outside/" are beside the store, where no command may come.
//
// Folders that hold something need no entry of their own.
type Tree map[string]Node

// outsideStore is what the names of things outside the store begin with.
const outsideStore = "../outside/"

// Node is one file, folder, link or pipe. The zero Node is an empty file.
type Node struct {
	Dir  bool
	FIFO bool
	// Link is the target of a link. "{store}" in it is the disk path of the
	// store, "{outside}" that of the folder beside it.
	Link string
	Data []byte
	// Holes is the size of a file that is too large to be stored or read: bytes of zero.
	Holes int64
}

// Places in the target of a link.
const (
	storePlace   = "{store}"
	outsidePlace = "{outside}"
)

// nodeJSON is a Node that is not a plain string.
type nodeJSON struct {
	Dir    bool   `json:"dir,omitempty"`
	FIFO   bool   `json:"fifo,omitempty"`
	Link   string `json:"link,omitempty"`
	Base64 string `json:"base64,omitempty"`
	Repeat string `json:"repeat,omitempty"`
	Times  int    `json:"times,omitempty"`
	Holes  int64  `json:"holes,omitempty"`
}

// UnmarshalJSON reads the text of a file, or an object with one of dir, fifo, link, base64,
// repeat with times, holes.
func (n *Node) UnmarshalJSON(data []byte) error {
	*n = Node{}
	if data[0] == '"' {
		var text string
		err := json.Unmarshal(data, &text)
		n.Data = []byte(text)
		return err
	}
	var j nodeJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return err
	}
	var err error
	switch {
	case j.Base64 != "":
		n.Data, err = base64.StdEncoding.DecodeString(j.Base64)
	case j.Repeat != "":
		n.Data = bytes.Repeat([]byte(j.Repeat), j.Times)
	case !j.Dir && !j.FIFO && j.Link == "" && j.Holes == 0:
		err = errors.New("an entry of a tree is neither a text nor one of dir, fifo, link, base64, repeat, holes")
	}
	n.Dir, n.FIFO, n.Link, n.Holes = j.Dir, j.FIFO, j.Link, j.Holes
	return err
}

// MarshalJSON writes what UnmarshalJSON reads, repeats as plain text.
func (n Node) MarshalJSON() ([]byte, error) {
	j := nodeJSON{Dir: n.Dir, FIFO: n.FIFO, Link: n.Link, Holes: n.Holes}
	switch {
	case j != nodeJSON{}:
	case utf8.Valid(n.Data):
		return json.Marshal(string(n.Data))
	default:
		j.Base64 = base64.StdEncoding.EncodeToString(n.Data)
	}
	return json.Marshal(j)
}

// Split parts a tree into what is in the store and what is beside it.
func (t Tree) Split() (inside, outside Tree) {
	inside, outside = Tree{}, Tree{}
	for name, n := range t {
		if strings.HasPrefix(name, outsideStore) {
			outside[name] = n
		} else {
			inside[name] = n
		}
	}
	return inside, outside
}

// Names returns the names in an order in which they can be created: a folder before
// its entries, links last.
func (t Tree) Names() []string {
	names := slices.Sorted(maps.Keys(t))
	slices.SortStableFunc(names, func(a, b string) int {
		return strings.Compare(t[a].Link, "") - strings.Compare(t[b].Link, "")
	})
	return names
}

// String has a line for each path, folders that only hold something included. Equal trees
// have equal strings.
func (t Tree) String() string {
	lines := map[string]string{}
	for name, n := range t {
		lines[name] = n.describe(name)
		for up := path.Dir(name); up != "." && up != ".."; up = path.Dir(up) {
			lines[up] = Node{Dir: true}.describe(up)
		}
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		out.WriteString(lines[name])
		out.WriteByte('\n')
	}
	return out.String()
}

// shownBytes is how much of a file is shown in the line of a tree.
const shownBytes = 4096

func (n Node) describe(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		name = strconv.Quote(name)
	}
	switch {
	case n.Dir:
		return name + "/"
	case n.FIFO:
		return name + " is a pipe"
	case n.Link != "":
		return name + " -> " + n.Link
	case n.Holes != 0:
		return fmt.Sprintf("%s has %d bytes", name, n.Holes)
	case len(n.Data) > shownBytes:
		return fmt.Sprintf("%s has %d bytes, SHA-256 %x", name, len(n.Data), sha256.Sum256(n.Data))
	}
	return name + " " + strconv.Quote(string(n.Data))
}
