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
		t.consider(ctx, &p.Items[i])
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
func (t *Transfer) consider(ctx context.Context, i *Item) {
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
	i.Arrives = i.Digest
	if t.Move {
		if held := t.From.held(i.Path); held != "" {
			i.skip("it is " + held + " at the source")
			return
		}
	}
	t.compare(i)
	if i.Act == Same || i.Act == Skip {
		return
	}
	t.guard(ctx, i, data)
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
		if to, ok := t.To.Store.Backend().(backend.Placer); ok {
			if err := to.Takes(memstore.BackendName(i.Path)); err != nil {
				i.skip(reason(err))
			}
		}
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

// guard asks the guards of the destination what they make of a note.
func (t *Transfer) guard(ctx context.Context, i *Item, data []byte) {
	step := i.step(data)
	step.Expect = i.There
	step, notes, err := t.To.Store.Guarded(curating(ctx), step)
	switch {
	case errors.Is(err, memstore.ErrRefused) && i.Act != Conflict:
		i.skip(refusal(err))
	case err != nil: // what else it is, the write will meet again
	case memstore.Sum(step.Data) != i.Digest:
		i.Arrives, i.Notes = memstore.Sum(step.Data), notes
		i.Stays = "a rule there masks values in it"
		if i.There != nil && *i.There == i.Arrives {
			i.Act, i.Why = Same, ""
		}
	default:
		i.Notes = notes
	}
	if i.Writes() {
		t.form(i, step.Data)
	}
	if find := t.From.Secrets; find != nil && (i.Writes() || i.Act == Conflict) {
		i.Secrets = find(i.Path, step.Data)
	}
}

// form skips a note whose text the destination, which makes records of it, would refuse or change.
func (t *Transfer) form(i *Item, data []byte) {
	to, ok := t.To.Store.Backend().(backend.Adapted)
	if !ok {
		return
	}
	formed, err := to.Form(memstore.BackendName(i.Path), data)
	switch {
	case err != nil:
		i.skip(reason(err))
	case memstore.Sum(formed) != memstore.Sum(data):
		i.skip(errDiffers.Error())
	}
}

// step writes the note, if nothing is at its path.
func (i *Item) step(data []byte) memstore.Step {
	return memstore.Step{Kind: i.Kind, Path: i.Path, Data: data, Stamps: i.stamps}
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

// curating returns a context for writes on behalf of the user.
func curating(ctx context.Context) context.Context {
	return memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
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

// refusal is why a guard refuses a note, without the advice that it has for an agent.
func refusal(err error) string {
	text := strings.TrimPrefix(err.Error(), memstore.ErrRefused.Error()+": ")
	text, _, _ = strings.Cut(text, ". ")
	return text
}

// reason is why something can't be read or written, as the end of a sentence.
func reason(err error) string {
	if text := memstore.Reason(err); text != "" {
		return text
	}
	return "it can't be read"
}
