package bigfile_test

import (
	"context"
	"fmt"

	"memcurator/render/bigfile"
)

func Example() {
	f := bigfile.New(bigfile.Bytes([]byte("# Notes\n\n- Ask for the Budget\n- done\n")))

	// The first page needs no index.
	page, _ := f.Page(0, 1, 80)
	fmt.Printf("%s\n", page[0].Text)

	_ = f.Index(context.Background(), nil)
	fmt.Println(f.Facts().Lines, "lines")

	hit, ok, _ := f.Find(context.Background(), bigfile.Query{Text: "budget", Fold: true}, 0, false)
	fmt.Println(ok, "in line", hit.Line+1)
	// Output:
	// # Notes
	// 5 lines
	// true in line 3
}
