import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { Expression } from './collect.ts'
import { type Instruction, type IsOne, type Program, programOf, type Text } from './program.ts'

/** How often a loop has been entered, and where last. Nested loops are a list. */
interface Loop {
  readonly count: number
  readonly at: number
  readonly outer: Loop | undefined
}

/** Where groups have matched, the last first. Only recorded for expressions with back references. */
interface Capture {
  readonly group: object
  readonly from: number
  readonly to: number | undefined
  readonly before: Capture | undefined
}

/** An expression that counts its steps. */
export interface Machine {
  readonly pattern: AST.Pattern
  readonly flags: string
  /** Every element that matches a single character. */
  readonly characters: readonly IsOne[]
  /** How many steps it takes to find all matches in a text; Infinity above the limit. */
  work(text: string, most: number): number
  /** Where the first match begins and ends, to compare it with that of JavaScript. */
  first(text: string): readonly [number, number] | undefined
}

/** Creates a machine that backtracks as the JavaScript engine does and counts its steps, so that results do not depend on time. */
export function machineOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): Machine {
  const isUnicode = /[uv]/.test(flags)
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode)
  const { program, characters } = programOf(pattern.alternatives, flags)
  const textOf = (text: string): Text =>
    isUnicode ? [...text].map((character) => character.codePointAt(0) ?? 0) : unitsOf(text)
  return {
    pattern,
    flags,
    characters,
    work: (text, most) => workOn(program, textOf(text), most, flags.includes('y')),
    first: (text) => firstIn(program, textOf(text)),
  }
}

const unitsOf = (text: string): Text => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))

function workOn(program: Program, text: Text, most: number, isSticky: boolean): number {
  const run = { steps: 0, most }
  for (let start = 0; start <= text.length && run.steps < most; ) {
    const end = runAt(program, text, start, run, undefined)
    if (end === undefined && isSticky) break
    start = end === undefined || end === start ? start + 1 : end
  }
  return run.steps < most ? run.steps : Number.POSITIVE_INFINITY
}

function firstIn(program: Program, text: Text): readonly [number, number] | undefined {
  for (let start = 0; start <= text.length; start++) {
    const end = runAt(program, text, start, { steps: 0, most: Number.POSITIVE_INFINITY }, undefined)
    if (end !== undefined) return [start, end]
  }
  return undefined
}

/** Where a match that starts at a position ends; undefined if there is none, or if it takes too many steps. */
function runAt(
  { instructions, direction }: Program,
  text: Text,
  start: number,
  run: { steps: number; readonly most: number },
  captured: Capture | undefined,
): number | undefined {
  const choices: { pc: number; at: number; loop: Loop | undefined; capture: Capture | undefined }[] = []
  let [pc, at] = [0, start]
  let loop: Loop | undefined
  let capture = captured
  const isBack = (): boolean => {
    const choice = choices.pop()
    if (choice) ({ pc, at, loop, capture } = choice)
    return choice === undefined
  }
  for (;;) {
    if (++run.steps > run.most) return undefined
    const instruction = instructions[pc++] as Instruction
    let isFailed = false
    switch (instruction.op) {
      case 'match':
        return at
      case 'character': {
        const character = text[direction === 1 ? at : at - 1]
        isFailed = character === undefined || !instruction.isOne(character)
        at += direction
        break
      }
      case 'jump':
        pc = instruction.to
        break
      case 'choose':
        for (const other of instruction.others) choices.push({ pc: other, at, loop, capture })
        break
      case 'begin loop':
        loop = { count: 0, at: -1, outer: loop }
        break
      case 'loop': {
        const { count, at: last, outer } = loop as Loop
        const { min, max, isGreedy, exit } = instruction
        const again: Loop = { count: count + 1, at, outer }
        if (count > min && last === at) isFailed = true
        else if (count < min) loop = again
        else if (count >= max) [pc, loop] = [exit, outer]
        else if (isGreedy) {
          choices.push({ pc: exit, at, loop: outer, capture })
          loop = again
        } else {
          choices.push({ pc, at, loop: again, capture })
          ;[pc, loop] = [exit, outer]
        }
        break
      }
      case 'place':
        isFailed = !instruction.isHere(text, at)
        break
      case 'look':
        isFailed = (runAt(instruction.program, text, at, run, capture) === undefined) !== instruction.isNegated
        break
      case 'open':
        capture = { group: instruction.group, from: at, to: undefined, before: capture }
        break
      case 'close':
        capture = { group: instruction.group, from: openingOf(capture, instruction.group), to: at, before: capture }
        break
      case 'repeat': {
        const end = repeated(instruction.groups, capture, text, at, direction)
        isFailed = end === undefined
        at = end ?? at
      }
    }
    if (isFailed && isBack()) return undefined
  }
}

function openingOf(capture: Capture | undefined, group: object): number {
  for (let each = capture; each; each = each.before) {
    if (each.group === group && each.to === undefined) return each.from
  }
  return 0
}

function repeated(
  groups: readonly object[],
  capture: Capture | undefined,
  text: Text,
  at: number,
  direction: 1 | -1,
): number | undefined {
  let found = capture
  while (found && (found.to === undefined || !groups.includes(found.group))) found = found.before
  if (found?.to === undefined) return at
  const [low, high] = [Math.min(found.from, found.to), Math.max(found.from, found.to)]
  const start = direction === 1 ? at : at - (high - low)
  for (let i = 0; i < high - low; i++) if (text[low + i] !== text[start + i]) return undefined
  return at + direction * (high - low)
}
