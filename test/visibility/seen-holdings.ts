import { collectionOf, contentOf, fileOf, runOf, taskOf } from './holding-ids.ts'
import type { OutcomeLine, OutgoingFeed } from './holdings.ts'
import { seenConsolidating } from './seen-consolidating.ts'
import { seenDetonating } from './seen-detonating.ts'
import { seenEnriching } from './seen-enriching.ts'
import { seenPlaying } from './seen-playing.ts'
import type { Colour, Viewer, World } from './world.ts'

/** What a viewer is allowed, and sees of the rest of their world. */
export interface Sight {
  readonly viewer: Viewer
  /** The groups that the viewer belongs to. */
  readonly groups: readonly string[]
  /** Names of intelligence and workspaces that they see. */
  readonly seen: ReadonlySet<string>
  allows(source: string, colour?: Colour): boolean
}

/** What a viewer sees of the holdings of a world: the names of objects, and of texts in them. */
export function seenHoldings(world: World, sight: Sight): { names: string[]; texts: string[] } {
  const { viewer, seen } = sight
  const { holdings } = world
  const isOwn = ({ owner }: { readonly owner: string }) => owner === viewer
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

  const files = holdings.files.filter((file) => isOwn(file) || file.workspaces.some((name) => seen.has(name)))
  const blobs = holdings.incomingFeeds.flatMap((feed) => (sight.allows(feed.source) ? feed.blobs : []))
  const lines = [
    ...files.flatMap((file) => file.lines.filter((line) => file.starter === viewer || isSeenLine(sight, line))),
    ...blobs.flatMap((blob) => blob.lines.filter((line) => isSeenLine(sight, line))),
  ]
  const readable = holdings.outgoingFeeds.filter((feed) => mayReadFeed(sight, feed))
  const blocks = readable.flatMap((feed) => feed.blocks)
  const rules = holdings.rules.filter(
    (rule) => isOwn(rule) || rule.workspaces.length === 0 || rule.workspaces.some((name) => seen.has(name)),
  )
  const graphs = holdings.graphs.filter(({ workspace }) => seen.has(workspace))
  const queries = holdings.queries.filter((query) => isOwn(query) || query.isShared)
  const dashboards = holdings.dashboards.filter((dashboard) => isOwn(dashboard) || dashboard.isShared)
  const own = [...holdings.webhooks, ...holdings.exports].filter(isOwn)
  const automation = [
    seenEnriching(world, sight),
    seenConsolidating(world, sight),
    seenDetonating(world, sight),
    seenPlaying(world, sight, new Set(namesOf(files))),
  ]

  // Everybody who may read feeds, packs and runs knows that they exist.
  const open = namesOf([...holdings.incomingFeeds, ...holdings.outgoingFeeds, ...holdings.packs])
  const documents = namesOf([...files, ...blobs, ...blocks, ...own])
  const others = namesOf([...lines, ...rules, ...graphs, ...queries, ...dashboards])
  const started = [
    ...holdings.runs.filter(isOwn),
    ...holdings.exports.filter(isOwn),
    ...holdings.files.filter(({ starter }) => starter === viewer),
    ...holdings.webhooks.filter(isOwn),
    ...holdings.enrichers.filter(({ starter }) => starter === viewer),
  ]
  const names = [
    ...open,
    ...documents,
    ...others,
    ...namesOf(holdings.runs),
    ...namesOf(dashboards.map(({ widget }) => widget)),
    ...namesOf(readable.flatMap((feed) => feed.objects)),
    ...automation.flatMap((each) => each.names),
    ...[...open, ...namesOf([...rules, ...holdings.enrichers, ...holdings.policies])].map(taskOf),
    ...open.map(collectionOf),
    ...[
      ...open,
      ...namesOf([
        ...holdings.files,
        ...holdings.exports,
        ...blocks,
        ...rules,
        ...holdings.enrichers,
        ...holdings.policies,
      ]),
    ].map(runOf),
    ...namesOf(holdings.webhooks.filter(isOwn)).map((name) => `delivery of ${name}`),
  ]
  return {
    names: [...names, ...namesOf(blobs).map(fileOf)],
    // Users who imported a file know the ids in it.
    texts: [
      ...names,
      ...automation.flatMap((each) => each.texts),
      ...lines.flatMap(({ of }) => of ?? []),
      ...documents.map(contentOf),
      ...namesOf(started).map((name) => `${name}detail`),
    ],
  }
}

/** The subject of a line is not secret for those who see the line; parts of a document are in the document itself. */
const isSeenLine = ({ seen }: Sight, { kind, of }: OutcomeLine): boolean =>
  kind === 'part' || (kind !== 'observable' && of !== null && seen.has(of))

function mayReadFeed({ viewer, groups, allows }: Sight, feed: OutgoingFeed): boolean {
  if (feed.owner === viewer || feed.groups.some((group) => groups.includes(group))) return true
  return feed.groups.length === 0 && feed.sources.every((source) => allows(source, feed.upTo))
}
