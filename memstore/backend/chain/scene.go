package chain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Bounds of a chain. What exceeds them is reported, not read.
const (
	mostFiles    = 1_000
	mostRules    = 16  // nested folders of rules
	mostAncestry = 100 // folders above the project
)

// whyTooMany is why the first import beyond mostFiles is not read.
const whyTooMany = "more than 1,000 files, so it and later imports are not counted"

// ruleSuffix ends the names of rules.
const ruleSuffix = ".md"

// documents are the endings of the imports that may be edited.
var documents = []string{".md", ".markdown", ".mdc", ".mdx", ".txt", ".rst", ".adoc"}

// IsDocument reports whether a file of this name may hold prose.
func IsDocument(name string) bool { return slices.Contains(documents, strings.ToLower(path.Ext(name))) }

// State says what an agent does with a file when a session starts.
type State uint8

const (
	Read     State = iota // the agent reads it
	OnDemand              // a rule for some paths: the agent reads it when it works on one of them
	Shadowed              // another file of the folder comes first
	Missing               // an import, or a link, that leads to no file
	Refused               // it is too large, not a file or unreadable; Why says which
	Excluded              // the settings exclude it
)

// Piece is one file of a chain, in the order in which the agent reads them: each import after its importer.
type Piece struct {
	Name  string // in the store; "" if it is not part of it
	Path  string // on this machine, for people
	By    string // the name of the file that imports it; "" for the others
	State State
	Why   string // a clause for Refused, Shadowed and read-only files
	// ReadOnly is set if the store does not change it.
	ReadOnly bool
	Size     int64
	Changed  time.Time

	at         *part
	blank      bool                // it has no text
	importedAt backend.ImportPlace // in By
}

// part is a file of the chain.
type part struct {
	name     string // in the store
	at       *mount
	rel      string // below at
	link     *part  // what a link leads to; nil for a file
	readOnly bool
	changed  time.Time
	size     int64
}

// reaches reports whether a path is below the scope of a file.
func (p *part) reaches(real string) bool {
	_, ok := p.at.rel(real)
	return ok
}

// folder is a folder of the store.
type folder struct {
	kids    map[string]bool // base names; true for folders
	changed time.Time       // the newest time of a file below
}

// scene is the chain at one moment. It doesn't change.
type scene struct {
	parts   map[string]*part
	folders map[string]*folder
	pieces  []Piece
	wanted  map[string]place // missing imports in the project, by their names in the store
	at      time.Time
	cost    time.Duration
}

// place is where a file is, or would be.
type place struct {
	at  *mount
	rel string
}

// survey finds the files of a chain.
type survey struct {
	chain *Chain
	scene *scene
	seen  map[string]bool // real paths of files that were read
}

func (c *Chain) survey() *scene {
	began := time.Now()
	s := &survey{chain: c, seen: map[string]bool{}, scene: &scene{
		parts: map[string]*part{}, folders: map[string]*folder{}, wanted: map[string]place{}, at: began,
	}}
	s.folder(".")
	s.folder(c.project.name) // it is there without files
	for _, m := range c.mounts {
		s.mounted(m)
	}
	s.scene.cost = time.Since(began)
	return s.scene
}

// mounted reads what the agent reads in a folder that belongs to the chain by itself.
func (s *survey) mounted(m *mount) {
	agent := s.chain.agent
	switch m.owner {
	case forSystem, forUser:
		s.files(m, ".", agent.UserFiles)
	case forAbove:
		s.files(m, ".", agent.Files)
	case forProject:
		for _, in := range s.chain.within {
			s.files(m, in, agent.Files)
		}
	}
}

// files reads the files of one folder.
func (s *survey) files(m *mount, in string, files []string) {
	found := ""
	for _, f := range files {
		rel := path.Join(in, f)
		if strings.HasSuffix(f, "/") {
			s.rules(m, rel, m.path(rel), 0)
			continue
		}
		name, ok := shown(rel)
		if !ok {
			continue
		}
		name = path.Join(m.name, name)
		shadowed := s.chain.agent.First && found != ""
		if s.fixed(m, rel, name, shadowed, found) && !shadowed {
			found = path.Base(f)
		}
	}
}

