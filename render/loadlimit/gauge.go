package loadlimit

import (
	"strconv"
	"strings"

	"memcurator/render/text"
)

// Gauge shows how much of a limit is used. All of the program shows it with these methods, so that it reads the same everywhere.
type Gauge struct{ Have, Limit Extent }

// Level is how close a text is to its limit.
type Level int

// The levels. From Near on the agent should write less; from Past on it doesn't see all that it wrote.
const (
	Unlimited Level = iota
	Fits
	Near // from [NearShare] of the limit on
	Full // from [fullShare] of the limit on
	Past // a part isn't loaded
)

// The shares of a limit where a level begins.
const (
	NearShare = 0.8
	fullShare = 0.9
)

// Unit is that of the limit that is used most; of a text without a limit it is that of tokens.
func (g Gauge) Unit() Unit {
	unit, most := Tokens, -1.0
	for _, u := range Units {
		if share := g.share(u); share > most {
			unit, most = u, share
		}
	}
	return unit
}

// share is how much of the limit in a unit is used; below 0: there is none.
func (g Gauge) share(u Unit) float64 {
	if g.Limit.Of(u) <= 0 {
		return -1
	}
	return float64(g.Have.Of(u)) / float64(g.Limit.Of(u))
}

// Share is how much of the limit is used: above 1 a part is not loaded. Without a limit it is 0.
func (g Gauge) Share() float64 { return max(0, g.share(g.Unit())) }

// Level is how close the text is to its limit.
func (g Gauge) Level() Level {
	switch share := g.share(g.Unit()); {
	case share < 0:
		return Unlimited
	case share > 1:
		return Past
	case share >= fullShare:
		return Full
	case share >= NearShare:
		return Near
	}
	return Fits
}

// BarCells is the width of [Gauge.Bar].
const BarCells = 12

// Bar draws the share in ASCII. A bar close to the limit has a "!" at its end, and one past it a ">". Without a limit it is blank.
func (g Gauge) Bar() string {
	const most = BarCells - 2
	full := min(most, int(g.Share()*most))
	end := ""
	switch g.Level() {
	case Unlimited:
		return strings.Repeat(" ", BarCells)
	case Near, Full:
		end = "!"
	case Past:
		end = ">"
	}
	return "[" + strings.Repeat("#", full-len(end)) + end + strings.Repeat(".", most-full) + "]"
}

// Numbers is the amount and its limit, as "141/200 lines"; without a limit the amount.
func (g Gauge) Numbers() string { return g.numbers("/", true) }

// Words are the numbers in a sentence, as "141 of 200 lines".
func (g Gauge) Words() string { return g.numbers(" of ", false) }

func (g Gauge) numbers(of string, short bool) string {
	u := g.Unit()
	have, name := Amount(u, g.Have.Of(u)), string(u)
	if u == Bytes {
		name = ""
	} else {
		name = " " + name
	}
	if g.Level() == Unlimited {
		if g.Have.Of(u) == 1 {
			name = strings.TrimSuffix(name, "s")
		}
		return have + name
	}
	if short && u == Tokens {
		name = " tok"
	} else if short && u == Chars {
		name = " char"
	}
	return have + of + Amount(u, g.Limit.Of(u)) + name
}

// State is the meaning of the bar's color in words; "" if the text fits.
func (g Gauge) State() string {
	u := g.Unit()
	switch over := g.Have.Of(u) - g.Limit.Of(u); g.Level() {
	case Near:
		return "near its limit"
	case Full:
		return "nearly full"
	case Past:
		switch u {
		case Lines:
			return text.Count(int(over), "line") + " cut"
		case Chars:
			return text.Count(int(over), "character") + " cut"
		case Bytes:
			return text.Size(over) + " cut"
		}
		return "about " + Amount(u, over) + " " + string(u) + " cut"
	}
	return ""
}

// Amount formats an amount in a unit. Tokens, being estimated, have at most two digits.
func Amount(u Unit, n int64) string {
	switch {
	case u == Bytes:
		return text.Size(n)
	case u == Tokens:
		return About(n)
	}
	return text.Number(n)
}

// About formats an estimated number: below 1,000 as it is, above with one decimal and a k or M.
func About(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	v, unit := float64(n)/1000, "k"
	if v >= 999.95 {
		v, unit = v/1000, "M"
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + unit
}

// Estimate is the number of tokens and how it is estimated: "about 1.5k tokens (4 bytes each)".
func Estimate(tokens int64) string {
	return "about " + About(tokens) + " " + text.Plural(int(min(tokens, 2)), "token") + " (" + TokensAre + ")"
}
