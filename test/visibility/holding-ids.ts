import { createHash } from 'node:crypto'
import type { IncomingBlob, OutcomeLine } from './holdings.ts'
import { FIRST_IDS, type Instance, numbered, register, text } from './instance.ts'
import { reportOf } from './seen-detonating.ts'

/** The run that processed a document, or that published a feed. */
export const runOf = (name: string): string => `run of ${name}`

/** The task of a feed or a rule. */
export const taskOf = (name: string): string => `task of ${name}`

/** The TAXII collection of a feed. */
export const collectionOf = (name: string): string => `collection of ${name}`

/** The file record of a blob. */
export const fileOf = (blob: string): string => `file of ${blob}`

/** The objects in a document. */
export const contentOf = (name: string): string => `${name}content`

/** Parts of holdings that only their owners see. */
export const detailOf = (name: string): string => `${name}detail`

/** All blobs of a world. */
export const blobsIn = ({ world }: Instance): IncomingBlob[] =>
  world.holdings.incomingFeeds.flatMap(({ blobs }) => blobs)

/** All outcomes of a world, and the documents that they belong to. */
export const linesIn = ({
  world,
}: Instance): { readonly line: OutcomeLine; readonly document: string; readonly run: string }[] => [
  ...world.holdings.files.flatMap(({ name, lines }) =>
    lines.map((line) => ({ line, document: name, run: runOf(name) })),
  ),
  ...world.holdings.incomingFeeds.flatMap((feed) =>
    feed.blobs.flatMap(({ name, lines }) =>
      lines.map((line) => ({ line, document: fileOf(name), run: runOf(feed.name) })),
    ),
  ),
]

/** The documents of a world whose contents are stored. */
export function documentsIn(instance: Instance): string[] {
  const { files, outgoingFeeds, exports, enrichments, detonations } = instance.world.holdings
  const answered = enrichments.filter(({ hasRaw }) => hasRaw)
  const sent = detonations.filter(({ sample }) => sample.via === 'data')
  const blocks = outgoingFeeds.flatMap((feed) => feed.blocks)
  return [...files, ...blobsIn(instance), ...blocks, ...exports, ...answered, ...sent].map(({ name }) => name)
}

/** The hash of the content of a document. */
export const hashOf = (instance: Instance, name: string, algorithm = 'sha256'): string =>
  createHash(algorithm)
    .update(text(instance, contentOf(name)))
    .digest('hex')

/** Assigns recognisable ids to the holdings of a world, in the same order in all instances. */
export function registerHoldings(instance: Instance): void {
  const { number, world } = instance
  const { holdings } = world
  const add = (first: number, names: readonly string[]) => {
    for (const [i, name] of names.entries()) register(instance, name, first + numbered(number, i))
  }
  const addMany = (first: number, names: readonly string[]) => {
    for (const [i, name] of names.entries()) register(instance, name, first + number * 100 + i)
  }
  const addUuids = (kind: number, names: readonly string[]) => {
    for (const [i, name] of names.entries()) {
      const digits = String(number * 100 + i).padStart(12, '0')
      register(instance, name, `00000000-0000-7000-800${kind}-${digits}`)
    }
  }
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  const feeds = namesOf([...holdings.incomingFeeds, ...holdings.outgoingFeeds])
  const blobs = namesOf(blobsIn(instance))
  const blocks = namesOf(holdings.outgoingFeeds.flatMap((feed) => feed.blocks))

  add(FIRST_IDS.files, [...namesOf(holdings.files), ...blobs.map(fileOf)])
  addMany(
    FIRST_IDS.file_outcomes,
    linesIn(instance).map(({ line }) => line.name),
  )
  add(FIRST_IDS.incoming_feeds, namesOf(holdings.incomingFeeds))
  add(FIRST_IDS.incoming_blobs, blobs)
  add(FIRST_IDS.outgoing_feeds, namesOf(holdings.outgoingFeeds))
  add(FIRST_IDS.content_blocks, blocks)
  add(FIRST_IDS.export_blocks, namesOf(holdings.exports))
  add(FIRST_IDS.knowledge_packs, namesOf(holdings.packs))
  add(FIRST_IDS.discovery_rules, namesOf(holdings.rules))
  add(FIRST_IDS.graphs, namesOf(holdings.graphs))
  add(FIRST_IDS.saved_queries, namesOf(holdings.queries))
  add(FIRST_IDS.dashboards, namesOf(holdings.dashboards))
  add(FIRST_IDS.widgets, namesOf(holdings.dashboards.map(({ widget }) => widget)))
  add(FIRST_IDS.webhooks, namesOf(holdings.webhooks))
  add(
    FIRST_IDS.tasks,
    [...feeds, ...namesOf([...holdings.rules, ...holdings.enrichers, ...holdings.policies])].map(taskOf),
  )
  add(FIRST_IDS.enrichers, namesOf(holdings.enrichers))
  add(FIRST_IDS.enricher_definitions, namesOf(holdings.enricherDefinitions))
  add(FIRST_IDS.enricher_tables, namesOf(holdings.enricherTables))
  add(FIRST_IDS.detonators, namesOf(holdings.detonators))
  add(FIRST_IDS.playbooks, namesOf(holdings.playbooks))
  addMany(FIRST_IDS.enrichments, namesOf(holdings.enrichments))
  addMany(FIRST_IDS.observable_links, namesOf(holdings.observableLinks))

  const policies = namesOf(holdings.policies)
  add(FIRST_IDS.consolidation_rules, policies)
  add(
    FIRST_IDS.consolidation_configurations,
    policies.map((name) => `configuration of ${name}`),
  )
  addMany(FIRST_IDS.consolidation_events, namesOf(holdings.joinEvents))
  addMany(FIRST_IDS.consolidation_suggestions, namesOf(holdings.suggestions))

  const ran = [
    ...namesOf(holdings.files),
    ...feeds,
    ...blocks,
    ...namesOf([...holdings.exports, ...holdings.rules, ...holdings.enrichers, ...holdings.policies]),
  ]
  addUuids(1, [...namesOf(holdings.runs), ...ran.map(runOf)])
  addUuids(2, feeds.map(collectionOf))
  addUuids(
    3,
    namesOf(holdings.webhooks).map((name) => `delivery of ${name}`),
  )
  addUuids(4, namesOf(holdings.outgoingFeeds.flatMap((feed) => feed.objects)))
  addUuids(5, namesOf(holdings.detonations))
  addUuids(6, namesOf(holdings.playbookRuns))
  addUuids(7, namesOf(holdings.detonations).map(reportOf))
  for (const name of documentsIn(instance)) {
    for (const algorithm of ['md5', 'sha1', 'sha256']) {
      register(instance, `${algorithm} of ${name}`, hashOf(instance, name, algorithm), contentOf(name))
    }
  }
}
