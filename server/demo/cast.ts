import { actorName, campaignName, malwareName, NAME_OCTAVES, organisationName, toolName } from './names.ts'
import type { Observable } from './observables.ts'
import type { Random } from './random.ts'
import { COUNTRIES, SECTORS, TECHNIQUES } from './topics.ts'

/** The subjects of one entity, shared by its title, text and fields. */
export interface Cast {
  readonly actor: string
  readonly malware: string
  readonly otherMalware: string
  readonly tool: string
  readonly campaign: string
  readonly organisation: string
  readonly sector: string
  readonly country: string
  readonly technique: string
  readonly observables: readonly [Observable, Observable, Observable]
  /** When it was first and last seen, and reported, in milliseconds since 1970. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly written: number
}

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2020, 0, 1)
const DAYS = 2400

/** Chooses the subjects of an entity; well-known ones are more frequent. */
export function castOf(random: Random, observables: Cast['observables']): Cast {
  const firstSeen = FIRST_DAY + random.below(DAYS) * DAY + random.below(DAY)
  const lastSeen = firstSeen + random.below(60) * DAY + random.below(DAY)
  return {
    actor: actorName(random.rank(NAME_OCTAVES)),
    malware: malwareName(random.rank(NAME_OCTAVES)),
    otherMalware: malwareName(random.rank(NAME_OCTAVES)),
    tool: toolName(random.rank(NAME_OCTAVES)),
    campaign: campaignName(random.rank(NAME_OCTAVES)),
    organisation: organisationName(random.rank(NAME_OCTAVES)),
    sector: random.prefer(SECTORS),
    country: random.prefer(COUNTRIES),
    technique: random.prefer(TECHNIQUES),
    observables,
    firstSeen,
    lastSeen,
    written: lastSeen + random.below(3) * DAY + random.below(DAY),
  }
}
