import type { Column, Face, Mark } from './columns.ts'
import type { LegendGroup } from './legend-groups.ts'

const WIDTH = 158
const GAP = 8
const MARGIN = 24
const LINE = 13
const PADDING = 7
const INDENT = 12
/** Of the widest common letters: texts are measured without a screen and must not be clipped. */
const LETTER = 6.1
const HEAD_LINE = 15
const HEAD_LETTER = 7.2

const HEAT = ['#ffffff', '#fdf0dc', '#fbd9a8', '#f6b26b', '#ee8a3c', '#a53a0b']
const MARKS: Readonly<Record<Mark, string>> = {
  '': '#ffffff',
  left: '#cfe3fb',
  both: '#dccbf3',
  right: '#fbe0c2',
  on: '#cdeed9',
  inside: '#eef8f1',
}
const STROKES: Readonly<Record<Mark, string>> = {
  '': '#cfd5dc',
  left: '#1f5fa5',
  both: '#5f3dc4',
  right: '#a05a00',
  on: '#1d672b',
  inside: '#1d672b',
}
/** Says a side without its colour. */
const SIGNS: Readonly<Record<Mark, string>> = { '': '', left: '◧ ', both: '■ ', right: '◨ ', on: '', inside: '' }

const FONT = 'font-family="Inter, Arial, Helvetica, sans-serif"'

/** An image with its size. */
export interface Svg {
  readonly text: string
  readonly width: number
  readonly height: number
}

interface SvgTexts {
  readonly title: string
  readonly subtitle: string
  readonly legend: readonly LegendGroup[]
}

