package sidecar

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// proofName is the file in the state folder that proves that there was a journal. Without it, a journal that is missing or empty
// would look like a new one.
const proofName = "journal.proof"

// Proof is what that file holds. It is written only once the revisions that it counts have reached the disk: after a power cut
// the journal has at least those. It may be some seconds behind.
type Proof struct {
	ID        string `json:"id"`        // of the journal, as its meta table has it
	Last      int64  `json:"last"`      // the highest number that a revision ever had
	Revisions int64  `json:"revisions"` // that were there
}

// proofSize is the size of the file in bytes: one write puts it in place, whole, also where the process is killed.
const proofSize = 256

// ReadProof reads the proof in a state folder; ok is false if there is none, or a power cut has damaged it.
func ReadProof(dir string) (p Proof, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, proofName))
	if err != nil || len(data) > proofSize {
		return p, false
	}
	line, sum, found := bytes.Cut(bytes.TrimRight(data, "\n "), []byte{'\t'})
	if !found || string(sum) != checksum(line) || json.Unmarshal(line, &p) != nil || p.ID == "" {
		return Proof{}, false
	}
	return p, true
}

func checksum(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// WriteProof puts the proof into a state folder.
func WriteProof(dir string, p Proof) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	text := append(append(line, '\t'), checksum(line)...)
	text = append(append(text, bytes.Repeat([]byte{' '}, max(0, proofSize-1-len(text)))...), '\n')
	f, err := os.OpenFile(filepath.Join(dir, proofName), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return errors.Join(err, f.Close())
}

// RemoveProof removes the proof from a state folder.
func RemoveProof(dir string) error {
	err := os.Remove(filepath.Join(dir, proofName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
