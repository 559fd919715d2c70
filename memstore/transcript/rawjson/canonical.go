package rawjson

import (
	"bytes"
	"encoding/json"
)

// LongValue is the length in bytes from which a value is compared byte for byte.
const LongValue = 4 << 20

// Canonical is one spelling for all spellings of a JSON value.
func Canonical(v []byte) []byte {
	if len(v) > LongValue {
		return v
	}
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var x any
	if d.Decode(&x) == nil {
		if out, err := json.Marshal(x); err == nil {
			return out
		}
	}
	return v
}

// TrimStart takes blanks and a record separator off the front of a line.
func TrimStart(line []byte) []byte { return bytes.TrimLeft(line, " \t\r\x1e") }
