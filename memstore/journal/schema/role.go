package schema

// Role is what an edit of the curator means for undo and redo.
type Role int

const (
	RoleDo Role = iota
	RoleUndo
	RoleRedo
)
