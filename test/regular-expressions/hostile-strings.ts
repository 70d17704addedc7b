import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import type { Machine } from './machine.ts'
import { type IsOne, single } from './program.ts'

/** A text of any length: a start, a repeated piece, and an end. */
export interface Hostile {
  readonly start: string
  readonly piece: string
  readonly end: string
}

export const textOf = ({ start, piece, end }: Hostile, length: number): string =>
  `${start}${piece.repeat(Math.ceil(length / piece.length))}${end}`

/** Characters of all classes that expressions distinguish. */
const USUAL = [...'a0 \n.-_/\\:@()[]{}"\'<>=+;,%#!?*&|~^$`AfFzZ9xhéİ中\u0000\u0001\t\r\u00a0\u200b\u2028\ufeff😀']
const MAX_CHARACTER_KINDS = 24

/** Texts that make an expression work hard: a path to one of its loops, then many repetitions of what the loop matches. */
export function hostileTo({ pattern, flags, characters }: Machine): Hostile[] {
  const kinds = kindsOf(pattern, flags, characters)
  const sample = samplerOf(kinds, flags)
  const found = new Map<string, Hostile>()
  const add = (start: string, piece: string, end: string) => {
    if (piece !== '') found.set(JSON.stringify([start, piece, end]), { start, piece, end })
  }
  for (const character of kinds) for (const end of ['\u0001', '\n']) add('', character, end)
  for (const { before, element } of repeatedIn(pattern.alternatives, '', sample)) {
    const isIn = element ? membersOf(element, flags) : () => false
    const bodies = element ? sample(element, 1) : []
    const pieces = [...new Set([...kinds.filter(isIn), ...bodies, ...bodies.map((body) => `${body}${body}\n`)])]
    const ends = new Set(['\n', kinds.find((character) => !isIn(character)) ?? '\u0001'])
    for (const piece of pieces) {
      for (const end of ends) for (const start of ['', `${end}${end}`]) add(`${start}${before}`, piece, end)
      add('', `${before}${piece}`, '')
    }
    add('', before, '')
  }
  return [...found.values()]
}

/** Whether a character occurs in texts that an element matches. */
function membersOf(element: AST.Element, flags: string): (character: string) => boolean {
  const members: IsOne[] = []
  visitRegExpAST(element, {
    onCharacterEnter: ({ parent, raw }) => {
      if (parent.type === 'Alternative' || parent.type === 'Quantifier') members.push(single(raw, flags))
    },
    onCharacterSetEnter: ({ parent, raw }) => {
      if (parent.type === 'Alternative' || parent.type === 'Quantifier') members.push(single(raw, flags))
    },
    onCharacterClassEnter: ({ raw }) => {
      members.push(single(raw, flags))
    },
  })
  return (character) => members.some((isOne) => isOne(character.codePointAt(0) ?? 0))
}

/** One character of each class that an expression distinguishes, up to a limit. */
function kindsOf(pattern: AST.Pattern, flags: string, characters: readonly IsOne[]): readonly string[] {
  const isUnicode = /[uv]/.test(flags)
  const own = [...pattern.raw].filter((character) => isUnicode || character.length === 1)
  const kinds = new Map<string, string>()
  for (const character of [...own, ...USUAL]) {
    if (!isUnicode && character.length > 1) continue
    const code = character.codePointAt(0) ?? 0
    const kind = characters.map((isOne) => (isOne(code) ? 1 : 0)).join('')
    if (!kinds.has(kind)) kinds.set(kind, character)
  }
  return [...kinds.values()].slice(0, MAX_CHARACTER_KINDS)
}

/** Texts that a part of an expression matches, in which loops repeat at least this often. */
type Sample = (element: AST.Element, repeats: number) => readonly string[]

function samplerOf(kinds: readonly string[], flags: string): Sample {
  const pool = [...kinds, ...USUAL]
  const sample: Sample = (element, repeats) => {
    switch (element.type) {
      case 'Quantifier': {
        const times = Math.min(Math.max(element.min, Math.min(repeats, element.max)), 300)
        return sample(element.element, repeats).map((text) => text.repeat(times))
      }
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives.map(({ elements }) => joined(elements, repeats, sample))
      case 'Assertion':
        return element.kind === 'lookbehind' && !element.negate
          ? element.alternatives.map(({ elements }) => joined(elements, repeats, sample))
          : ['']
      case 'Character':
        return [String.fromCodePoint(element.value)]
      case 'Backreference':
        return ['']
      default: {
        const isOne = single(element.raw, flags)
        return [pool.find((character) => isOne(character.codePointAt(0) ?? 0)) ?? '']
      }
    }
  }
  return sample
}

/** The concatenation of the first text of each part. */
const joined = (elements: readonly AST.Element[], repeats: number, sample: Sample): string =>
  elements.map((element) => sample(element, repeats)[0] ?? '').join('')

/** A position in an expression: a text that leads to it, and the text that a loop there repeats, if any. */
interface Repeated {
  readonly before: string
  readonly element: AST.Element | undefined
}

function repeatedIn(alternatives: readonly AST.Alternative[], before: string, sample: Sample): Repeated[] {
  return alternatives.flatMap(({ elements }) => {
    const found: Repeated[] = []
    for (const [i, element] of elements.entries()) {
      for (const repeats of [0, 1]) {
        const start = `${before}${joined(elements.slice(0, i), repeats, sample)}`
        if (element.type === 'Quantifier') {
          if (element.max > 30) found.push({ before: start, element: element.element })
          if ('alternatives' in element.element) {
            found.push(...repeatedIn(element.element.alternatives, start, sample))
          }
        } else if ('alternatives' in element) found.push(...repeatedIn(element.alternatives, start, sample))
      }
    }
    // The complete text, and all but its last character: a near match.
    const whole = `${before}${joined(elements, 1, sample)}`
    return [...found, { before: whole, element: undefined }, { before: whole.slice(0, -1), element: undefined }]
  })
}
