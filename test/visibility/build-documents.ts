import { blobsIn, contentOf, detailOf, fileOf, hashOf, linesIn, runOf } from './holding-ids.ts'
import type { Insert } from './inserter.ts'
import { id, stixId, text } from './instance.ts'

/** Files, the content fetched by feeds, and the outcomes of the objects in both. */
export async function insertFiles(insert: Insert): Promise<void> {
  await insert(
    'files',
    'id integer, owner integer, name text, sha256 text, run uuid, created_by integer',
    (instance) => [
      ...instance.world.holdings.files.map(({ name, owner }) => ({
        id: id(instance, name),
        owner: id(instance, owner),
        name: text(instance, name),
        sha256: hashOf(instance, name),
        run: id(instance, runOf(name)),
        created_by: id(instance, owner),
      })),
      ...blobsIn(instance).map(({ name }) => ({
        id: id(instance, fileOf(name)),
        owner: null,
        name: text(instance, name),
        sha256: hashOf(instance, name),
      })),
    ],
  )
  await insert('file_workspaces', 'source integer, target integer', (instance) =>
    instance.world.holdings.files.flatMap(({ name, workspaces }) =>
      workspaces.map((workspace) => ({ source: id(instance, name), target: id(instance, workspace) })),
    ),
  )
  await insert('file_entities', 'source integer, target uuid', (instance) =>
    instance.world.holdings.files.flatMap(({ name, entities }) =>
      entities.map((entity) => ({ source: id(instance, name), target: id(instance, entity) })),
    ),
  )
  const blobs =
    'id integer, feed integer, file integer, name text, sha256 text, size bigint, state text, result jsonb, run uuid, processed_at timestamptz'
  await insert('incoming_blobs', blobs, (instance) =>
    instance.world.holdings.incomingFeeds.flatMap((feed) =>
      feed.blobs.map(({ name }) => ({
        id: id(instance, name),
        feed: id(instance, feed.name),
        file: id(instance, fileOf(name)),
        name: text(instance, name),
        sha256: hashOf(instance, name),
        size: text(instance, contentOf(name)).length,
        state: 'SUCCESS',
        result: { entities: { created: name.length }, about: text(instance, detailOf(name)) },
        run: id(instance, runOf(feed.name)),
        processed_at: '2026-01-01T00:00:00Z',
      })),
    ),
  )
  const outcomes =
    'id bigint, owner integer, run uuid, position integer, place text, kind text, outcome text, stix_id text, entity uuid, relationship uuid, details text[], observables_created integer'
  await insert('file_outcomes', outcomes, (instance) =>
    linesIn(instance).map(({ line, document, run }, i) => {
      const entity = instance.world.entities.find(({ name }) => line.kind === 'entity' && name === line.of)
      return {
        id: id(instance, line.name),
        owner: id(instance, document),
        run: id(instance, run),
        position: i,
        place: text(instance, line.name),
        kind: line.kind,
        outcome: line.outcome,
        stix_id: entity ? stixId(instance, entity.name, entity.type) : null,
        entity: entity ? id(instance, entity.name) : null,
        relationship: line.kind === 'relationship' && line.of ? id(instance, line.of) : null,
        details: line.outcome === 'lost' ? ['It could not be read.'] : [],
        observables_created: 0,
      }
    }),
  )
}

/** Documents that feeds and users wrote for others or for themselves. */
export async function insertPublished(insert: Insert): Promise<void> {
  const blocks =
    'id integer, outgoing_feed integer, epoch integer, run_id uuid, content_type text, filename text, sha256 text, size bigint, items_count integer, destination uuid, delivery_status text'
  await insert('content_blocks', blocks, (instance) =>
    instance.world.holdings.outgoingFeeds.flatMap((feed) =>
      feed.blocks.map(({ name }) => ({
        id: id(instance, name),
        outgoing_feed: id(instance, feed.name),
        epoch: 1,
        run_id: id(instance, runOf(name)),
        content_type: 'urn:oasis:stix:json:2.1',
        filename: `${text(instance, name)}.json`,
        sha256: hashOf(instance, name),
        size: text(instance, contentOf(name)).length,
        items_count: name.length,
        destination: '00000000-0000-7000-8009-000000000000',
        delivery_status: 'READY',
      })),
    ),
  )
  const objects =
    'feed integer, added_at timestamptz, stix_id text, type text, spec_version text, version timestamptz, is_latest boolean, hash bytea, object text'
  await insert('collection_objects', objects, (instance) =>
    instance.world.holdings.outgoingFeeds.flatMap((feed) =>
      feed.objects.map(({ name }, i) => {
        const [stix_id, added_at] = [`tool--${id(instance, name)}`, `2026-01-01T00:00:0${i}.000Z`]
        return {
          feed: id(instance, feed.name),
          added_at,
          stix_id,
          type: 'tool',
          spec_version: '2.1',
          version: added_at,
          is_latest: true,
          hash: '\\x00',
          object: JSON.stringify({ type: 'tool', id: stix_id, name: text(instance, name) }),
        }
      }),
    ),
  )
  const exported =
    'id integer, content_type text, filename text, run_id uuid, sha256 text, items_count integer, losses_count integer, created_by integer'
  await insert('export_blocks', exported, (instance) =>
    instance.world.holdings.exports.map(({ name, owner }) => ({
      id: id(instance, name),
      content_type: 'urn:oasis:stix:json:2.1',
      filename: `${text(instance, name)}.json`,
      run_id: id(instance, runOf(name)),
      sha256: hashOf(instance, name),
      items_count: 1,
      losses_count: 0,
      created_by: id(instance, owner),
    })),
  )
}
