import { readNodes } from '../../attack/classification/nodes.ts'
import { vocabularyOf } from '../../attack/classification/vocabulary.ts'
import { parseTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../../engine/context.ts'
import type { Shipment, ShippedEntity, ShippedRelationship } from '../../formats/shipment.ts'
import type { Snapshot } from '../../intelligence/by-query/snapshot.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSettings } from '../../settings/setting.ts'
import { stix } from '../../settings/stix.ts'
import { attachedRelationships } from './attached-relationships.ts'
import { seesUnified } from './consolidation.ts'
import { derivations } from './derivations.ts'
import { entitiesOf } from './entities.ts'
import { openNames } from './names.ts'
import { openObservables } from './observables.ts'
import { portionsOf } from './portions.ts'
import { prefetched } from './prefetch.ts'
import type { Reading } from './reading.ts'
import { relationshipsFrom } from './relationships.ts'

/** How many ids are processed at a time. */
const BATCH_SIZE = 256

/** When and by whom a document was produced, and in which words. */
export type Letterhead = Pick<Shipment, 'at' | 'baseUrl' | 'producer' | 'attacks'>

/** The letterhead of this installation. */
export async function letterheadOf(
  ctx: Pick<Context, 'db' | 'vault'>,
  baseUrl: string,
  at: string,
): Promise<Letterhead> {
  const { names, server } = await readSettings(ctx.db, { names: stix, server: serverSetting })
  const name = names.producer || server.organization_name || server.server_name
  return {
    at: parseTimestamp(at) ?? at,
    baseUrl,
    producer: { namespace: names.namespace ?? `${baseUrl}/`, alias: names.alias, name },
    attacks: vocabularyOf(await readNodes(ctx)),
  }
}

/**
 * The entities of a snapshot and their relationships, read in portions while a writer consumes them. With `part`, only the entities
 * of the part are read, and their relationships to any entity of the snapshot.
 */
export function shipmentOf(letterhead: Letterhead, found: Snapshot, reading: Reading, part = found): Shipment {
  const names = openNames()
  const observables = openObservables(reading.configuration)
  /** Entities that were deleted meanwhile: no relationship may lead to them. */
  const missing = new Set<string>()

  async function* portions(types?: ReadonlySet<string>): AsyncGenerator<readonly ShippedEntity[]> {
    for (const batch of batchesOf(part)) {
      for (const ids of await reading.read((ctx) => portionsOf(ctx, batch, types))) {
        const portion = await reading.read((ctx) => entitiesOf(ctx, reading, ids, found, names, observables))
        for (const id of ids) if (!portion.found.has(id)) missing.add(id)
        yield portion.entities
      }
    }
  }

  async function* entities(types?: ReadonlySet<string>): AsyncGenerator<ShippedEntity> {
    const all = portions(types)
    for await (const portion of reading.isAhead ? prefetched(all) : all) yield* portion
  }

  async function* relationships(): AsyncGenerator<ShippedRelationship> {
    if (reading.configuration.relationships === 'none') return
    const more = await consolidatedRelationships(reading)
    const isThere = { ...found, has: (id: string) => !missing.has(id) && found.has(id) }
    for (const batch of batchesOf(part)) {
      const sources = batch.filter((id) => !missing.has(id))
      if (sources.length === 0) continue
      yield* relationshipsFrom(reading, sources, isThere, names)
      if (more) yield* more(reading, sources, isThere, names)
    }
  }

  return { ...letterhead, entities, relationships }
}

/** Reads the relationships that unified entities have. */
async function consolidatedRelationships(reading: Reading) {
  const { consolidation } = reading.configuration
  if (consolidation === 'contributors' || !(await reading.read(seesUnified))) return undefined
  return consolidation === 'unified' ? attachedRelationships : derivations
}

function* batchesOf(ids: Snapshot): Generator<string[]> {
  for (let from = 0; from < ids.count; from += BATCH_SIZE) yield ids.slice(from, from + BATCH_SIZE)
}
