package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Paths of the demo's assets.
const (
	demoStore   = "testdata/stores/demo"
	demoConfig  = "testdata/demo/config.toml"
	demoHistory = "testdata/demo/history.jsonl" // the past, see [event]
	demoCalls   = "testdata/demo/agent.jsonl"   // what the agent does meanwhile, see [demoCall]
)

// keyPlaceholder is replaced by a secret that was written by mistake: in the past, and by the agent meanwhile.
const keyPlaceholder = "{{fake_api_key}}"

// fakeKey looks like an API key but opens nothing. It is assembled here, so
// that no scanner finds a key in the source or the binary.
func fakeKey(name string) string {
	digest := sha256.Sum256([]byte("a key that was never issued: " + name))
	letters := hex.EncodeToString(digest[:])
	return strings.Join([]string{"sk", "ant", "api03", (letters + letters)[:93] + "AA"}, "-")
}
