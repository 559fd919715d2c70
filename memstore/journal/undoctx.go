package journal

import "context"

// back says what an edit of ours takes back. It travels in the context through the store's
// handlers to Begin, so that the revision they make says so too.
type back struct {
	role    role
	rev     int64  // the revision that is taken back; 0: none
	command string // what the revision calls it
}

type backKey struct{}

func withBack(ctx context.Context, b back) context.Context {
	return context.WithValue(ctx, backKey{}, b)
}

func takingBack(ctx context.Context) back {
	b, _ := ctx.Value(backKey{}).(back)
	return b
}
