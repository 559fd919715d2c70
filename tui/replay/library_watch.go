package replay

import (
	"context"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
)

// mostWatched bounds the folders that are watched, those with the newest transcripts first.
const mostWatched = 512

// stirred says that something was written in the folders of the transcripts.
type stirred struct {
	of    *finding
	found []*entry // that were written
	anew  bool     // there may be others: a folder was made
	next  <-chan []string
}

func (stirred) ofReplay() {}

// follow watches the folders of the transcripts, and those above them, where new sessions make theirs.
func (l *library) follow() tea.Cmd {
	if l.watch != nil {
		l.watch()
		l.watch = nil
	}
	places := l.where()
	if places.Changed == nil || !l.inSight() {
		return nil
	}
	var folders []string
	known := map[string]bool{}
	for _, e := range l.entries {
		folder := filepath.Dir(e.File)
		for _, dir := range []string{folder, filepath.Dir(folder)} {
			if !known[dir] && len(folders) < mostWatched {
				known[dir] = true
				folders = append(folders, dir)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	names, err := places.Changed(ctx, folders)
	if err != nil {
		cancel()
		return nil // the list is as of now; it is made again when it comes into sight
	}
	l.watch = cancel
	return l.waitForWrites(names)
}

// waitForWrites waits for the next writes and looks at the files. Those beside a transcript, with the same ending, are
// taken for others of its kind.
func (l *library) waitForWrites(next <-chan []string) tea.Cmd {
	places, of := l.where(), l.finding
	type kind struct{ folder, ending string }
	kinds := map[kind]entry{}
	for _, e := range l.entries {
		at := kind{filepath.Dir(e.File), filepath.Ext(e.File)}
		if _, ok := kinds[at]; !ok {
			kinds[at] = entry{Transcript: e.Transcript, root: e.root}
		}
	}
	return func() tea.Msg {
		names, ok := <-next
		if !ok {
			return nil
		}
		msg := stirred{of: of, next: next, anew: names == nil}
		for _, name := range names {
			info, err := places.Machine.Files.Stat(name)
			if err != nil {
				continue // it is gone, or about to be renamed
			}
			like, known := kinds[kind{filepath.Dir(name), filepath.Ext(name)}]
			switch {
			case info.IsDir():
				msg.anew = true
			case known && info.Mode().IsRegular():
				e := like
				e.File, e.Size, e.Changed = name, info.Size(), info.ModTime()
				if e.Folder == "" && e.File != like.File {
					e.root, _ = places.Machine.Project(context.Background(), name) // "": its name of the project stands for it
				}
				msg.found = append(msg.found, &e)
			}
		}
		return msg
	}
}

// stir takes in what was written. Out of sight, the watch ends.
func (l *library) stir(msg stirred) tea.Cmd {
	if msg.of != l.finding || l.watch == nil {
		return nil
	}
	if !l.inSight() {
		l.watch()
		l.watch = nil
		return nil
	}
	l.addAll(msg.found)
	if msg.anew {
		return l.look() // it watches again
	}
	return tea.Batch(l.read(), l.waitForWrites(msg.next))
}
