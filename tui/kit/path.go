package kit

import (
	"strings"

	"memcurator/render/text"
)

// PathText formats an agent path for people: relative to the store, except for the store itself.
func PathText(path string) string { return text.Clean(strings.TrimPrefix(path, "/memories/")) }
