package discover

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"memcurator/memstore/load"
)

var vsCode = agent{
	name: "VS Code",
	// From microsoft/vscode-copilot-chat, src/extension/tools/node/memoryTool.tsx and memoryContextPrompt.tsx at 25e2a3d0, and
	// microsoft/vscode, extensions/copilot/src/extension/tools/common/memoryCleanupService.ts at bbd94321 and
	// src/vs/platform/environment/node/userDataPath.js, read in November 2026
	dialect: "vscode",
	places: []place{
		{
			roots: vsCodeUser, names: []string{"globalStorage", "github.copilot-chat", "memory-tool", "memories"},
			elsewhere: "`USER/globalStorage/github.copilot-chat/memory-tool/memories`",
			rule: load.Rule{
				Files: []string{"*"}, Lines: 200, Together: true, Heading: "## NAME\n", Separator: "\n",
				Source: "memoryContextPrompt.tsx (November 2026): the first 200 lines of the files of the user, each below a line with its name",
			},
			quirks: []string{
				"in VS Code you can't delete a single file",
				"where GitHub hosts memories, new notes are not on this disk",
			},
		},
		{
			roots: vsCodeUser, names: []string{"workspaceStorage", anyFolder, "GitHub.copilot-chat", "memory-tool", "memories"},
			elsewhere: "`USER/workspaceStorage/*/GitHub.copilot-chat/memory-tool/memories`",
			owner:     workspaceOf,
			quirks: []string{
				"repo holds the notes of the workspace, every other folder those of one conversation",
				"VS Code deletes the notes of a conversation 14 days after their last change",
				"in VS Code you can't delete a single file",
				"where GitHub hosts memories, new notes about the repository are not on this disk",
			},
		},
	},
	transcripts: []keeper{{
		roots: vsCodeUser,
		files: [][]string{
			{"workspaceStorage", "*", "chatSessions", "*.json"},
			{"workspaceStorage", "*", "chatSessions", "*.jsonl"},
			{"globalStorage", "emptyWindowChatSessions", "*.json"},
			{"globalStorage", "emptyWindowChatSessions", "*.jsonl"},
		},
	}},
}

// vsCodeUser are the folders of the user's data, of each product.
func vsCodeUser(m Machine) (list []string) {
	for _, product := range []string{"Code", "Code - Insiders", "VSCodium"} {
		list = append(list, under(m.settings(), product, "User"))
	}
	return append(list, under(m.Home, ".vscode-server", "data", "User")) // on the remote machine of a window elsewhere
}

// workspaceOf is the owner of what VS Code keeps for a workspace.
func workspaceOf(_ context.Context, l look) owner { return vsCodeWorkspace(l.Machine, l.folder) }

// vsCodeWorkspace is the open folder, or the file that lists several, according to a file in VS Code's own folder for it.
func vsCodeWorkspace(m Machine, folder string) owner {
	var w struct{ Folder, Workspace string }
	if !m.decode(under(folder, "workspace.json"), &w) {
		return owner{}
	}
	address := w.Folder
	if address == "" {
		address = w.Workspace
	}
	path, local := vsCodePath(address)
	switch {
	case !local:
		return owner{project: path}
	case w.Folder == "":
		root, _ := split(path)
		return owner{project: path, root: root, stranded: !m.isDir(root)}
	}
	return owner{project: path, root: path, stranded: !m.isDir(path)}
}

// vsCodePath is the path of an address, and whether it is on this machine; one that isn't has its machine before it.
func vsCodePath(address string) (path string, local bool) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return "", false
	}
	host, path, _ := strings.Cut(rest, "/")
	host, _ = url.PathUnescape(host)
	path, _ = url.PathUnescape("/" + path)
	if scheme != "file" {
		return host + ":" + path, false
	}
	if runtime.GOOS == "windows" && len(path) > 2 && path[2] == ':' {
		path = strings.ToUpper(path[1:2]) + path[2:]
	}
	return filepath.FromSlash(path), true
}