/** A matrix as an SVG image, with every name in full. */
export function matrixSvg(columns: readonly Column[], { title, subtitle, legend }: SvgTexts): Svg {
  const width = Math.max(600, MARGIN * 2 + columns.length * (WIDTH + GAP) - GAP)
  const heads = columns.map(({ tactic }) => wrap(tactic.name, Math.floor(WIDTH / HEAD_LETTER)))
  const titles = wrap(title, Math.floor((width - MARGIN * 2) / 11))
  const subtitles = wrap(subtitle, Math.floor((width - MARGIN * 2) / LETTER))
  const keys = keysOf(legend, MARGIN + titles.length * 24 + subtitles.length * LINE + 8, width - MARGIN)
  const top = keys.bottom + 16
  const below = top + Math.max(1, ...heads.map(({ length }) => length)) * HEAD_LINE + 24
  const drawn = columns.map((column, i) => {
    const x = MARGIN + i * (WIDTH + GAP)
    const head = heads[i] ?? []
    const count = `${column.used} of ${column.count}`
    return [
      ...head.map((line, at) => textAt(x, top + (at + 1) * HEAD_LINE - 3, line, 12, '#1a2029', 600)),
      textAt(x, top + head.length * HEAD_LINE + 11, count, 10, '#565e68'),
    ].join('')
  })
  const bodies = columns.map((column, i) => cellsOf(column, MARGIN + i * (WIDTH + GAP), below))
  const height = Math.max(below, ...bodies.map(({ bottom }) => bottom)) + MARGIN
  const parts = [
    ...titles.map((line, i) => textAt(MARGIN, MARGIN + 18 + i * 24, line, 18, '#1a2029', 600)),
    ...subtitles.map((line, i) => textAt(MARGIN, MARGIN + titles.length * 24 + 10 + i * LINE, line, 11, '#565e68')),
    keys.text,
    ...drawn,
    ...bodies.map(({ text }) => text),
  ]
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const text = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${FONT}>${HATCH}<rect width="${width}" height="${height}" fill="#ffffff"/>${parts.join('')}</svg>`
  return { text, width, height }
}

const HATCH =
  '<defs><pattern id="gap" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#ffffff"/><rect width="2.2" height="5" fill="#7a1030"/></pattern></defs>'

const SAMPLE = { width: 24, height: 13 }

/** The legend, in as many lines as it needs. */
function keysOf(legend: readonly LegendGroup[], top: number, right: number) {
  const parts: string[] = []
  let [x, y] = [MARGIN, top]
  const place = (width: number): void => {
    if (x > MARGIN && x + width > right) [x, y] = [MARGIN, y + SAMPLE.height + 6]
  }
  for (const { title, items } of legend) {
    if (title !== '') {
      const width = title.length * HEAD_LETTER + 6
      place(width)
      parts.push(textAt(x, y + 10, title, 10, '#565e68', 600))
      x += width
    }
    for (const { label, count, face } of items) {
      const text = `${SIGNS[face.mark]}${label}${count === undefined ? '' : `: ${count.toLocaleString('en')}`}`
      const width = SAMPLE.width + 5 + text.length * LETTER + 10
      place(width)
      parts.push(cellAt(face, { x, y, ...SAMPLE }), textAt(x + SAMPLE.width + 5, y + 10, text, 10, '#1a2029'))
      x += width
    }
    x += 8
  }
  return { text: parts.join(''), bottom: legend.length === 0 ? top : y + SAMPLE.height }
}

function cellsOf({ cells }: Column, x: number, top: number) {
  const parts: string[] = []
  let y = top
  for (const { place, face } of cells) {
    const indent = place.parent === null ? 0 : INDENT
    const strip = stripOf(face)
    const number = `${SIGNS[face.mark]}${face.text}`
    const room = WIDTH - indent - PADDING * 2 - strip - (number === '' ? 0 : (number.length + 1) * LETTER)
    const lines = wrap(place.name, Math.max(8, Math.floor(room / LETTER)))
    const height = lines.length * LINE + PADDING
    parts.push(cellAt(face, { x: x + indent, y, width: WIDTH - indent, height }))
    const ink = face.level === 5 ? '#ffffff' : '#1a2029'
    parts.push(...lines.map((line, i) => textAt(x + indent + PADDING, y + (i + 1) * LINE, line, 10, ink)))
    if (number !== '') {
      const end = x + WIDTH - PADDING - strip
      parts.push(textAt(end, y + height / 2 + 4, number, 10, ink, 600, 'end'))
    }
    y += height + 4
  }
  return { text: parts.join(''), bottom: y }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The width of the hatched strip of a gap. */
const stripOf = ({ gapLevel }: Face): number => [0, 5, 9, 13][gapLevel] ?? 0

function cellAt(face: Face, { x, y, width, height }: Box): string {
  const { level, mark, shareLevel } = face
  const strip = stripOf(face)
  const fill = mark === '' ? HEAT[level] : MARKS[mark]
  const isDefended = shareLevel > 0
  const stroke = isDefended ? '#0b6b3a' : STROKES[mark]
  const weight = shareLevel === 4 ? 3 : isDefended || mark !== '' ? 2 : 1
  const isDashed = (isDefended && shareLevel < 3) || mark === 'inside'
  const frame = `stroke="${stroke}" stroke-width="${weight}"${isDashed ? ' stroke-dasharray="4 3"' : ''}`
  const box = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" fill="${fill}" ${frame}/>`
  if (strip === 0) return box
  return `${box}<rect x="${x + width - strip - 2}" y="${y + 2}" width="${strip}" height="${height - 4}" fill="url(#gap)"/>`
}

function textAt(
  x: number,
  y: number,
  text: string,
  size: number,
  fill: string,
  weight = 400,
  anchor = 'start',
): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${escaped(text)}</text>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** XML has no escape for control characters and halves of characters. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

/** Breaks a text into lines of a limited number of characters; longer words are split, after slashes and hyphens where they have some. */
export function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap((each) => pieces(each, most))) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

function pieces(word: string, most: number): readonly string[] {
  if (word.length <= most) return [word]
  const lines: string[] = []
  let line = ''
  for (const part of (word.match(/[^/-]*[/-]|[^/-]+/g) ?? []).flatMap((each) => chunks(each, most))) {
    if (line !== '' && line.length + part.length > most) {
      lines.push(line)
      line = part
    } else line += part
  }
  return [...lines, line]
}

function chunks(word: string, most: number): readonly string[] {
  const characters = [...word]
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, i) =>
    characters.slice(i * most, (i + 1) * most).join(''),
  )
}
