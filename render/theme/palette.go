package theme

// palette is the colors of a theme by role. Text colors have a contrast of at
// least 4.5 to 1 (7 to 1 in the contrast themes) to their backgrounds, and to
// the rows under the cursor; tests check it.
type palette struct {
	dim, accent, title, path, number, border string
	link, unread, added, removed, hunk       string
	control, warning, violet                 string
	addedWord, removedWord                   pair
	match, matchCurrent                      pair
	badge, readOnly                          pair
	selected, blur                           pair
	invertSelected                           bool // reverse video instead of colors
}

// pair is a text color on its own background.
type pair struct{ fg, bg string }

func darkPalette() *palette {
	return &palette{
		dim: "#a8a8a8", accent: "#7ab7ff", title: "#f0f0f0", path: "#8fd0dc", number: "#a0a0a0", border: "#8a8a8a",
		link: "#6fd3d3", unread: "#ffb454", added: "#7fd88f", removed: "#ff9a9a", hunk: "#c3a6ff",
		control: "#ffa766", warning: "#ffc857", violet: "#c3a6ff",
		addedWord: pair{"#c9f9d2", "#1f4a2b"}, removedWord: pair{"#ffd9d9", "#5a2328"},
		match: pair{"#1c1c1c", "#ffd75f"}, matchCurrent: pair{"#000000", "#ff9f43"},
		badge: pair{"#ffffff", "#3a4a66"}, readOnly: pair{"#ffffff", "#8a2d2d"},
		selected: pair{"#ffffff", "#26364d"}, blur: pair{"#f0f0f0", "#343434"},
	}
}

func lightPalette() *palette {
	return &palette{
		dim: "#595959", accent: "#0b559f", title: "#1a1a1a", path: "#0d5c68", number: "#5f5f5f", border: "#707070",
		link: "#005f68", unread: "#834600", added: "#17632a", removed: "#a3211a", hunk: "#5f37a6",
		control: "#8a3b00", warning: "#774a00", violet: "#5f37a6",
		addedWord: pair{"#0b4a1b", "#c8f0d0"}, removedWord: pair{"#7a120c", "#ffd6d2"},
		match: pair{"#1c1c1c", "#ffe08a"}, matchCurrent: pair{"#000000", "#ff9f43"},
		badge: pair{"#ffffff", "#0b559f"}, readOnly: pair{"#ffffff", "#a3211a"},
		selected: pair{"#000000", "#d6e6fa"}, blur: pair{"#1a1a1a", "#e6e6e6"},
	}
}

func contrastDark() *palette {
	return &palette{
		dim: "#c6c6c6", accent: "#8fd0ff", title: "#ffffff", path: "#9ff0ff", number: "#c6c6c6", border: "#c6c6c6",
		link: "#7fffff", unread: "#ffd000", added: "#80ff80", removed: "#ffb0b0", hunk: "#e0c8ff",
		control: "#ffc080", warning: "#ffff60", violet: "#e0c8ff",
		addedWord: pair{"#000000", "#80ff80"}, removedWord: pair{"#000000", "#ffb0b0"},
		match: pair{"#000000", "#ffff00"}, matchCurrent: pair{"#000000", "#ffffff"},
		badge: pair{"#000000", "#8fd0ff"}, readOnly: pair{"#000000", "#ffd000"},
		blur: pair{"#ffffff", "#202020"}, invertSelected: true,
	}
}

func contrastLight() *palette {
	return &palette{
		dim: "#3c3c3c", accent: "#003a80", title: "#000000", path: "#003f4a", number: "#3c3c3c", border: "#3c3c3c",
		link: "#00444a", unread: "#5c3000", added: "#004a10", removed: "#7a0000", hunk: "#40188a",
		control: "#5f2800", warning: "#523200", violet: "#40188a",
		addedWord: pair{"#ffffff", "#004a10"}, removedWord: pair{"#ffffff", "#7a0000"},
		match: pair{"#000000", "#ffd700"}, matchCurrent: pair{"#ffffff", "#000000"},
		badge: pair{"#ffffff", "#003a80"}, readOnly: pair{"#ffffff", "#7a0000"},
		blur: pair{"#000000", "#ececec"}, invertSelected: true,
	}
}

