package memstore

import (
	"cmp"
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// Options are the settings of a [Store]. The zero value is the tool as
// documented: the docs dialect, no guards, no recorders, reading and writing.
type Options struct {
	Dialect   Dialect // zero: [Docs]
	Origin    Origin  // for commands whose context has none; an empty Actor means [Agent]
	Guards    []Guard
	Recorders []Recorder
	// Warn is called with an error that didn't stop the command, such as that of
	// a recorder. Nil: such errors are dropped.
	Warn func(error)
	// ReadOnly refuses every write with ErrReadOnly.
	ReadOnly bool
	// Create makes the directory and its missing parents, 0700 whatever the umask (Open only).
	Create bool
	// Overwrite lets create replace an existing file (off: the documented error).
	Overwrite bool
	// MaxViewChars limits the characters that a view of a file returns, header and line numbers included, but not the line that says
	// where to continue. Listings have no limit, since an agent couldn't ask for the rest of one. 0: no limit.
	MaxViewChars int
	// Now is the clock for edits; nil: time.Now.
	Now func() time.Time
}

// Store is one memory directory and the six commands on it. It is safe for concurrent use.
type Store struct {
	backend backend.Backend
	options Options
	rules   *rules
}

// Open opens the directory dir as a store.
func Open(dir string, o Options) (*Store, error) {
	b, err := OpenDir(dir, DirOptions{Create: o.Create})
	if err != nil {
		return nil, err
	}
	return New(b, o), nil
}

// New makes a store over any backend. Closing the store closes the backend.
func New(b backend.Backend, o Options) *Store {
	return &Store{backend: b, options: o, rules: o.Dialect.table()}
}

// Backend returns the backend, for the viewer, the index and the watcher.
func (s *Store) Backend() backend.Backend { return s.backend }

// Dialect returns the dialect that the store answers in.
func (s *Store) Dialect() Dialect { return s.options.Dialect }

// Over returns a read-only store with the dialect and limits of s over another backend, such as one of the past. Writes fail with
// [ErrReadOnly], and nothing is recorded.
func (s *Store) Over(b backend.Backend) *Store {
	other := *s
	other.backend = b
	other.options.ReadOnly, other.options.Guards, other.options.Recorders = true, nil, nil
	return &other
}

// Close closes the backend.
func (s *Store) Close() error { return s.backend.Close() }

// Do runs one command.
func (s *Store) Do(ctx context.Context, c Command) Result {
	if bad := checkCommand(c); bad != nil {
		return s.failed(c, bad).result()
	}
	if c.Name == CmdView {
		return s.view(ctx, c)
	}
	return s.request(ctx, c).run()
}

// DoJSON runs one command given as the tool's JSON input.
func (s *Store) DoJSON(ctx context.Context, input []byte) Result {
	c, bad := decodeCommand(input)
	if bad != nil {
		return s.failed(c, bad).result()
	}
	return s.Do(ctx, c)
}

// View shows a directory or a file. viewRange may be nil.
func (s *Store) View(ctx context.Context, path string, viewRange []int) Result {
	return s.Do(ctx, Command{Name: CmdView, Path: path, ViewRange: viewRange})
}

// Create makes a new file.
func (s *Store) Create(ctx context.Context, path, text string) Result {
	return s.Do(ctx, Command{Name: CmdCreate, Path: path, FileText: text})
}

// StrReplace replaces the one occurrence of oldStr in a file.
func (s *Store) StrReplace(ctx context.Context, path, oldStr, newStr string) Result {
	return s.Do(ctx, Command{Name: CmdStrReplace, Path: path, OldStr: oldStr, NewStr: newStr})
}

// Insert puts text after a line of a file; line 0 is its beginning.
func (s *Store) Insert(ctx context.Context, path string, line int, text string) Result {
	return s.Do(ctx, Command{Name: CmdInsert, Path: path, InsertLine: line, InsertText: text})
}

// Delete removes a file, a link or a directory with everything below it.
func (s *Store) Delete(ctx context.Context, path string) Result {
	return s.Do(ctx, Command{Name: CmdDelete, Path: path})
}

// Rename moves a file, a link or a directory to a path where nothing is.
func (s *Store) Rename(ctx context.Context, oldPath, newPath string) Result {
	return s.Do(ctx, Command{Name: CmdRename, OldPath: oldPath, NewPath: newPath})
}

// checkCommand checks what decoding guarantees and a literal Command doesn't:
// a known name, and UTF-8, without which the other commands would refuse the
// file.
func checkCommand(c Command) error {
	if bad := unknownCommand(c.Name); bad != nil {
		return bad
	}
	var texts [2]struct{ field, text string }
	switch c.Name {
	case CmdCreate:
		texts[0].field, texts[0].text = "file_text", c.FileText
	case CmdStrReplace:
		texts[0].field, texts[0].text = "old_str", c.OldStr
		texts[1].field, texts[1].text = "new_str", c.NewStr
	case CmdInsert:
		texts[0].field, texts[0].text = "insert_text", c.InsertText
	}
	for _, t := range texts {
		if !utf8.ValidString(t.text) {
			return &InputError{Field: t.field, Message: "The field `" + t.field + "` is not valid UTF-8"}
		}
	}
	return nil
}

// target is a path of a command in three forms.
type target struct {
	raw  string // as sent
	name string // for the backend
	show string // as results print it
	// found reports that something was there when the dialect looked the path up.
	found bool
}

// target checks the spelling of a path. The resulting name is not usable on a
// backend until locate has looked it up.
func (s *Store) target(raw string) (target, error) {
	name, err := s.rules.parse(raw)
	if err != nil {
		return target{raw: raw, show: raw}, err
	}
	clean := raw
	if name == "." {
		clean = backend.Root
	} else if len(raw) != len(backend.Root)+1+len(name) {
		clean = backend.AgentPath(name)
	}
	return target{raw: raw, name: name, show: s.rules.echo(raw, clean)}, nil
}

// locate is target with the name that the dialect acts on. making: the
// command makes something there; whatever blocks its parents is reported
// later.
func (s *Store) locate(raw string, making bool) (target, error) {
	t, err := s.target(raw)
	if err != nil || s.rules.locate == nil {
		return t, err
	}
	t.name, t.found, err = s.rules.locate(s.backend, t.name)
	if making && errors.Is(err, backend.ErrNotDir) {
		err = nil
	}
	return t, err
}

// failed wraps a failure that no particular path caused.
func (s *Store) failed(c Command, cause error) *Error {
	p := c.Path
	if c.Name == CmdRename {
		p = c.OldPath
	}
	return s.failedAt(c.Name, target{raw: p, show: p}, cause)
}

// failedAt wraps a failure with the dialect's sentence for it.
func (s *Store) failedAt(op string, t target, cause error) *Error {
	return saying(op, t, cause, s.rules.sentence(op, t.show, cause))
}

// saying wraps a cause that has its own text.
func saying(op string, t target, cause error, text string) *Error {
	var known *Error
	if errors.As(cause, &known) {
		return known
	}
	return &Error{Op: op, Path: t.raw, Err: cause, text: text}
}

func (e *Error) result() Result {
	return Result{Content: e.text, IsError: true, Err: e}
}

// origin returns on whose behalf a command runs: from the context, then from the options.
func (s *Store) origin(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	d := s.options.Origin
	of := Origin{
		Actor:     cmp.Or(o.Actor, d.Actor, Agent),
		Session:   cmp.Or(o.Session, d.Session),
		Model:     cmp.Or(o.Model, d.Model),
		ToolUseID: cmp.Or(o.ToolUseID, d.ToolUseID),
		Group:     cmp.Or(o.Group, d.Group),
	}
	if of.Actor == Curator {
		of.As = o.As
	}
	return of
}

func (s *Store) now() time.Time {
	if s.options.Now != nil {
		return s.options.Now()
	}
	return time.Now()
}

func (s *Store) warn(err error) {
	if s.options.Warn != nil {
		s.options.Warn(err)
	}
}

// Scan is [backend.Scan] of the store.
func (s *Store) Scan(ctx context.Context, o backend.ScanOptions) (*backend.Snapshot, error) {
	return backend.Scan(ctx, s.backend, o)
}
