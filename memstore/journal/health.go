package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"memcurator/memstore/past"
)

// DamageText says what is wrong with a damaged journal, as the end of a sentence.
const DamageText = "its database is corrupt"

// opened are the journals that are open in this process. An error of SQLite does not name its database, so each is a suspect.
var opened sync.Map

// suspectAll lets every journal of the process find out whether it is the damaged one.
func suspectAll() {
	opened.Range(func(j, _ any) bool {
		j.(*Journal).health.suspect()
		return true
	})
}

// health is what is known about damage to a journal. Safe for concurrent use.
type health struct {
	j      *Journal
	mu     sync.Mutex
	err    error // nil: no damage is known
	closed bool
	cancel context.CancelFunc // of the check under way; nil: none
	done   sync.WaitGroup     // of the same
}

// close stops the check, which uses connections of the journal.
func (h *health) close() {
	h.mu.Lock()
	h.closed = true
	if h.cancel != nil {
		h.cancel()
	}
	h.mu.Unlock()
	h.done.Wait()
}

// Health returns an error that wraps [ErrCorrupt] once the journal was found to be damaged, by any call or by the check of a
// copy; nil until then. A damaged journal is not written to: edits of the agent continue unrecorded, and what needs the record is
// refused.
func (j *Journal) Health() error {
	j.health.mu.Lock()
	defer j.health.mu.Unlock()
	return j.health.err
}

// spoiled notes damage, and says so once.
func (h *health) spoiled(err error) {
	h.mu.Lock()
	first := h.err == nil
	if first {
		h.err = &past.Error{Op: "check", Err: past.ErrCorrupt, Cause: err}
		err = h.err
	}
	h.mu.Unlock()
	if first {
		h.j.bell.Wake()
	}
	if first && h.j.options.Damaged != nil {
		h.j.options.Damaged(err)
	}
}

// suspect checks the whole journal in the background, after a call has met damage in some journal.
func (h *health) suspect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cancel != nil || h.closed || h.err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.cancel = cancel
	h.done.Go(func() {
		defer cancel()
		if err := h.damaged(ctx); err != nil {
			h.spoiled(err)
		}
		h.mu.Lock()
		h.cancel = nil
		h.mu.Unlock()
	})
}

// damaged reads the whole journal and returns what is wrong with it. A journal that cannot be read now, because it is being
// closed or another process holds it, is not damaged: the next error checks again.
func (h *health) damaged(ctx context.Context) error {
	db, err := h.j.pool.ReaderNow()
	if err != nil {
		return nil
	}
	list, err := damageIn(ctx, db)
	switch {
	case len(list) > 0:
		return errors.New(list[0])
	case sentinelOf(err) == past.ErrCorrupt:
		return err
	}
	return nil
}

// Exists reports whether the state folder dir has a journal.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}
