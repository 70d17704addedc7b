import { foldCase } from '../../server/search/words.ts'

/** The regular expression equivalent to a wildcard pattern, on folded text. */
export function wildcardExpression(pattern: string): RegExp {
  const parts = pattern.matchAll(/\\(.)|(\\$)|(\*)|(\?)|(.)/gsu)
  const translated = [...parts].map(([, escaped, last, star, mark, plain]) => {
    if (star !== undefined) return '.*'
    return mark === undefined ? literal(foldCase(escaped ?? last ?? plain ?? '')) : '.'
  })
  return whole(translated.join(''))
}

/** The regular expression equivalent to one of Lucene, on folded text. */
export function luceneExpression(pattern: string): RegExp {
  const reader: Reader = { characters: [...pattern], at: 0 }
  const translated = readUnion(reader)
  if (reader.at < reader.characters.length) throw new Error(`/${pattern}/ has a ')' too many.`)
  return whole(translated)
}

/** The edit distance of two texts: characters inserted, deleted or replaced, or two neighbours swapped. */
export function editsBetween(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  const rows: number[][] = []
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = []
    rows.push(row)
    for (let j = 0; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (i === 0 || j === 0) row.push(i + j)
      else {
        const plain = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1))
        row.push(isSwapped ? Math.min(plain, at(i - 2, j - 2) + 1) : plain)
      }
    }
  }
  return at(a.length, b.length)
}

const whole = (expression: string): RegExp => new RegExp(`^(?:${expression})$`, 'su')

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

interface Reader {
  readonly characters: readonly string[]
  at: number
}

const peek = ({ characters, at }: Reader): string | undefined => characters[at]

function take(reader: Reader): string {
  const character = peek(reader)
  if (character === undefined) throw new Error(`/${reader.characters.join('')}/ ends too early.`)
  reader.at++
  return character
}

function readUnion(reader: Reader): string {
  const alternatives = [readSequence(reader)]
  while (peek(reader) === '|') {
    take(reader)
    alternatives.push(readSequence(reader))
  }
  return `(?:${alternatives.join('|')})`
}

function readSequence(reader: Reader): string {
  let translated = ''
  for (let next = peek(reader); next !== undefined && next !== '|' && next !== ')'; next = peek(reader)) {
    translated += readRepeated(reader)
  }
  return translated
}

/** Reads an atom and its repetition. It is grouped, because `a+?` would be a lazy `a+`, which Lucene does not have. */
function readRepeated(reader: Reader): string {
  let translated = readAtom(reader)
  for (let next = peek(reader); next !== undefined && '*+?{'.includes(next); next = peek(reader)) {
    let times = take(reader)
    if (times === '{') while (!times.endsWith('}')) times += take(reader)
    translated = `(?:${translated}${times})`
  }
  return translated
}

function readAtom(reader: Reader): string {
  const character = take(reader)
  if (character === '.') return '.'
  if (character === '[') return readClass(reader)
  if (character === '\\') return literal(take(reader))
  if (character !== '(') return literal(foldCase(character))
  const inner = readUnion(reader)
  take(reader)
  return inner
}

function readClass(reader: Reader): string {
  let translated = '['
  if (peek(reader) === '^') translated += take(reader)
  for (let next = take(reader); next !== ']'; next = take(reader)) {
    if (next === '\\') translated += inClass(take(reader))
    else translated += next === '-' ? '-' : inClass(foldCase(next))
  }
  return `${translated}]`
}

const inClass = (character: string): string => character.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
