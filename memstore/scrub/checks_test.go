package scrub

import (
	"crypto/sha256"
	"math/big"
	"testing"

	"memcurator/memstore/scrub/shape"
)

// wif writes a private key of a wallet as base58check does.
func wif(key [32]byte) string {
	raw := append(append([]byte{0x80}, key[:]...), 1)
	first := sha256.Sum256(raw)
	second := sha256.Sum256(first[:])
	n := new(big.Int).SetBytes(append(raw, second[:4]...))
	out := ""
	for n.Sign() > 0 {
		digit := new(big.Int)
		n.DivMod(n, big.NewInt(58), digit)
		out = string("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit.Int64()]) + out
	}
	return out
}

func TestWalletImport(t *testing.T) {
	e := engine(t)
	key := wif(sha256.Sum256([]byte("wallet")))
	if found := e.Find("a.md", []byte("BTC WIF: "+key+" (cold)")); len(found) != 1 || found[0].Rule != "bitcoin-wif" {
		t.Errorf("%q: %v", key, found)
	}
	if other := key[:20] + "1" + key[21:]; other != key && shape.WalletImport([]byte(other)) {
		t.Errorf("%q passes", other)
	}
}
