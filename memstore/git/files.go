package git

import (
	"context"
	"strings"
)

// maxFiles bounds the list of the files of a work tree, in bytes.
const maxFiles = 32 << 20

// Files lists the files that the repository keeps below a folder of the work tree, "." for all, as slash-separated paths from the
// top. [ErrTooMuch] if their names alone take more than 32 MB.
func (r Repository) Files(ctx context.Context, below string) ([]string, error) {
	out, err := r.read(ctx, maxFiles, "ls-files", "-z", "--cached", "--", below)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}
