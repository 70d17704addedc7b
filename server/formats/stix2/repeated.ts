import { createHash } from 'node:crypto'
import type { Finding } from '../finding.ts'
import { canonicalJson } from './canonical-json.ts'
import type { LocatedObject } from './objects-of.ts'
import { spooledTexts } from './spooled-texts.ts'
import type { StixObject } from './stix-object.ts'
import type { TextSpool } from './text-spool.ts'
import { isLater } from './times.ts'

/** The version of an object that counts. */
interface Version {
  readonly at: string
  readonly modified?: unknown
  readonly digest: string
}

/** What stands in a document more than once. Their times are found by reading once more: to remember those of all takes much memory. */
export interface Repeated {
  /** The version that counts of an object; undefined where there is only one. */
  get(id: string): Version | undefined
  /** Takes note of a version. */
  note(found: LocatedObject): void
  /** Whether an object at a place is the version that counts of it. */
  isNewest(id: string, at: string): boolean
  /** Why an object is passed over; nothing where it is taken, or says the same as what is taken. */
  reasonToPass(found: LocatedObject): PassedOver | undefined
}

type PassedOver = Pick<Extract<Finding, { kind: 'lost' }>, 'losses' | 'isOutdated'>

/** Nothing is repeated yet. */
export function repeatedIn(spool: TextSpool): Repeated {
  const newest = spooledTexts(spool)
  const get = (id: string): Version | undefined => {
    const text = newest.get(id)
    return text === undefined ? undefined : JSON.parse(text)
  }
  return {
    get,
    note({ at, object }) {
      const known = get(object.id)
      if (known && !isLater(object.modified, known.modified)) return
      const version: Version = { at, modified: object.modified, digest: digestOf(object) }
      newest.set(object.id, JSON.stringify(version))
    },
    isNewest(id, at) {
      const version = get(id)
      return !version || version.at === at
    },
    reasonToPass({ at, object }) {
      const taken = get(object.id)
      if (!taken || taken.at === at) return undefined
      if (isLater(taken.modified, object.modified)) {
        const loss = `an older version, modified ${String(object.modified)}; that of ${String(taken.modified)} at ${taken.at} is taken`
        return { losses: [loss], isOutdated: true }
      }
      return digestOf(object) === taken.digest
        ? undefined
        : { losses: [`another object with the same id and time of change; that at ${taken.at} is taken`] }
    },
  }
}

const digestOf = (object: StixObject): string => createHash('sha256').update(canonicalJson(object)).digest('base64')
