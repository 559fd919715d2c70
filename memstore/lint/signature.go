package lint

import (
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// How likeness is worked out: by the share of runs of shingleWords words that two texts have in
// common (Jaccard). signatureBins smallest hashes represent a text (one-permutation hashing with
// the empty bins filled from others, Shrivastava and Li, 2014), and texts that agree in all
// rows of one of the bands are compared exactly.
const (
	shingleWords  = 3
	signatureBins = 64
	signatureRows = 4
	// minWords is the least that a text must hold to be compared: shorter ones are alike by chance.
	minWords = 32
	// alikeShare is the share from which two texts count as nearly the same, in percent.
	alikeShare = 70
	// likelyBins is how many bins have to agree before two texts are compared exactly.
	likelyBins = signatureBins * 45 / 100

	signatureBytes = signatureBins * 8
)

// signature summarizes the shingles of a text.
type signature [signatureBins]uint64

const empty = ^uint64(0)

// sign works out the signature of a text, nil where it is too short.
func sign(data []byte) *signature {
	var s signature
	for i := range s {
		s[i] = empty
	}
	n := 0
	shingles(data, func(h uint64) {
		n++
		bin := h >> (64 - 6)
		s[bin] = min(s[bin], h)
	})
	if n < minWords-shingleWords+1 {
		return nil
	}
	s.fill()
	return &s
}

// fill sets the empty bins to the value of one that is not, chosen by the bin alone, so that two
// texts with the same bins filled agree in all.
func (s *signature) fill() {
	from := *s
	for i := range s {
		for try := uint64(1); s[i] == empty; try++ {
			s[i] = from[mix(uint64(i)<<32|try)%signatureBins]
		}
	}
}

// agree counts the bins in which two signatures agree.
func (s *signature) agree(o *signature) int {
	n := 0
	for i := range s {
		if s[i] == o[i] {
			n++
		}
	}
	return n
}

// bands are the hashes by which texts that may be alike find each other.
func (s *signature) bands(visit func(uint64)) {
	for i := 0; i < signatureBins; i += signatureRows {
		h := uint64(i) + 1
		for _, v := range s[i : i+signatureRows] {
			h = mix(h ^ v)
		}
		visit(h)
	}
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
	for i := 0; i < len(data); {
		c := data[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			case c >= 'A' && c <= 'Z':
				c += 'a' - 'A'
			default:
				end()
				continue
			}
			word = (word ^ uint64(c) + 1) * 0x100000001b3
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		i += size
		switch {
		case r <= 0x9fff && ideographic(r), unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Khmer,
			unicode.Lao, unicode.Myanmar):
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

// shingleSet is the sorted set of the shingles of a text.
func shingleSet(data []byte) []uint64 {
	var set []uint64
	shingles(data, func(h uint64) { set = append(set, h) })
	slices.Sort(set)
	return slices.Compact(set)
}

// share is what two sets have in common, in percent of what is in either.
func share(a, b []uint64) int {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return both * 100 / all
	}
	return 0
}
