package policy

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/frontmatter"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// Reader reads from a store what plans need beyond the snapshot and the journal. It reads as little as
// it can: lines only of files that can have too many, front matter only where a rule asks for it,
// access times only of files that would expire without them. It remembers what it has read of a
// file until size, stamp or identity say otherwise. One caller at a time.
type Reader struct {
	backend memstore.Backend
	mu      sync.Mutex // guards known while a Fill has several goroutines
	known   map[string]content
}

// content is what was read of a file in one state of it.
type content struct {
	info    memstore.Info
	digest  memstore.Digest
	hashed  bool
	lines   int64 // -1: not counted
	loaded  loadlimit.Extent
	tokens  int64 // -1: not counted
	expires string
	head    bool // the front matter was read for expires
}

// NewReader reads from a backend, leaving no trace where the platform allows that.
func NewReader(b memstore.Backend) *Reader {
	return &Reader{backend: b, known: map[string]content{}}
}

// freshness is how old a stamp must be before it vouches for the bytes: within it a second write
// may leave the same one.
const freshness = 2 * time.Second

// knownSpare is how much more than twice the files of a store is remembered.
const knownSpare = 1000

// recall is what is known of a file in the state that info describes.
func (r *Reader) recall(path string, info memstore.Info) content {
	r.mu.Lock()
	c, ok := r.known[path]
	r.mu.Unlock()
	if !ok || !same(c.info, info) {
		return content{info: info, lines: -1, tokens: -1}
	}
	return c
}

func (r *Reader) remember(path string, c content) {
	if time.Since(c.info.ModTime).Abs() > freshness {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.known[path] = c
	}
}

func same(a, b memstore.Info) bool {
	return a.Kind == b.Kind && a.Size == b.Size && a.ModTime.Equal(b.ModTime) && a.ID == b.ID
}

// Fill rebuilds in.Facts.Files: what the policy needs to know about the files of the snapshot. A file that cannot be
// read is omitted, and named in Unread. Facts may be nil. The error is that of ctx.
func (r *Reader) Fill(ctx context.Context, p *Policy, in *Input) error {
	facts := &Facts{}
	if in.Facts != nil {
		*facts = *in.Facts
	}
	facts.Files, facts.Unread, facts.Swept = map[string]File{}, nil, time.Time{}
	in.Facts = facts
	_, in.Fixed = r.backend.(memstore.Placer)
	if p.idle && !in.Suggest || in.Snapshot == nil || in.Snapshot.Root == nil {
		return nil
	}
	if len(r.known) > 2*in.Snapshot.Root.Files+knownSpare {
		r.known = map[string]content{} // most of it is of files that are gone
	}
	f := &filling{Reader: r, policy: p, ctx: ctx, in: *in, facts: facts}
	f.timer, _ = r.backend.(memstore.AccessTimer)
	f.visit(memstore.Root, in.Snapshot.Root)
	slices.Sort(facts.Unread)
	facts.ignoreSweep(in.Snapshot, f.timer, f.excused)
	return ctx.Err()
}

// filling reads what is needed of files.
type filling struct {
	*Reader
	policy *Policy
	ctx    context.Context
	in     Input
	timer  memstore.AccessTimer // nil: there are no access times
	facts  *Facts
	// excused are the files that would be due without their access time.
	excused []string
}

// visit looks at a path and all below it.
func (f *filling) visit(at string, n *memstore.Node) {
	if f.ctx.Err() != nil {
		return
	}
	if n.Kind == memstore.KindFile {
		f.file(at, n)
	}
	for _, c := range n.Children {
		f.visit(at+"/"+c.Name, c)
	}
}

// file reads what the rules ask for of one file, and its access time where it would expire without.
func (f *filling) file(at string, n *memstore.Node) {
	rules := f.policy.rules(at, n.Hidden)
	one, ok, err := f.read(at, n.Info, rules)
	if err == nil && f.policy.settings.Limits.MaxTokens.Value > 0 && !memstore.InGit(at) {
		if one.Tokens, err = f.tokens(at, n.Info); err == nil {
			ok = true
		}
	}
	if err != nil && !errors.Is(err, memstore.ErrNotExist) {
		f.facts.Unread = append(f.facts.Unread, at)
	}
	limit := rules.MaxIdle.Value
	if f.timer != nil && limit > 0 && !rules.Pin.Value {
		c := candidate{path: at, node: n, rules: rules, recorded: f.in.Facts.recorded(at)}
		due := f.in.Now.Add(f.in.Soon - limit)
		if used := c.used(); used.clock != byUse && !used.time.After(due) {
			if accessed, err := f.timer.AccessTime(memstore.BackendName(at)); err == nil {
				one.Accessed, ok = accessed, true
				if accessed.After(due) {
					f.excused = append(f.excused, at)
				}
			}
		}
	}
	if ok {
		f.facts.Files[at] = one
	}
}

