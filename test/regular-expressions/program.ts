import type { AST } from '@eslint-community/regexpp'

/** One instruction. Programs run as in a backtracking engine: if an instruction does not match, the machine resumes at the last choice. */
export type Instruction =
  | { readonly op: 'character'; readonly isOne: IsOne }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'choose'; readonly others: readonly number[] }
  | { readonly op: 'begin loop' }
  | {
      readonly op: 'loop'
      readonly min: number
      readonly max: number
      readonly isGreedy: boolean
      readonly exit: number
    }
  | { readonly op: 'place'; readonly isHere: (text: Text, at: number) => boolean }
  | { readonly op: 'look'; readonly program: Program; readonly isNegated: boolean }
  | { readonly op: 'open' | 'close'; readonly group: object }
  | { readonly op: 'repeat'; readonly groups: readonly object[] }
  | { readonly op: 'match' }

/** A program that runs forwards, or backwards in a lookbehind. */
export interface Program {
  readonly instructions: Instruction[]
  readonly direction: 1 | -1
}

/** A text as code points, or as code units for expressions without `u` and `v`. */
export type Text = readonly number[]

/** Whether an element matches a character. */
export type IsOne = (character: number) => boolean

/** The state shared by the compilation of one expression. */
interface Compiling {
  /** Every element that matches a single character, in order of occurrence. */
  readonly characters: IsOne[]
  readonly refersBack: boolean
}

/** Compiles an expression, and returns every element that matches a single character. */
export function programOf(
  alternatives: readonly AST.Alternative[],
  flags: string,
): { readonly program: Program; readonly characters: readonly IsOne[] } {
  const refersBack = alternatives.some(({ raw }) => /\\[1-9k]/.test(raw))
  const compiling: Compiling = { characters: [], refersBack }
  return { program: compile(compiling, alternatives, 1, flags), characters: compiling.characters }
}

function compile(
  compiling: Compiling,
  alternatives: readonly AST.Alternative[],
  direction: 1 | -1,
  flags: string,
): Program {
  const program: Program = { instructions: [], direction }
  addAlternatives(compiling, program, alternatives, flags)
  program.instructions.push({ op: 'match' })
  return program
}

function addAlternatives(
  compiling: Compiling,
  program: Program,
  alternatives: readonly AST.Alternative[],
  flags: string,
): void {
  const { instructions, direction } = program
  const others: number[] = []
  const ends: { to: number }[] = []
  if (alternatives.length > 1) instructions.push({ op: 'choose', others })
  for (const [i, { elements }] of alternatives.entries()) {
    // The last choice recorded is the first to be resumed.
    if (i > 0) others.unshift(instructions.length)
    for (const element of direction === 1 ? elements : elements.toReversed())
      addElement(compiling, program, element, flags)
    if (i === alternatives.length - 1) break
    const end = { op: 'jump' as const, to: 0 }
    instructions.push(end)
    ends.push(end)
  }
  for (const end of ends) end.to = instructions.length
}

function addElement(compiling: Compiling, program: Program, element: AST.Element, flags: string): void {
  const { instructions } = program
  if (element.type === 'Quantifier') addLoop(compiling, program, element, flags)
  else if (element.type === 'Assertion') addAssertion(compiling, program, element, flags)
  else if (element.type === 'Group') {
    addAlternatives(compiling, program, element.alternatives, flagsIn(element, flags))
  } else if (element.type === 'CapturingGroup') {
    if (compiling.refersBack) instructions.push({ op: 'open', group: element })
    addAlternatives(compiling, program, element.alternatives, flags)
    if (compiling.refersBack) instructions.push({ op: 'close', group: element })
  } else if (element.type === 'Backreference') {
    instructions.push({ op: 'repeat', groups: [element.resolved].flat() })
  } else {
    const isOne = single(element.raw, flags)
    compiling.characters.push(isOne)
    instructions.push({ op: 'character', isOne })
  }
}

function addLoop(
  compiling: Compiling,
  program: Program,
  { min, max, greedy, element }: AST.Quantifier,
  flags: string,
): void {
  const { instructions } = program
  const loop = { op: 'loop' as const, min, max, isGreedy: greedy, exit: 0 }
  instructions.push({ op: 'begin loop' })
  const start = instructions.push(loop) - 1
  addElement(compiling, program, element, flags)
  instructions.push({ op: 'jump', to: start })
  loop.exit = instructions.length
}

function addAssertion(compiling: Compiling, { instructions }: Program, assertion: AST.Assertion, flags: string): void {
  if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
    const program = compile(compiling, assertion.alternatives, assertion.kind === 'lookahead' ? 1 : -1, flags)
    instructions.push({ op: 'look', program, isNegated: assertion.negate })
    return
  }
  const isLines = flags.includes('m')
  const isBreak = (character: number | undefined) => isLines && [10, 13, 0x2028, 0x2029].includes(character ?? 0)
  const isWord = (character: number | undefined) => character !== undefined && WORD(character)
  const isHere = {
    start: (text: Text, at: number) => at === 0 || isBreak(text[at - 1]),
    end: (text: Text, at: number) => at === text.length || isBreak(text[at]),
    word: (text: Text, at: number) =>
      (isWord(text[at - 1]) !== isWord(text[at])) !== (assertion.kind === 'word' && assertion.negate),
  }[assertion.kind]
  instructions.push({ op: 'place', isHere })
}

/** Asks the JavaScript engine about single characters, each once. */
export function single(raw: string, flags: string): IsOne {
  const expression = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gmyd]/g, ''))
  const known = new Map<number, boolean>()
  return (character) => {
    const answer = known.get(character) ?? expression.test(String.fromCodePoint(character))
    known.set(character, answer)
    return answer
  }
}

const WORD = single('\\w', '')

function flagsIn({ modifiers }: AST.Group, flags: string): string {
  const { add, remove } = modifiers ?? {}
  const left = [...flags].filter((flag) => !remove?.raw.includes(flag))
  return [...new Set([...left, ...(add?.raw ?? '')])].join('')
}
