package age

import "context"

// QuickPassphrase is Passphrase with so little work that a test can afford it.
func QuickPassphrase(p string) Key {
	k := Passphrase(p)
	k.work = 4
	return k
}

// SetQuickPassphrase is SetPassphrase with little work.
func (d *EncryptedDir) SetQuickPassphrase(ctx context.Context, p string) error {
	return d.setPassphrase(ctx, QuickPassphrase(p))
}
