package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

const textType = "text/plain"

// rootResource is the listing of the whole store.
func rootResource() *mcp.Resource {
	return &mcp.Resource{
		URI: rootURI, Name: memstore.Root, Title: "Memory directory", MIMEType: textType,
		Description: "The listing of the memory directory, as `view` returns it",
	}
}

// addResources tells the SDK of the two kinds; [server.receive] answers what asks for the files themselves.
func (s *server) addResources() {
	s.mcp.AddResource(rootResource(), s.read)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: fileTemplate, Name: "memory", Title: "Memory file", MIMEType: textType,
		Description: "A file with line numbers or the listing of a directory, as `view` returns it",
	}, s.read)
}

// receive stands before the SDK's handlers. The SDK keeps resources as a fixed list;
// those of a store are read from it when they are asked for.
func (s *server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		switch r := request.(type) {
		case *mcp.ListResourcesRequest:
			s.follow()
			return s.listResources(ctx, r)
		case *mcp.ReadResourceRequest:
			// Not by the SDK's own lookup: its answer to an address that it does not know
			// cannot be encoded when the address holds control characters, and the connection breaks.
			result, err := s.read(ctx, r)
			if err != nil {
				return nil, err
			}
			return result, nil
		case *mcp.SubscriptionsListenRequest:
			s.follow()
		case *mcp.ListToolsRequest:
			result, err := next(ctx, method, request)
			if tools, ok := result.(*mcp.ListToolsResult); ok && err == nil && s.flat(r) {
				tools.Tools = []*mcp.Tool{tool(flatSchema)}
			}
			return result, err
		}
		return next(ctx, method, request)
	}
}

// read answers with the text of a view.
func (s *server) read(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := r.Params.URI
	path, ok := pathOf(uri)
	if !ok {
		return nil, noSuchResource(uri)
	}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Session: s.session(r.ClientInfo())})
	answer := s.run(ctx, memstore.Command{Name: memstore.CmdView, Path: path})
	if answer.IsError {
		return nil, readError(uri, answer)
	}
	return &mcp.ReadResourceResult{
		Contents:  []*mcp.ResourceContents{{URI: uri, MIMEType: textType, Text: answer.Content}},
		Cacheable: notCached,
	}, nil
}

// notCached: the contents of a store are private, and may change at any time.
var notCached = mcp.Cacheable{CacheScope: "private"}

// readError has the tool's sentence as its message: reading a resource has no other way to fail.
func readError(uri string, answer memstore.Result) error {
	code := int64(jsonrpc.CodeInternalError)
	switch {
	case errors.Is(answer.Err, memstore.ErrNotExist), errors.Is(answer.Err, memstore.ErrPrefix),
		errors.Is(answer.Err, memstore.ErrControl), errors.Is(answer.Err, memstore.ErrEscapes):
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: answer.Content, Data: uriData(uri)}
}

func noSuchResource(uri string) error {
	return &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidParams, Data: uriData(uri),
		Message: fmt.Sprintf("There is no such resource; the addresses begin with %s", rootURI),
	}
}
