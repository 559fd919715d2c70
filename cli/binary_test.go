package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// binary builds the program once for all tests that run it as a process of its own.
func binary(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("building the program takes long")
	}
	file, err := built()
	must(t, err)
	return file
}

// builtIn is removed by TestMain.
var builtIn string

var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "memcurator-test-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	file := filepath.Join(dir, session.Program)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	// Without the race detector, also where the tests run with it: the toolkit's
	// input reader races with its own end, and these tests look at exit codes. And without cgo, as it is released.
	build := exec.Command("go", "build", "-race=false", "-gcflags=", "-o", file, ".")
	build.Dir = repository
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// stateOfTests is how the folder begins that TestMain makes.
const stateOfTests = "memcurator-state-"

// TestMain keeps the state of the stores of all tests in a folder of its own, and runs them in another, where no ./memories is opened.
func TestMain(m *testing.M) {
	if state := os.Getenv("XDG_STATE_HOME"); strings.Contains(state, stateOfTests) {
		noHome = filepath.Join(state, "home")
		os.Exit(m.Run()) // started by a test, perhaps to be killed: the folder is the first process's
	}
	state, err := os.MkdirTemp("", stateOfTests)
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", state)
	noHome = filepath.Join(state, "home")
	if err := os.Mkdir(noHome, 0o700); err != nil {
		panic(err)
	}
	xdg.Reload()
	if err := os.Chdir(noHome); err != nil {
		panic(err)
	}
	code := memtest.RunWaiting(m)
	os.RemoveAll(state)
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// noHome is the home folder of the programs that tests start: nothing is there, and the memories of whoever runs the tests are elsewhere.
var noHome string

// cleanEnv is the environment without what would steer the program, or lead it to the stores of whoever runs the tests.
// The state of stores goes where TestMain says.
func cleanEnv(more ...string) []string {
	env := []string{"HOME=" + noHome, "USERPROFILE=" + noHome, "APPDATA=" + noHome, "LOCALAPPDATA=" + noHome}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "MEMCURATOR_") && name != "NO_COLOR" && name != "CLICOLOR" && !strings.HasPrefix(name, "LC_") &&
			name != "LANG" && !slices.Contains(ofUser, strings.ToUpper(name)) {
			env = append(env, v)
		}
	}
	// Whoever runs the tests may have a configuration of their own.
	return append(append(env, session.EnvConfig+"="+os.DevNull), more...)
}

// ofUser are the variables that say where agents keep what is the user's.
var ofUser = []string{
	"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME",
	"HERMES_HOME", "LETTA_MEMORY_DIR", "MEMORY_DIR", "VSCODE_APPDATA", "VSCODE_PORTABLE",
}

// process runs a command with a text as its input.
func process(t *testing.T, stdin, name string, args ...string) outcome {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr, c.Env = strings.NewReader(stdin), &out, &errs, cleanEnv()
	err := c.Run()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), out.String(), errs.String()}
}
