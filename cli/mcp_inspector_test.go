package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The newest inspector that runs on Node.js 20.
const inspectorPackage, inspectorVersion = "@modelcontextprotocol/inspector", "0.15.0"

// inspector is the official client for testing servers, in its CLI mode. npm installs it into a cache
// folder; MEMCURATOR_NPM names a folder that may have it.
func inspector(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("installing from npm takes long")
	}
	if runtime.GOOS == "windows" {
		t.Skip("npm's commands are scripts of the shell there")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("there is no cache folder to install into")
	}
	dir := filepath.Join(cache, "memcurator-bench", "inspector-"+inspectorVersion)
	for _, d := range []string{os.Getenv("MEMCURATOR_NPM"), dir} {
		if bin := filepath.Join(d, "node_modules", ".bin", "mcp-inspector"); d != "" && exists(bin) {
			return bin
		}
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not there")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Skipf("the cache folder cannot be made: %v", err)
	}
	t.Logf("installing %s@%s into %s", inspectorPackage, inspectorVersion, dir)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir,
		inspectorPackage+"@"+inspectorVersion)
	install.WaitDelay = time.Second
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install the inspector: %v, %.300s", err, out)
	}
	return filepath.Join(dir, "node_modules", ".bin", "mcp-inspector")
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func TestTheOfficialInspector(t *testing.T) {
	t.Parallel()
	bin, program := inspector(t), binary(t)
	dir := filepath.Join(t.TempDir(), "memories")
	// inspect runs one method and returns what the inspector printed.
	inspect := func(method string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), bin, append([]string{"--cli", program, "mcp", "--create", dir, "--method", method}, args...)...)
		c.Env = cleanEnv()
		var errs strings.Builder
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil {
			t.Errorf("%s %q: %v\n%s", method, args, err, errs.String())
		}
		return string(out)
	}
	tool := func(arguments ...string) (text string, isError bool) {
		t.Helper()
		args := []string{"--tool-name", "memory"}
		for _, a := range arguments {
			args = append(args, "--tool-arg", a)
		}
		var r struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
		out := inspect("tools/call", args...)
		if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Content) != 1 || r.Content[0].Type != "text" {
			t.Fatalf("%q: %v\n%s", arguments, err, out)
		}
		return r.Content[0].Text, r.IsError
	}

	var tools struct {
		Tools []struct {
			Name        string
			InputSchema struct{ OneOf []any }
		}
	}
	if err := json.Unmarshal([]byte(inspect("tools/list")), &tools); err != nil || len(tools.Tools) != 1 ||
		tools.Tools[0].Name != "memory" || len(tools.Tools[0].InputSchema.OneOf) != 6 {
		t.Errorf("tools: %+v, %v", tools, err)
	}
	for _, c := range []struct {
		want      string
		isError   bool
		arguments []string
	}{
		{"File created successfully at: /memories/a.md", false, []string{"command=create", "path=/memories/a.md", "file_text=hello"}},
		{"The file /memories/a.md has been edited.", false, []string{"command=insert", "path=/memories/a.md", "insert_line=1",
			"insert_text=world"}},
		{"     2\tworld", false, []string{"command=view", "path=/memories/a.md", "view_range=[2,2]"}},
		{"The path /memories/b.md does not exist. Please provide a valid path.", true, []string{"command=view", "path=/memories/b.md"}},
		{"Error: Unknown command: look", true, []string{"command=look"}},
		{"Error: The field `path` is required", true, []string{"command=delete"}},
	} {
		if text, isError := tool(c.arguments...); !strings.Contains(text, c.want) || isError != c.isError {
			t.Errorf("%q: %q, %v", c.arguments, text, isError)
		}
	}
	for want, args := range map[string][]string{
		"memory:///memories/a.md": {"resources/list"},
		"memory:///memories/{+":   {"resources/templates/list"},
		"1\\thello":               {"resources/read", "--uri", "memory:///memories/a.md"},
		"memory_protocol":         {"prompts/list"},
		"ASSUME INTERRUPTION":     {"prompts/get", "--prompt-name", "memory_protocol", "--prompt-args", "tidy=yes"},
	} {
		if out := inspect(args[0], args[1:]...); !strings.Contains(out, want) {
			t.Errorf("%q: %s", args, out)
		}
	}
}
