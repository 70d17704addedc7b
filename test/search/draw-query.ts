import type { Clause, Query } from '../../server/search/query/ast.ts'
import type { Chance } from '../visibility/chance.ts'
import { drawText, drawWord } from './draw.ts'
import {
  ATTACKS,
  CONFIDENCES,
  DATE_EXPRESSIONS,
  DATES,
  KEYWORDS,
  MALICIOUSNESS,
  NUMBER_TEXTS,
  OBSERVABLES,
  RELIABILITIES,
  TAGS,
  TAXONOMIES,
  TYPES,
} from './vocabulary.ts'

/** Values to query that are known only after the entities are stored. */
export interface Known {
  readonly ids: readonly string[]
  readonly stixIds: readonly string[]
  readonly taxonomies: readonly number[]
}

const DEPTH = 4

/** A random query of any kind, mostly with values that its field has. */
export function drawQuery(chance: Chance, known: Known, depth = DEPTH): Query {
  if (depth > 1 && chance.flip(depth === DEPTH ? 0.5 : 0.3)) return drawBool(chance, known, depth)
  if (depth > 1 && chance.flip(0.04)) {
    return { kind: 'boost', query: drawQuery(chance, known, depth - 1), factor: chance.pick([0.5, 2, 10]) }
  }
  if (chance.flip(0.02)) return { kind: 'all' }
  if (chance.flip(0.06)) return { kind: 'exists', field: chance.pick([...PARENTS, ...Object.keys(FIELDS)]) }
  return drawFieldQuery(chance, known)
}

function drawBool(chance: Chance, known: Known, depth: number): Query {
  const clauses = Array.from(
    { length: 1 + chance.below(4) },
    (): Clause => ({
      occur: chance.pick(['must', 'should', 'should', 'must_not']),
      query: drawQuery(chance, known, depth - 1),
    }),
  )
  return { kind: 'bool', clauses }
}

type Values = (chance: Chance, known: Known) => string

const words: Values = (chance) => (chance.flip(0.7) ? drawWord(chance) : drawText(chance, 3))
const anyOf =
  (...lists: (readonly string[])[]): Values =>
  (chance) =>
    chance.pick(chance.pick(lists))
const dates = anyOf(DATE_EXPRESSIONS, DATE_EXPRESSIONS, DATES)
const anything = anyOf(KEYWORDS, KEYWORDS, NUMBER_TEXTS, DATE_EXPRESSIONS, ['true', 'false'])
const flags = anyOf(['true', 'false'])
const maliciousness = anyOf(MALICIOUSNESS)
const observables = anyOf(OBSERVABLES.map(({ value }) => value))

/** The fields, with values that occur in them. */
const FIELDS: Readonly<Record<string, Values>> = {
  'data.title': words,
  'data.description': words,
  'data.short_description': words,
  'data.names': words,
  'meta.alias': words,
  'meta.title': words,
  type: anyOf(TYPES),
  'data.type': anyOf(TYPES),
  tags: anyOf(TAGS),
  'meta.tags': anyOf(TAGS),
  id: (chance, { ids }) => chance.pick(ids),
  'data.id': (chance, { stixIds }) => chance.pick(stixIds),
  'data.confidence': anyOf(CONFIDENCES),
  'data.confidence.value': anyOf(CONFIDENCES),
  'data.confidence.timestamp': dates,
  'data.timestamp': dates,
  'data.labels': anyOf(KEYWORDS),
  'data.names.kind': anyOf(KEYWORDS),
  'data.x_flag': flags,
  'data.x_number': anyOf(NUMBER_TEXTS),
  'data.x_date': dates,
  'data.x_word': anyOf(KEYWORDS),
  'data.x_odd:Key': anyOf(KEYWORDS),
  'data.x_any': anything,
  'data.x_list': anything,
  'data.x_record.name': anyOf(KEYWORDS),
  'data.x_record.score': anyOf(NUMBER_TEXTS),
  'data.x_record.at': dates,
  'data.x_record.inner.name': anything,
  'data.x_records.name': anyOf(KEYWORDS),
  'data.x_records.score': anyOf(NUMBER_TEXTS),
  'data.x_records.at': dates,
  'data.x_records.inner.name': anything,
  'meta.tlp_color': anyOf(['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED']),
  'meta.half_life': anyOf(['1', '30', '30.0', '182', '1000', '3650']),
  'meta.source_reliability': anyOf(RELIABILITIES),
  'meta.estimated_threat_start_time': dates,
  'meta.estimated_threat_end_time': dates,
  'meta.estimated_observed_time': dates,
  'meta.first_ingest_time': dates,
  'meta.ingest_time': dates,
  'meta.is_outdated_version': flags,
  'meta.is_unresolved_idref': flags,
  'meta.is_withdrawn': flags,
  'meta.x_note': anything,
  'meta.taxonomies': (chance, { taxonomies }) => String(chance.pick(taxonomies)),
  'meta.taxonomy_paths': anyOf(TAXONOMIES),
  'meta.attacks': anyOf(ATTACKS),
  created_at: dates,
  last_updated_at: dates,
  relevancy: anyOf(['0', '0.000001', '0.01', '0.5', '0.99', '1', '1.0']),
  'extracts.kind': anyOf(OBSERVABLES.map(({ type }) => type)),
  'extracts.value': observables,
  'extracts.meta.classification': anyOf(['good', 'bad', 'unknown']),
  'extracts.meta.maliciousness': maliciousness,
  'sources.name': anyOf(['Default', 'default', 'nobody']),
  'data.x_missing': anything,
  'meta.x_missing': anything,
  'data.Title': words,
  'data.x_rec': anything,
  nothing: anything,
}

