package git

import (
	"context"
	"errors"
	"strings"
)

// maxRef bounds an answer that is the name of an object, in bytes.
const maxRef = 4 << 10

// Head is the hash of the commit that is checked out, "" in a repository without one.
func (r Repository) Head(ctx context.Context) (string, error) {
	out, err := r.read(ctx, maxRef, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
	if hash := strings.TrimSpace(string(out)); err == nil && isHash(hash) {
		return hash, nil
	}
	var failed *failure
	if errors.As(err, &failed) && failed.Line == "" {
		return "", nil // a branch without a commit
	}
	return "", err
}

// isHash reports whether a text is the name of an object.
func isHash(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
