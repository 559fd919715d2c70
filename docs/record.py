#!/usr/bin/env python3
"""Record the program as an animated SVG, from the real program in a real terminal.

    docs/record.py                      # the demo: writes docs/screens/demo.svg
    docs/record.py --stores             # a first start in a home with many agents: writes docs/screens/stores.svg
    docs/record.py --seconds 25 --speed 5 --size 110x30 --out /tmp/demo.svg

Needs Go, Python and tmux, which draws the screen. A row of the screen is drawn once for each text
that it had; CSS shows it while it had that text. Wide characters are placed one by one, because
fonts do not agree on their width.
"""
import argparse, html, os, re, shutil, subprocess, sys, tempfile, time, unicodedata

CELL_W, CELL_H, MARGIN = 8.4, 18, 8
FOREGROUND, BACKGROUND = "#d0d0d0", "#1c1c1c"
SYSTEM = ["#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
          "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]


def color(n):
    """The color of one of the 256."""
    if n < 16:
        return SYSTEM[n]
    if n >= 232:
        return "#" + 3 * f"{8 + 10 * (n - 232):02x}"
    steps = [0, 95, 135, 175, 215, 255]
    n -= 16
    return "#%02x%02x%02x" % (steps[n // 36], steps[n // 6 % 6], steps[n % 6])


def width(c):
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def styled(row):
    """The runs of a row: text and style, as its control sequences say."""
    style, out = {}, []
    for part in re.split(r"(\x1b\[[0-9;:]*m)", row):
        if not part.startswith("\x1b["):
            if part:
                out.append((part, dict(style)))
            continue
        n = [int(x or 0) for x in re.split("[;:]", part[2:-1])]
        i = 0
        while i < len(n):
            c = n[i]
            if c == 0:
                style = {}
            elif c in (38, 48) and i + 1 < len(n):
                key = "fg" if c == 38 else "bg"
                if n[i + 1] == 5:
                    style[key] = color(n[i + 2])
                    i += 2
                else:
                    style[key] = "#%02x%02x%02x" % tuple(n[i + 2:i + 5])
                    i += 4
            elif c in (1, 2, 3, 4, 7):
                style[{1: "bold", 2: "faint", 3: "italic", 4: "under", 7: "invert"}[c]] = True
            elif c == 22:
                style.pop("bold", None), style.pop("faint", None)
            elif c in (23, 24, 27):
                style.pop({23: "italic", 24: "under", 27: "invert"}[c], None)
            elif 30 <= c <= 37 or 90 <= c <= 97:
                style["fg"] = SYSTEM[c - 30 if c < 90 else c - 82]
            elif 40 <= c <= 47 or 100 <= c <= 107:
                style["bg"] = SYSTEM[c - 40 if c < 100 else c - 92]
            elif c in (39, 49):
                style.pop("fg" if c == 39 else "bg", None)
            i += 1
    return out


def whole(screen):
    """The rows of a screen, each with the style that goes on from the row above, as tmux does not repeat it."""
    style, rows = "", []
    for row in screen.split("\n"):
        rows.append(style + row)
        for code in re.findall(r"\x1b\[[0-9;:]*m", row):
            style = "" if code in ("\x1b[0m", "\x1b[m") else style + code
    return rows


def pieces(text):
    """Text in pieces that a font lays out alike: narrow characters together, each wide one alone."""
    out = []
    for c in text:
        w = width(c)
        if out and (w == 0 or w == 1 and out[-1][1] == len(out[-1][0]) and out[-1][2]):
            s, n, narrow = out[-1]
            out[-1] = (s + c, n + w, narrow and w == 1)
        else:
            out.append((c, w, w == 1))
    return out


def draw(row, y):
    """One row as SVG."""
    out, x = [], 0
    for text, style in styled(row):
        fg, bg = style.get("fg", FOREGROUND), style.get("bg")
        if style.get("invert"):
            fg, bg = bg or BACKGROUND, fg
        cells = sum(width(c) for c in text)
        if bg:
            out.append(f'<rect x="{MARGIN + x * CELL_W:.1f}" y="{y}" width="{cells * CELL_W:.1f}" height="{CELL_H}" fill="{bg}"/>')
        more = "".join(a for key, a in (("bold", ' font-weight="bold"'), ("faint", ' opacity=".6"'), ("italic", ' font-style="italic"'),
                                        ("under", ' text-decoration="underline"')) if style.get(key))
        for s, n, _ in pieces(text):
            shown = s.strip(" ")
            if shown:
                lead = len(s) - len(s.lstrip(" "))
                w = sum(width(c) for c in shown)
                out.append(f'<text x="{MARGIN + (x + lead) * CELL_W:.1f}" y="{y + 13.5}" fill="{fg}" textLength="{w * CELL_W:.1f}"{more}>'
                           f'{html.escape(shown)}</text>')
            x += n
    return "".join(out)


# What the hands do in the recording of a first start: seconds, then keys as tmux names them.
FIRST_START = [(2, "j"), (3, "j"), (4.5, "j"), (5.5, "j"), (7.5, "k"), (8, "k"), (10, "Enter"), (13, "L"), (17, "j"), (17.5, "j"), (18, "j"),
               (20, "3"), (24, "0"), (26, "S"), (27, "seats"), (28.5, "Enter"), (31, "j"), (32, "j"), (34, "Escape")]


def record(command, begin, hands, seconds, size, plant=None):
    """The screens of a run from the one that shows a text: pairs of a time and its rows."""
    columns, rows = size
    server = f"memcurator-record-{os.getpid()}"
    tmux = lambda *a: subprocess.run(["tmux", "-L", server, "-f", os.devnull, *a], check=True, capture_output=True, text=True).stdout
    around = tempfile.mkdtemp(prefix="memcurator-record-")
    home = os.path.join(around, "ann")
    env = f"HOME={home} XDG_CONFIG_HOME= XDG_STATE_HOME= COLORTERM=truecolor TERM=tmux-256color"
    frames, hands = [], list(hands)
    try:
        if plant:
            subprocess.run([*plant, home], check=True)
        else:
            os.mkdir(home)
        tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", home, f"{env} {command}")
        tmux("set", "-g", "status", "off")
        began = None
        while began is None or time.time() - began < seconds:
            screen = whole(tmux("capture-pane", "-e", "-N", "-p"))[:rows]
            if began is None and any(begin in row for row in screen):
                began = time.time()
            if began is not None and hands and time.time() - began >= hands[0][0]:
                tmux("send-keys", hands.pop(0)[1])
            if began is not None and (not frames or frames[-1][1] != screen):
                frames.append((time.time() - began, screen))
            time.sleep(0.1)
    finally:
        subprocess.run(["tmux", "-L", server, "kill-server"], capture_output=True)
        shutil.rmtree(around, ignore_errors=True)
    return frames


def animate(frames, seconds, size):
    columns, rows = size
    shown = {}  # (row, text): times from and to, in percent
    for i, (at, screen) in enumerate(frames):
        end = frames[i + 1][0] if i + 1 < len(frames) else seconds
        for y, text in enumerate(screen):
            spans = shown.setdefault((y, text.rstrip()), [])
            if spans and spans[-1][1] == at:
                spans[-1][1] = end
            else:
                spans.append([at, end])
    w, h = columns * CELL_W + 2 * MARGIN, rows * CELL_H + 2 * MARGIN
    styles, names, body = [], {}, []
    for (y, text), spans in shown.items():
        drawn = draw(text, MARGIN + y * CELL_H)
        if not drawn:
            continue
        if spans == [[0, seconds]] or spans == [[frames[0][0], seconds]]:
            body.append(f"<g>{drawn}</g>")
            continue
        steps = {0.0: 0}
        for start, end in spans:
            steps[100 * start / seconds] = 1
            if end < seconds:
                steps[100 * end / seconds] = 0
        rule = "".join(f"{at:.2f}%{{opacity:{v}}}" for at, v in sorted(steps.items()))
        name = names.setdefault(rule, f"k{len(names)}")
        body.append(f'<g class="{name}">{drawn}</g>')
    for rule, name in names.items():
        styles.append(f"@keyframes {name}{{{rule}}}.{name}{{opacity:0;animation:{name} {seconds}s step-end infinite}}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}" viewBox="0 0 {w:.0f} {h:.0f}" xml:space="preserve" '
            f'font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="14">'
            f"<style>text{{white-space:pre}}{''.join(styles)}</style>"
            f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>{"".join(body)}</svg>\n')


def main():
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    p = argparse.ArgumentParser(description="Record the demo as an animated SVG.")
    p.add_argument("--stores", action="store_true", help="a first start in a home with the memories of many agents")
    p.add_argument("--out", help="default: demo.svg or stores.svg in docs/screens")
    p.add_argument("--seconds", type=float, help="default: 30, for a first start 37")
    p.add_argument("--speed", type=float, default=4)
    p.add_argument("--size", default="100x28", help="columns and rows")
    p.add_argument("--program", help="a binary; default: built from this source")
    a = p.parse_args()
    size = tuple(int(n) for n in a.size.split("x"))
    out = a.out or os.path.join(top, "docs", "screens", "stores.svg" if a.stores else "demo.svg")
    seconds = a.seconds or (37 if a.stores else 30)
    with tempfile.TemporaryDirectory() as temp:
        program = a.program or os.path.join(temp, "memcurator")
        if not a.program:
            subprocess.run(["go", "build", "-trimpath", "-o", program, "."], cwd=top, check=True)
        program = os.path.abspath(program)
        if a.stores:
            plant = os.path.join(temp, "agenthome")
            subprocess.run(["go", "build", "-trimpath", "-o", plant, "./.ci/agenthome"], cwd=top, check=True)
            frames = record(f"sh -c 'cd src && {program} --theme dark'", "all stores", FIRST_START, seconds, size, [plant])
        else:
            frames = record(f"{program} demo --theme dark --speed {a.speed}", "demo", [], seconds, size)
    picture = animate(frames, seconds, size)
    if len(picture) > 1 << 20:
        sys.exit(f"the picture has {len(picture)} bytes; record fewer seconds")
    with open(out, "w", encoding="utf-8") as f:
        f.write(picture)
    print(f"{out}: {len(frames)} screens, {len(picture) >> 10} KB")


if __name__ == "__main__":
    main()
