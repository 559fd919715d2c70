package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// ManagedAgents is the name of the events of Managed Agents, whose calls are content blocks.
const ManagedAgents = "managed-agents"

var managedAgents = format{
	Name: ManagedAgents,
	Detects: func(o rawjson.Object) bool {
		kind := o.Text("type")
		return strings.HasPrefix(kind, "agent.") || strings.HasPrefix(kind, "user.")
	},
}
