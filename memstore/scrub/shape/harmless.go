package shape

import (
	"memcurator/memstore/scrub/ascii"
)

// IsPlaceholderAddress recognises an address of mail in which the reader is to put his own: your-name@gmail.com, me@yourdomain.com.
// The host is in lower case.
func IsPlaceholderAddress(name, host []byte) bool {
	if yourHosts.Begin(host) != "" {
		return true
	}
	end := ascii.Run(name, 0, ascii.Letters)
	return yours.Has(name[:end]) && (end == len(name) || name[end] == '-' || name[end] == '_' || name[end] == '.') ||
		ascii.HasFold(name, "noreply") || ascii.HasFold(name, "no-reply")
}

// yourHosts begin the host in such an address.
var yourHosts = ascii.Phrases{"yourdomain", "your-domain", "yourcompany", "your-company", "mydomain", "my-domain", "exemple.",
	"ejemplo.", "beispiel.", "esempio."}

// yours begin the name in such an address.
var yours = ascii.NewWords("you your votre ton deine dein ihre tu vuestro tuo seu")