/** Names that have values only in nested fields. */
const PARENTS = [
  'data',
  'meta',
  'extracts',
  'extracts.meta',
  'sources',
  'data.x_record',
  'data.x_records.inner',
] as const

const everywhere = anyOf(TAGS, KEYWORDS, DATE_EXPRESSIONS, NUMBER_TEXTS)

function drawFieldQuery(chance: Chance, known: Known): Query {
  const field = chance.flip(0.3) ? null : chance.pick(Object.keys(FIELDS))
  const usual = field === null ? chance.pick([words, words, anyOf(TAGS), observables]) : (FIELDS[field] ?? anything)
  const draw = (): string => disguise(chance, (chance.flip(0.07) ? everywhere : usual)(chance, known))
  if (chance.flip(usual === dates || usual === FIELDS.relevancy ? 0.5 : 0.15)) return drawRange(chance, field, draw)
  const text = draw()
  const kind = chance.pick([
    'term',
    'term',
    'term',
    'phrase',
    'phrase',
    'prefix',
    'wildcard',
    'fuzzy',
    'regexp',
  ] as const)
  if (kind === 'term') return { kind, field, text }
  if (kind === 'phrase') return drawPhrase(chance, field, text)
  if (kind === 'prefix') return { kind, field, text: [...text].slice(0, 1 + chance.below(5)).join('') }
  if (kind === 'wildcard') return { kind, field, pattern: drawWildcard(chance, text) }
  if (kind === 'regexp') return { kind, field, pattern: drawRegexp(chance, text) }
  return { kind, field, text: misspell(chance, text), edits: chance.pick([0, 1, 1, 2, 2]) }
}

function drawRange(chance: Chance, field: string | null, draw: () => string): Query {
  const [one, other] = [draw(), draw()]
  const [from, to] = one < other || chance.flip(0.2) ? [one, other] : [other, one]
  return {
    kind: 'range',
    field,
    from: chance.flip(0.25) ? null : from,
    to: chance.flip(0.25) ? null : to,
    includesFrom: chance.flip(),
    includesTo: chance.flip(),
  }
}

/** Another spelling of the same value. */
function disguise(chance: Chance, text: string): string {
  // In date maths, case distinguishes months from minutes.
  if (/^now|\|\||^\d{4}-/.test(text) || chance.flip(0.7)) return text
  return chance.flip() ? text.toUpperCase() : text.toLowerCase()
}

function drawPhrase(chance: Chance, field: string | null, text: string): Query {
  const phrase = chance.flip(0.6)
    ? text
    : `${text} ${drawWord(chance)}${chance.flip(0.3) ? ` ${drawWord(chance)}` : ''}`
  return { kind: 'phrase', field, text: chance.flip(0.02) ? '' : phrase, slop: chance.pick([0, 0, 0, 1, 2, 3, 5]) }
}

/** A text with some characters replaced by wildcards; never all of them, because a lone star asks whether a value exists. */
function drawWildcard(chance: Chance, text: string): string {
  const characters = [...text].slice(0, 20)
  const kept = chance.below(characters.length)
  const parts = characters.map((character, index) => {
    if (index === kept || chance.flip(0.7)) return escaped(character)
    return chance.pick(['*', '?', '?', ''])
  })
  const pattern = `${chance.pick(['', '', '*'])}${parts.join('')}${chance.pick(['', '*', '?'])}`
  // Without a wildcard it would be parsed as a term.
  return /[*?]/.test(pattern.replaceAll(/\\./gsu, '')) ? pattern : `${pattern}?`
}

/** A character that is literal in a pattern. */
const escaped = (character: string): string => (/[!-/:-@[-`{-~\s]/.test(character) ? `\\${character}` : character)

/** A text with some characters written in another way, partly wrong. */
function drawRegexp(chance: Chance, text: string): string {
  const parts = [...text].slice(0, 20).map((character) => {
    const plain = escaped(character)
    if (chance.flip(0.75)) return plain
    const other = chance.pick(['x', '1', '\\d', '@', '~', '&', '<', '#'])
    const isLetter = /[a-z]/i.test(character)
    return chance.pick([
      '.',
      '.*',
      '.+',
      `${plain}+`,
      `${plain}*`,
      `${plain}?`,
      `${plain}{1,2}`,
      `${plain}{1}`,
      `${plain}+?`,
      `(${plain}|${other})`,
      `(${other}${plain}?|${plain})+`,
      isLetter ? '[a-z]' : '[0-9.-]',
      isLetter ? '[A-M]' : '[^a-z]',
      isLetter ? '[^aeiou]' : '[\\]\\.0-9]',
    ])
  })
  return `${parts.join('')}${chance.pick(['', '', '.*', '|zz'])}`
}

function misspell(chance: Chance, text: string): string {
  let characters = [...text].slice(0, 30)
  for (let edits = chance.below(4); edits > 0; edits--) {
    const at = chance.below(characters.length)
    const [before, here, after] = [characters.slice(0, at), characters.slice(at, at + 2), characters.slice(at + 2)]
    const [first = '', second = ''] = here
    characters = chance
      .pick([
        [...before, second, first, ...after],
        [...before, 'x', second, ...after],
        [...before, 'é', first, second, ...after],
        [...before, second, ...after],
      ])
      .filter((character) => character !== '')
  }
  return characters.join('') || 'x'
}