// read reads of a file what its rules ask for; ok is false where that is nothing, or cannot be read.
func (r *Reader) read(path string, info memstore.Info, rules *Rules) (f File, ok bool, err error) {
	wantHead := rules.Expires.Value && !rules.Pin.Value
	wantLines := rules.counts(info.Size)
	f.Lines = -1
	if !wantHead && !wantLines {
		return f, false, nil
	}
	c := r.recall(path, info)
	if wantHead && !c.head || wantLines && c.lines < 0 {
		if err := c.read(r.backend, path, wantHead, wantLines); err != nil {
			return f, false, err
		}
		r.remember(path, c)
	}
	return File{Lines: c.lines, Loaded: c.loaded, Expires: c.expires}, true, nil
}

// tokens estimates what it costs to read a file.
func (r *Reader) tokens(path string, info memstore.Info) (int64, error) {
	c := r.recall(path, info)
	if c.tokens >= 0 {
		return c.tokens, nil
	}
	f, err := r.backend.Open(memstore.BackendName(path), memstore.Look)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	beginning := make([]byte, min(info.Size, loadlimit.TokenPart))
	n, err := f.ReadAt(beginning, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	c.tokens = loadlimit.EstimatePart(beginning[:n], info.Size)
	r.remember(path, c)
	return c.tokens, nil
}

// counts reports whether a file of this size may pass a cap that only its text can tell.
func (r *Rules) counts(bytes int64) bool {
	near := func(limit config.Value[int64]) bool {
		return limit.Value > 0 && float64(bytes) >= loadlimit.NearShare*float64(limit.Value)
	}
	return r.capped && (exceeds(bytes, r.MaxFileLines) || near(r.LoadLines) || near(r.LoadBytes) || near(r.LoadTokens))
}

func exceeds(n int64, limit config.Value[int64]) bool { return limit.Value > 0 && n > limit.Value }

// read looks at the head of a file, and at all of it for the lines.
func (c *content) read(b memstore.Backend, path string, head, lines bool) error {
	f, err := b.Open(memstore.BackendName(path), memstore.Look)
	if err != nil {
		return err
	}
	defer f.Close()
	if head {
		buf := make([]byte, min(frontmatter.MaxBytes, c.info.Size))
		n, err := f.ReadAt(buf, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		c.expires, c.head = expiresOf(buf[:n]), true
	}
	if lines {
		data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<62))
		if err != nil {
			return err
		}
		c.lines, c.loaded = extentOf(data)
	}
	return nil
}

// expiresOf is the value of expires: in a front matter.
func expiresOf(head []byte) string {
	matter, ok := frontmatter.Find(head)
	if !ok {
		return ""
	}
	for _, row := range matter.Rows {
		if strings.EqualFold(row.Key, "expires") {
			return row.Value
		}
	}
	return ""
}

// extentOf counts the lines of a text, of which a last one without a newline counts too, and what counts for a client
// that loads the beginning.
func extentOf(data []byte) (lines int64, loaded loadlimit.Extent) {
	head := data[:min(len(data), loadlimit.MaxBytes)]
	lines, loaded = loadlimit.LineCount(data), loadlimit.Measure(head)
	rest := int64(len(data) - len(head)) // counted as if it were ASCII
	loaded.Add(loadlimit.Extent{Lines: lines - loadlimit.LineCount(head), Bytes: rest, Chars: rest, Tokens: (rest + 3) / 4})
	return lines, loaded
}

// Hash reads the files of a plan and sets the hash of each action. A file that
// changed since the plan judged it is dropped from the plan, with a note. report is
// called with the number done, if not nil. The error is that of ctx.
func (r *Reader) Hash(ctx context.Context, p *Plan, report func(done, total int)) error {
	kept, gone := make([]Action, 0, len(p.Actions)), 0
	for i, a := range p.Actions {
		if err := ctx.Err(); err != nil {
			return err
		}
		if report != nil {
			report(i, len(p.Actions))
		}
		if a.Group == Expiring || a.Info.Kind != memstore.KindFile || a.Hash != (memstore.Digest{}) {
			kept = append(kept, a)
			continue
		}
		sum, err := r.hash(a.Path, a.Info)
		if err != nil {
			gone++
			continue
		}
		a.Hash = sum
		kept = append(kept, a)
	}
	p.Actions = kept
	if gone > 0 {
		p.Notes = append(p.Notes, "Skipped "+text.Count(gone, "file")+" that changed or can't be read")
	}
	return nil
}

// hash reads a file that must still be what info describes.
func (r *Reader) hash(path string, info memstore.Info) (memstore.Digest, error) {
	c := r.recall(path, info)
	if c.hashed {
		return c.digest, nil
	}
	f, err := r.backend.Open(memstore.BackendName(path), memstore.Look)
	if err != nil {
		return memstore.Digest{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, 1<<62)); err != nil {
		return memstore.Digest{}, err
	}
	now, err := f.Info()
	if err != nil {
		return memstore.Digest{}, err
	}
	if !same(now, info) {
		return memstore.Digest{}, memstore.ErrChanged
	}
	h.Sum(c.digest[:0])
	c.hashed = true
	r.remember(path, c)
	return c.digest, nil
}
