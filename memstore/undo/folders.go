package undo

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// folderKeeper restores the stamps of folders at the end of a plan: what the steps put into
// them would change their times again, and a mode that forbids writing would forbid the steps.
type folderKeeper struct {
	e    *Editor
	want map[string]memstore.Stamps // by agent path; no time: something else has touched the folder, which keeps the one it has
}

// before is called with each step before it is carried out.
func (k *folderKeeper) before(s *PlannedStep) {
	for _, f := range s.folders {
		k.goBack(f)
	}
	switch {
	case s.OldPath != "":
		now := map[string]memstore.Stamps{}
		for at, to := range k.want {
			at, _ = carried(at, s.OldPath, s.Path)
			now[at] = to
		}
		k.want = now
	case s.Remove:
		delete(k.want, s.Path)
	case s.Kind == memstore.KindDir:
		k.want[s.Path] = s.Stamps
		s.Stamps = memstore.Stamps{}
	}
}

// goBack follows the time of a folder back over one revision, as long as nothing else has touched it.
func (k *folderKeeper) goBack(f past.FolderTime) {
	to, known := k.want[f.Path]
	if !known {
		info, err := k.e.store.Backend().Lstat(memstore.BackendName(f.Path))
		if err != nil || info.Kind != memstore.KindDir {
			return
		}
		to.ModTime = info.ModTime
	}
	if to.ModTime.Equal(f.After) {
		to.ModTime = f.Before
	} else {
		to.ModTime = time.Time{}
	}
	k.want[f.Path] = to
}

// stampPatience is how long the stamps of all folders of a plan may wait for other writers.
const stampPatience = 2 * time.Second

// finish restores the stamps of the folders, the contents of a folder before the folder, and corrects what the
// steps have recorded of them, so that taking the plan back finds them as they are.
func (k *folderKeeper) finish(ctx context.Context) {
	maps.DeleteFunc(k.want, func(_ string, to memstore.Stamps) bool { return to == memstore.Stamps{} })
	paths := slices.SortedFunc(maps.Keys(k.want), func(a, b string) int {
		return cmp.Or(strings.Count(b, "/")-strings.Count(a, "/"), strings.Compare(a, b))
	})
	whole := context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(whole, stampPatience)
	defer cancel()
	for _, path := range paths {
		err := k.e.store.Restamp(ctx, path, k.want[path])
		if err != nil {
			delete(k.want, path)
		}
		if !memstore.IsAbsent(err) { // else the plan was stopped before it came back
			k.warn(past.Failed("folders", err))
		}
	}
	k.warn(k.e.record.SetFolderStamps(whole, k.want))
}

func (k *folderKeeper) warn(err error) {
	if err != nil && k.e.Warn != nil {
		k.e.Warn(err)
	}
}
