package memstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// failing is a backend whose every access to a file fails with the same error.
type failing struct {
	backend.Backend
	err error
}

func (f failing) fail(op string) error {
	return &fs.PathError{Op: op, Path: "/host/path", Err: fmt.Errorf("%w: errno 99", f.err)}
}

func (f failing) Open(string, backend.Access) (backend.File, error) { return nil, f.fail("open") }
func (f failing) Create(string, []byte) error                       { return f.fail("create") }
func (f failing) Remove(string) error                               { return f.fail("remove") }
func (f failing) Rename(string, string) error                       { return f.fail("rename") }
func (f failing) Replace(_ string, _, _ []byte) error               { return f.fail("replace") }
func (f failing) Lock(context.Context) (unlock func(), e error)     { return func() {}, nil }

// Every failure of a backend becomes a sentence of the dialect with the
// agent path, without any text from the system.
func TestFailureTexts(t *testing.T) {
	ctx := context.Background()
	for cause, want := range map[error]string{
		backend.ErrPermission:  "Error: Permission denied for /memories/a",
		backend.ErrNoSpace:     "Error: No space left to write /memories/a",
		backend.ErrNameTooLong: "Error: The path /memories/a has a name that is too long",
		backend.ErrEscapes:     "Error: Path /memories/a would escape /memories directory",
		backend.ErrLinkLoop:    "Error: The path /memories/a leads through too many links",
		backend.ErrUnavailable: "Error: The memory directory is not available",
		errors.New("EIO"):      "Error: The file system could not carry out the command on /memories/a",
		ErrReadOnly:            "Error: The memory directory is read-only",
		fs.ErrInvalid:          "Error: The file system could not carry out the command on /memories/a",
		context.Canceled:       "Error: The command on /memories/a was cancelled",
		ErrNotText:             "Error: File /memories/a is not valid UTF-8 text",
		backend.ErrNotRegular:  "Error: Unsupported file type for /memories/a",
		backend.ErrBusy:        "Error: Another program is writing to the memory directory. Nothing was changed for /memories/a; try again.",
		fs.ErrClosed:           "Error: The file system could not carry out the command on /memories/a",
		ErrNoMatch:             "Error: The file system could not carry out the command on /memories/a",
		errors.ErrUnsupported:  "Error: The file system could not carry out the command on /memories/a",
	} {
		mem := NewMemory()
		must(t, mem.Create("a", []byte("x")))
		s := New(failing{mem, cause}, Options{})
		for _, c := range []Command{
			view("/memories/a"), replace("/memories/a", "x", "y"), insert("/memories/a", 0, "y"), remove("/memories/a"),
			move("/memories/a", "/memories/b"),
		} {
			r := s.Do(ctx, c)
			if r.Content != want || !errors.Is(r.Err, cause) || !r.IsError {
				t.Errorf("%v in %s: %q (%v)", cause, c.Name, r.Content, r.Err)
			}
			if strings.Contains(r.Content, "host") || strings.Contains(r.Content, "errno") || strings.Contains(r.Content, "EIO") {
				t.Errorf("%v in %s leaks: %q", cause, c.Name, r.Content)
			}
		}
		must(t, mem.Remove("a"))
		if r := s.Create(ctx, "/memories//a", "x"); r.Content != want {
			t.Errorf("%v in create: %q", cause, r.Content)
		}
	}
}
