package dir

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

const (
	tempMaxAge  = time.Hour   // no write takes that long, even if its process seems alive
	tempMinAge  = time.Minute // without the lock, a process that looks dead may live in another container
	sweepMost   = 2048        // names read in one sweep; bounds the cost of a write in a large folder
	sweepChunk  = 256
	sweepMemory = 4096 // folders remembered as swept
)

// writeTemp writes data to a new temporary file in the folder, with mode and, unless old is nil, its owner, and flushes it. It returns
// the file's info; after an error, nothing remains.
func (f folder) writeTemp(name string, data []byte, mode os.FileMode, old os.FileInfo) (info os.FileInfo, err error) {
	if err := f.fault.check(stepTemp); err != nil {
		return nil, err
	}
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|quietfile.NoWait, 0o600)
	if err != nil {
		return nil, err
	}
	info, err = fillTemp(file, f.fault, data, mode, old)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = f.remove(name)
		return nil, err
	}
	return info, nil
}

func fillTemp(f *os.File, fault faults, data []byte, mode os.FileMode, old os.FileInfo) (os.FileInfo, error) {
	if err := fault.check(stepWrite); err != nil {
		_, _ = f.Write(data[:len(data)/2])
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, err
	}
	if old != nil {
		keepOwner(f, old) // before the mode: a change of owner clears the set-user bits
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := fault.check(stepSync); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	if err := fault.check(stepMode); err != nil {
		return nil, err
	}
	// Set the mode last: until then, a killed writer leaves a file that a sweep
	// recognizes. If a power cut loses the mode, it is 0600, the narrowest.
	const kept = os.ModePerm | os.ModeSetuid | os.ModeSetgid | os.ModeSticky
	if runtime.GOOS != "windows" && info.Mode()&kept != mode&kept {
		if err := f.Chmod(mode & kept); err != nil {
			return nil, err
		}
	}
	return info, nil
}

// temporaries remembers which folders are free of temporary files of killed writers.
type temporaries struct {
	mu    sync.Mutex
	swept map[string]sweepMark // by name
}

// sweepMark remembers a folder's state after our last write in it.
type sweepMark struct {
	id       backend.FileID
	modified time.Time
}

// sweep removes the temporary files that our own writers left in the folder of p when they were killed. It reads the folder once, and
// again only if its timestamp shows that another program has changed it since our last write there.
func (p *place) sweep() {
	fi, err := p.root.Lstat(".")
	if err != nil {
		return
	}
	temps, locked := &p.h.temps, p.h.locked.Load()
	temps.mu.Lock()
	mark, known := temps.swept[p.dir]
	temps.mu.Unlock()
	if known && mark.id == FileID(fi) && mark.modified.Equal(fi.ModTime()) {
		return
	}
	p.eachTemp(func(name string, pid int) {
		if tempStale(p.root, name, pid, locked) {
			_ = p.root.Remove(name)
		}
	})
}

// eachTemp visits the names in the folder of p that our writers give to what is temporary, with the process that made each. In a huge
// folder it stops after the first names.
func (p *place) eachTemp(visit func(name string, pid int)) {
	f, err := quietfile.OpenIn(p.root, ".", quietfile.Directory)
	if err != nil {
		return
	}
	defer f.Close()
	for seen := 0; seen < sweepMost; {
		names, err := f.Readdirnames(sweepChunk)
		for _, name := range names {
			if pid, ok := backend.TempProcess(name); ok {
				visit(name, pid)
			}
		}
		seen += len(names)
		if err != nil || errors.Is(err, io.EOF) {
			return
		}
	}
}

// tempStale reports whether the writer of a temporary file is gone. While we hold the lock no other process is writing, so a dead process
// settles it, and so does our own process ID, which an earlier process must have had. Without the lock, only age does.
func tempStale(root *os.Root, name string, pid int, locked bool) bool {
	fi, err := root.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() {
		return false
	}
	// Ours are 0600 until just before the switch; any other file with such a name
	// belongs to another program.
	if runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		return false
	}
	age := time.Since(fi.ModTime())
	switch {
	case age > tempMaxAge:
		return true
	case locked:
		return pid == os.Getpid() || backend.ProcessDead(pid)
	default:
		return age > tempMinAge && backend.ProcessDead(pid)
	}
}

// remember records the timestamp of the folder after our own write.
func (p *place) remember() {
	fi, err := p.root.Lstat(".")
	if err != nil {
		return
	}
	temps := &p.h.temps
	temps.mu.Lock()
	if temps.swept == nil || len(temps.swept) >= sweepMemory {
		temps.swept = map[string]sweepMark{}
	}
	temps.swept[p.dir] = sweepMark{id: FileID(fi), modified: fi.ModTime()}
	temps.mu.Unlock()
}

// RemoveTemp implements [backend.TempKeeper].
func (d *Dir) RemoveTemp(name string) error {
	return d.clear(name, func(p *place, info os.FileInfo) error {
		if _, ours := backend.TempProcess(p.base); !ours || !info.Mode().IsRegular() {
			return nil // another program's
		}
		return p.removeOnce(p.base)
	})
}

// RemoveEmpty implements [backend.TempKeeper].
func (d *Dir) RemoveEmpty(name string) error {
	return d.clear(name, func(p *place, info os.FileInfo) error {
		if !info.IsDir() || name == "." {
			return nil
		}
		return p.removeOnce(p.base)
	})
}

// clear removes a writer's leftover at name, if it is still there.
func (d *Dir) clear(name string, remove func(*place, os.FileInfo) error) error {
	err := d.inPlace(name, func(p *place) error {
		info, err := p.root.Lstat(p.base)
		if err != nil {
			return err
		}
		return remove(p, info)
	})
	if errors.Is(err, backend.ErrNotExist) {
		return nil
	}
	return err
}
