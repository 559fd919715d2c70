package watch

import (
	"errors"
	"time"

	"memcurator/memstore"
)

// lookEvery is how often an absent directory is looked for, and how often an empty one is checked.
const lookEvery = time.Second

var (
	errReplaced = errors.New("another directory replaced it")
	errEmptied  = errors.New("an empty directory replaced it")
)

// absence is a directory that is away.
type absence struct{ lookAt time.Time }

// lose is called when the directory is gone or cannot be read. Nothing is reported
// about its contents: the last known state stays until the directory is back and can be
// compared.
func (o *owner) lose(err error) {
	if o.ctx.Err() != nil {
		return
	}
	o.gone = &absence{lookAt: time.Now().Add(lookEvery)}
	clear(o.settling.dirty)              // everything is compared when it is back
	if o.watches != nil && !o.scanning { // a scan has its own, and its result decides
		o.watches.close()
		o.watches = nil
	}
	o.state, o.note = Unavailable, absent(err)
	o.changed()
	if errors.Is(err, errReplaced) {
		o.retry()
	}
}

func absent(err error) string {
	switch {
	case errors.Is(err, errEmptied):
		return "An empty directory replaced the memory directory. Is a disk unmounted? Showing the last copy"
	case errors.Is(err, memstore.ErrPermission):
		return "Can't read the memory directory: permission denied. Showing the last copy"
	}
	return "The memory directory moved, or was deleted or unmounted. Showing the last copy"
}

// retry checks whether the directory is back.
func (o *owner) retry() {
	if o.gone == nil || o.scanning {
		return
	}
	o.gone.lookAt = time.Now().Add(lookEvery)
	info, err := o.backend.Lstat(".")
	if err != nil {
		return
	}
	children, err := o.backend.ReadDir(".")
	if err != nil {
		return
	}
	if len(children) == 0 && o.emptied(&memstore.Node{Info: info}) {
		if note := absent(errEmptied); note != o.note {
			o.note = note
			o.changed()
		}
		return
	}
	o.scan()
}

// emptied reports whether root is another folder than the known one, and an empty
// one where files are known, like a mount point without its disk.
func (o *owner) emptied(root *memstore.Node) bool {
	return o.loaded && root.ID != o.rootID && len(root.Children) == 0 && len(o.known.Root.Children) > 0
}

// checkRoot is called when something happened to the directory itself.
func (o *owner) checkRoot() {
	if !o.rootThere() {
		return
	}
	if _, err := o.backend.ReadDir("."); err != nil {
		o.lose(err)
	}
}

// rootThere reports whether the directory is still the known one; if not it is
// dropped, or reopened.
func (o *owner) rootThere() bool {
	info, err := o.backend.Lstat(".")
	if err == nil && info.ID != o.rootID {
		err = errReplaced
	}
	if err != nil {
		o.lose(err)
		return false
	}
	return true
}

// judge sets the state from what is watched.
func (o *owner) judge() {
	state, note := Live, ""
	switch {
	case o.gone != nil:
		return
	case !o.loaded:
		state = Loading
	case o.watches != nil:
		state, note = o.watches.judge(o.polls.every)
	}
	if o.loaded && o.settling.reason != "" {
		state, note = Limited, o.settling.reason
	}
	if state != o.state || note != o.note {
		o.state, o.note = state, note
		o.changed()
	}
}
