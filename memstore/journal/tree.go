package journal

type treeIndex struct{}
