package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// pageSize is how many resources one answer lists.
const pageSize = 500

// listing is the tree that the pages of a list are cut from.
type listing struct {
	sync.Mutex
	snapshot *memstore.Snapshot // nil: none read, or the last page of it was taken
}

// listResources lists the root and every file that the agent's listing would show, however deep, sorted by path.
func (s *server) listResources(ctx context.Context, r *mcp.ListResourcesRequest) (mcp.Result, error) {
	cursor := ""
	if r.Params != nil {
		cursor = r.Params.Cursor
	}
	after, ok := decodeCursor(cursor)
	if !ok {
		return nil, invalidParams("The cursor is none that this server gave")
	}
	snapshot, err := s.tree(ctx, cursor == "")
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: memstore.ViewError(s.store.Dialect(), memstore.Root, err)}
	}
	result := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: notCached}
	if cursor == "" {
		result.Resources = append(result.Resources, rootResource())
	}
	more := false
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Hidden || more || n.Kind == memstore.KindDir && before(path, after) {
			return false
		}
		if n.Kind == memstore.KindDir || orderOf(path) <= after || !s.isFile(path, n) {
			return true
		}
		if len(result.Resources) == pageSize {
			more = true
			return false
		}
		result.Resources = append(result.Resources, fileResource(path, n))
		return true
	})
	if more {
		result.NextCursor = encodeCursor(result.Resources[len(result.Resources)-1].Name)
	} else {
		s.list.drop(snapshot)
	}
	return result, nil
}

// tree is the store as it is now, or for a later page the tree that the first page was cut from.
func (s *server) tree(ctx context.Context, fresh bool) (*memstore.Snapshot, error) {
	s.list.Lock()
	defer s.list.Unlock()
	if !fresh && s.list.snapshot != nil {
		return s.list.snapshot, nil
	}
	snapshot, err := s.store.Scan(ctx, nil)
	if err != nil {
		return nil, err
	}
	s.list.snapshot = snapshot
	return snapshot, nil
}

func (l *listing) drop(snapshot *memstore.Snapshot) {
	l.Lock()
	defer l.Unlock()
	if l.snapshot == snapshot {
		l.snapshot = nil
	}
}

// isFile reports whether the node is something that a view shows as a file, and whose
// name can be written to a client.
func (s *server) isFile(path string, n *memstore.Node) bool {
	if !utf8.ValidString(path) {
		return false
	}
	name, err := memstore.ParsePath(path)
	if err != nil || memstore.AgentPath(name) != path {
		return false
	}
	if n.Kind == memstore.KindLink {
		i, err := s.store.Backend().Stat(name)
		return err == nil && i.Kind == memstore.KindFile
	}
	return n.Kind == memstore.KindFile
}

func fileResource(path string, n *memstore.Node) *mcp.Resource {
	return &mcp.Resource{
		URI: uriOf(path), Name: path, MIMEType: textType,
		Annotations: &mcp.Annotations{LastModified: n.ModTime.UTC().Format(time.RFC3339)},
	}
}

// orderOf is a text by which paths sort as a walk meets them: what is below a folder comes
// before the folder's later siblings, whatever characters these begin with.
func orderOf(path string) string { return strings.ReplaceAll(path, "/", "\x00") }

// before tells that everything below a folder was listed already.
func before(folder, after string) bool {
	own := orderOf(folder) + "\x00"
	return own < after && !strings.HasPrefix(after, own)
}

// A cursor is the last path listed, so that it holds when files come and go between two pages.
func encodeCursor(path string) string { return base64.RawURLEncoding.EncodeToString([]byte(path)) }

func decodeCursor(cursor string) (after string, ok bool) {
	path, err := base64.RawURLEncoding.DecodeString(cursor)
	return orderOf(string(path)), err == nil
}

// uriData is what an error says of the address.
func uriData(uri string) json.RawMessage {
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		return nil // strings always encode
	}
	return data
}
