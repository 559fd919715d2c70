// Package mcpserver serves a store over the Model Context Protocol: the memory tool
// as the one tool of the server, the documented prompts, and the listing and the
// files as resources.
//
// What lives here: the tool's schema (schema.go), the call itself (tool.go), the texts
// of the documentation (prompts.go), resources and their notifications (resources.go,
// uri.go), and the connection over two streams (conn.go). Every command and every read
// goes through [memstore.Store], so that dialect, guards, recorders and limits are those
// of every other way to the store; nothing here touches a file.
//
// The command line calls it by [Serve]; programs that have a server of their own
// embed [New]. This is the only package that knows the protocol's SDK.
//
// # What is an error of the protocol, and what is not
//
// Whatever is wrong with the arguments of the tool is a result with isError and the
// tool's own sentence, so that the model sees it and can correct itself; the
// SDK's validation is not used. Errors of the protocol are left for what is not a call of
// the tool: an unknown tool or method, a resource that is not there.
//
// # Resources are views
//
// The text of a resource is what view returns for its path: a listing, or the lines
// with their numbers. So the guards on reads and the caps hold for resources too, and
// a client sees what the agent sees. Since a client reads a resource to put it before the
// model, the read counts as use by the agent, as a view does. Listing resources reads
// no file and counts as nothing.
package mcpserver

import (
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// serverName is what the server calls itself.
const serverName = "memcurator"

// Options are the settings of a server. The zero value serves the store as it is, without notifications.
type Options struct {
	Version string // of the program, for the client; "": not told
	Session string // recorded with the edits; "": the store's
	// NameSession names the session of a client, by the name that it gave itself, where Session is empty; nil: it has none.
	NameSession func(client string) string
	// PrefixErrors puts "Error: " before every error that does not begin with it.
	PrefixErrors bool
	Schema       Schema
	// Watch begins to follow the store. It is called at most once, when a client first
	// asks for the resources or subscribes to one, and returns when everything that
	// happens from then on is reported; changed may be called from any goroutine until
	// the server has ended. Nil: the server offers no notifications.
	Watch func(changed func(Change)) error
	// Log gets what goes wrong beside the calls; nil: dropped. It never gets contents.
	Log *slog.Logger
}

// Change is what happened to the store since the last one, several changes taken together.
type Change struct {
	Paths []string // agent paths whose text may be another one now; a folder stands for all below it
	Names bool     // a name came, went or moved
}

// server is what the handlers of one [mcp.Server] share.
type server struct {
	store   *memstore.Store
	options Options
	log     *slog.Logger
	mcp     *mcp.Server
	longest int // the most bytes of text that a view may have: longestView, less in tests

	watch sync.Once
	list  listing
	subs  subscriptions
}

// New makes a server for store. It holds no goroutine of its own. The caller
// connects it, to as many clients as it likes, and closes the store when the server has
// ended. [Serve] runs the calls of a client in the order in which they were sent; over
// another transport calls that were sent together run together.
func New(store *memstore.Store, o Options) *mcp.Server {
	s := &server{store: store, options: o, log: o.Log, longest: longestView}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	notify := o.Watch != nil
	settings := &mcp.ServerOptions{
		Instructions: instructions,
		Logger:       s.log,
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{},
			Prompts:   &mcp.PromptCapabilities{},
			Resources: &mcp.ResourceCapabilities{ListChanged: notify, Subscribe: notify},
		},
	}
	if notify {
		settings.SubscribeHandler, settings.UnsubscribeHandler = s.subscribe, s.unsubscribe
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: serverName, Title: "Memory", Version: o.Version}, settings)
	s.mcp.AddReceivingMiddleware(s.receive)
	s.mcp.AddTool(tool(unionSchema), s.call)
	s.addPrompts()
	s.addResources()
	return s.mcp
}