// rules reads a folder of rules and the folders in it. at is where it is on this machine: elsewhere if a link leads there.
func (s *survey) rules(m *mount, rel, at string, depth int) {
	real, err := filepath.EvalSymlinks(at)
	if err != nil || depth > mostRules || s.seen[real+"/"] {
		return
	}
	s.seen[real+"/"] = true
	entries, err := s.list(m, real)
	if err != nil {
		if !isGone(err) {
			s.add(Piece{Path: at, State: Refused, Why: whyNot(err)})
		}
		return
	}
	for _, e := range entries {
		below := path.Join(rel, e.Name)
		name, ok := shown(below)
		if !ok {
			continue
		}
		disk := filepath.Join(at, e.Name)
		info, err := os.Stat(disk)
		switch {
		case err == nil && info.IsDir():
			s.rules(m, below, disk, depth+1)
		case strings.HasSuffix(e.Name, ruleSuffix):
			s.fixedAt(m, below, disk, path.Join(m.name, name), false, "")
		}
	}
}

// list lists a folder of this machine, of a mount or elsewhere.
func (s *survey) list(m *mount, real string) (entries []backend.Info, err error) {
	rel, ok := m.rel(real)
	if !ok {
		m, rel = &mount{disk: real, owner: elsewhere}, "."
	}
	err = m.use(false, func(d *dir.Dir) error {
		entries, err = d.ReadDir(rel)
		return err
	})
	return entries, err
}

// fixed reads a file that belongs to the chain by its name; it reports whether the file is there.
func (s *survey) fixed(m *mount, rel, name string, shadowed bool, by string) bool {
	return s.fixedAt(m, rel, m.path(rel), name, shadowed, by)
}

func (s *survey) fixedAt(m *mount, rel, disk, name string, shadowed bool, by string) bool {
	if user := s.chain.user; user != nil && m != user && filepath.Dir(disk) == user.disk {
		return false // ~/.claude is the user's, not that of a project in the home folder
	}
	_, err := os.Lstat(disk)
	if errors.Is(err, fs.ErrNotExist) || err != nil && isAbsent(err) {
		return false
	}
	piece := Piece{Path: disk}
	if err != nil {
		piece.State, piece.Why = Refused, whyNot(err)
		s.add(piece)
		return true
	}
	real, err := filepath.EvalSymlinks(disk)
	if err != nil {
		piece.State = Missing
		s.add(piece)
		return true
	}
	info, err := os.Stat(real)
	if err != nil || !info.Mode().IsRegular() {
		piece.State, piece.Why = Refused, notRegular(info, err)
		s.add(piece)
		return true
	}
	if s.seen[real] && s.scene.parts[name] == nil && !isLink(disk) {
		return true // it was read under another name
	}
	p := s.partOf(m, rel, disk, real, name, info)
	piece.Name, piece.ReadOnly, piece.Size = p.name, p.readOnly, info.Size()
	piece.Changed = info.ModTime()
	if p.readOnly {
		piece.Why = whyReadOnly(p)
	}
	if m.owner != forSystem && s.chain.agent.excluded(disk, real, s.chain.spelled(disk)) {
		piece.State, piece.Why = Excluded, "claudeMdExcludes names it"
	}
	if shadowed {
		piece.State, piece.Why = Shadowed, by+" comes first"
	}
	s.read(piece, p, real, 0)
	return true
}