// token links a field of Styles to its look with and without color.
type token struct {
	name  string
	field func(*Styles) *Paint
	color func(*palette) look
	plain look
}

func on(p pair) look { return look{fg: p.fg, bg: p.bg} }

func (l look) strong() look { l.bold = true; return l }

func (l look) lined() look { l.underline = true; return l }

// tokens is the table of all styles. It is never modified.
var tokens = []token{
	{"Text", func(s *Styles) *Paint { return &s.Text }, func(*palette) look { return look{} }, look{}},
	{"Dim", func(s *Styles) *Paint { return &s.Dim }, func(p *palette) look { return look{fg: p.dim} }, look{faint: true}},
	{"Bold", func(s *Styles) *Paint { return &s.Bold }, func(*palette) look { return look{bold: true} }, look{bold: true}},
	{"Accent", func(s *Styles) *Paint { return &s.Accent }, func(p *palette) look { return look{fg: p.accent} }, look{bold: true}},
	{"Title", func(s *Styles) *Paint { return &s.Title }, func(p *palette) look { return look{fg: p.title}.strong() }, look{bold: true}},
	{"Path", func(s *Styles) *Paint { return &s.Path }, func(p *palette) look { return look{fg: p.path} }, look{}},
	{"Number", func(s *Styles) *Paint { return &s.Number }, func(p *palette) look { return look{fg: p.number} }, look{faint: true}},
	{"Border", func(s *Styles) *Paint { return &s.Border }, func(p *palette) look { return look{fg: p.border} }, look{}},
	{"BorderFocused", func(s *Styles) *Paint { return &s.BorderFocused }, func(p *palette) look { return look{fg: p.accent}.strong() },
		look{bold: true}},
	{"Selected", func(s *Styles) *Paint { return &s.Selected }, selectedLook, look{invert: true}},
	{"SelectedBlur", func(s *Styles) *Paint { return &s.SelectedBlur }, func(p *palette) look { return on(p.blur) }, look{underline: true}},
	{"Marked", func(s *Styles) *Paint { return &s.Marked }, func(p *palette) look { return look{fg: p.violet}.strong() }, look{bold: true}},
	{"Hidden", func(s *Styles) *Paint { return &s.Hidden }, func(p *palette) look { return look{fg: p.dim} }, look{faint: true}},
	{"Directory", func(s *Styles) *Paint { return &s.Directory }, func(p *palette) look { return look{fg: p.accent}.strong() },
		look{bold: true}},
	{"Link", func(s *Styles) *Paint { return &s.Link }, func(p *palette) look { return look{fg: p.link}.lined() }, look{underline: true}},
	{"Unread", func(s *Styles) *Paint { return &s.Unread }, func(p *palette) look { return look{fg: p.unread}.strong() }, look{bold: true}},
	{"Added", func(s *Styles) *Paint { return &s.Added }, func(p *palette) look { return look{fg: p.added} }, look{bold: true}},
	{"Removed", func(s *Styles) *Paint { return &s.Removed }, func(p *palette) look { return look{fg: p.removed} }, look{faint: true}},
	{"AddedWord", func(s *Styles) *Paint { return &s.AddedWord }, func(p *palette) look { return on(p.addedWord).strong() },
		look{bold: true, underline: true}},
	{"RemovedWord", func(s *Styles) *Paint { return &s.RemovedWord }, func(p *palette) look { return on(p.removedWord).strong() },
		look{underline: true}},
	{"Hunk", func(s *Styles) *Paint { return &s.Hunk }, func(p *palette) look { return look{fg: p.hunk} }, look{faint: true}},
	{"Control", func(s *Styles) *Paint { return &s.Control }, func(p *palette) look { return look{fg: p.control}.strong() },
		look{invert: true}},
	{"Invalid", func(s *Styles) *Paint { return &s.Invalid }, func(p *palette) look { return look{fg: p.removed}.lined() },
		look{invert: true, underline: true}},
	{"Match", func(s *Styles) *Paint { return &s.Match }, func(p *palette) look { return on(p.match) }, look{underline: true}},
	{"MatchCurrent", func(s *Styles) *Paint { return &s.MatchCurrent },
		func(p *palette) look { return on(p.matchCurrent).strong().lined() }, look{bold: true, underline: true, invert: true}},
	{"Warning", func(s *Styles) *Paint { return &s.Warning }, func(p *palette) look { return look{fg: p.warning} }, look{bold: true}},
	{"Error", func(s *Styles) *Paint { return &s.Error }, func(p *palette) look { return look{fg: p.removed}.strong() },
		look{bold: true, underline: true}},
	{"Success", func(s *Styles) *Paint { return &s.Success }, func(p *palette) look { return look{fg: p.added} }, look{}},
	{"Info", func(s *Styles) *Paint { return &s.Info }, func(p *palette) look { return look{fg: p.accent} }, look{}},
	{"Badge", func(s *Styles) *Paint { return &s.Badge }, func(p *palette) look { return on(p.badge) }, look{invert: true}},
	{"BadgeReadOnly", func(s *Styles) *Paint { return &s.BadgeReadOnly }, func(p *palette) look { return on(p.readOnly).strong() },
		look{bold: true, invert: true}},
	{"StatusBar", func(s *Styles) *Paint { return &s.StatusBar }, func(*palette) look { return look{} }, look{}},
	{"TabActive", func(s *Styles) *Paint { return &s.TabActive }, func(p *palette) look { return look{fg: p.accent}.strong() },
		look{bold: true}},
	{"TabInactive", func(s *Styles) *Paint { return &s.TabInactive }, func(*palette) look { return look{} }, look{}},
	{"KeyName", func(s *Styles) *Paint { return &s.KeyName }, func(p *palette) look { return look{fg: p.link}.strong() }, look{bold: true}},
	{"KeyHelp", func(s *Styles) *Paint { return &s.KeyHelp }, func(p *palette) look { return look{fg: p.dim} }, look{}},
	{"Prompt", func(s *Styles) *Paint { return &s.Prompt }, func(p *palette) look { return look{fg: p.accent}.strong() }, look{bold: true}},
	{"Heading", func(s *Styles) *Paint { return &s.Heading }, func(p *palette) look { return look{fg: p.accent}.strong() }, look{bold: true}},
	{"Marker", func(s *Styles) *Paint { return &s.Marker }, func(p *palette) look { return look{fg: p.violet} }, look{}},
	{"Code", func(s *Styles) *Paint { return &s.Code }, func(p *palette) look { return look{fg: p.path} }, look{faint: true}},
	{"Target", func(s *Styles) *Paint { return &s.Target }, func(p *palette) look { return look{fg: p.dim} }, look{faint: true}},
	{"Markup", func(s *Styles) *Paint { return &s.Markup }, func(p *palette) look { return look{fg: p.hunk} }, look{faint: true}},
	{"Keyword", func(s *Styles) *Paint { return &s.Keyword }, func(p *palette) look { return look{fg: p.violet} }, look{bold: true}},
	{"Key", func(s *Styles) *Paint { return &s.Key }, func(p *palette) look { return look{fg: p.accent} }, look{}},
	{"Quoted", func(s *Styles) *Paint { return &s.Quoted }, func(p *palette) look { return look{fg: p.added} }, look{}},
	{"Literal", func(s *Styles) *Paint { return &s.Literal }, func(p *palette) look { return look{fg: p.warning} }, look{}},
	{"Strong", func(s *Styles) *Paint { return &s.Strong }, func(*palette) look { return look{bold: true} }, look{bold: true}},
	{"Emphasis", func(s *Styles) *Paint { return &s.Emphasis }, func(*palette) look { return look{italic: true} }, look{italic: true}},
	{"Struck", func(s *Styles) *Paint { return &s.Struck }, func(*palette) look { return look{struck: true} }, look{struck: true}},
	{"Agent", func(s *Styles) *Paint { return &s.Agent }, func(p *palette) look { return look{fg: p.link} }, look{}},
	{"External", func(s *Styles) *Paint { return &s.External }, func(p *palette) look { return look{fg: p.unread} }, look{bold: true}},
	{"Curator", func(s *Styles) *Paint { return &s.Curator }, func(p *palette) look { return look{fg: p.added} }, look{underline: true}},
	{"Replay", func(s *Styles) *Paint { return &s.Replay }, func(p *palette) look { return look{fg: p.violet} }, look{faint: true}},
}

func selectedLook(p *palette) look {
	if p.invertSelected {
		return look{invert: true, bold: true}
	}
	return on(p.selected).strong()
}
