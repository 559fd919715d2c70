package memstore

import (
	"context"
	"crypto/rand"

	"memcurator/memstore/backend"
)

// Sessions is a [backend.Backend] whose store is elsewhere, so that each call is a round trip. The handlers take no lock
// there. They open a session for each try, decide on the one state that it shows, and commit the decision, the bytes and the
// record together. A directory has no sessions: its handlers take a turn among the writers instead, and each
// write is on the disk before its command returns.
type Sessions interface {
	backend.Backend
	// Session fetches what is wanted, all of it as it was at one revision. The caller ends the session.
	Session(ctx context.Context, w Want) (Session, error)
}

// Session shows a store at one revision and collects writes. Reads are answered from what was fetched and
// from the writes so far; what the caller did not want beforehand may cost a round trip, and is of the same revision.
// It belongs to one goroutine, or to several that only read.
type Session interface {
	backend.Backend
	// Revision identifies the state that is shown.
	Revision() int64
	// Commit carries out the writes, all or none, and records them as the edits, which are in their order. [ErrChanged]
	// means that something the decision depends on is not as it was: the caller decides afresh in another session.
	// Commits with the same key are carried out once, so that one whose answer was lost can be sent again.
	Commit(ctx context.Context, edits []*Edit, key CommitKey) (revision int64, err error)
	// End frees the session; what was not committed is dropped. It is safe to call End after Commit.
	End()
}

// CommitKey identifies a command through all its tries.
type CommitKey [16]byte

// Want is what a session fetches with its first look.
type Want struct {
	Paths []string // names for the backend; they and the folders above them are needed
	Write bool     // there is going to be a commit
	Turn  bool     // hold the turn among the writers until the end, after tries that came too late
	Below bool     // everything below the paths is needed
	Bytes int64    // contents up to this size are needed
}

// freeTries is how many tries of a command hold no turn. On a file that many writers edit, more of them would starve some.
const freeTries = 2

// look returns the store as one session shows it. A store without sessions shows itself.
func (s *Store) look(ctx context.Context, w Want) (seen *Store, end func(), err error) {
	if s.sessions == nil {
		return s, func() {}, nil
	}
	session, err := s.sessions.Session(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	seen = new(Store)
	*seen = *s
	seen.backend, seen.session = session, session
	return seen, session.End, nil
}

// names are the names of agent paths, for [Want]: those that are spelled wrong are left out.
func (s *Store) names(paths ...string) []string {
	if s.sessions == nil {
		return nil
	}
	var names []string
	for _, p := range paths {
		if t, err := s.target(p); err == nil {
			names = append(names, t.name)
		}
	}
	return names
}

// wantFile is the want of a view or a scan of what is at a path.
func (s *Store) wantFile(path string) Want {
	return Want{Paths: s.names(path), Bytes: eagerFile}
}

// open begins a try of a write: a session, or else the turn among the writers.
func (r *request) open(try int) (end func(), err error) {
	if r.store.sessions == nil {
		return r.store.backend.Lock(r.ctx)
	}
	return r.look(Want{Write: true, Turn: try > freeTries})
}

// look opens a session for the paths of the command, if the store has sessions.
func (r *request) look(w Want) (end func(), err error) {
	w.Bytes = editLimit
	switch r.c.Name {
	case CmdRename:
		w.Paths, w.Below = r.store.names(r.c.OldPath, r.c.NewPath), true
	case CmdDelete:
		w.Paths, w.Below = r.store.names(r.c.Path), r.detailed
	default:
		w.Paths = r.store.names(r.c.Path)
	}
	seen, end, err := r.store.look(r.ctx, w)
	if err != nil {
		return nil, err
	}
	r.store = seen
	return end, nil
}

// commit sends what was written in the session of a try. Without one it is carried out already.
func (s *Store) commit(ctx context.Context, key CommitKey, edits ...*Edit) error {
	if s.session == nil {
		return nil
	}
	_, err := s.session.Commit(ctx, edits, key)
	return err
}

func newCommitKey() (k CommitKey) {
	_, _ = rand.Read(k[:]) // never fails
	return k
}
