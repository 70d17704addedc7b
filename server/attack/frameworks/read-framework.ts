import { type Document, DocumentError } from '../../formats/document.ts'
import { readBundle } from './bundle-objects.ts'
import { defensesOf } from './defenses-of.ts'
import type { Framework, Matrix } from './framework.ts'
import { matrixOf, nodesOf } from './nodes-of.ts'
import { proceduresOf } from './procedures-of.ts'

/** What was read, and what of it could not be used. */
export interface ReadFramework {
  readonly framework: Framework
  /** One line for everything that was left out. */
  readonly warnings: readonly string[]
  /** The day on which the newest of its objects was changed; null if it does not say. */
  readonly modified: string | null
}

const SHOWN_FAULTS = 20

/** The names that tactics of a matrix had in earlier versions, with the external ids of the tactics. */
export type FormerNames = (matrix: Matrix) => Promise<ReadonlyMap<string, string>>

/**
 * Reads an official bundle of a matrix, in STIX 2.0 or 2.1. What does not fit together is a DocumentError. Revoked techniques may still name
 * their tactics as earlier versions did.
 */
export async function readFramework(
  document: Document,
  formerNames: FormerNames = async () => new Map(),
): Promise<ReadFramework> {
  const bundle = await readBundle(document)
  const faults: string[] = []
  const warnings: string[] = []
  const { matrix, object } = matrixOf(bundle)
  const nodes = nodesOf(bundle, matrix, object, await formerNames(matrix), faults, warnings)
  const { defenses, links, innerLinks } = defensesOf(bundle, matrix, nodes, warnings)
  if (faults.length > 0) {
    const more = faults.length > SHOWN_FAULTS ? ` There are ${faults.length - SHOWN_FAULTS} more faults.` : ''
    throw new DocumentError(`${faults.slice(0, SHOWN_FAULTS).join(' ')}${more}`)
  }
  const { version, modified, notice } = bundle
  const procedures = proceduresOf(bundle, nodes)
  const framework = { matrix, version, nodes, defenses, links, inner_links: innerLinks, procedures, notice }
  return { framework, warnings, modified }
}
