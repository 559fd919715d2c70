package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// Line is a line that a commit added to a file or removed from it.
type Line struct {
	Commit string
	Time   time.Time // of the commit
	File   string    // from the top, slash-separated
	Added  bool
	Text   []byte // only until the visit returns
	Hunk   int    // number of the group of changes next to each other that it is in
	Above  string // the line above the hunk, at the left margin, that git takes for the beginning of the part that the hunk is in; "" for none
}

const (
	// searchTime bounds one search of the history.
	searchTime = 6 * time.Second
	// maxSearched is how many commits it goes back.
	maxSearched = 10_000
	// maxLineText bounds one line: a longer one is data, and its rest is skipped.
	maxLineText = 64 << 10
)

// Lines calls visit for the lines that the commits of the checked-out branch changed below a folder of the work tree, the newest commit
// first; merges are skipped, and files of more than a megabyte. It ends early where visit returns false, after maxSearched commits, and
// with [ErrSlow] after searchTime: what visit got until then is right.
func (r Repository) Lines(ctx context.Context, below string, visit func(Line) bool) error {
	head, err := r.Head(ctx)
	if err != nil || head == "" {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	c := r.Command(limited, "-c", "core.bigFileThreshold=1m", "-c", "diff.submodule=short", "log", "--patch",
		"--unified=0", "--inter-hunk-context=0", "--no-merges", "--no-renames", "--no-color", "--no-show-signature", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/", "--no-notes", "--ignore-submodules=none", "-O"+os.DevNull,
		"--max-count="+strconv.Itoa(maxSearched), "--format=%x01%H%x00%ct", head, "--", below)
	complaint := &bounded{left: maxComplaint}
	c.Stderr = complaint
	out, err := c.StdoutPipe()
	if err != nil {
		return explain(err, "")
	}
	if err := c.Start(); err != nil {
		return explain(err, "")
	}
	whole := parseLines(bufio.NewReaderSize(out, 256<<10), visit)
	if !whole {
		cancel()
	}
	err = c.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !whole:
		return nil
	case limited.Err() != nil:
		return ErrSlow
	case err != nil:
		return explain(err, complaint.data.String())
	}
	return nil
}

// parseLines reads the answer of git log to its end; false if visit ended it. What a hunk announces is text, whatever it looks like.
func parseLines(in *bufio.Reader, visit func(Line) bool) bool {
	var one Line
	hunks := 0
	removed, added := 0, 0 // lines of the hunk that are yet to come
	for {
		text, err := readLine(in)
		if len(text) == 0 && err != nil {
			return true
		}
		switch {
		case removed > 0 && text[0] == '-', added > 0 && text[0] == '+':
			one.Added, one.Text = text[0] == '+', text[1:]
			if one.Added {
				added--
			} else {
				removed--
			}
			if one.Commit != "" && one.File != "" && !visit(one) {
				return false
			}
		case text[0] == '\x01':
			hash, at, _ := strings.Cut(string(text[1:]), "\x00")
			seconds, err := strconv.ParseInt(at, 10, 64)
			if one = (Line{}); err == nil && isHash(hash) {
				one.Commit, one.Time = hash, time.Unix(seconds, 0)
			}
		case bytes.HasPrefix(text, []byte("--- ")), bytes.HasPrefix(text, []byte("+++ ")):
			if name, ok := patched(string(text[4:])); ok {
				one.File = name
			}
		case bytes.HasPrefix(text, []byte("diff ")):
			one.File = ""
		case bytes.HasPrefix(text, []byte("@@ -")):
			removed, added, one.Above = hunk(string(text))
			hunks++
			one.Hunk = hunks
		}
	}
}

// readLine reads a line without its end, and at most the beginning of a long one.
func readLine(in *bufio.Reader) ([]byte, error) {
	text, err := in.ReadSlice('\n')
	long := err == bufio.ErrBufferFull
	if long {
		text = bytes.Clone(text[:min(len(text), maxLineText)])
	}
	for err == bufio.ErrBufferFull {
		_, err = in.ReadSlice('\n')
	}
	text = text[:min(len(text), maxLineText)]
	text = bytes.TrimSuffix(text, []byte("\n"))
	if len(text) == 0 && err == nil {
		text = []byte(" ")
	}
	if err == io.EOF && len(text) > 0 {
		err = nil
	}
	return text, err
}

// patched is the file that a header of a patch names; false for none.
func patched(name string) (string, bool) {
	name = strings.TrimSuffix(name, "\t") // git puts one behind a name with a blank
	if strings.HasPrefix(name, `"`) {
		plain, err := strconv.Unquote(name)
		if err != nil {
			return "", false
		}
		name = plain
	}
	if !strings.HasPrefix(name, "a/") && !strings.HasPrefix(name, "b/") {
		return "", false // /dev/null
	}
	return name[2:], true
}

// hunk reads how many lines a hunk removes and adds, and what is above it: "@@ -12,2 +12 @@ const (".
func hunk(text string) (removed, added int, above string) {
	fields := strings.SplitN(text, " ", 5)
	if len(fields) < 4 {
		return 0, 0, ""
	}
	if len(fields) > 4 {
		above = fields[4]
	}
	count := func(span string) int {
		_, n, ok := strings.Cut(span, ",")
		if !ok {
			return 1
		}
		lines, err := strconv.Atoi(n)
		if err != nil || lines < 0 {
			return 0
		}
		return lines
	}
	return count(fields[1]), count(fields[2]), above
}
