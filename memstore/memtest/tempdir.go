package memtest

import (
	"os"
	"runtime"
	"testing"
)

// diskVariable keeps the folders of TempDir on the disk, as .ci/run does.
const diskVariable = "MEMCURATOR_TEST_ON_DISK"

// memoryFileSystem is where Linux systems have a file system in memory.
const memoryFileSystem = "/dev/shm"

// TempDir is t.TempDir for a test that compares what is stored, whatever stores it: where the system
// has a file system in memory the folder is there, which saves most of the time of a test with
// thousands of small files. Tests of kills, durability and watching belong on the disk.
func TempDir(t testing.TB) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getenv(diskVariable) != "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memoryFileSystem, "memcurator-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("the folder of the test: %v", err)
		}
	})
	return dir
}
