package lint

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"memcurator/render/diff"
)

// Part is a file of a proposal with its text.
type Part struct {
	Path string // agent path
	Data []byte
}

// Merged is one text for two notes that nearly say the same: the newer one, with the lines that only the older one has at their places.
type Merged struct {
	Text []byte
	Joined
	LeftOut [][]byte // the lines of Removed
}

// Joined describes what a merge does with lines of the older note that the newer one lacks.
type Joined struct {
	Added    int   // they are in the text; blank ones do not count
	Reworded int   // of them those that the newer one has in other words: a person has to choose
	Removed  []int // the newer one had them once, so they stay out: their numbers in the older one, from 0
}

// Merge joins two notes. It leaves out the lines of the older one with the numbers in removed, in ascending order: the same bytes and
// numbers make the same text, whenever it is asked for.
func Merge(ctx context.Context, older, newer []byte, removed []int) Merged {
	m := Merged{Joined: Joined{Removed: removed}}
	older, newer = ended(older), ended(newer)
	if len(removed) > 0 {
		var stays []byte
		for i, line := range lines(older) {
			if _, out := slices.BinarySearch(removed, i); out {
				m.LeftOut = append(m.LeftOut, line)
				continue
			}
			stays = append(stays, line...)
		}
		older = stays
	}
	a, b := lines(older), lines(newer)
	var onlyOlder, onlyNewer [][]byte
	for _, op := range diff.Lines(ctx, older, newer, diff.Options{}).Ops {
		switch op.Kind {
		case diff.Delete:
			m.Text = append(m.Text, bytes.Join(a[op.AStart:op.AEnd], nil)...)
			onlyOlder = append(onlyOlder, a[op.AStart:op.AEnd]...)
			continue
		case diff.Insert:
			onlyNewer = append(onlyNewer, b[op.BStart:op.BEnd]...)
		}
		m.Text = append(m.Text, bytes.Join(b[op.BStart:op.BEnd], nil)...)
	}
	for _, line := range onlyOlder {
		if len(bytes.TrimSpace(line)) > 0 {
			m.Added++
		}
	}
	m.Reworded = reworded(onlyOlder, onlyNewer)
	return m
}

// reworded counts the lines of a note that another one has in other words, or with another value for the same name.
func reworded(older, newer [][]byte) int {
	names := map[string]bool{}
	for _, line := range newer {
		names[nameIn(line)] = true
	}
	delete(names, "")
	said := map[int]bool{}
	for _, i := range diff.Reworded(older, newer) {
		said[i] = true
	}
	for i, line := range older {
		if names[nameIn(line)] {
			said[i] = true
		}
	}
	return len(said)
}

// nameIn is what a line gives a value to, as in "- deadline: Monday"; "" where it does not.
func nameIn(line []byte) string {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(name) > maxLabel || len(bytes.TrimSpace(value)) == 0 {
		return ""
	}
	return string(bytes.ToLower(bytes.Trim(name, " \t-*+#>_`")))
}

// maxLabel is how long the name of a value may be, in bytes.
const maxLabel = 60

// ended is a text with a newline at its end.
func ended(data []byte) []byte {
	if n := len(data); n > 0 && data[n-1] != '\n' {
		return append(data[:n:n], '\n')
	}
	return data
}

