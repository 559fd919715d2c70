package mcpserver

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// listed takes every page and returns the addresses.
func listed(t *testing.T, c *mcp.ClientSession) []string {
	t.Helper()
	var uris []string
	for r, err := range c.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if r.MIMEType != "text/plain" || r.Name == "" {
			t.Errorf("resource %+v", r)
		}
		uris = append(uris, r.URI)
	}
	return uris
}

func create(t *testing.T, store *memstore.Store, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := store.Backend().Create(name, []byte("text of "+name+"\n")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResourcesAreWhatTheListingShows(t *testing.T) {
	backend := memstore.NewMemory()
	store := memstore.New(backend, memstore.Options{})
	create(t, store, "a b.md", "a/z.md", "a/deep/er/x.md", "a.md", "日本/味噌.md", "100%.md", "q?#&.md",
		".hidden", ".git/config", "a/node_modules/x.js", "bad\x01name", "bad\xffname")
	links := backend.(*memstore.Memory)
	for name, target := range map[string]string{"link.md": "a.md", "dirlink": "a", "dangling": "nothing", "out": "/etc/passwd"} {
		if err := links.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, store, Options{}, nil)
	got := listed(t, c)
	want := []string{
		"memory:///memories",
		"memory:///memories/100%25.md",
		"memory:///memories/a/deep/er/x.md", "memory:///memories/a/z.md", "memory:///memories/a%20b.md", "memory:///memories/a.md",
		"memory:///memories/link.md",
		"memory:///memories/q%3F%23&.md",
		"memory:///memories/%E6%97%A5%E6%9C%AC/%E5%91%B3%E5%99%8C.md",
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, uri := range append(got, "memory:///memories/", "memory:///memories/a", "memory:///memories/dirlink",
		"memory:///memories/.hidden", "memory:///memories/%61.md") {
		path, _ := pathOf(uri)
		want := store.View(t.Context(), path, nil)
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || want.IsError {
			t.Errorf("%s: %v, %v", uri, err, want.Err)
			continue
		}
		// A name that is not UTF-8 appears in the listing, and JSON has no bytes for it.
		if len(r.Contents) != 1 || r.Contents[0].Text != strings.ToValidUTF8(want.Content, "\ufffd") || r.Contents[0].URI != uri ||
			r.Contents[0].MIMEType != "text/plain" {
			t.Errorf("%s: %+v", uri, r.Contents)
		}
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "memory:///memories/{+path}" {
		t.Errorf("templates: %+v, %v", templates, err)
	}
}

func TestResourcesThatCannotBeRead(t *testing.T) {
	store, _ := twins(memstore.Options{})
	create(t, store, "binary")
	if err := store.Backend().Replace("binary", []byte("text of binary\n"), []byte{0xff, 0xfe}); err != nil {
		t.Fatal(err)
	}
	c := connect(t, store, Options{}, nil)
	for uri, says := range map[string]string{
		"":                                 "no such resource",
		"file:///etc/passwd":               "no such resource",
		"memory:///memoriesx":              "no such resource",
		"memory:///etc/passwd":             "no such resource",
		"memory://memories":                "no such resource",
		"memory:///memories/%zz":           "no such resource",
		"memory:///memories/%4":            "no such resource",
		"memory:///memories/a?b":           "no such resource",
		"memory:///memories#x":             "no such resource",
		"memory:///x\x00\x7f\u2028":        "no such resource",
		"memory:///memories/nothing":       "The path /memories/nothing does not exist. Please provide a valid path.",
		"memory:///memories/../x":          "Error: ",
		"memory:///memories/%2e%2E/x":      "Error: ",
		"memory:///memories/%252e%252e/x":  "Error: ",
		"memory:///memories/a%00":          "Error: ",
		"memory:///memories/\x00":          "Error: ",
		"memory:///memories/binary":        "Error: ",
		"memory:///memories/binary/nested": "does not exist",
	} {
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || !strings.Contains(wire.Message, says) {
			t.Errorf("%q: %+v, %v", uri, r, err)
		}
	}
}

// notes are the notifications that a client got.
type notes struct {
	updated chan string
	lists   chan struct{}
}

func newNotes() (*notes, *mcp.ClientOptions) {
	n := &notes{updated: make(chan string, 100), lists: make(chan struct{}, 100)}
	return n, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			n.updated <- r.Params.URI
		},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { n.lists <- struct{}{} },
	}
}

// watching serves a store whose changes the test tells itself.
type watching struct {
	t       *testing.T
	client  *mcp.ClientSession
	heard   *notes
	acks    chan struct{} // of protocol versions in which a subscription is a stream
	changed func(Change)
	watched int
}

func watchAs(t *testing.T, version string) *watching {
	t.Helper()
	store, _ := twins(memstore.Options{})
	create(t, store, "a/b.md", "c.md")
	w := &watching{t: t, acks: make(chan struct{}, 100)}
	server := New(store, Options{Watch: func(f func(Change)) error { w.changed = f; w.watched++; return nil }})
	heard, o := newNotes()
	w.heard = heard
	serverEnd, clientEnd := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if strings.HasSuffix(method, "subscriptions/acknowledged") {
				w.acks <- struct{}{}
			}
			return next(ctx, method, r)
		}
	})
	var err error
	if w.client, err = client.Connect(t.Context(), clientEnd, &mcp.ClientSessionOptions{ProtocolVersion: version}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.client.Close() })
	return w
}

