package transcript

import (
	"cmp"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/render/loadlimit"
)

// Use is how the agents of a track used one file. A rename takes it along.
type Use struct {
	Path          string // agent path
	Reads, Writes int
	// Stale counts the reads by a session that knew an older version: another session or program had changed the file since.
	Stale               int
	Tokens              int64 // of what the reads showed, estimated
	Sessions            []string
	LastRead, LastWrite int // steps; 0: none
	Gone                bool
}

// SessionUse is what the memory cost one session.
type SessionUse struct {
	Session, Model string
	First, Last    int   // steps
	Start, End     int64 // tokens of all files before the first step and after the last, estimated
	Loaded         int64 // tokens of what its reads showed
	Reads, Writes  int
}

// usage adds up the use of a track, step by step.
type usage struct {
	t     *Track
	notes map[string]*Use
	known map[reader]map[string]Seen
	byID  map[string]*SessionUse
	list  []*SessionUse
}

// reader is whose knowledge a call extends: a subagent has its own.
type reader struct {
	session string
	side    bool
}

// Use sums up how each file was used, sorted by path, and what each session had of the memory, in the order of their first calls.
func (t *Track) Use() ([]Use, []SessionUse) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	u := usage{t: t, notes: map[string]*Use{}, known: map[reader]map[string]Seen{}, byID: map[string]*SessionUse{}}
	changed := make([][]string, len(t.steps)+1)
	tokens := make([]int64, len(t.steps)+1) // by which the memory grew with a step
	for p, l := range t.lives {
		was := int64(0)
		l.contents(0, func(i int, data []byte) bool {
			v := l.versions[i]
			now := loadlimit.EstimatePart(data, int64(len(data)))
			tokens[v.step] += now - was
			was = now
			if v.kind == memstore.KindFile {
				u.note(p)
			}
			if i > 0 && l.versions[i-1].kind == memstore.KindFile || v.kind == memstore.KindFile {
				changed[v.step] = append(changed[v.step], p)
			}
			return true
		})
	}
	total := tokens[0]
	marks := t.marks
	for i := range t.steps {
		n := i + 1
		for ; len(marks) > 0 && marks[0].Step < n; marks = marks[1:] {
			if marks[0].Kind == compaction {
				delete(u.known, reader{marks[0].Session, false})
			}
		}
		s := &t.steps[i]
		session := u.session(s, n, total)
		u.move(s)
		session.Reads += u.reads(s, n, session)
		if s.writes() {
			for _, p := range changed[n] {
				if s.short.Name == memstore.CmdRename && t.lives[p].kindAt(n) == 0 {
					continue // the new name counts
				}
				w := u.note(p)
				w.Writes, w.LastWrite = w.Writes+1, n
				w.by(s.Session)
				session.Writes++
			}
		}
		total += tokens[n]
		session.Last, session.End = n, total
	}
	return u.sums()
}

func (u *usage) note(path string) *Use {
	if u.notes[path] == nil {
		u.notes[path] = &Use{Path: path}
	}
	return u.notes[path]
}

func (w *Use) by(session string) {
	if !slices.Contains(w.Sessions, session) {
		w.Sessions = append(w.Sessions, session)
	}
}

// session is that of a step; start are the tokens that the memory has before it.
func (u *usage) session(s *Step, n int, start int64) *SessionUse {
	at := u.byID[s.Session]
	if at == nil {
		at = &SessionUse{Session: s.Session, First: n, Start: start}
		u.byID[s.Session] = at
		u.list = append(u.list, at)
	}
	at.Model = cmp.Or(s.Model, at.Model)
	return at
}

// move takes the use along with what a step renamed.
func (u *usage) move(s *Step) {
	cmd := s.short
	if s.Family != Memory || s.bad || !s.shown || cmd.Name != memstore.CmdRename {
		return
	}
	for p, w := range u.notes {
		if (p == cmd.OldPath || strings.HasPrefix(p, cmd.OldPath+"/")) && (w.Reads > 0 || w.Writes > 0) {
			to := cmd.NewPath + p[len(cmd.OldPath):]
			w.Path, u.notes[to] = to, w
			u.notes[p] = &Use{Path: p}
		}
	}
}

// reads counts the files that a step showed to its agent.
func (u *usage) reads(s *Step, n int, session *SessionUse) (count int) {
	who := reader{s.Session, s.Side}
	if u.known[who] == nil {
		u.known[who] = map[string]Seen{}
	}
	known, now := u.known[who], map[string]Seen{}
	learn(now, s, n)
	for p, k := range now {
		l := u.t.lives[p]
		if k.Wrote || l == nil {
			continue
		}
		count++
		w := u.note(p)
		w.Reads, w.LastRead = w.Reads+1, n
		w.by(s.Session)
		text := []byte(s.Result.Text)
		tokens := loadlimit.EstimatePart(text, int64(len(text)))
		w.Tokens += tokens
		session.Loaded += tokens
		if at := l.at(n); known[p].Step > 0 && at >= 0 && l.versions[at].step > known[p].Step {
			w.Stale++
		}
	}
	learn(known, s, n)
	return count
}

func (u *usage) sums() (notes []Use, sessions []SessionUse) {
	for p, w := range u.notes {
		w.Gone = u.t.lives[p] == nil || u.t.lives[p].last().kind != memstore.KindFile
		if w.Gone && w.Reads == 0 && w.Writes == 0 {
			continue // its use moved on with it
		}
		notes = append(notes, *w)
	}
	slices.SortFunc(notes, func(a, b Use) int { return strings.Compare(a.Path, b.Path) })
	for _, s := range u.list {
		sessions = append(sessions, *s)
	}
	return notes, sessions
}
