package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Where the assets of the demo are.
const (
	demoStore   = "testdata/stores/demo"
	demoConfig  = "testdata/demo/config.toml"
	demoHistory = "testdata/demo/history.jsonl" // what happened before, see [event]
	demoSteps   = "testdata/demo/steps.jsonl"   // the script, see [demoStep]
)

// keyPlaceholder represents in the script the secret that the agent writes by
// mistake.
const keyPlaceholder = "{{fake_api_key}}"

// fakeKey looks like an API key and opens nothing. It is put together here, so
// that no scanner finds a key in the source or in the binary.
func fakeKey() string {
	digest := sha256.Sum256([]byte("a key that was never issued"))
	letters := hex.EncodeToString(digest[:])
	return strings.Join([]string{"sk", "ant", "api03", (letters + letters)[:93] + "AA"}, "-")
}
