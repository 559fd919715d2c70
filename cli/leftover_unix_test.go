//go:build unix

package cli

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/cli/session"
)

// leftoverOf makes the temporary file that a killed write has left in the folder sub of a store, and returns its name.
func leftoverOf(t *testing.T, dir, text string) string {
	t.Helper()
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Skip("no process can be started here:", err)
	}
	name := fmt.Sprintf("sub/.tmp-%d-0123456789abcdef", c.Process.Pid)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// noteLeftover records a leftover file in a journal.
func noteLeftover(t *testing.T, file, name string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file://"+file)
	if err == nil {
		_, err = db.Exec("INSERT INTO leftover (name, kind, time) VALUES (?, 1, ?)", name, time.Now().UnixNano())
	}
	if err != nil || db.Close() != nil {
		t.Fatal(err)
	}
}

// fix keeps what a folder holds from being removed, until it is called.
func fix(t *testing.T, folder string) (free func()) {
	t.Helper()
	free = func() { _ = os.Chmod(folder, 0o700) }
	if os.Geteuid() != 0 {
		if err := os.Chmod(folder, 0o500); err != nil {
			t.Fatal(err)
		}
	} else {
		if out, err := exec.Command("chattr", "+i", folder).CombinedOutput(); err != nil {
			t.Skipf("nothing can be kept from root here: %s", out)
		}
		free = func() { _ = exec.Command("chattr", "-i", folder).Run() }
	}
	t.Cleanup(free)
	return free
}

// doctor names what a killed program has left and no start can remove, until one can.
func TestDoctorNamesLeftovers(t *testing.T) {
	t.Parallel()
	dir, state, file := spoilable(t)
	made := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/sub/x.md","file_text":"x"}`}.run(t)
	if made.code != 0 {
		t.Fatal(made)
	}
	name := leftoverOf(t, dir, "text")
	noteLeftover(t, file, name)
	free := fix(t, filepath.Join(dir, "sub"))
	args := []string{"doctor", dir, "--state", state}
	for range 2 {
		if o := do(t, args...); o.code != session.ExitFailed || !strings.Contains(o.out, "left over  /memories/"+name+"\n") ||
			!strings.Contains(o.out, "Each start tries to remove them") {
			t.Errorf("doctor: %+v", o)
		}
	}
	o := do(t, append(args, "--json")...)
	if v := jsonOf(t, o.out); o.code != session.ExitFailed || fmt.Sprint(v[0]["leftover"]) != "[/memories/"+name+"]" || v[0]["ok"] != false {
		t.Errorf("doctor --json: %+v", o)
	}
	free()
	if out := ok(t, args...); strings.Contains(out, "left over") || !strings.Contains(out, "OK, no problems found") {
		t.Errorf("doctor: %s", out)
	}
	if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
		t.Error("it is still there")
	}
	if v := jsonOf(t, ok(t, append(args, "--json")...)); fmt.Sprint(v[0]["leftover"]) != "[]" {
		t.Errorf("doctor --json: %v", v)
	}
}
