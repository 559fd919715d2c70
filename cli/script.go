package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strings"
)

// Where the assets of the demo lie.
const (
	demoStore  = "testdata/stores/demo"
	demoScript = "testdata/demo/script.jsonl"
)

// keyPlaceholder stands in the script for the secret that the agent writes by
// mistake.
const keyPlaceholder = "{{fake_api_key}}"

// readScript reads the calls of the scripted agent, one JSON object a line.
func readScript(assets fs.FS) ([]step, error) {
	data, err := fs.ReadFile(assets, demoScript)
	if err != nil {
		return nil, err
	}
	data = bytes.ReplaceAll(data, []byte(keyPlaceholder), []byte(fakeKey()))
	d := json.NewDecoder(bytes.NewReader(data))
	var script []step
	for {
		var s step
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			return script, nil
		} else if err != nil {
			return nil, err
		}
		script = append(script, s)
	}
}

// fakeKey looks like an API key and opens nothing. It is put together here, so
// that no scanner finds a key in the source or in the binary.
func fakeKey() string {
	digest := sha256.Sum256([]byte("a key that was never issued"))
	letters := hex.EncodeToString(digest[:])
	return strings.Join([]string{"sk", "ant", "api03", (letters + letters)[:93] + "AA"}, "-")
}
