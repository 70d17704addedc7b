import { type Document, DocumentError } from '../../formats/document.ts'
import { readBundle } from './bundle-objects.ts'
import { defensesOf } from './defenses-of.ts'
import type { Framework } from './framework.ts'
import { matrixOf, nodesOf } from './nodes-of.ts'

/** What was read, and what of it could not be used. */
export interface ReadFramework {
  readonly framework: Framework
  /** One line for everything that was left out. */
  readonly warnings: readonly string[]
}

const SHOWN_FAULTS = 20

/** Reads an official bundle of a matrix, in STIX 2.0 or 2.1. What does not fit together is a DocumentError. */
export async function readFramework(document: Document): Promise<ReadFramework> {
  const bundle = await readBundle(document)
  const faults: string[] = []
  const warnings: string[] = []
  const { matrix, object } = matrixOf(bundle)
  const nodes = nodesOf(bundle, matrix, object, faults, warnings)
  const { defenses, links, innerLinks } = defensesOf(bundle, nodes, warnings)
  if (faults.length > 0) {
    const more = faults.length > SHOWN_FAULTS ? ` There are ${faults.length - SHOWN_FAULTS} more faults.` : ''
    throw new DocumentError(`${faults.slice(0, SHOWN_FAULTS).join(' ')}${more}`)
  }
  const { version, notice } = bundle
  return { framework: { matrix, version, nodes, defenses, links, inner_links: innerLinks, notice }, warnings }
}