func (w *watching) expect(what string, want ...string) {
	w.t.Helper()
	for _, uri := range want {
		if got := <-w.heard.updated; got != uri {
			w.t.Errorf("%s: %s, want %s", what, got, uri)
		}
	}
}

func TestNotifications(t *testing.T) {
	for version, streams := range map[string]bool{"2025-06-18": false, "2026-07-28": true} {
		t.Run(version, func(t *testing.T) {
			w := watchAs(t, version)
			if streams {
				<-w.acks // of the changes of the list, which such a client asks for at once
			}
			if _, err := w.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: rootURI}); err != nil {
				t.Fatal(err)
			}
			if w.watched != 0 && !streams {
				t.Error("the store is watched before a client asks")
			}
			for _, uri := range []string{rootURI, "memory:///memories/a/b.md", "memory:///memories/%63.md", "memory:///memories/a/"} {
				if err := w.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
					t.Fatal(uri, err)
				}
				if streams {
					<-w.acks
				}
			}
			if !streams { // the SDK ends the stream of the list's changes with any other one
				if err := w.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "file:///x"}); err == nil {
					t.Error("a foreign address was taken")
				}
			}
			listed(t, w.client)
			if w.watched != 1 {
				t.Errorf("the store is watched %d times", w.watched)
			}
			w.changed(Change{Paths: []string{"/memories/c.md"}})
			w.expect("edit", rootURI, "memory:///memories/%63.md")
			w.changed(Change{Paths: []string{"/memories/a/b.md"}})
			w.expect("edit below", rootURI, "memory:///memories/a/", "memory:///memories/a/b.md")
			w.changed(Change{Paths: []string{"/memories/a/x/y/z"}}) // in no listing that a client subscribed to
			w.changed(Change{Paths: []string{"/memories/a", "/memories/z"}, Names: true})
			w.expect("a folder moved", rootURI, "memory:///memories/a/", "memory:///memories/a/b.md")
			<-w.heard.lists
			if err := w.client.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "memory:///memories/a/b.md"}); err != nil {
				t.Fatal(err)
			}
			if !streams {
				w.changed(Change{Paths: []string{"/memories/a/b.md"}})
				w.expect("after unsubscribing", rootURI, "memory:///memories/a/")
			}
			if len(w.heard.updated) > 0 || len(w.heard.lists) > 0 {
				t.Errorf("more was told: %d and %d", len(w.heard.updated), len(w.heard.lists))
			}
		})
	}
}

func FuzzURI(f *testing.F) {
	for _, s := range []string{"", "/a b", "/%2e", "/日本", "/a?b#c", "/\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path := memstore.Root + "/" + s
		uri := uriOf(path)
		if got, ok := pathOf(uri); !ok || got != path {
			t.Errorf("%q became %q and then %q", path, uri, got)
		}
		if !utf8.ValidString(uri) || strings.ContainsAny(uri, " ?#\"<>") {
			t.Errorf("%q is not a URI", uri)
		}
		pathOf(s)
		pathOf(uriPrefix + s)
	})
}