// partOf adds the file at a fixed place to the store: as it is, as a link with its target, or as a read-only file elsewhere.
func (s *survey) partOf(m *mount, rel, disk, real, name string, info os.FileInfo) *part {
	if old := s.scene.parts[name]; old != nil {
		return old
	}
	p := &part{name: name, at: m, rel: rel, readOnly: m.owner.readOnly(), changed: info.ModTime(), size: info.Size()}
	target, inside := m.rel(real)
	switch {
	case inside && target == rel:
	case inside && isLink(disk):
		if at, ok := shown(target); ok {
			p.link = s.partOf(m, target, real, real, path.Join(m.name, at), info)
			break
		}
		fallthrough
	default: // the link, or a folder above it, leads elsewhere
		p.at, p.rel, p.readOnly = s.chain.elsewhere(filepath.Dir(real)), filepath.Base(real), true
	}
	s.put(p)
	return p
}

func isLink(disk string) bool {
	info, err := os.Lstat(disk)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// put adds a part with the folders above it.
func (s *survey) put(p *part) {
	if old := s.scene.parts[p.name]; old != nil {
		return
	}
	s.scene.parts[p.name] = p
	s.folder(path.Dir(p.name)).kids[path.Base(p.name)] = false
	for at := path.Dir(p.name); ; at = path.Dir(at) {
		if f := s.scene.folders[at]; p.changed.After(f.changed) {
			f.changed = p.changed
		}
		if at == "." {
			return
		}
	}
}

// folder returns a folder of the store, and makes it with those above it.
func (s *survey) folder(name string) *folder {
	f := s.scene.folders[name]
	if f == nil {
		f = &folder{kids: map[string]bool{}}
		s.scene.folders[name] = f
		if name != "." {
			s.folder(path.Dir(name)).kids[path.Base(name)] = true
		}
	}
	return f
}

func (s *survey) add(p Piece) { s.scene.pieces = append(s.scene.pieces, p) }

// read adds a piece, and after it those that it imports.
func (s *survey) read(piece Piece, p *part, real string, hops int) {
	piece.at = p
	again := s.seen[real]
	if again && piece.State == Read {
		return // each file is read once
	}
	most := s.chain.agent.FileLimit
	if most > 0 && piece.Size > most {
		piece.State, piece.Why = Refused, "it is larger than the agent reads"
	}
	if piece.State != Read {
		s.add(piece)
		return
	}
	s.seen[real] = true
	facts, err := s.chain.facts(p)
	piece.blank = facts.blank
	switch {
	case err != nil:
		piece.State, piece.Why = Refused, whyNot(err)
	case facts.conditional && s.chain.isRule(p):
		piece.State = OnDemand
	}
	s.add(piece)
	if piece.State != Read || hops >= s.chain.agent.Imports.Hops {
		return
	}
	for _, m := range facts.mentions {
		s.imported(m, piece, filepath.Dir(piece.Path), hops+1)
	}
}

// imported reads the file that an import leads to.
func (s *survey) imported(m mention, by Piece, from string, hops int) {
	syntax := s.chain.agent.Imports
	piece := Piece{By: by.Name, State: Missing, importedAt: m.place()}
	var info os.FileInfo
	for _, written := range []string{m.path, trimmed(m.path)} {
		full := s.chain.resolve(written, from)
		if full == "" {
			continue
		}
		if got, err := os.Stat(full); err == nil {
			piece.Path, info = full, got
			break
		}
		piece.Path = full
	}
	if info == nil {
		if isPath(trimmed(m.path)) && len(s.scene.pieces) < mostFiles {
			s.missing(&piece)
			s.add(piece)
		}
		return
	}
	piece.State, piece.Size, piece.Changed = Read, info.Size(), info.ModTime()
	real, err := filepath.EvalSymlinks(piece.Path)
	switch {
	case err != nil:
		return // gone meanwhile
	case s.seen[real]:
		return
	case len(s.scene.pieces) >= mostFiles:
		s.seen[real] = true
		if len(s.scene.pieces) == mostFiles { // the first one names the rest
			piece.State, piece.Why = Refused, whyTooMany
			s.add(piece)
		}
		return
	}
	_, inside := s.chain.project.rel(real)
	refused := ""
	switch {
	case !info.Mode().IsRegular():
		refused = notRegular(info, nil)
	case !inside && !syntax.Outside && !by.at.reaches(real):
		refused = "it is outside the project"
	}
	if refused != "" {
		piece.State, piece.Why = Refused, refused
		s.seen[real] = true
		s.add(piece)
		return
	}
	p := s.importedPart(real, inside, info)
	if p == nil {
		s.seen[real] = true
		piece.State, piece.Why = Read, "it is outside the project and not a document"
		piece.ReadOnly = true
		s.add(piece)
		return
	}
	piece.Name, piece.ReadOnly = p.name, p.readOnly
	if p.readOnly {
		piece.Why = whyReadOnly(p)
	}
	s.read(piece, p, real, hops)
}

// importedPart adds an import to the store; nil for one that the store leaves out.
func (s *survey) importedPart(real string, inside bool, info os.FileInfo) *part {
	document := IsDocument(real)
	for _, m := range []*mount{s.chain.project, s.chain.user} {
		if m == nil {
			continue
		}
		rel, ok := m.rel(real)
		if !ok {
			continue
		}
		if at, ok := shown(rel); ok {
			name := path.Join(m.name, at)
			if p := s.scene.parts[name]; p != nil {
				return p
			}
			if m == s.chain.project || document {
				p := &part{name: name, at: m, rel: rel, changed: info.ModTime(), size: info.Size()}
				p.readOnly = !s.chain.loads(place{m, rel}) && (m != s.chain.project || !document || backend.InGit(rel))
				s.put(p)
				return p
			}
		}
	}
	if !inside && !document {
		return nil
	}
	p := &part{
		name: path.Join(imports, digestName(real)), at: s.chain.elsewhere(filepath.Dir(real)), rel: filepath.Base(real),
		readOnly: true, changed: info.ModTime(), size: info.Size(),
	}
	s.put(p)
	return p
}

// missing notes a missing import that can be made.
func (s *survey) missing(p *Piece) {
	real := realOf(p.Path)
	rel, ok := s.chain.project.rel(real)
	if !ok || !IsDocument(rel) || backend.InGit(rel) {
		return
	}
	if at, ok := shown(rel); ok {
		s.scene.wanted[path.Join(s.chain.project.name, at)] = place{s.chain.project, rel}
	}
}

// imports is the folder of the imports from elsewhere.
const imports = "5-imports"

// digestName is the name of a file elsewhere: its own, with the beginning of the digest of its path.
func digestName(real string) string {
	sum := sha256.Sum256([]byte(real))
	base := strings.TrimLeft(filepath.Base(real), ".")
	ext := path.Ext(base)
	return strings.TrimSuffix(base, ext) + "-" + hex.EncodeToString(sum[:4]) + ext
}

// Pieces returns the files of the chain in the order in which the agent reads them, with those that are missing.
func (c *Chain) Pieces(ctx context.Context) ([]Piece, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.there(); err != nil {
		return nil, err
	}
	return slices.Clone(c.look(false).pieces), nil
}

func whyReadOnly(p *part) string {
	switch {
	case p.at.owner == forSystem:
		return "it is set for all users"
	case p.at.owner == elsewhere:
		return "it is outside the project"
	case !IsDocument(p.rel):
		return "it is not a document"
	case p.at.owner == forProject:
		return "it belongs to git"
	}
	return "it is imported from the user's folder"
}

func whyNot(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, backend.ErrTooBig):
		return "it is larger than the agent reads"
	case isAbsent(err), isGone(err):
		return "it is gone"
	}
	return "it can't be read"
}

func notRegular(info os.FileInfo, err error) string {
	switch {
	case err != nil:
		return whyNot(err)
	case info.IsDir():
		return "it is a folder"
	}
	return "it is not a regular file"
}

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) || backend.IsAbsent(err) }
