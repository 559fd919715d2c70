package transfer

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

// largest is the largest note, in bytes, that is transferred: a journal restores nothing larger.
const largest = 256 << 20

// Plan decides what to do with each note, by reading alone. The error is that of ctx, or of a store or a path that can't be read at all.
func (t *Transfer) Plan(ctx context.Context) (*Plan, error) {
	p := &Plan{}
	paths := t.Paths
	if len(paths) == 0 {
		paths = []string{memstore.Root}
	}
	for _, one := range paths {
		if err := t.scan(ctx, p, one); err != nil {
			return nil, err
		}
	}
	p.order()
	for i := range p.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.consider(&p.Items[i])
	}
	return p, nil
}

// order sorts the notes, and drops those that were named twice.
func (p *Plan) order() {
	slices.SortFunc(p.Items, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	p.Items = slices.CompactFunc(p.Items, func(a, b Item) bool { return a.Path == b.Path })
}

// scan lists the notes at and below a path.
func (t *Transfer) scan(ctx context.Context, p *Plan, at string) error {
	name := memstore.BackendName(at)
	if name != "." {
		info, err := t.From.Store.Backend().Lstat(name)
		if err != nil {
			return err
		}
		if info.Kind != memstore.KindDir {
			p.add(at, info)
			return nil
		}
	}
	snapshot, err := t.From.Store.Scan(ctx, backend.ScanOptions{Name: name})
	if err != nil {
		return err
	}
	snapshot.Walk(func(below string, n *memstore.Node) bool {
		here := at + strings.TrimPrefix(below, memstore.Root)
		switch {
		case n.Kind != memstore.KindDir:
			p.add(here, n.Info)
		case n.Problem != nil:
			p.Items = append(p.Items, Item{Path: here, Kind: n.Kind, Act: Skip, Why: reason(n.Problem)})
		}
		return true
	})
	return nil
}

func (p *Plan) add(at string, info memstore.Info) {
	p.Items = append(p.Items, Item{Path: at, Kind: info.Kind, Bytes: info.Size,
		stamps: memstore.Stamps{Mode: info.Mode, ModTime: info.ModTime}.Carried()})
}

// consider decides what to do with one note.
func (t *Transfer) consider(i *Item) {
	if i.Act != "" {
		return
	}
	switch {
	case i.Kind != memstore.KindFile:
		i.skip("it is " + kindText(i.Kind))
		return
	case strings.EqualFold(path.Base(i.Path), backend.SealedHeader):
		i.skip("it is the header of an encrypted store")
		return
	case backend.LooksLikeGit(i.Path):
		i.skip("it is in a git folder")
		return
	}
	data, err := t.read(t.From, i.Path)
	if err != nil {
		i.skip(reason(err))
		return
	}
	i.Bytes, i.Digest = int64(len(data)), memstore.Sum(data)
	if t.Move {
		if held := t.From.held(i.Path); held != "" {
			i.skip("it is " + held + " at the source")
			return
		}
	}
	t.compare(i)
}

func (i *Item) skip(why string) { i.Act, i.Why = Skip, why }

// compare decides by what is at the path at the destination.
func (t *Transfer) compare(i *Item) {
	i.Act = Copy
	info, err := t.To.Store.Backend().Lstat(memstore.BackendName(i.Path))
	switch {
	case errors.Is(err, memstore.ErrNotDir):
		i.Act, i.Why = Conflict, "a part of its path is a file there"
	case memstore.IsAbsent(err):
	case err != nil:
		i.skip(reason(err))
	case info.Kind != i.Kind:
		i.Act, i.Why = Conflict, "there is "+kindText(info.Kind)+" of that name"
	case t.shared(i.Path):
		i.skip("it is the same file in both stores")
	default:
		t.compareText(i)
	}
}

func (t *Transfer) compareText(i *Item) {
	there, err := t.read(t.To, i.Path)
	if err != nil {
		i.Act, i.Why = Conflict, "the one there can't be read: "+reason(err)
		return
	}
	sum := memstore.Sum(there)
	i.There = &sum
	held := t.To.held(i.Path)
	switch {
	case sum == i.Digest:
		i.Act = Same
	case !t.Replace:
		i.Act, i.Why = Conflict, "it has other text there"
	case held != "":
		i.Act, i.Why = Conflict, "it has other text there and is "+held
	default:
		i.Act = Replace
	}
}

func (t *Transfer) read(from Place, agentPath string) ([]byte, error) {
	return memstore.ReadFile(from.Store.Backend(), memstore.BackendName(agentPath), memstore.Look, largest)
}

// held says which rule of a store protects a note; "" if none does.
func (p *Place) held(agentPath string) string {
	switch {
	case p.Policy == nil:
		return ""
	case p.Policy.Locked(agentPath):
		return "locked"
	case p.Policy.Rules(agentPath).Pin.Value:
		return "pinned"
	}
	return ""
}

func kindText(k memstore.Kind) string {
	switch k {
	case memstore.KindDir:
		return "a folder"
	case memstore.KindLink:
		return "a link"
	case memstore.KindFile:
		return "a file"
	}
	return "a pipe, a socket or a device"
}

// reason is why something can't be read or written, as the end of a sentence: of a guard without the advice that it has for an agent.
func reason(err error) string {
	if errors.Is(err, memstore.ErrRefused) {
		text := strings.TrimPrefix(err.Error(), memstore.ErrRefused.Error()+": ")
		text, _, _ = strings.Cut(text, ". ")
		return text
	}
	if errors.Is(err, errDiffers) {
		return errDiffers.Error()
	}
	if text := memstore.Reason(err); text != "" {
		return text
	}
	return "it can't be read"
}
