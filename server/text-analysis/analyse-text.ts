import type { Context } from '../engine/context.ts'
import { tooMany } from '../engine/errors.ts'
import { createSemaphore } from '../engine/semaphore.ts'
import { extractInThread } from '../formats/text/extract-in-thread.ts'
import { sentencesOf } from '../formats/text/sentences.ts'
import { storableWithOffsets } from '../formats/text/storable.ts'
import { readExclusions } from '../intelligence/exclusion-lists.ts'
import { findEntities, type Mention, NAME_LIMITS, type NamedEntity } from './names/find-entities.ts'
import { tokensOf } from './names/tokens.ts'
import type { FoundTechnique } from './techniques/attack-evidence.ts'
import { findAttacks } from './techniques/find-attacks.ts'

/** Longer texts are refused. */
export const MAX_TEXT_LENGTH = 1_000_000
const MAX_OBSERVABLES = 10_000

/** Such texts are analysed at once. */
const SHORT = 100_000
/** A text takes up to 100 times its size in memory while it is analysed. */
const inTurn = createSemaphore(2, {
  maxQueued: 50,
  refuse: () => tooMany('Too many texts are being analysed. Try again in a moment.', 5),
})

/** An observable that a text contains, with the place and the sentence of its first occurrence. */
export interface FoundObservable {
  readonly type: string
  readonly value: string
  readonly start: number
  readonly end: number
  readonly sentence: string
  /** Whether imports leave it out. */
  readonly isExcluded: boolean
}

/** What a text is about, as far as it can be told without a language model. All offsets count UTF-16 units of the text as it was given. */
export interface TextAnalysis {
  readonly observables: readonly FoundObservable[]
  /** The entities that it names and the caller sees. */
  readonly entities: readonly NamedEntity[]
  readonly attacks: readonly FoundTechnique[]
  /** Remarks for users. */
  readonly notes: readonly string[]
}

/**
 * Finds the observables of a text exactly as the import of files does, the entities that it names as far as the caller sees them, and the attack
 * nodes that it is about. Takes the same number of statements for every text, and asks no other service.
 */
export const analyseText = (ctx: Context, text: string): Promise<TextAnalysis> =>
  text.length <= SHORT ? analyse(ctx, text) : inTurn(() => analyse(ctx, text))

async function analyse(ctx: Context, given: string): Promise<TextAnalysis> {
  const { text, originalOf } = storableWithOffsets(given)
  const isExcluded = await readExclusions(ctx.db)
  const observables = await extractInThread(text, MAX_OBSERVABLES)
  const tokens = tokensOf(text)
  const { entities, isComplete } = await findEntities(ctx, text, tokens)
  const { attacks, notes } = await findAttacks(ctx, text, tokens, sentencesOf(text))
  const placed = <T extends { readonly start: number; readonly end: number }>(each: T): T => ({
    ...each,
    start: originalOf(each.start),
    end: originalOf(each.end),
  })
  return {
    observables: observables.slice(0, MAX_OBSERVABLES).map(({ type, value, context, start, end }) => ({
      type,
      value,
      start: originalOf(start),
      end: originalOf(end),
      sentence: context,
      isExcluded: isExcluded(type, value) !== undefined,
    })),
    entities: entities.map((entity) => ({ ...entity, mentions: entity.mentions.map((each): Mention => placed(each)) })),
    attacks: attacks.map((attack) => ({ ...attack, evidence: attack.evidence.map(placed) })),
    notes: [
      ...(observables.length > MAX_OBSERVABLES ? [`Only the first ${MAX_OBSERVABLES} observables are listed.`] : []),
      ...(isComplete ? [] : [`Only the first ${NAME_LIMITS.candidates} possible names were looked up.`]),
      ...notes,
    ],
  }
}
