package memstore

import (
	"context"
	"crypto/rand"

	"memcurator/memstore/backend"
)

// Sessions is a [backend.Backend] whose store is remote, so that each call costs a round trip. The handlers take no lock there: for each
// try they open a session, decide on the one state that it shows, and commit the decision, the bytes and the record together. A directory
// has no sessions: its handlers take turns with other writers instead, and each write is on disk before its command returns.
type Sessions interface {
	backend.Backend
	// Session fetches what w describes, all of it as of one revision. The caller ends the session.
	Session(ctx context.Context, w Want) (Session, error)
}

// Session shows a store at one revision and collects writes. Reads are answered from what was fetched and from the writes; anything else
// may cost a round trip, and is of the same revision. A session belongs to one goroutine, or to several that only read.
type Session interface {
	backend.Backend
	// Revision identifies the state that the session shows.
	Revision() int64
	// Commit carries out the writes, all or none, and records the edits in their order. [ErrChanged] means that something the decision
	// depends on has changed: the caller decides again in another session. Commits with the same key are carried out once, so it is safe
	// to resend one whose answer was lost.
	Commit(ctx context.Context, edits []*Edit, key CommitKey) (revision int64, err error)
	// End frees the session and drops what was not committed. It is safe to call End after Commit.
	End()
}

// CommitKey identifies a command through all its tries.
type CommitKey [16]byte

// Want is what a session fetches at the start.
type Want struct {
	Paths []string // names for the backend; implies the folders above them
	Write bool     // a commit will follow
	Turn  bool     // keep other writers out until the end, after tries that came too late
	Below bool     // fetch everything below the paths
	Bytes int64    // fetch contents up to this size
}

// freeTries is how many tries a command makes without keeping other writers out. More of them would starve some writers of a busy file.
const freeTries = 2

// look returns the store as one session shows it. A store without sessions returns itself.
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

// names returns the backend's names of agent paths, for [Want]; it skips paths that are spelled wrong.
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

// wantFile is the want of a view or a scan of a path.
func (s *Store) wantFile(path string) Want {
	return Want{Paths: s.names(path), Bytes: eagerFile}
}

// open begins a try of a write: it opens a session or takes the lock.
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

// commit sends what was written in the session of a try. Without a session, it is on disk already.
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
