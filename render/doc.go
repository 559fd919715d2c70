// Package render holds no code. The packages below it turn bytes into text,
// rows and colors, without doing any input or output of their own except
// through the readers they are given:
//
//   - text: the one sanitizer, cell widths, truncation, wrapping
//   - diff: hunks and rows of two versions
//   - frontmatter: the YAML that notes begin with
//   - flow: styled lines and the rows they become
//   - markdown, syntax: texts laid out as such lines
//   - theme: the palettes and glyphs of the screen
//
// None of them knows the store or a widget of the terminal toolkit.
package render
