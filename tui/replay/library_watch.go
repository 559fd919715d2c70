package replay

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// mostWatched bounds the folders that are watched.
	mostWatched = 512
	// lookAgain is how long a write waits until the machine is looked through: sessions write often.
	lookAgain = time.Second
)

// watch tells of writes to the folders of the transcripts.
type watch struct {
	folders []string
	writes  <-chan []string
	waiting bool
	end     context.CancelFunc // nil: nothing is watched
}

// stirred says that something was written in the folders of the transcripts.
type stirred struct{ writes <-chan []string }

func (stirred) ofReplay() {}

func (w *watch) stop() {
	if w.end != nil {
		w.end()
	}
	*w = watch{}
}

// follow watches the folders of the transcripts, and those above them, where new sessions make theirs.
func (l *library) follow() tea.Cmd {
	places := l.where()
	if places.Changed == nil || !l.inSight() {
		return nil
	}
	var folders []string
	for _, e := range l.entries {
		folder := filepath.Dir(e.File)
		folders = append(folders, folder, filepath.Dir(folder))
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	folders = folders[:min(len(folders), mostWatched)]
	if l.watch.end != nil && slices.Equal(folders, l.watch.folders) {
		return l.waitForWrites()
	}
	l.watch.stop()
	ctx, cancel := context.WithCancel(context.Background())
	writes, err := places.Changed(ctx, folders)
	if err != nil {
		cancel()
		return nil // the list is as of now; it is made again when it comes into sight
	}
	l.watch = watch{folders: folders, writes: writes, end: cancel}
	return tea.Batch(l.look(), l.waitForWrites()) // again, for what was written before the watch began
}

func (l *library) waitForWrites() tea.Cmd {
	if l.watch.waiting {
		return nil
	}
	l.watch.waiting = true
	writes := l.watch.writes
	return func() tea.Msg {
		if _, ok := <-writes; !ok {
			return nil
		}
		time.Sleep(lookAgain)
		return stirred{writes}
	}
}

// stir looks through the machine again. Out of sight, the watch ends.
func (l *library) stir(msg stirred) tea.Cmd {
	if msg.writes != l.watch.writes {
		return nil
	}
	l.watch.waiting = false
	if !l.inSight() {
		l.watch.stop()
		return nil
	}
	return l.look()
}
