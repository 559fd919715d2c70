package git

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// maxFiles bounds the list of the files of a work tree, in bytes.
const maxFiles = 32 << 20

// Files lists the files that the repository keeps below a folder of the work tree, "." for all, as slash-separated paths from the
// top. It fails if their names alone take more than 32 MB.
func (r Repository) Files(ctx context.Context, below string) ([]string, error) {
	out, err := r.read(ctx, maxFiles, "ls-files", "-z", "--cached", "--", below)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// Gone is how a path left the work tree.
type Gone struct {
	Time time.Time // of the commit
	To   string    // its new path, "" if it was deleted
}

const (
	// maxGone bounds what is read of renames and deletions, in bytes.
	maxGone = 32 << 20
	// maxWalked is how many commits are asked about.
	maxWalked = 20_000
)

// Gone lists the paths below a folder of the work tree that a commit up to head deleted or renamed, by their last such commit, relative
// to the folder. A path may be there again.
func (r Repository) Gone(ctx context.Context, head, below string) (map[string]Gone, error) {
	first := ""
	if out, err := r.read(ctx, maxRef, "rev-list", "--max-count=1", "--skip="+strconv.Itoa(maxWalked), head); err == nil {
		first = strings.TrimSpace(string(out))
	}
	ask := func(alike string) ([]byte, error) {
		args := []string{"log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--find-renames=" + alike, "-l400",
			"--diff-filter=DR", "--name-status", "--format=%x01%ct", head}
		if isHash(first) {
			args = append(args, "^"+first)
		}
		return r.read(ctx, maxGone, append(args, "--", below)...)
	}
	out, err := ask("60%")
	if err != nil && ctx.Err() == nil { // of a large repository, or one without all contents, only files that were renamed as they were
		out, err = ask("100%")
	}
	if err != nil {
		return nil, err
	}
	return parseGone(out, below), nil
}

// parseGone reads the answer of git log: of each commit a byte 1, the time, and the changes, as zero-terminated fields.
func parseGone(data []byte, below string) map[string]Gone {
	list := map[string]Gone{}
	local := func(name string) string {
		if below == "." {
			return name
		}
		name, ok := strings.CutPrefix(name, below+"/")
		if !ok {
			return ""
		}
		return name
	}
	for block := range strings.SplitSeq(string(data), "\x01") {
		fields := strings.Split(block, "\x00")
		seconds, err := strconv.ParseInt(strings.TrimSpace(fields[0]), 10, 64)
		if err != nil {
			continue
		}
		at := time.Unix(seconds, 0)
		for i := 1; i < len(fields); i++ {
			gone, from := Gone{Time: at}, ""
			switch status := strings.TrimLeft(fields[i], "\n"); {
			case status == "D" && i+1 < len(fields):
				from = local(fields[i+1])
				i++
			case strings.HasPrefix(status, "R") && i+2 < len(fields):
				from, gone.To = local(fields[i+1]), local(fields[i+2])
				i += 2
			default:
				continue
			}
			if _, known := list[from]; !known && from != "" { // the newest comes first
				list[from] = gone
			}
		}
	}
	return list
}
