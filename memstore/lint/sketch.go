package lint

import (
	"math/bits"
	"slices"
	"unicode"
)

// How likeness is worked out: by the share of runs of shingleWords words that two texts have in common (Jaccard). A sketch has the
// smallest hashes of these runs (bottom-k sketches, Broder, 1997): all of them for most notes, so that the share is exact, and
// else enough for an error of one or two percent.
const (
	shingleWords = 3
	sketchHashes = 1024
	// sharedHashes is how many of the smallest hashes are compared to find texts that may be alike: of texts with a share of 70 % one in
	// hundreds of millions has none of them in common.
	sharedHashes = 16
	// minWords is the least that a text must hold to be compared: shorter ones are alike by chance.
	minWords = 32
	// alikeShare is the share from which two texts count as nearly the same, in percent.
	alikeShare = 70
)

// sketch has the smallest hashes of a text's shingles, in order.
type sketch []uint64

// sketchOf is nil where a text is too short.
func sketchOf(data []byte) sketch {
	var all []uint64
	shingles(data, func(h uint64) { all = append(all, h) })
	if len(all) < minWords-shingleWords+1 {
		return nil
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.Clone(all[:min(len(all), sketchHashes)])
}

// share is what two texts have in common, in percent of what is in either.
func share(a, b sketch) int {
	both, all := 0, 0
	for i, j := 0, 0; (i < len(a) || j < len(b)) && all < sketchHashes; all++ {
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			i++
		case i == len(a) || a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return both * 100 / max(all, 1)
}

// shingles calls visit with the hash of each run of shingleWords words. Words are runs of letters
// and digits, in lower case; of scripts without spaces each character is a word.
func shingles(data []byte, visit func(uint64)) {
	var last [shingleWords]uint64
	n := 0
	word := uint64(0)
	end := func() {
		if word == 0 {
			return
		}
		copy(last[:], last[1:])
		last[shingleWords-1] = mix(word)
		word = 0
		if n++; n >= shingleWords {
			h := uint64(0)
			for _, w := range last {
				h = bits.RotateLeft64(h, 21) ^ w
				h *= 0x9e3779b97f4a7c15
			}
			visit(mix(h))
		}
	}
	for _, r := range string(data) {
		switch {
		case r <= 0x9fff && ideographic(r), r >= 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
			unicode.Khmer, unicode.Lao, unicode.Myanmar):
			end()
			word = uint64(r)
			end()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = (word ^ uint64(unicode.ToLower(r)) + 1) * 0x100000001b3
		default:
			end()
		}
	}
	end()
}

// mix spreads the bits of a hash (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
