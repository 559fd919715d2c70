package overview

import (
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/past"
)

// Shared knows which documents of chains other stores have too, such as the user's CLAUDE.md, which is in the chain of each project. Such
// a document is one document: one of its stores counts it. A document is known by its path without links.
type Shared struct {
	stores map[string][]string          // of each document in several stores: their paths, that of the one that counts it first
	names  map[string]map[string]string // of each chain: the documents by their agent paths
}

// SharedBy finds the documents that several of the stores have. A store that can't be read counts nothing.
func SharedBy(rows []Row) *Shared {
	s := &Shared{stores: map[string][]string{}, names: map[string]map[string]string{}}
	folders := map[string]string{} // of notes, by their paths
	for _, r := range rows {
		switch {
		case r.State == Unreadable:
		case r.Kind == discover.KindDir:
			folders[filepath.Clean(r.Dir)] = r.Path
		case r.Kind == discover.KindChain:
			names := map[string]string{}
			for _, d := range r.Documents {
				names[d.Name] = d.Path
				s.stores[d.Path] = append(s.stores[d.Path], r.Path)
			}
			s.names[r.Path] = names
		}
	}
	for at, stores := range s.stores {
		slices.SortStableFunc(stores, func(a, b string) int { return nearness(b, at) - nearness(a, at) })
		if folder := holder(folders, at); folder != "" { // a note that a chain imports
			stores = slices.Insert(stores, 0, folder)
		}
		if len(stores) < 2 {
			delete(s.stores, at)
			continue
		}
		s.stores[at] = stores
	}
	return s
}

// nearness is how close the file that names a chain is to a document of it: the store that counts it is the nearest one.
func nearness(chain, document string) int {
	folder := filepath.Dir(chain)
	switch {
	case chain == document:
		return 1 << 20
	case strings.HasPrefix(document, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)):
		return len(folder)
	}
	return 0
}

// holder is the store of notes that a document is in.
func holder(folders map[string]string, document string) string {
	for at := filepath.Dir(document); at != filepath.Dir(at); at = filepath.Dir(at) {
		if store := folders[at]; store != "" {
			return store
		}
	}
	return ""
}

// Document is the path on this machine of a document of a chain, without links; "" if it isn't one.
func (s *Shared) Document(store, agentPath string) string {
	if s == nil {
		return ""
	}
	return s.names[store][agentPath]
}

// Counts reports whether a store is the one that counts a document of its own.
func (s *Shared) Counts(store, agentPath string) bool {
	if s == nil {
		return true
	}
	stores := s.stores[s.Document(store, agentPath)]
	return len(stores) == 0 || stores[0] == store
}

// Others are the paths of the other stores that have a document of a store.
func (s *Shared) Others(store, agentPath string) (list []string) {
	if s == nil {
		return nil
	}
	for _, other := range s.stores[s.Document(store, agentPath)] {
		if other != store {
			list = append(list, other)
		}
	}
	return list
}

// Once recognizes a change of a document that the journals of several stores have recorded.
type Once struct {
	known map[change]int
	nth   map[change]int // how often the journal in work has each
}

// change is a difference made to a document. The same one may be made again: nth tells those apart.
type change struct {
	document      string
	before, after memstore.Digest
	nth           int
}

// Begin begins with the changes of another journal.
func (o *Once) Begin() { o.nth = map[change]int{} }

// Index returns which entry of a list is about a change of a document that [Shared.Document] knows: an earlier one if another journal has
// it, else next.
func (o *Once) Index(document string, r past.Revision, next int) int {
	if document == "" || r.Before.Digest == (memstore.Digest{}) && r.After.Digest == (memstore.Digest{}) {
		return next
	}
	c := change{document: document, before: r.Before.Digest, after: r.After.Digest}
	n := o.nth[c]
	o.nth[c]++
	c.nth = n
	if at, again := o.known[c]; again {
		return at
	}
	if o.known == nil {
		o.known = map[change]int{}
	}
	o.known[c] = next
	return next
}

// Knows reports whether a revision says more of the same change than another: who made it, and not only that it was found on disk.
func Knows(r, than past.Revision) bool {
	return r.Actor != memstore.External && than.Actor == memstore.External
}
