package shape

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// WellKnown are public servers that notes name often.
var WellKnown = ascii.NewWords("8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 208.67.220.220 4.4.4.4 1.2.3.4 5.6.7.8 " +
	"2606:4700:4700::1111 2606:4700:4700::1001 2001:4860:4860::8888 2001:4860:4860::8844 2620:fe::fe 2620:fe::9")

// LowNumbers recognises four numbers that are rather a version or a section: none above 31.
func LowNumbers(text []byte) bool {
	for _, p := range bytes.Split(text, []byte(".")) {
		if len(p) > 2 || len(p) == 2 && p[0] > '3' {
			return false
		}
	}
	return true
}

// IsDocumentationHost recognises the domains that are kept for examples.
func IsDocumentationHost(host []byte) bool {
	for _, d := range []string{"example.com", "example.org", "example.net", "example.edu", ".example", ".test", ".invalid", ".localhost",
		".local", "users.noreply.github.com", "domain.com", "noreply.com", "docker.internal",
		"openssh.com", "libssh.org"} {
		if string(host) == d || bytes.HasSuffix(host, []byte("."+d)) || d[0] == '.' && bytes.HasSuffix(host, []byte(d)) {
			return true
		}
	}
	return bytes.HasPrefix(host, []byte("example."))
}

// IsTopLevel reports whether a domain may end so. Two letters are a country; of the
// longer ones those in use for mail.
func IsTopLevel(b []byte) bool {
	if len(b) < 2 || ascii.Run(b, 0, ascii.Letters) != len(b) {
		return false
	}
	if len(b) == 2 {
		return !notCountry.Has(b)
	}
	return topLevels.Has(b)
}

// notCountry are endings of file names that no country has.
var notCountry = ascii.NewWords(`js ts go rs cc hh gz xz`)

var topLevels = ascii.NewWords(`com org net edu gov mil int info biz name pro aero coop museum mobi jobs travel tel asia cat post xxx
 app dev page cloud tech
 online site store shop blog email mail company agency studio design media digital systems solutions services group team work works
 world life live
 space zone global network news today center academy school university health care clinic legal law finance bank money capital ventures
 fund insure
 consulting engineering software computer technology tools host hosting website web wiki social community chat family house homes city
 tokyo london
 berlin paris amsterdam nyc moscow swiss wien bayern koeln hamburg ruhr brussels scot wales eus gal quebec africa lat kiwi xyz top club
 vip icu fun
 internal corp intranet lan home private photography builders construction contractors dental doctor lawyer attorney consulting coffee
 kitchen catering clothing shoes jewelry boutique market marketing
 promo press report review reviews wiki guru expert training courses education institute foundation charity church community camp events
 party wedding dance theater tickets toys baby kids pet vet care hospital surgery
 dentist rentals realty properties estate land farm garden flowers gift gifts deals discount sale cheap direct express supply supplies
 parts equipment tools industries international holdings enterprises exchange trading trade
 loans credit tax accountants associates codes hosting domains dot link click download network zone ninja rocks cool wtf lol sexy adult
 cafe vodka wine pub bike car cars motorcycles boats yachts flights cruises holiday
 vacations villas viajes voyage immo immobilien versicherung reise haus gmbh kaufen jetzt schule singles moe tokyo osaka kyoto nagoya
 yokohama okinawa seoul kr jp cn taipei hk sydney melbourne vegas miami boston
 nrw saarland sarl srl bzh corsica barcelona madrid istanbul moda moscow swiss bayern
 one ltd llc gmbh inc limited partners earth green energy eco bio science games game art band film photo photos gallery fashion style
 fit run bike
 auto cars taxi travel tours hotel restaurant pizza cafe bar beer wine`)
