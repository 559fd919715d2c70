package mcpserver

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// subscriptions are the addresses that clients want to hear of. Each is kept as
// it was sent, since it is named so in the notification.
type subscriptions struct {
	sync.Mutex
	byURI map[string]*subscription
}

type subscription struct {
	path    string
	clients map[*mcp.ServerSession]bool
}

// follow begins to watch the store when the first client shows an interest: an agent
// that only calls the tool pays nothing for it.
func (s *server) follow() {
	if s.options.Watch == nil {
		return
	}
	s.watch.Do(func() {
		if err := s.options.Watch(s.changed); err != nil {
			s.log.Warn("no notifications: the store cannot be watched", "error", err)
		}
	})
}

func (s *server) subscribe(_ context.Context, r *mcp.SubscribeRequest) error {
	path, ok := pathOf(r.Params.URI)
	if !ok {
		return noSuchResource(r.Params.URI)
	}
	if name, err := memstore.ParsePath(path); err == nil {
		path = memstore.AgentPath(name)
	}
	s.follow()
	s.subs.Lock()
	defer s.subs.Unlock()
	if s.subs.byURI == nil {
		s.subs.byURI = map[string]*subscription{}
	}
	sub := s.subs.byURI[r.Params.URI]
	if sub == nil {
		sub = &subscription{path: path, clients: map[*mcp.ServerSession]bool{}}
		s.subs.byURI[r.Params.URI] = sub
	}
	sub.clients[r.Session] = true
	return nil
}

func (s *server) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	s.subs.Lock()
	defer s.subs.Unlock()
	if sub := s.subs.byURI[r.Params.URI]; sub != nil {
		delete(sub.clients, r.Session)
		if len(sub.clients) == 0 {
			delete(s.subs.byURI, r.Params.URI)
		}
	}
	return nil
}

// changed tells the clients.
func (s *server) changed(c Change) {
	for _, uri := range s.touched(c.Paths) {
		// The SDK logs what cannot be sent; a client that is gone is not our error.
		_ = s.mcp.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
	if c.Names {
		// The SDK has no call for this notification alone: it is sent whenever a resource is added, known or not.
		s.mcp.AddResource(rootResource(), s.read)
	}
}

// touched returns the subscribed addresses whose text may have changed, sorted, and forgets clients that have gone.
func (s *server) touched(paths []string) []string {
	live := map[*mcp.ServerSession]bool{}
	for client := range s.mcp.Sessions() {
		live[client] = true
	}
	s.subs.Lock()
	defer s.subs.Unlock()
	var uris []string
	for uri, sub := range s.subs.byURI {
		maps.DeleteFunc(sub.clients, func(client *mcp.ServerSession, _ bool) bool { return !live[client] })
		if len(sub.clients) == 0 {
			delete(s.subs.byURI, uri)
		} else if slices.ContainsFunc(paths, func(p string) bool { return touches(sub.path, p) }) {
			uris = append(uris, uri)
		}
	}
	slices.Sort(uris)
	return uris
}

// listingDepth is how many levels below a folder its listing shows.
const listingDepth = 2

// touches reports whether a change of path may change the view of another: of the path itself, of what
// is below it (a folder that came or went), and of the listings that show it.
func touches(view, changed string) bool {
	if view == changed || strings.HasPrefix(view, changed+"/") {
		return true
	}
	below, ok := strings.CutPrefix(changed, view+"/")
	return ok && strings.Count(below, "/") < listingDepth
}
