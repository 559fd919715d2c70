// Package statedir names and makes the folder in which memcurator keeps what it knows
// about one store: the journal and the remembered layout, nothing that the user must edit.
//
// The folder is <base>/<slug>-<id>. base is $XDG_STATE_HOME/memcurator (on macOS below
// ~/Library/Application Support, on Windows below %LOCALAPPDATA%), or what --state or
// MEMCURATOR_STATE name instead. id is the first 12 hex digits of the SHA-256 of the store's
// real absolute path, so the same store has the same folder however it is reached; slug only
// helps people to find it. The folder is never inside the store: the agent would see it.
//
// Each folder says whose it is ([IdentityFile]). By that a purge finds all folders that may hold the past of a store that moved ([All]).
//
// cli asks for the folder and hands it to whoever keeps something there. The functions do
// I/O on the file system, hold no state and may be called from any goroutine.
package statedir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// program is the name of our folder below the user's state folder.
const program = "memcurator"

// idDigits is how many hex digits of the hash tell stores apart.
const idDigits = 12

// maxSlug bounds the readable part of the name, in bytes.
const maxSlug = 40

// ErrInside means that the folder would be inside the store.
var ErrInside = errors.New("the state folder would be inside the store")

// ErrNoHome means that nothing says where the user's state belongs.
var ErrNoHome = errors.New("no home directory is known")

// Default returns the base for all stores where the user named none. Nothing is created.
func Default() (string, error) {
	if os.Getenv("XDG_STATE_HOME") == "" {
		if home, err := os.UserHomeDir(); err != nil || home == "" {
			return "", ErrNoHome // the library would take the root of the file system
		}
	}
	return filepath.Join(xdg.StateHome, program), nil
}

// For returns the folder of the store in the directory storeDir, and makes it and what is
// missing above it, each for its owner only (0700). base is the folder for all stores; empty:
// [Default]. The errors are [ErrInside], [ErrNoHome] or the file system's.
func For(base, storeDir string) (string, error) {
	dir, err := Path(base, storeDir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	made := os.Mkdir(dir, 0o700)
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return "", made
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", &fs.PathError{Op: "mkdir", Path: dir, Err: errors.New("it is not a directory")}
	}
	// The contents include the bytes of memories: closed to others whatever the umask was,
	// and closed again if it was opened.
	if info.Mode().Perm() != 0o700 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return "", err
		}
	}
	if _, err := Recorded(dir); errors.Is(err, fs.ErrNotExist) {
		err = record(dir, storeDir)
		_ = err // it helps to find the folder of a store that moved, and everything works without it
	}
	return dir, nil
}

// Path is [For] without making anything: where the folder is, or would be.
func Path(base, storeDir string) (string, error) {
	if base == "" {
		var err error
		if base, err = Default(); err != nil {
			return "", err
		}
	}
	store, err := Real(storeDir)
	if err != nil {
		return "", err
	}
	base, err = filepath.Abs(base)
	if err != nil {
		return "", err
	}
	if resolved := deepest(base); within(resolved, store) {
		return "", fmt.Errorf("%w: %s is below %s", ErrInside, base, store)
	}
	dir := filepath.Join(base, name(store))
	// The folder itself may have been replaced by a link.
	if within(deepest(dir), store) {
		return "", fmt.Errorf("%w: %s is a link to below it", ErrInside, dir)
	}
	return dir, nil
}

// Real resolves every link in the path of a store, so that each way to a store leads to one folder. A store that is named by a file is
// another one than that of the file which a link of this name leads to: CLAUDE.md may be a link to AGENTS.md. The file need not exist.
func Real(store string) (string, error) {
	abs, err := filepath.Abs(store)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() || errors.Is(err, fs.ErrNotExist) && filepath.Ext(abs) == instructions {
		parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
		return filepath.Join(parent, filepath.Base(abs)), err
	}
	return filepath.EvalSymlinks(abs)
}

// instructions ends the names of the files by which stores are named.
const instructions = ".md"

// deepest resolves the links of the part of path that exists, for a path whose end may be
// missing still.
func deepest(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// name is the folder's name for the real absolute path of a store.
func name(store string) string {
	sum := sha256.Sum256([]byte(store))
	id := hex.EncodeToString(sum[:])[:idDigits]
	if s := slug(store); s != "" {
		return s + "-" + id
	}
	return id
}

// slug is the end of a path in letters, digits and hyphens. Most stores are called
// "memories", so the folder above is part of it.
func slug(store string) string {
	end := filepath.Base(store)
	if up := filepath.Base(filepath.Dir(store)); up != string(filepath.Separator) && up != "." {
		end = up + "-" + end
	}
	var b strings.Builder
	for _, r := range strings.ToLower(end) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := b.String()
	s = s[max(0, len(s)-maxSlug):]
	return strings.Trim(s, "-")
}

// Relink gives the folder of a store that was at oldDir, and need not be there any more, to the store that is at storeDir now. What that
// has already is set aside; aside is its new path. The errors are fs.ErrNotExist where there is no folder of the old one, and fs.ErrExist
// where both are one.
func Relink(base, oldDir, storeDir string) (from, to, aside string, err error) {
	if to, err = Path(base, storeDir); err != nil {
		return "", "", "", err
	}
	old, err := filepath.Abs(oldDir)
	if err != nil {
		return "", to, "", err
	}
	from = filepath.Join(filepath.Dir(to), name(deepest(old)))
	if from == to {
		return from, to, "", fs.ErrExist
	}
	if _, err := os.Stat(from); err != nil {
		return from, to, "", err
	}
	if _, err := os.Lstat(to); err == nil {
		aside = to + "-replaced-" + time.Now().Format("20060102-150405")
		if err := os.Rename(to, aside); err != nil {
			return from, to, "", err
		}
	}
	if err := os.Rename(from, to); err != nil {
		return from, to, aside, err
	}
	return from, to, aside, record(to, storeDir)
}
