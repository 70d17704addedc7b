import type { Fault } from './fault.ts'

const WORLDS = ['test/visibility.test.ts']

/** Responses derived from objects that the reader does not see. */
export const readFaults: readonly Fault[] = [
  {
    breaks: 'everyone who sees a file sees outcomes of objects that they do not see',
    file: 'server/exchange/files/file-outcomes.ts',
    from: '\n      and (${isImporter(ctx, t)} or ${isOutcomeSeen(ctx, t)}))`',
    to: ')`',
    tests: WORLDS,
  },
  {
    breaks: 'incoming blobs are listed to users who do not see the source of the feed',
    file: 'server/feeds/incoming/blobs.ts',
    from: ' and ${isSourceAllowed(ctx, sql`about.source`)})`',
    to: ')`',
    tests: WORLDS,
  },
  {
    breaks: 'a file shows everyone the result of the run that processed it',
    file: 'server/background/run-details.ts',
    from: "(select case when ${mayReadDetails(ctx, 'r')} then r",
    to: '(select case when true then r',
    tests: WORLDS,
  },
  {
    breaks: 'the statistics of a feed count the objects of runs whose details the caller may not read',
    file: 'server/feeds/health/volume.ts',
    from: "case when ${mayReadDetails(ctx, 'r')} then b.result end as result",
    to: 'b.result',
    tests: WORLDS,
  },
  {
    breaks: 'the tasks of discovery rules have names that the caller may not know',
    file: 'server/background/task-sight.ts',
    from: " and ${visible(ctx, resourceOf(ctx, 'discovery_rules'), 'rule')}))`",
    to: '))`',
    tests: WORLDS,
  },
  {
    breaks: 'the history shows when an object was linked with others that the caller does not see',
    file: 'server/changes/history-events/objects.ts',
    from: '        ...hasSeenChange(ctx, resource, row),\n',
    to: '',
    tests: WORLDS,
  },
  {
    breaks: 'a stream shows when an object was linked with others that the caller does not see',
    file: 'server/changes/streams/linked.ts',
    from: '  if (all.length === 0) return mentions\n',
    to: '  if (all.length >= 0) return mentions\n',
    tests: WORLDS,
  },
  {
    breaks: 'a saved graph lists nodes that the caller does not see',
    file: 'server/graph/graphs/graph-operations.ts',
    from: '...(nodes && { nodes: nodes.filter((node) => isIn(seen, node)) }),',
    to: '',
    tests: WORLDS,
  },
  {
    breaks: 'a feed without groups is read by users who do not see all of its possible content',
    file: 'server/feeds/outgoing/content-access.ts',
    from: "\n      and not exists (select from unnest(${feed('keys')}) as k(key) where not ${holdsKey(ctx, sql`k.key`)})))`",
    to: '))`',
    tests: WORLDS,
  },
  {
    breaks: 'TAXII collections are listed to users who may not read their feeds',
    file: 'server/feeds/taxii/collections.ts',
    from: "and f.transport_type = 'eiq.outgoing-transports.taxii2' and ${mayReadContent(ctx, 'f')}",
    to: "and f.transport_type = 'eiq.outgoing-transports.taxii2'",
    tests: WORLDS,
  },
  {
    breaks: 'exported documents are shown to other users',
    file: 'server/exchange/export-blocks/export-blocks.ts',
    from: 'visible: (ctx, t) => sql`${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}`,',
    to: '',
    tests: WORLDS,
  },
  {
    breaks: 'the search fields are sampled from objects that the caller does not see',
    file: 'server/analytics/search-fields/search-field-samples.ts',
    from: 'as t where ${visible(ctx, resource)} and ${isAllowed} order by t.created_at desc',
    to: 'as t where ${isAllowed} order by t.created_at desc',
    tests: WORLDS,
  },
  {
    breaks: 'a trial of a feed counts objects above the TLP colour of its user as known',
    file: 'server/exchange/importing/import-observables.ts',
    from: 'const knower = triedFor ? { ...ctx, caller: triedFor } : ctx',
    to: 'const knower = ctx',
    tests: ['server/feeds/incoming/trials/test-incoming-feed.test.ts'],
  },
  {
    breaks: 'the preview of a retention policy counts entities that the caller does not see',
    file: 'server/retention/retention-policies.ts',
    from: "policy.what === 'inactive-entities' ? visible(ctx, resourceOf(ctx, 'entities')) : ",
    to: '',
    tests: ['server/retention'],
  },
]
