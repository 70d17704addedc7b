import type { Chance } from '../visibility/chance.ts'
import {
  ATTACKS,
  COLOURS,
  CONFIDENCES,
  DATES,
  GAPS,
  HALF_LIVES,
  KEYWORDS,
  MALICIOUSNESS,
  NUMBERS,
  OBSERVABLES,
  RELIABILITIES,
  TAGS,
  TYPES,
  WORDS,
} from './vocabulary.ts'

/** The body of an entity for PUT. */
export interface EntityBody {
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly observables: readonly unknown[]
}

/** A random entity of few words, so that most queries match some entities and not others. */
export function drawEntity(chance: Chance, taxonomies: readonly number[], id = drawStixId(chance)): EntityBody {
  const type = chance.pick(TYPES)
  return {
    data: {
      id,
      type,
      title: drawText(chance, 4) || 'wave',
      ...drawTexts(chance, type),
      ...optional(chance, 'confidence', () => drawConfidence(chance)),
      ...optional(chance, 'timestamp', () => chance.pick(DATES.slice(0, 4))),
      ...optional(chance, 'labels', () => chance.some(KEYWORDS, 0.1)),
      ...drawProperties(chance),
    },
    meta: drawMeta(chance, taxonomies),
    observables: chance
      .some(OBSERVABLES, 0.15)
      .map((observable) => ({ ...observable, ...optional(chance, 'maliciousness', () => chance.pick(MALICIOUSNESS)) })),
  }
}

/** A random text of words; sometimes only punctuation, or empty. */
export function drawText(chance: Chance, most: number): string {
  if (chance.flip(0.04)) return chance.pick(['!!!', '-', '…'])
  const words = Array.from({ length: 1 + chance.below(most) }, () => drawWord(chance))
  return words.reduce((text, word) => text + chance.pick(GAPS) + word)
}

/** A word, chosen by frequency. */
export const drawWord = (chance: Chance): string =>
  chance.flip(0.6) ? chance.pick(WORDS.slice(0, 6)) : chance.pick(WORDS)

function drawStixId(chance: Chance): string {
  const digits = Array.from({ length: 32 }, () => chance.below(16).toString(16)).join('')
  const uuid = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')
  return chance.pick([`tool--${uuid}`, `{https://Corvus.test/}Tool-${uuid}`])
}

/** A property that is present half of the time. */
const optional = (chance: Chance, name: string, draw: () => unknown): Record<string, unknown> =>
  chance.flip() ? { [name]: draw() } : {}

function drawTexts(chance: Chance, type: string): Record<string, unknown> {
  const names = Array.from({ length: chance.below(4) }, () => drawText(chance, 2))
  return {
    ...optional(chance, 'description', () => (chance.flip(0.1) ? '' : drawText(chance, 12))),
    ...optional(chance, 'short_description', () => (chance.flip(0.1) ? '' : drawText(chance, 5))),
    ...optional(chance, 'names', () =>
      type === 'threat-actor' ? names : names.map((value) => ({ value, kind: chance.pick(KEYWORDS) })),
    ),
  }
}

const drawConfidence = (chance: Chance): unknown =>
  chance.flip(0.7)
    ? chance.pick(CONFIDENCES)
    : { type: 'confidence', value: chance.pick(['Low', 'High']), timestamp: chance.pick(DATES.slice(0, 4)) }

/** Properties that no type defines, with values of every kind. */
function drawProperties(chance: Chance): Record<string, unknown> {
  return {
    ...optional(chance, 'x_flag', () => chance.flip()),
    ...optional(chance, 'x_number', () => chance.pick(NUMBERS)),
    ...optional(chance, 'x_date', () => chance.pick(DATES)),
    ...optional(chance, 'x_word', () => chance.pick(KEYWORDS)),
    ...optional(chance, 'x_odd:Key', () => chance.pick(KEYWORDS)),
    ...optional(chance, 'x_any', () => drawValue(chance)),
    ...optional(chance, 'x_list', () => drawList(chance)),
    ...optional(chance, 'x_record', () => drawRecord(chance)),
    ...optional(chance, 'x_records', () => Array.from({ length: chance.below(3) }, () => drawRecord(chance))),
  }
}

/** A value of any kind, or none. */
function drawValue(chance: Chance): unknown {
  const kind = chance.below(10)
  if (kind < 3) return chance.pick(KEYWORDS)
  if (kind < 5) return chance.pick(NUMBERS)
  if (kind < 7) return chance.pick(DATES)
  return chance.pick([true, false, null, '', []])
}

const drawList = (chance: Chance): unknown[] =>
  Array.from({ length: chance.below(4) }, () =>
    chance.flip(0.2) ? [drawValue(chance), [drawValue(chance)]] : drawValue(chance),
  )

const drawRecord = (chance: Chance): Record<string, unknown> => ({
  ...optional(chance, 'name', () => chance.pick(KEYWORDS)),
  ...optional(chance, 'score', () => chance.pick(NUMBERS)),
  ...optional(chance, 'at', () => chance.pick(DATES)),
  ...optional(chance, 'inner', () => (chance.flip() ? { name: drawValue(chance) } : [{ name: drawValue(chance) }, {}])),
})

function drawMeta(chance: Chance, taxonomies: readonly number[]): Record<string, unknown> {
  return {
    tags: chance.some(TAGS, 0.12),
    taxonomies: chance.some(taxonomies, 0.2),
    attacks: chance.some(ATTACKS, 0.2),
    ...optional(chance, 'alias', () => (chance.flip(0.2) ? '' : drawText(chance, 3))),
    ...optional(chance, 'tlp_color', () => chance.pick(COLOURS)),
    ...optional(chance, 'half_life', () => chance.pick(HALF_LIVES)),
    ...optional(chance, 'source_reliability', () => chance.pick(RELIABILITIES)),
    ...optional(chance, 'estimated_threat_start_time', () => chance.pick([null, '2040-01-01T00:00:00Z', ...DATES])),
    ...optional(chance, 'estimated_threat_end_time', () => chance.pick(DATES)),
    ...optional(chance, 'estimated_observed_time', () => chance.pick(DATES)),
    ...optional(chance, 'x_note', () => drawValue(chance)),
  }
}