// lines are the lines of a text with their ends.
func lines(data []byte) [][]byte {
	all := bytes.SplitAfter(data, []byte("\n"))
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// Split proposes several files in place of one that is too long: cut at headings, else at empty lines, else
// at line ends, so that each part has at most maxBytes bytes and maxLines lines (0: no limit). A
// single line longer than that stays whole. The first part keeps the path and names the others
// at its end; taken reports whether a path exists. nil: the text is within the limits.
func Split(agentPath string, data []byte, maxBytes, maxLines int64, taken func(string) bool) []Part {
	if within(int64(len(data)), int64(bytes.Count(data, []byte("\n"))), maxBytes, maxLines) {
		return nil
	}
	// Room for the list of the other parts.
	const listed = 512
	roomBytes, roomLines := maxBytes, maxLines
	if maxBytes > 2*listed {
		roomBytes -= listed
	}
	if maxLines > 16 {
		roomLines -= 8
	}
	var parts []Part
	for _, text := range pack(blocks(lines(data)), roomBytes, roomLines) {
		parts = append(parts, Part{Data: text})
	}
	if len(parts) < 2 {
		return nil
	}
	parts[0].Path = agentPath
	ending := path.Ext(agentPath)
	stem := strings.TrimSuffix(agentPath, ending)
	number := 2
	list := "\nContinued in:\n"
	for i := range parts[1:] {
		name := ""
		for name == "" || taken != nil && taken(name) {
			name = stem + "-" + strconv.Itoa(number) + ending
			number++
		}
		parts[i+1].Path = name
		list += "- " + name + "\n"
	}
	if n := len(parts[0].Data); n > 0 && parts[0].Data[n-1] != '\n' {
		list = "\n" + list
	}
	parts[0].Data = append(parts[0].Data[:len(parts[0].Data):len(parts[0].Data)], list...)
	return parts
}

func within(size, count, maxBytes, maxLines int64) bool {
	return (maxBytes <= 0 || size <= maxBytes) && (maxLines <= 0 || count <= maxLines)
}

// block is a run of lines that belongs together, and how good a place to cut is before it.
type block struct {
	lines [][]byte
	size  int64
	head  bool // begins with a heading
}

// blocks cuts a text before its headings and behind its empty lines, except for those in fenced code.
func blocks(all [][]byte) []block {
	var out []block
	fenced, cut := false, true
	for _, l := range all {
		head := !fenced && bytes.HasPrefix(l, []byte("#"))
		if cut || head || len(out) == 0 {
			out = append(out, block{head: head})
		}
		b := &out[len(out)-1]
		b.lines, b.size = append(b.lines, l), b.size+int64(len(l))
		if bytes.HasPrefix(bytes.TrimSpace(l), []byte("```")) {
			fenced = !fenced
		}
		cut = !fenced && len(bytes.TrimSpace(l)) == 0
	}
	return out
}

// pack fills parts with blocks. A part is cut at the last heading that is in its second half, so
// that a section stays whole where that costs little.
func pack(list []block, maxBytes, maxLines int64) [][]byte {
	var out [][]byte
	for len(list) > 0 {
		n, size, count := 0, int64(0), int64(0)
		for n < len(list) && within(size+list[n].size, count+int64(len(list[n].lines)), maxBytes, maxLines) {
			size, count = size+list[n].size, count+int64(len(list[n].lines))
			n++
		}
		if n == 0 { // a block that is too long by itself is cut at line ends
			first, rest := list[0].cut(maxBytes, maxLines)
			out = append(out, join(first))
			if len(rest.lines) == 0 {
				list = list[1:]
			} else {
				list = append([]block{rest}, list[1:]...)
			}
			continue
		}
		if n < len(list) {
			for k := n; k > n/2; k-- {
				if list[k].head {
					n = k
					break
				}
			}
		}
		out = append(out, join(list[:n]...))
		list = list[n:]
	}
	return out
}

func (b block) cut(maxBytes, maxLines int64) (first, rest block) {
	n, size := 0, int64(0)
	for n < len(b.lines) && (n == 0 || within(size+int64(len(b.lines[n])), int64(n+1), maxBytes, maxLines)) {
		size += int64(len(b.lines[n]))
		n++
	}
	return block{lines: b.lines[:n], size: size}, block{lines: b.lines[n:], size: b.size - size}
}

func join(list ...block) []byte {
	var out []byte
	for _, b := range list {
		for _, l := range b.lines {
			out = append(out, l...)
		}
	}
	return out
}
