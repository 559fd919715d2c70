package scrub

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wordy are notes full of the words that make scanners look: token, config, key, secret.
func wordy(size int) []byte {
	lines := []string{
		"The token bucket in the config limits each key to 100 requests; the secret is in the rate.",
		"- config: key `max_tokens` is 4096, the tokenizer counts tokens per request and per key",
		"We keep the API key for the model in the environment, never in the config file.",
		"## Auth: password reset, token refresh, access key rotation",
		"Call the api with the client secret from the vault; the token expires after an hour.",
		"| key | default | config | token |",
		"Credentials for staging are in 1Password under the account of the team, see login page.",
		"Fixed in 3f2a9c1 on 2026-11-02, took 1234 ms, build 20261121.4, user 48213, port 5432.",
		"```yaml\nsecretName: app-tls\nkey: token.config\n```",
	}
	return fill(lines, size)
}

// quiet are notes without such words.
func quiet(size int) []byte {
	return fill([]string{
		"The meeting moved to Thursday because the room was taken; Anna brings the drawings along.",
		"- the parser reads the file once and remembers where each line begins",
		"Ship the blue one first. Customers asked for it 3 times in October 2026.",
		"Lunch with the design team, then a walk round the lake; talked about the new layout.",
	}, size)
}

func fill(lines []string, size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.WriteString(lines[i*7%len(lines)])
		b.WriteByte('\n')
	}
	return b.Bytes()[:size]
}

func BenchmarkScan(b *testing.B) {
	e, _ := New(Options{})
	dense := &bytes.Buffer{}
	for _, c := range readLines(b, "finds.txt", 0) {
		dense.WriteString(c.text + "\n")
	}
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"plain", quiet(256 << 10)}, {"wordy", wordy(256 << 10)}, {"wordy4K", wordy(4 << 10)}, {"note16K", wordy(16 << 10)}, {"dense", dense.Bytes()},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				e.Find("note.md", c.text)
			}
		})
	}
}

// BenchmarkNew is the set-up: what a start of a program pays once.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{})
	}
}

// BenchmarkGitleaks runs the program beside the engine on the same wordy notes, files of
// 4 KiB; MB/s of the process, its start included. Skipped where it is not installed.
func BenchmarkGitleaks(b *testing.B) {
	program, err := exec.LookPath("gitleaks")
	if err != nil {
		b.Skip("gitleaks is not installed")
	}
	dir, size := b.TempDir(), 0
	for i := range 256 {
		text := wordy(4<<10 + i)
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, strings.Repeat("n", i+1)[:i%100+1]+string(rune('a'+i/100))+".md"), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	report := filepath.Join(b.TempDir(), "report.json")
	for b.Loop() {
		c := exec.Command(program, "dir", dir, "--exit-code", "0", "--no-banner", "--log-level", "error", "--report-format", "json", "--report-path", report)
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v %s", err, out)
		}
	}
	if text, err := os.ReadFile(report); err != nil || !json.Valid(text) {
		b.Fatal("gitleaks wrote no report")
	}
}
