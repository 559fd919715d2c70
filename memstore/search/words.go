package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"memcurator/memstore"
)

// Words is a query of several words, all of which a text must hold, in any order and anywhere. It is immutable and safe for
// concurrent use.
type Words []*Matcher

// ParseWords reads the words of a query as the arguments of a command are: each is looked for as it stands, so that one with
// spaces in it is a phrase; one between slashes is a regular expression, and may hold spaces; what stands between double
// quotes inside an argument is a phrase too. The text of the error is a sentence for the user.
func ParseWords(args []string) (Words, error) {
	line := strings.Join(args, " ")
	if q := ParseQuery(line); q.Regexp && (len(args) == 1 || !strings.HasSuffix(args[0], "/")) {
		args = []string{line}
	}
	var list Words
	for _, arg := range args {
		for _, part := range phrases(arg) {
			m, err := Compile(ParseQuery(part))
			if err != nil {
				return nil, err
			}
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		_, err := Compile(Query{})
		return nil, err
	}
	return list, nil
}

// phrases takes an argument apart where it has double quotes: what is between them stays together, the rest are words.
func phrases(arg string) (list []string) {
	if q := ParseQuery(arg); q.Regexp || strings.Count(arg, `"`) < 2 {
		return []string{arg}
	}
	for i, part := range strings.Split(arg, `"`) {
		if i%2 == 0 {
			list = append(list, strings.Fields(part)...)
		} else if part != "" {
			list = append(list, part)
		}
	}
	return list
}

// wordLines is how many lines with the first word are looked at for one that has all of them.
const wordLines = 10_000

// First returns a line with a match in the first size bytes of r if they hold all words: the first line that has them all,
// else the first with the first word. The Hit is the caller's.
func (w Words) First(ctx context.Context, r io.ReaderAt, size int64) (first Hit, ok bool, err error) {
	for _, m := range w[1:] {
		if _, found, err := m.Find(ctx, r, size, 0, false); err != nil || !found {
			return first, false, err
		}
	}
	left := wordLines
	_, err = w[0].Lines(ctx, r, size, func(h *Hit) bool {
		left--
		all := !slices.ContainsFunc(w[1:], func(m *Matcher) bool { return len(m.Spans(nil, h.Text)) == 0 })
		if all || !ok {
			first, ok = *h, true
			first.Text, first.Spans = bytes.Clone(h.Text), slices.Clone(h.Spans)
		}
		return !all && left > 0
	})
	return first, ok, err
}

// In is First in data; start is -1 where they do not hold all words.
func (w Words) In(ctx context.Context, data []byte) (start, end int) {
	h, ok, err := w.First(ctx, bytes.NewReader(data), int64(len(data)))
	if err != nil || !ok {
		return -1, -1
	}
	return int(h.Start), int(h.End)
}

// Present calls visit for the regular files of a store that hold all words, in the order of the tree, until it returns
// false. leaveOut (nil: none) chooses by agent path what is not searched. Of a file that is not text the Hit has no Text.
func (w Words) Present(ctx context.Context, s *memstore.Store, leaveOut func(agentPath string) bool,
	visit func(path string, h Hit) bool) (Totals, error) {
	found, err := Store(ctx, s, w[0], Options{KeepFile: 1, Keep: math.MaxInt})
	totals := found.Totals
	if err != nil {
		return totals, err
	}
	for _, f := range found.Found {
		if f.Lines == 0 || leaveOut != nil && leaveOut(f.Path) {
			continue
		}
		h, ok, err := w.inFile(ctx, s.Backend(), f)
		switch {
		case ctx.Err() != nil:
			return totals, ctx.Err()
		case errors.Is(err, memstore.ErrNotExist), errors.Is(err, memstore.ErrNotRegular), errors.Is(err, memstore.ErrNotDir):
			// It vanished since.
		case err != nil:
			totals.Skips++
			totals.Skipped = append(totals.Skipped, Skip{f.Path, err})
		case ok && !visit(f.Path, h):
			return totals, nil
		}
	}
	return totals, nil
}

// inFile is First in one file of a store.
func (w Words) inFile(ctx context.Context, b memstore.Backend, f *Found) (h Hit, ok bool, err error) {
	file, err := b.Open(f.Path[len(memstore.Root)+1:], memstore.Look)
	if err != nil {
		return h, false, err
	}
	defer file.Close() // opened for reading: nothing can be lost here
	info, err := file.Info()
	if err != nil {
		return h, false, err
	}
	size := info.Size
	if f.Binary {
		size = min(size, binaryMax)
	}
	h, ok, err = w.First(ctx, file, size)
	if f.Binary {
		h.Text = nil
	}
	return h, ok, err
}
