import { createHash } from 'node:crypto'
import { textFrom } from '../../domain/text-from.ts'
import type { Finding } from '../finding.ts'
import { canonicalJson } from './canonical-json.ts'
import type { LocatedObject } from './objects-of.ts'
import { spooledTexts } from './spooled-texts.ts'
import type { StixObject } from './stix-object.ts'
import type { TextSpool } from './text-spool.ts'
import { isLater } from './times.ts'

/** The selected version of an object. */
interface Version {
  readonly at: string
  readonly modified?: unknown
  readonly digest: string
}

/**
 * Objects that occur more than once in a document. Their timestamps are read in a second pass, because storing those of all objects would
 * take too much memory.
 */
export interface Repeated {
  /** Returns the selected version of an object; undefined if there is only one. */
  get(id: string): Version | undefined
  /** Records a version. */
  note(found: LocatedObject): void
  /** Whether the object at this location is the selected version. */
  isNewest(id: string, at: string): boolean
  /** Returns why an object is skipped; undefined if it is selected, or is identical to the selected one. */
  reasonToSkip(found: LocatedObject): SkipReason | undefined
}

type SkipReason = Pick<Extract<Finding, { kind: 'lost' }>, 'losses' | 'isOutdated'>

/** Creates an empty collection. */
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
    reasonToSkip({ at, object }) {
      const taken = get(object.id)
      if (!taken || taken.at === at) return undefined
      if (isLater(taken.modified, object.modified)) {
        const loss = `older version, modified ${textFrom(object.modified)}; the version of ${textFrom(taken.modified)} at ${taken.at} is used`
        return { losses: [loss], isOutdated: true }
      }
      return digestOf(object) === taken.digest
        ? undefined
        : { losses: [`another object with the same id and modification time; the one at ${taken.at} is used`] }
    },
  }
}

const digestOf = (object: StixObject): string => createHash('sha256').update(canonicalJson(object)).digest('base64')
