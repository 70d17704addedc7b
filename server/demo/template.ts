import type { Cast } from './cast.ts'
import { inventedWord, NAME_OCTAVES } from './names.ts'
import type { Random } from './random.ts'
import { COUNTRIES, JUDGEMENTS, LURES, MONTHS, PLATFORMS, PROTOCOLS, REPORTERS, SECTORS, TECHNIQUES } from './topics.ts'
import { ADJECTIVES, ADVERBS, INFINITIVES, NOUNS, PAST } from './words.ts'

/** A sentence with placeholders. */
export type Template = (random: Random, cast: Cast) => string

type Filler = (random: Random, cast: Cast) => string

const FILLERS: Readonly<Record<string, Filler>> = {
  actor: (_, { actor }) => actor,
  malware: (_, { malware }) => malware,
  otherMalware: (_, { otherMalware }) => otherMalware,
  tool: (_, { tool }) => tool,
  campaign: (_, { campaign }) => campaign,
  organisation: (_, { organisation }) => organisation,
  sector: (_, { sector }) => sector,
  country: (_, { country }) => country,
  technique: (_, { technique }) => technique,
  value: (_, { observables }) => observables[0].value,
  kind: (_, { observables }) => observables[0].type,
  date: (_, { firstSeen }) => dateOf(firstSeen),
  lastDate: (_, { lastSeen }) => dateOf(lastSeen),
  month: (_, { firstSeen }) => MONTHS[new Date(firstSeen).getUTCMonth()] ?? '',
  year: (_, { firstSeen }) => String(new Date(firstSeen).getUTCFullYear()),
  noun: (random) => random.prefer(NOUNS),
  adjective: (random) => random.prefer(ADJECTIVES),
  past: (random) => random.prefer(PAST),
  infinitive: (random) => random.prefer(INFINITIVES),
  adverb: (random) => random.prefer(ADVERBS),
  otherSector: (random, { sector }) => otherThan(sector, SECTORS, random),
  otherCountry: (random, { country }) => otherThan(country, COUNTRIES, random),
  otherTechnique: (random, { technique }) => otherThan(technique, TECHNIQUES, random),
  handle: (random) => inventedWord(random.rank(NAME_OCTAVES)),
  lure: (random) => random.prefer(LURES),
  platform: (random) => random.prefer(PLATFORMS),
  protocol: (random) => random.prefer(PROTOCOLS),
  reporter: (random) => random.prefer(REPORTERS),
  judgement: (random) => random.prefer(JUDGEMENTS),
  few: (random) => String(2 + random.below(8)),
  many: (random) => String(10 + random.rank(8)),
}

/** Replaces "a" by "an" before vowels; no word of the lists begins with a vowel that is not spoken as one. */
export const withArticles = (text: string): string => text.replace(/\b([Aa]) (?=[aeio]|un)/g, '$1n ')

/** Parses a text with placeholders such as `{noun}`, or `{Noun}` at its beginning. */
export function templateOf(text: string): Template {
  const parts = text.split(/\{(\w+)\}/)
  const fillers = parts.map((part, i) => (i % 2 === 1 ? fillerOf(part) : () => part))
  return (random, cast) => {
    let sentence = ''
    for (const filler of fillers) sentence += filler(random, cast)
    return sentence
  }
}

function fillerOf(name: string): Filler {
  const filler = FILLERS[name.charAt(0).toLowerCase() + name.slice(1)]
  if (!filler) throw new TypeError(`No template can be filled with '${name}'.`)
  if (/^[a-z]/.test(name)) return filler
  return (random, cast) => {
    const text = filler(random, cast)
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
}

function otherThan(taken: string, list: readonly string[], random: Random): string {
  const found = random.prefer(list)
  return found === taken ? otherThan(taken, list, random) : found
}

function dateOf(milliseconds: number): string {
  const date = new Date(milliseconds)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
