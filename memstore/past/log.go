package past

import "context"

// Revisions collects the revisions that a filter selects.
func Revisions(ctx context.Context, r Lister, f Filter) (list []Revision, err error) {
	err = r.List(ctx, f, func(one Revision) bool {
		list = append(list, one)
		return true
	})
	return list, err
}

// Lister lists revisions, as a journal does.
type Lister interface {
	List(ctx context.Context, f Filter, visit func(Revision) bool) error
}
