// Package mcpserver serves a store over the Model Context Protocol: the memory tool
// as the one tool of the server, and the documented prompts.
//
// What lives here: the tool's schema (schema.go), the call itself (tool.go), the texts
// of the documentation (prompts.go), and the connection over two streams (conn.go). Every command
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
// the tool: an unknown tool or method.
package mcpserver

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// serverName is what the server calls itself.
const serverName = "memcurator"

// Options are the settings of a server. The zero value serves the store as it is.
type Options struct {
	Version string // of the program, for the client; "": not told
	// NameSession names the session of a client, by the name that it gave itself; nil: edits have that of the store.
	NameSession func(client string) string
}

// server is what the handlers of one [mcp.Server] share.
type server struct {
	store   *memstore.Store
	options Options
	mcp     *mcp.Server
}

// New makes a server for store. It holds no goroutine of its own. The caller
// connects it, to as many clients as it likes, and closes the store when the server has
// ended. [Serve] runs the calls of a client in the order in which they were sent; over
// another transport calls that were sent together run together.
func New(store *memstore.Store, o Options) *mcp.Server {
	s := &server{store: store, options: o}
	settings := &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{
			Tools:   &mcp.ToolCapabilities{},
			Prompts: &mcp.PromptCapabilities{},
		},
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: serverName, Title: "Memory", Version: o.Version}, settings)
	s.mcp.AddTool(tool(), s.call)
	s.addPrompts()
	return s.mcp
}
