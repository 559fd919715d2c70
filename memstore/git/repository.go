package git

import (
	"os"
	"path/filepath"
)

// Repository is a work tree of git and where it is on this machine.
type Repository struct {
	Top string // real path of the work tree's folder, the one with .git in it
}

// folder is the name of git's folder, or of the file that says where it is.
const folder = ".git"

// Around finds the work tree that a directory is in; false if it is in none. It runs no program.
func Around(dir string) (Repository, bool) {
	if dir == "" {
		return Repository{}, false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Repository{}, false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		if _, err := os.Lstat(filepath.Join(dir, folder)); err == nil {
			return Repository{Top: dir}, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return Repository{}, false
		}
		dir = up
	}
}

// Below is the slash-separated path of a directory in the work tree, "." for its top; false if it is outside.
func (r Repository) Below(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	below, err := filepath.Rel(r.Top, dir)
	if err != nil || !filepath.IsLocal(below) {
		return "", false
	}
	return filepath.ToSlash(below), true
}
